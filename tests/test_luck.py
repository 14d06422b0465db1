"""Luck and skill on hand-made sweeps, and who is counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.database import open_sweeps
from pipelines.grade import BANDS, band, grade
from pipelines.luck import DEFINITIONS, luck
from pipelines.luck import SCHEMA as luck_columns
from pipelines.players import SCHEMA as player_columns
from pipelines.players import players
from pipelines.statistics import wilson
from pipelines.variance import deal_share, win_interval
from sim.errors import PatienceError
from tests.calling import Call
from tests.hand_made import cell, shard, write_sweep

WINS = {  # the deals of ten that each policy wins, in a sweep of each policy seed
    "random": [(0, 1, 2), (0, 1, 3)],
    "greedy": [(0, 1, 2, 3, 4), (0, 1, 2, 3, 4)],
    "first": [(0, 9), (0, 9)],
}


def sweep(folder: Path, policy_seed: int, policies: tuple[str, ...] = tuple(WINS), **settings: Any) -> Path:
    """Ten deals under each policy. Greedy plays every deal as in the other sweeps, and first all but deal 5."""
    cells = [cell(policy=name) for name in policies]
    lines = []
    for one in cells:
        won = WINS[one["policy"]][policy_seed % 2]
        ends = {seed: "won" if seed in won else "stuck" for seed in range(10)}
        hashes = {5: policy_seed} if one["policy"] == "first" else {}
        more = {s: {"trace_hash": policy_seed if one["policy"] == "random" else hashes.get(s, s)} for s in range(10)}
        lines.append(shard(folder, one, ends, more=more))
    return write_sweep(folder, cells, lines, policy_seed=policy_seed, **settings)


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    return [sweep(tmp_path / "a", 0), sweep(tmp_path / "b", 1)]


def by_policy(folders: list[Path]) -> dict[str, dict[str, Any]]:
    return {row["policy"]: row for row in players(open_sweeps(folders)).to_pylist()}


def test_how_far_winning_lies_in_the_deal(two: list[Path]) -> None:
    """Of random's ten deals six were never won, two once, two twice; the other two policies repeat themselves."""
    rows = by_policy(two)
    random = rows["random"]
    counts = {(2, 0): 6, (2, 1): 2, (2, 2): 2}
    assert [random[name] for name in ("deals", "plays", "wins", "win_rate")] == [10, 20, 6, 0.3]
    assert (random["win_low"], random["win_high"]) == win_interval(counts)
    assert (random["deal_share"], random["deal_low"], random["deal_high"]) == deal_share(counts)
    assert random["play_share"] == pytest.approx(1 - random["deal_share"])
    assert [rows[name]["same_play_share"] for name in ("random", "greedy", "first")] == pytest.approx([0, 1, 0.9])
    assert [rows[name]["deal_share"] for name in ("greedy", "first")] == [1.0, 1.0]


def test_the_floor_the_ceiling_and_the_gap(two: list[Path]) -> None:
    [row] = luck(open_sweeps(two)).to_pylist()
    assert (row["game"], row["variant"], row["deals"], row["plays_per_deal"]) == ("la_belle_lucie", "default", 10, 2.0)
    assert (row["random_rate"], row["best_policy"], row["best_rate"]) == (0.3, "greedy", 0.5)
    assert (row["best_low"], row["best_high"]) == pytest.approx(wilson(5, 10))
    assert (row["pairs"], row["gap"]) == (10, pytest.approx(0.2))
    assert row["gap_low"] < 0.2 < row["gap_high"]
    assert row["random_deal_share"] == by_policy(two)["random"]["deal_share"]
    assert (row["grade"], row["band"], row["not_counted"]) == ("medium to easy", "20 to 80 % won", None)


def test_one_sweep_says_nothing_of_the_variance(tmp_path: Path) -> None:
    con = open_sweeps([sweep(tmp_path / "a", 0)])
    [row] = luck(con).to_pylist()
    assert (row["plays_per_deal"], row["random_rate"], row["gap"]) == (1.0, 0.3, pytest.approx(0.2))
    assert [row[name] for name in ("deal_share", "deal_low", "deal_high", "random_deal_share")] == [None] * 4
    assert (row["random_low"], row["random_high"]) == pytest.approx(wilson(3, 10))
    assert {row["same_play_share"] for row in players(con).to_pylist()} == {None}


