"""Lists of deals by what the policies made of them, in their fixed order."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sim
from pipelines.database import open_sweeps
from pipelines.deals_of import LISTS, deals_of
from sim.deals import PYSOL
from tests.calling import Call
from tests.hand_made import cell, shard, write_sweep
from tests.sweeping import planned, played, rows

ENDS = {  # of each policy by seed; beta has not played seed 9
    "alpha": ["won", "won", "stuck", "won", "stuck", "stalled", "error", "stuck", "won", "won"],
    "beta": ["won", "won", "won", "stuck", "won", "too_long", "stuck", "stuck", "won"],
}
MOVES = {"alpha": [50, 40, 9, 60, 9, 9, 9, 9, 60, 99], "beta": [45, 41, 60, 9, 55, 9, 9, 9, 70]}
HOMES = {"alpha": [52, 52, 4, 52, 4, 30, 7, 30, 52, 52], "beta": [52, 52, 52, 3, 52, 11, 40, 29, 52]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Beta wins five of the nine deals that it has played, alpha five of ten."""
    cells = [cell(policy=name) for name in ENDS]
    lines = [
        shard(tmp_path / "s", one, dict(enumerate(ENDS[name])), more={
            seed: {"moves": moves, "cards_home": home}
            for seed, (moves, home) in enumerate(zip(MOVES[name], HOMES[name], strict=True))
        })
        for one, name in zip(cells, ENDS, strict=True)
    ]  # fmt: skip
    return write_sweep(tmp_path / "s", cells, lines)


def listed(folder: Path, **asked: Any) -> dict[str, list[int]]:
    """The seeds of each list."""
    table = deals_of(open_sweeps([folder]), **asked).to_pylist()
    found: dict[str, list[int]] = {}
    for row in table:
        found.setdefault(row["list"], []).append(row["seed"])
        assert row["number"] == len(found[row["list"]])
    return found


def test_the_lists_and_their_order(folder: Path) -> None:
    assert listed(folder) == {
        "won_by_all": [0, 1, 8],
        "won_by_best_only": [2, 4],
        "won_by_none": [5, 6, 7],
        "closest": [6, 5, 7],
        "shortest_won": [1, 0, 4, 2, 3, 8, 9],
        "longest_won": [9, 8, 2, 3, 4, 0, 1],
    }
    assert listed(folder, limit=2, lists=["closest", "won_by_all"]) == {"won_by_all": [0, 1], "closest": [6, 5]}


def test_a_row_says_what_each_policy_did(folder: Path) -> None:
    [row] = deals_of(open_sweeps([folder]), ["closest"], 1).to_pylist()
    assert row == {
        "game": "la_belle_lucie", "variant": "default", "list": "closest", "number": 1, "seed": 6,
        "won_by": 0, "policies": 2, "best_policy": "beta",
        "plays": [
            {"policy": "alpha", "ending": "error", "cards_home": 7, "moves": 9},
            {"policy": "beta", "ending": "stuck", "cards_home": 40, "moves": 9},
        ],
    }  # fmt: skip


def test_games_and_variants_are_kept_apart(folder: Path, tmp_path: Path) -> None:
    other, cells = tmp_path / "t", [cell(policy="solo", game="fan"), cell("redeals=0", "solo", game="fan")]
    lines = [shard(other, one, {0: "won", 1: "stuck"}) for one in cells]
    con = open_sweeps([folder, write_sweep(other, cells, lines)])
    table = deals_of(con, ["won_by_all", "won_by_best_only"], game="fan").to_pylist()
    assert [(row["sweep"], row["variant"], row["list"], row["seed"]) for row in table] == [
        ("t", "default", "won_by_all", 0), ("t", "redeals=0", "won_by_all", 0),
    ]  # fmt: skip
    assert {row["game"] for row in deals_of(con, variant="redeals=0").to_pylist()} == {"fan"}


def test_pysolfc_numbers(call: Call, tmp_path: Path) -> None:
    """The number leads to the deal: played again alone, it ends as the list says."""
    folder = tmp_path / "s"
    played(
        folder, planned("la_belle_lucie(pysolfc)", players=("first", "greedy"), deals=150, first_seed=1, source=PYSOL)
    )
    table = json.loads(call("seeds", folder, "--list", "shortest_won", "--limit", "3", "--format", "json").out)
    assert [row["pysolfc_deal"] for row in table] == [row["seed"] for row in table] != []
    variant = sim.game("la_belle_lucie(pysolfc)").variant
    for row in table:
        again = call("play", f"la_belle_lucie({variant})", "--seed", row["pysolfc_deal"], "--source", "pysol")
        [greedy] = [play for play in row["plays"] if play["policy"] == "greedy"]
        assert again.text.endswith(f"Ended: {greedy['ending']}.\n")
    stored = [row["seed"] for row in rows(folder, "outcomes") if row["won"]]
    assert {row["seed"] for row in table} <= set(stored)


def test_the_command(call: Call, folder: Path) -> None:
    said = call("seeds", folder, "--list", "won_by_none", "--limit", "1")
    assert said.text.splitlines()[2].split()[:5] == ["la_belle_lucie", "default", "won_by_none", "1", "5"]
    assert "policy=alpha ending=stalled cards_home=30 moves=9; policy=beta ending=too_long" in said.text
    assert {row["list"] for row in json.loads(call("seeds", folder, "--format", "json").out)} == set(LISTS)


def test_every_format(call: Call, folder: Path) -> None:
    """The plays of a deal are a list in JSON and Parquet, JSON's text in CSV, and words for people."""
    asked = ("seeds", folder, "--list", "closest", "--limit", "2", "--format")
    usual = json.loads(call(*asked, "json").out)
    assert pq.read_table(io.BytesIO(call(*asked, "parquet").out)).to_pylist() == usual
    lines = list(csv.DictReader(io.StringIO(call(*asked, "csv").text)))
    assert [json.loads(line["plays"]) for line in lines] == [row["plays"] for row in usual]
    assert "| policy=alpha ending=error cards_home=7 moves=9; policy=beta " in call(*asked, "md").text


def test_a_policy_that_has_not_begun_is_named(call: Call, folder: Path) -> None:
    """Its lists of deals that all have played are empty, and that is said."""
    late = [cell(policy=name) for name in (*ENDS, "late")]
    lines = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    said = call("seeds", write_sweep(folder, late, lines), "--format", "json")
    assert {row["list"] for row in json.loads(said.out)} == {"shortest_won", "longest_won"}
    assert said.err == (
        "Without deals yet, so that no deal there was played by all policies: la_belle_lucie default late.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--list", "won_by_al"),
            "There is no list of deals 'won_by_al'. Did you mean 'won_by_all'? Known: won_by_all,",
        ),
        (("--limit", "0"), "A list of 0 deals says nothing: expected a limit of 1 or more."),
        (("--game", "fan"), "There is no game in these sweeps 'fan'. Known: la_belle_lucie."),
        (("--variant", "redeals=7"), "These sweeps do not have the variant 'redeals=7'. Known: default."),
    ],
)
def test_errors_are_sentences(call: Call, folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
    said = call("seeds", folder, *arguments, code=2)
    assert said.err.startswith(f"patience: {sentence}")
    assert said.err.count("\n") == 1
