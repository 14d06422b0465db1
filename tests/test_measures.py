"""Every measure on hand-made rows whose figures are worked out by hand, and how the command shows them."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.database import open_sweeps
from pipelines.difficulty import ALL, SHOWN
from pipelines.measures import DEFINITIONS, endings, measures, survival
from pipelines.statistics import wilson
from pipelines.tables import is_fraction
from tests.calling import Call
from tests.hand_made import cell, lucie, shard, write_sweep

HOMES = [3, 52, 10, 52, 7, 31, 3, 52, 20, 0]
DEALS: dict[int, dict[str, Any]] = {
    seed: {"cards_home": home, "moves": 10 * seed, "legal_moves": 35 * seed, "decisions": seed, "redeals": seed % 3}
    for seed, home in enumerate(HOMES)
}
ENDINGS = {0: "stuck", 1: "won", 2: "stalled", 3: "won", 4: "too_long", 5: "resigned", 6: "error", 7: "won"}
ENDINGS |= {8: "won", 9: "stuck"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten deals with two redeals allowed, in two shards; the same with one; a cell that waits; one without redeals."""
    two, one, waiting, none = cell(), cell("redeals=1"), cell(policy="first"), cell("redeals=0")
    lines = [
        shard(tmp_path / "s", two, {seed: ENDINGS[seed] for seed in range(4)}, end=4, more=DEALS),
        shard(tmp_path / "s", two, {seed: ENDINGS[seed] for seed in range(4, 10)}, more=DEALS),
        shard(tmp_path / "s", one, {0: "won", 1: "won", 2: "stuck"}, more=DEALS),
        shard(tmp_path / "s", none, {0: "stuck", 1: "won"}, more={0: {"redeals": 0}, 1: {"redeals": 0}}),
    ]
    return write_sweep(tmp_path / "s", [two, one, waiting, none], lines)


def cells(folder: Path) -> list[dict[str, Any]]:
    return list(measures(open_sweeps([folder])).to_pylist())


def test_rates_and_endings_have_every_deal_as_denominator(folder: Path) -> None:
    two = cells(folder)[0]
    assert (two["deals"], two["wins"], two["win_rate"]) == (10, 4, 0.4)
    assert (two["win_low"], two["win_high"]) == pytest.approx(wilson(4, 10))
    shares = {name: two[name] for name in two if name.startswith("share_")}
    assert shares == pytest.approx(
        {"share_stuck": 0.2, "share_resigned": 0.1, "share_stalled": 0.1, "share_too_long": 0.1, "share_error": 0.1}
    )
    assert sum(shares.values()) + two["win_rate"] == pytest.approx(1)


def test_cards_home(folder: Path) -> None:
    """In order: 0 3 3 7 10 20 31 52 52 52. Of ten deals, half or more have at most the fifth, a quarter the third."""
    two = cells(folder)[0]
    assert two["mean_cards_home"] == 23.0
    names = ("cards_home_p05", "cards_home_p25", "cards_home_median", "cards_home_p75", "cards_home_p95")
    assert [two[name] for name in names] == [0, 3, 10, 52, 52]


def test_moves_decisions_branching(folder: Path) -> None:
    """450 moves; wins of 10, 30, 70 and 80; one more position where the policy resigned; 1575 legal moves."""
    two = cells(folder)[0]
    assert (two["mean_moves"], two["mean_moves_won"], two["mean_decisions"]) == (45.0, 190 / 4, 4.5)
    assert two["mean_legal_moves"] == pytest.approx(1575 / 451)


def test_redeals_and_the_last_one(folder: Path) -> None:
    """Of the wins 1, 3, 7 and 8 one used two redeals, which are allowed; of 0 and 1 one used one."""
    two, one, waiting, none = cells(folder)
    names = ("redeals_allowed", "mean_redeals", "last_redeal_wins", "last_redeal_share")
    assert [two[name] for name in names] == [2, 0.9, 1, 0.25]
    assert (two["last_redeal_low"], two["last_redeal_high"]) == pytest.approx(wilson(1, 4))
    assert [one[name] for name in names] == [1, 1.0, 1, 0.5]
    assert [none[name] for name in names] == [0, 0.0, None, None]
    assert [waiting[name] for name in (*names, "last_redeal_low", "last_redeal_high")] == [2, None, 0, None, 0.0, 1.0]