def test_more_deals_under_the_same_policy_seed_are_more_deals(tmp_path: Path) -> None:
    first, more = sweep(tmp_path / "a", 0), tmp_path / "more"
    ends = {seed: "won" if seed < 15 else "stuck" for seed in range(10, 20)}
    random = cell(policy="random")
    write_sweep(more, [random], [shard(more, random, ends, end=20)], first_seed=10)
    rows = by_policy([first, more])
    assert [rows["random"][name] for name in ("deals", "plays", "wins")] == [20, 20, 8]


def test_a_policy_that_sees_more_is_named_and_not_counted(two: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policies.greedy.SEES", "the hidden cards", raising=False)
    [row] = luck(open_sweeps(two)).to_pylist()
    assert (row["best_policy"], row["best_rate"], row["not_counted"]) == ("first", 0.2, "greedy")
    assert row["gap"] == pytest.approx(-0.1)
    assert by_policy(two)["greedy"]["sees"] == "the hidden cards"


def test_a_policy_from_a_file_counts_and_says_nothing(tmp_path: Path) -> None:
    mine, folder = cell(policy="home_first"), tmp_path / "s"
    con = open_sweeps([write_sweep(folder, [mine], [shard(folder, mine, {0: "won", 1: "stuck"})])])
    [row] = luck(con).to_pylist()
    assert (row["best_policy"], row["best_rate"], row["random_rate"], row["gap"]) == ("home_first", 0.5, None, None)
    assert players(con).to_pylist()[0]["sees"] == "not said"


def test_random_alone_has_no_grade_and_no_deals_no_rate(tmp_path: Path) -> None:
    [row] = luck(open_sweeps([sweep(tmp_path / "a", 0, ("random",))])).to_pylist()
    assert [row[name] for name in ("random_rate", "best_policy", "gap", "grade", "band")] == [0.3] + [None] * 4
    [row] = luck(open_sweeps([write_sweep(tmp_path / "none", [cell(), cell(policy="random")], [])])).to_pylist()
    assert [row[name] for name in ("random_rate", "best_policy", "gap", "grade")] == [None] * 4
    rows = players(open_sweeps([tmp_path / "none"])).to_pylist()
    assert [(row["deals"], row["win_rate"], row["win_low"], row["win_high"]) for row in rows] == [(0, None, 0, 1)] * 2


def test_equal_plays_and_other_decks_are_refused(tmp_path: Path) -> None:
    folders = [sweep(tmp_path / "a", 0), sweep(tmp_path / "c", 0)]
    with pytest.raises(PatienceError, match="Sweeps a and c both hold la_belle_lucie default under random with policy"):
        luck(open_sweeps(folders))
    folders = [sweep(tmp_path / "a", 0), sweep(tmp_path / "d", 1, deal_source="pysol")]
    with pytest.raises(PatienceError, match=r"deal from pysol and splitmix\. Open sweeps of one"):
        players(open_sweeps(folders))


def test_two_policies_of_one_name_are_not_one_player(tmp_path: Path) -> None:
    folders = []
    for number in (0, 1):
        mine, folder = cell(policy="mine") | {"policy_digest": f"{number:012}"}, tmp_path / str(number)
        folders.append(write_sweep(folder, [mine], [shard(folder, mine, {0: "won"})], policy_seed=number))
    with pytest.raises(PatienceError, match="under mine, but the policy or the game has changed since"):
        luck(open_sweeps(folders))


def test_grades_and_their_bands() -> None:
    assert [grade((x, x)) for x in (0.0, 0.05, 0.2, 0.5, 0.8, 1.0)] == [*BANDS, "very easy"]
    assert (grade((0.1, 0.3)), band((0.1, 0.3))) == ("hard to medium", "5 to 50 % won")
    assert (grade((0.0, 1.0)), band((0.0, 1.0))) == ("very hard to very easy", "0 to 100 % won")
    assert band((0.81, 0.99)) == "80 to 100 % won"


def test_every_column_is_defined() -> None:
    named = [name for names in DEFINITIONS for name in names.split(", ")]
    assert set(named) == {*luck_columns.names, *player_columns.names}
    assert len(named) == len(set(named))


def test_the_command(call: Call, two: list[Path]) -> None:
    said = call("luck", *two, "--format", "json")
    assert [row["grade"] for row in json.loads(said.out)] == ["medium to easy"]
    assert said.err.startswith("Grade: the win rate of the best policy that sees no more than a player does")
    assert json.loads(call("luck", "--explain", "--format", "json").out)[0] == {
        "column": "game",
        "definition": "the game",
    }
    said = call("luck", two[0], "--players", "--format", "json")
    assert [row["policy"] for row in json.loads(said.out)] == list(WINS)
    assert said.err.startswith("Each deal was played once: to part what lies in the deal")
