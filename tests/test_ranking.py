"""Who plays best: the order, the comparison with the next one, the picture, and the command that plays for it."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pipelines.database import open_sweeps
from pipelines.plot import plot
from pipelines.ranking import ranking
from pipelines.statistics import paired_difference
from sim.errors import PatienceError
from tests.calling import Call
from tests.hand_made import cell, shard, write_sweep
from tests.sweeping import manifest, rows

GAME = "la_croix_dhonneur"
PLAYED = ("rank", GAME, "--policy", "random", "--policy", "first", "--policy", "greedy", "--deals", "300")
SERIAL = ("--executor", "serial", "--quiet")


def ranked(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ranking(open_sweeps([folder])).to_pylist()
    return found


def endings(*won: int, of: int = 10, lost: str = "stuck") -> dict[int, str]:
    return {seed: "won" if seed in won else lost for seed in range(of)}


def four(folder: Path) -> Path:
    """Six wins; three wins and more cards home; twice three wins and as many cards home."""
    beta, alpha, middle, top = cells = [cell(policy=name) for name in ("beta", "alpha", "middle", "top")]
    lines = [
        shard(folder, beta, endings(0, 1, 2, lost="error")),
        shard(folder, alpha, endings(0, 1, 2) | {7: "stalled", 8: "too_long"}),
        shard(folder, middle, endings(0, 8, 9), home=30),
        shard(folder, top, endings(0, 1, 2, 3, 4, of=5), end=5) | {"seconds": 0.5},
        shard(folder, top, {seed: "won" if seed == 5 else "stuck" for seed in range(5, 10)}) | {"seconds": 0.25},
    ]
    return write_sweep(folder, cells, lines)


def test_best_first_then_by_cards_home_then_by_name(tmp_path: Path) -> None:
    table = ranked(four(tmp_path / "four"))
    assert [(row["rank"], row["policy"], row["deals"], row["wins"], row["mean_cards_home"]) for row in table] == [
        (1, "top", 10, 6, 20.0), (2, "middle", 10, 3, 30.0), (3, "alpha", 10, 3, 20.0), (4, "beta", 10, 3, 20.0),
    ]  # fmt: skip
    assert list(table[0])[:2] == ["game", "variant"]
    assert (table[0]["win_low"], table[0]["win_high"]) == pytest.approx((0.3127, 0.8318), abs=1e-4)


def test_the_difference_to_the_next_one(tmp_path: Path) -> None:
    """Top wins 1 to 5, which middle loses, and middle 8 and 9, which top loses: p is 2 (1 + 7 + 21) / 2^7."""
    top, middle, alpha, beta = ranked(four(tmp_path / "four"))
    assert (top["pairs"], top["mcnemar_p"]) == (10, pytest.approx(58 / 128))
    assert top["difference"] == pytest.approx(0.3)
    assert (top["low"], top["high"]) == paired_difference(both=1, gained=5, lost=2, neither=2)
    assert (middle["difference"], middle["mcnemar_p"]) == (0.0, 1.0)
    assert middle["low"] == pytest.approx(-middle["high"])
    assert alpha["difference"] == 0.0
    assert [beta[name] for name in ("difference", "low", "high", "pairs", "mcnemar_p")] == [None] * 5


def test_cost_and_deals_without_a_proper_end(tmp_path: Path) -> None:
    top, middle, alpha, beta = ranked(four(tmp_path / "four"))
    assert [row["ms_per_deal"] for row in (top, middle)] == pytest.approx([75.0, 10.0])
    assert [row["share_stalled"] for row in (middle, alpha, beta)] == pytest.approx([0.0, 0.1, 0.0])
    assert [row["share_too_long"] for row in (middle, alpha, beta)] == pytest.approx([0.0, 0.1, 0.0])
    assert [row["share_error"] for row in (middle, alpha, beta)] == pytest.approx([0.0, 0.0, 0.7])


def test_each_variant_of_each_game_has_its_ranking(tmp_path: Path) -> None:
    kinds = [("default", "fan"), ("redeals=0", "fan"), ("default", "the_clock")]
    cells = [cell(variant, policy, game) for variant, game in kinds for policy in ("a", "b")]
    wins = [(0,), (0, 1), (0, 1), (0,), (), (3,)]
    lines = [shard(tmp_path / "s", c, endings(*won)) for c, won in zip(cells, wins, strict=True)]
    table = ranked(write_sweep(tmp_path / "s", cells, lines))
    assert [(row["game"], row["variant"], row["rank"], row["policy"], row["difference"]) for row in table] == [
        ("fan", "default", 1, "b", 0.1), ("fan", "default", 2, "a", None),
        ("fan", "redeals=0", 1, "a", 0.1), ("fan", "redeals=0", 2, "b", None),
        ("the_clock", "default", 1, "b", 0.1), ("the_clock", "default", 2, "a", None),
    ]  # fmt: skip


def test_an_unfinished_sweep_is_ranked_by_rate(tmp_path: Path) -> None:
    """Two of four are more than three of ten, compared on the four; who has played nothing has no rank."""
    waiting, slow, fast = cells = [cell(policy=name) for name in ("a_waiting", "slow", "fast")]
    lines = [shard(tmp_path / "s", slow, endings(0, 1, of=4), end=4), shard(tmp_path / "s", fast, endings(0, 1, 2))]
    first, second, last = ranked(write_sweep(tmp_path / "s", cells, lines))
    assert (first["policy"], first["pairs"], first["difference"]) == ("slow", 4, -0.25)
    assert (second["policy"], second["rank"], second["pairs"], second["difference"]) == ("fast", 2, 0, None)
    assert [last[name] for name in ("policy", "rank", "deals", "win_rate", "ms_per_deal")] == [
        waiting["policy"], None, 0, None, None,
    ]  # fmt: skip
    plot(ranking(open_sweeps([tmp_path / "s"])), tmp_path / "plot.svg")
    assert [text.partition(":")[0] for text in labels(tmp_path / "plot.svg")] == ["slow", "fast"]
    assert "a_waiting" in (tmp_path / "plot.svg").read_text()


def test_one_policy_is_no_ranking(tmp_path: Path) -> None:
    one = cell()
    folder = write_sweep(tmp_path / "s", [one], [shard(tmp_path / "s", one, endings(0))])
    with pytest.raises(PatienceError, match="needs two policies or more; here is only greedy"):
        ranked(folder)


def test_the_picture_shows_each_rate_and_interval(tmp_path: Path) -> None:
    """In the order of the ranking, and where the scale says: dots half as far from zero are half as many wins."""
    table = ranking(open_sweeps([four(tmp_path / "four")]))
    plot(table, tmp_path / "four.svg")
    said, marks = labels(tmp_path / "four.svg"), dots(tmp_path / "four.svg")
    assert said[:2] == [
        "top: 60.00 % (95 % interval 31.27 % to 83.18 %) of 10 deals",
        "middle: 30.00 % (95 % interval 10.78 % to 60.32 %) of 10 deals",
    ]
    assert [text.partition(":")[0] for text in said] == ["top", "middle", "alpha", "beta"]
    assert [x for x, _ in marks] == pytest.approx([x * marks[0][0] for x in (1, 0.5, 0.5, 0.5)], abs=0.5)
    assert [y for _, y in marks] == sorted(y for _, y in marks)


def elements(path: Path) -> list[ElementTree.Element]:
    """The dots of the picture."""
    return [node for node in ElementTree.parse(path).iter() if node.get("aria-roledescription") == "point"]


def labels(path: Path) -> list[str]:
    return [str(node.get("aria-label")) for node in elements(path)]


def dots(path: Path) -> list[tuple[float, float]]:
    numbers = [re.findall(r"-?[\d.]+", str(node.get("transform"))) for node in elements(path)]
    return [(float(x), float(y)) for x, y in numbers]


def test_rank_plays_once_and_says_what_lies_there(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "s"
    said = call(*PLAYED, *SERIAL, "--out", folder, "--format", "json")
    table = json.loads(said.out)
    won = {
        name: {row["seed"] for row in rows(folder, "outcomes", policy=name) if row["won"]}
        for name in ("random", "first", "greedy")
    }
    assert {row["policy"]: row["wins"] for row in table} == {name: len(seeds) for name, seeds in won.items()}
    assert [row["wins"] for row in table] == sorted((len(seeds) for seeds in won.values()), reverse=True)
    for better, worse in pairwise(table):
        assert better["difference"] == pytest.approx((better["wins"] - worse["wins"]) / 300)
    for row in table:
        seconds = sum(line["seconds"] for line in manifest(folder) if f"policy={row['policy']}/" in line["shard"])
        assert 0 < row["ms_per_deal"] == pytest.approx(1000 * seconds / 300)
    before = (folder / "manifest.jsonl").read_bytes()
    assert call(*PLAYED, *SERIAL, "--out", folder, "--format", "json") == said
    assert call("rank", "--sweep", folder, "--format", "json") == (0, said.out, "")
    assert (folder / "manifest.jsonl").read_bytes() == before


def test_sweep_and_rank_find_the_same_folder(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call("sweep", *PLAYED[1:], *SERIAL)
    call(*PLAYED, *SERIAL)
    [folder] = (tmp_path / "results").iterdir()
    assert call("rank", "--sweep", folder.name).text.splitlines()[2].split()[:3] == [GAME, "default", "1"]


def test_pictures_are_the_same_to_the_byte(call: Call, tmp_path: Path) -> None:
    four(tmp_path / "four")
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        first, again = (tmp_path / f"{name}.{kind}" for name in ("first", "again"))
        for path in (first, again):
            call("rank", "--sweep", tmp_path / "four", "--plot", path)
        assert first.read_bytes().startswith(start)
        assert first.read_bytes() == again.read_bytes()
    svg = (tmp_path / "first.svg").read_text()
    assert all(f">{text}</text>" in svg for text in ("top", "middle", "alpha", "beta", "la_belle_lucie: 10 deals"))


def test_a_picture_that_cannot_be_written(call: Call, tmp_path: Path) -> None:
    """The ranking is printed all the same."""
    (tmp_path / "taken.svg").mkdir()
    said = call("rank", "--sweep", four(tmp_path / "four"), "--plot", tmp_path / "taken.svg", code=2)
    assert len(said.text.splitlines()) == 2 + 4
    assert said.err.startswith(f"patience: The plot {tmp_path / 'taken.svg'} cannot be written: ")


def test_deals_that_a_policy_broke_off_are_ranked_with_it(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def choose(game, rules, state, moves, n, scratch):\n    return n\n")
    policies = ("--policy", path, "--policy", "first", "--deals", "100")
    said = call("rank", GAME, *policies, *SERIAL, "--out", tmp_path / "s", "--format", "json", code=3)
    last = json.loads(said.out)[-1]
    assert (last["policy"], last["deals"], last["wins"], last["share_error"]) == ("broken", 100, 0, 1.0)
    assert "100 deals ended as an error: see" in said.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("rank",), "A sweep needs at least one game. `patience games` lists them."),
        (("rank", GAME, "--policy", "gredy"), "There is no policy 'gredy'. Did you mean 'greedy'? Known: random, "),
        (
            ("rank", GAME, "--policy", "greedy", "--policy", "greedy", "--deals", "0"),
            "A ranking needs two policies or more; here is only greedy. Name each one with --policy.",
        ),
        (("rank", GAME, "--plot", "x.pdf"), "There is no plot ending '.pdf'. Known: .svg, .png."),
        (("rank", GAME, "--plot", "no/x.svg"), "There is no folder no for the plot x.svg. Make it, or name another."),
        (("rank", "--sweep", "nowhere"), "nowhere is no sweep: it has no sweep.json."),
        (
            ("rank", GAME, "--sweep", "nowhere", "--first-seed", "5", "--format", "csv"),
            "--sweep ranks what is played already, and takes no first-seed, game. Leave out one or the other.",
        ),
        (("rank", GAME, "--executor", "dask"), "There is no executor 'dask'. Known: ray, serial."),
    ],
)
def test_errors_are_sentences(call: Call, tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in call.refused(tmp_path, *arguments)
