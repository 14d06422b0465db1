"""Comparisons of several options and of named policies, their words and curves, and redeals against the raw rows."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

import sim
from pipelines.comparison import alone, comparison
from pipelines.curve import curve
from pipelines.database import open_sweeps
from pipelines.sentences import sentences
from pipelines.statistics import paired_difference, wilson
from sim.errors import PatienceError
from sim.options import values
from tests.calling import Call
from tests.hand_made import cell, lucie, shard, write_sweep
from tests.sweeping import planned, played, rows

REDEALS = {
    name: sorted(v["redeals"]) for name in sim.names() if "redeals" in (v := values(type(sim.game(name).options)))
}
Line = dict[str, Any]


@pytest.fixture(scope="module")
def every_redeal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every game that has redeals, with each number of them, on forty deals."""
    folder = tmp_path_factory.mktemp("redeals") / "s"
    ids = [f"{name}(redeals={value})" for name, counts in REDEALS.items() for value in counts]
    played(folder, planned(*ids, players=("first", "random"), deals=40, traces="none"))
    return folder


def of(folder: Path, game: str, redeals: int, policy: str) -> dict[int, Line]:
    """The stored rows of a cell by seed, straight from its Parquet files."""
    default = values(type(sim.game(game).options))["redeals"][0]
    variant = "default" if redeals == default else f"redeals-{redeals}"
    return {row["seed"]: row for row in rows(folder, "outcomes", game=game, variant=variant, policy=policy)}


def by_hand(a: dict[int, Line], b: dict[int, Line]) -> Line:
    """What a row of the comparison must say, counted deal by deal."""
    seeds = a.keys() & b.keys()
    both = sum(a[s]["won"] and b[s]["won"] for s in seeds)
    gained = sum(b[s]["won"] and not a[s]["won"] for s in seeds)
    lost = sum(a[s]["won"] and not b[s]["won"] for s in seeds)
    stopped = [s for s in seeds if {a[s]["ending"], b[s]["ending"]} & {"stalled", "too_long"}]
    n = len(seeds)
    low, high = paired_difference(both, gained, lost, n - both - gained - lost)
    return {
        "pairs": n, "unpaired_seeds": len(a.keys() ^ b.keys()), "rate_from": (both + lost) / n,
        "rate_to": (both + gained) / n, "difference": (gained - lost) / n, "low": low, "high": high,
        "gained": gained, "lost": lost,
        "mcnemar_p": binomtest(gained, gained + lost).pvalue if gained + lost else 1.0,
        "only_to_share": gained / (both + gained) if both + gained else None,
        "undecided": len(stopped), "failed": 0,
    }  # fmt: skip


def test_there_are_many_games_with_redeals() -> None:
    assert len(REDEALS) >= 10


def test_redeals_of_every_game_read_as_the_raw_rows_do(every_redeal: Path) -> None:
    table = comparison(open_sweeps([every_redeal]), ["redeals"]).to_pylist()
    said = {(row["game"], row["policy"], row["from"], row["to"]): row for row in table}
    assert len(said) == len(table) == sum(2 * (len(counts) - 1) for counts in REDEALS.values())
    for (game, policy, a, b), row in said.items():
        expected = by_hand(of(every_redeal, game, int(a), policy), of(every_redeal, game, int(b), policy))
        assert {name: row[name] for name in expected} == pytest.approx(expected), (game, policy, a, b)
    assert [row["holm_p"] for row in table] == pytest.approx(
        multipletests([row["mcnemar_p"] for row in table], method="holm")[1].tolist()
    )
    assert sum(row["gained"] for row in table) > 20


def test_curves_of_every_game_read_as_the_raw_rows_do(every_redeal: Path) -> None:
    table = curve(open_sweeps([every_redeal]), ["redeals"]).to_pylist()
    for game, counts in REDEALS.items():
        line = [row for row in table if (row["game"], row["policy"]) == (game, "first")]
        assert [row["value"] for row in line] == counts
        for row in line:
            won = [deal["won"] for deal in of(every_redeal, game, row["value"], "first").values()]
            assert (row["deals"], row["wins"], row["rate"]) == (40, sum(won), sum(won) / 40)
            assert (row["low"], row["high"]) == pytest.approx(wilson(sum(won), 40))


def grid(folder: Path) -> Path:
    """Redeals 0 and 1, merci 0 and 1, under greedy; redeals 0 also under first and last, and one cell by itself."""
    names = ["redeals=0", "redeals=1", "merci=1,redeals=0", "merci=1,redeals=1"]
    won = [range(3), range(1, 8), range(4), range(8)]
    cells = [cell(name) for name in names] + [cell("redeals=0", name) for name in ("first", "last")]
    lines = [
        shard(folder, one, {seed: "won" if seed in wins else "stuck" for seed in range(10)})
        for one, wins in zip(cells, [*won, range(2), range(9)], strict=True)
    ]
    lonely = cell(policy="last", game="fan")
    return write_sweep(folder, [*cells, lonely], [*lines, shard(folder, lonely, {0: "won"})])


def test_several_options_at_once(tmp_path: Path) -> None:
    """Greedy's 0 to 2 against 1 to 7: five gained, one lost, two won twice."""
    table = comparison(open_sweeps([grid(tmp_path / "s")]), ["redeals", "merci"]).to_pylist()
    assert [(row["option"], row["variant"], row["from"], row["to"], row["gained"], row["lost"]) for row in table] == [
        ("redeals", "default", "0", "1", 5, 1), ("redeals", "merci=1", "0", "1", 4, 0),
        ("merci", "redeals=0", "0", "1", 1, 0), ("merci", "redeals=1", "0", "1", 1, 0),
    ]  # fmt: skip
    assert table[0]["only_to_share"] == pytest.approx(5 / 7)
    assert (table[0]["only_to_low"], table[0]["only_to_high"]) == pytest.approx(wilson(5, 7))
    assert [row["mcnemar_p"] for row in table] == pytest.approx([14 / 64, 1 / 8, 1, 1])
    assert [row["holm_p"] for row in table] == pytest.approx([42 / 64, 1 / 2, 1, 1])