def test_a_cell_without_deals_is_shown_and_claims_nothing(folder: Path) -> None:
    waiting = cells(folder)[2]
    assert (waiting["policy"], waiting["deals"], waiting["wins"]) == ("first", 0, 0)
    assert (waiting["win_rate"], waiting["win_low"], waiting["win_high"]) == (None, 0.0, 1.0)
    known = {name for name, value in waiting.items() if value is not None}
    assert known == {
        "game", "variant", "policy", "deals", "wins", "win_low", "win_high", "redeals_allowed", "last_redeal_wins",
        "last_redeal_low", "last_redeal_high",
    }  # fmt: skip


def test_endings(folder: Path) -> None:
    rows = endings(open_sweeps([folder])).to_pylist()
    assert [(row["ending"], row["deals"], row["ended"]) for row in rows[:6]] == [
        ("won", 10, 4), ("stuck", 10, 2), ("resigned", 10, 1),
        ("stalled", 10, 1), ("too_long", 10, 1), ("error", 10, 1),
    ]  # fmt: skip
    assert (rows[1]["share"], rows[1]["low"], rows[1]["high"]) == pytest.approx((0.2, *wilson(2, 10)))
    waiting = [row for row in rows if row["policy"] == "first"]
    assert [(row["ended"], row["share"], row["low"], row["high"]) for row in waiting] == [(0, None, 0.0, 1.0)] * 6
    assert len(rows) == 4 * 6


def test_survival(folder: Path) -> None:
    """Ten deals reach 0 cards, nine 1 to 3, … three 52; cells of a game share the steps."""
    rows = [row for row in survival(open_sweeps([folder])).to_pylist() if row["variant"] == "default"]
    two = {row["cards_home"]: row["reached"] for row in rows if row["policy"] == "greedy"}
    assert list(two) == list(range(53))
    assert two == {k: sum(home >= k for home in HOMES) for k in range(53)}
    eleven = rows[11]
    assert (eleven["deals"], eleven["share"], eleven["low"]) == pytest.approx((10, 0.5, wilson(5, 10)[0]))
    assert [row["share"] for row in rows if row["policy"] == "first"] == [None] * 53


def test_every_column_is_defined_and_every_rate_is_marked(folder: Path) -> None:
    table = measures(open_sweeps([folder, lucie(folder.parent / "other")]))
    assert table.column_names == list(DEFINITIONS)
    marked = {field.name for field in table.schema if is_fraction(field)}
    assert marked == {name for name in DEFINITIONS if "share" in name or "win_" in name or "redeal_" in name} - {
        "last_redeal_wins"
    }


def test_the_table_shows_a_selection_all_or_what_is_asked_for(call: Call, folder: Path) -> None:
    shown = json.loads(call("table", folder, "--format", "json").out)
    assert list(shown[0]) == ["game", "variant", "policy", *SHOWN]
    full = json.loads(call("table", folder, "--full", "--format", "json").out)
    assert list(full[0]) == ["game", "variant", "policy", *ALL]
    few = call("table", folder, "--columns", "mean_redeals, wins", "--format", "csv").text.splitlines()
    assert few[:2] == ["game,variant,policy,mean_redeals,wins", "la_belle_lucie,default,greedy,0.9,4"]
    about = json.loads(call("table", "--explain", "--format", "json").out)
    assert {row["column"]: row["definition"] for row in about} == DEFINITIONS


def test_endings_and_survival_are_commands(call: Call, folder: Path) -> None:
    assert json.loads(call("endings", folder, "--format", "json").out)[1]["share"] == 0.2
    assert json.loads(call("survival", folder, "--format", "json").out)[11]["reached"] == 5


def test_what_cannot_be_shown(call: Call, tmp_path: Path) -> None:
    lucie(tmp_path / "s")
    said = call("table", tmp_path / "s", "--columns", "win_rat", code=2)
    assert said.err.startswith("patience: There is no measure 'win_rat'. Did you mean 'win_rate'? Known: deals, wins, ")
    said = call("table", tmp_path / "s", "--columns", "wins", "--full", code=2)
    assert said.err == "patience: --columns, --full and --explain exclude each other. Leave out all but one.\n"


def test_the_views_are_open_to_queries(call: Call, folder: Path) -> None:
    sql = "select ended from endings where ending = 'won' and variant = 'default' and policy = 'greedy'"
    assert call("query", sql, "--sweep", folder, "--format", "csv").text == "ended\n4\n"