def test_named_policies_are_compared_with_the_first(tmp_path: Path) -> None:
    con = open_sweeps([grid(tmp_path / "s")])
    table = comparison(con, ["policy"], ["last", "first", "greedy"]).to_pylist()
    assert [(row["variant"], row["from"], row["to"], row["difference"]) for row in table] == [
        ("redeals=0", "last", "first", pytest.approx(-0.7)), ("redeals=0", "last", "greedy", pytest.approx(-0.6)),
    ]  # fmt: skip
    assert [row["policy"] for row in comparison(con, ["redeals"], ["greedy"]).to_pylist()] == ["greedy"] * 2
    with pytest.raises(PatienceError, match=r"'gredy'\. Did you mean 'greedy'\? Known: greedy, first, last\."):
        comparison(con, ["policy"], ["gredy"])
    with pytest.raises(PatienceError, match="Nothing is varied"):
        comparison(con, ["policy"], ["first"])


def test_cells_without_a_partner_are_named(call: Call, tmp_path: Path) -> None:
    folder = grid(tmp_path / "s")
    assert alone(open_sweeps([folder]), ["redeals"]) == [
        "la_belle_lucie redeals=0 first", "la_belle_lucie redeals=0 last", "fan default last",
    ]  # fmt: skip
    said = call("compare", folder, "--vary", "redeals", "--format", "json")
    assert said.err == (
        "Nothing to compare with: la_belle_lucie redeals=0 first; la_belle_lucie redeals=0 last; fan default last.\n"
    )
    assert len(json.loads(said.out)) == 2
    said = call("compare", folder, "--policy", "last", "--policy", "first")
    assert said.err.splitlines()[0].startswith("la_belle_lucie(redeals=0): last→first loses 70.0 points [")
    assert said.err.splitlines()[1] == "Nothing to compare with: fan default last."


def words(folder: Path, *vary: str) -> list[str]:
    return sentences(comparison(open_sweeps([folder]), vary).to_pylist())


def test_sentences_name_what_is_wrong_with_the_deals(tmp_path: Path) -> None:
    first, second = words(lucie(tmp_path / "s"), "redeals")
    assert first == (
        "la_belle_lucie, greedy: redeals 0→1 changes the win rate by 25.0 points [-32.0, 65.5], which may be nothing; "
        "50 % of the 2 deals won with 1 were not won with 0. "
        "Deals stopped on a side as stalled or too long and counted as not won: 1."
    )
    assert second.endswith(
        "Deals played on one side only and not compared: 1; stopped on a side as stalled or too long and counted as "
        "not won: 1; broken off by a policy and counted as not won: 1."
    )
    [nothing] = words(tmp_path / "s", "merci")
    assert nothing.startswith("la_belle_lucie(redeals=0), greedy: merci 0→1 cannot be compared, for no deal was played")


def test_sentences_gain_and_lose_in_points(tmp_path: Path) -> None:
    """1,000 deals: 100 won, then 250 with all of those, then 40 of these."""
    folder, cells = tmp_path / "s", [cell("redeals=0"), cell("redeals=1"), cell()]
    lines = [
        shard(folder, one, {seed: "won" if seed < wins else "stuck" for seed in range(1000)})
        for one, wins in zip(cells, (100, 250, 40), strict=True)
    ]
    gains, loses = words(write_sweep(folder, cells, lines), "redeals")
    assert gains.startswith(
        "la_belle_lucie, greedy: redeals 0→1 gains 15.0 points [12.8, 17.3]; 60 % of the 250 deals won"
    )
    assert loses.startswith("la_belle_lucie, greedy: redeals 1→2 loses 21.0 points [")
    assert loses.endswith("].")


def test_the_interval_of_a_sentence_shows_two_digits(tmp_path: Path) -> None:
    row = {"game": "fan", "variant": "default", "policy": None, "option": "policy", "from": "a", "to": "b"}
    row |= {"pairs": 10**8, "unpaired_seeds": 0, "undecided": 0, "failed": 0, "gained": 0}
    [said] = sentences([row | {"difference": 0.001234, "low": 0.0012111, "high": 0.0012579}])
    assert said == "fan: a→b gains 0.1234 points [0.1211, 0.1258]."


def test_a_curve_needs_an_order(call: Call, tmp_path: Path) -> None:
    folder, cells = tmp_path / "s", [cell("vacancy=any"), cell()]
    write_sweep(folder, cells, [])
    for option in ("vacancy", "policy"):
        cells = [cell("vacancy=any"), cell(), cell(policy="first")]
        said = call("compare", write_sweep(folder, cells, []), "--vary", option, "--curve", code=2)
        assert said.err == (
            f"patience: The values of {option} have no order, so there is no curve. Compare them without --curve.\n"
        )
    said = call("compare", lucie(tmp_path / "l"), "--vary", "redeals", "--curve", "--format", "json")
    line = json.loads(said.out)
    assert all(a["value"] < b["value"] for a, b in pairwise(line))
    assert [(row["value"], row["deals"], row["rate"]) for row in line] == [(0, 4, 0.25), (1, 4, 0.5), (2, 5, 0.8)]
