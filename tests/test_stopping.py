"""Sweeps that stop when they know enough: at boundaries that follow from the deals alone."""

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pipelines import run
from pipelines.executors import Executor, Serial
from pipelines.plan import Sweep
from pipelines.statistics import EVIDENCE, anytime_interval, log_evidence, wilson
from pipelines.stopping import is_asked
from sim.errors import PatienceError
from tests.sweeping import files, manifest, patience, planned, played, read

REPEATS, LONGEST = 1500, 6000


def walks(p: float) -> NDArray[np.int64]:
    """Successes so far after each trial, int64[REPEATS, LONGEST]."""
    return (np.random.default_rng(1).random((REPEATS, LONGEST)) < p).cumsum(axis=1)


def evidence_along(walk: NDArray[np.int64], p: float) -> NDArray[np.float64]:
    """`log_evidence` after each trial of all walks, from sums of logarithms instead of lgamma.

    The mixture's likelihood is a product: after k of n successes the next has probability (k + 1/2) / (n + 1).
    """
    hit = np.diff(walk, axis=1, prepend=0)
    before, n = walk - hit, np.arange(walk.shape[1])
    likely = np.where(hit == 1, before + 0.5, n - before + 0.5) / (n + 1)
    return np.cumsum(np.log(likely) - np.log(np.where(hit == 1, p, 1 - p)), axis=1)


@pytest.mark.parametrize("p", [0.5, 0.05, 0.003])
def test_coverage_at_every_stopping_time_at_once(p: float) -> None:
    """The true rate leaves the interval at any of 6,000 times in at most 5 % of the walks; Wilson's in far more."""
    walk = walks(p)
    evidence = evidence_along(walk, p)
    for i, n in ((0, 1), (1, 17), (2, 2711), (3, LONGEST)):
        assert evidence[i, n - 1] == pytest.approx(log_evidence(int(walk[i, n - 1]), n, p), abs=1e-6)
    left = (evidence >= EVIDENCE).any(axis=1)
    assert 0.002 < left.mean() < 0.05
    looks = range(50, LONGEST, 50)
    wrong = np.zeros(300, bool)
    for n in looks:
        wrong |= [not low <= p <= high for low, high in (wilson(int(k), n) for k in walk[:300, n - 1])]
    assert wrong.mean() > 0.15


def test_the_interval_is_where_the_evidence_passes() -> None:
    for k, n in ((0, 1), (0, 100), (3, 7), (57, 1000), (1000, 1000), (56_700, 10**6), (5 * 10**9, 10**11)):
        low, high = anytime_interval(k, n)
        assert 0 <= low <= k / n <= high <= 1
        for bound in (low, high):
            assert bound in (0, 1) or log_evidence(k, n, bound) == pytest.approx(EVIDENCE, abs=0.01)
    assert anytime_interval(0, 0) == (0.0, 1.0)
    assert anytime_interval(0, 100)[0] == 0.0
    assert anytime_interval(100, 100)[1] == 1.0


@pytest.mark.parametrize(("k", "n", "p"), [(0, 3, 0.5), (3, 7, 0.25), (40, 60, 0.5)])
def test_the_mixture_is_an_integral(k: int, n: int, p: float) -> None:
    """Over Jeffreys' prior, summed at the sines of equal angles, where that prior is even."""
    angles = (np.arange(100_000) + 0.5) * math.pi / 2 / 100_000
    rates = np.sin(angles) ** 2
    ratio = np.mean((rates / p) ** k * ((1 - rates) / (1 - p)) ** (n - k))
    assert log_evidence(k, n, p) == pytest.approx(math.log(ratio), rel=1e-6)


def test_when_a_rule_is_asked() -> None:
    asked = [n for n in range(1, 10**5) if is_asked(n)]
    assert asked[:14] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24]
    assert max(b / a for a, b in pairwise(asked[3:])) == 1.25


def precise(half: str, deals: int = 30_000, **other: Any) -> Sweep:
    settings = {"players": ["first", "greedy"], "shard_moves": 15_000, "stop": f"precision={half}", "traces": "none"}
    return planned("la_belle_lucie", **settings | {"deals": deals} | other)


def decisions(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "decisions.json").read_text())
    return found


class Backwards(Serial):
    """Plays the shards that may be played from the last to the first, as timing could have it."""

    def play(self, folder: Path, sweep: Any, shards: Any, stop: Any) -> Any:
        while ready := list(until_none(shards))[::-1]:
            yield from super().play(folder, sweep, iter(ready), stop)


def until_none(shards: Any) -> Any:
    for shard in shards:
        if shard is None:
            return
        yield shard


def test_precision(tmp_path: Path, two_workers: Executor) -> None:
    """Each cell has just the shards up to the first question that it answers; whoever plays them."""
    played(tmp_path / "serial", precise("1"))
    played(tmp_path / "backwards", precise("1"), Backwards)
    played(tmp_path / "ray", precise("1"), lambda: two_workers)
    assert files(tmp_path / "serial") == files(tmp_path / "backwards") == files(tmp_path / "ray")
    assert decisions(tmp_path / "serial") == decisions(tmp_path / "backwards") == decisions(tmp_path / "ray")
    first, greedy = decisions(tmp_path / "serial")
    assert 0 < first["deals"] < greedy["deals"] < 30_000
    for policy, found in (("first", first), ("greedy", greedy)):
        won = read(tmp_path / "serial", "outcomes", policy=policy)["won"].to_pylist()
        assert (found["enough"], found["deals"], found["wins"]) == (True, len(won), sum(won))
        assert width(won) <= 0.01
        size = next(cell.shard_deals for cell in precise("1").cells if cell.policy.name == policy)
        asked = [n * size for n in range(1, len(won) // size) if is_asked(n)]
        assert asked
        assert min(width(won[:n]) for n in asked) > 0.01


def width(won: list[bool]) -> float:
    """Half of it."""
    low, high = anytime_interval(sum(won), len(won))
    return (high - low) / 2


def test_precision_that_is_not_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All deals are played, and it is said; more deals go on from there."""
    played(tmp_path / "s", precise("1.2", deals=2150))
    assert [one["deals"] for one in decisions(tmp_path / "s")] == [one["deals"] for one in decisions(tmp_path / "s")]
    assert [one["enough"] for one in decisions(tmp_path / "s")] == [True, False]
    assert "la_belle_lucie default greedy: not known to 1.2 points after 2,150 deals" in capsys.readouterr().err
    before = files(tmp_path / "s")
    played(tmp_path / "s", precise("1.2", deals=30_000))
    assert before.items() < files(tmp_path / "s").items()
    assert [one["enough"] for one in decisions(tmp_path / "s")] == [True, True]
    assert "la_belle_lucie default greedy: known to 1.2 points after" in capsys.readouterr().err
    assert played(tmp_path / "s", precise("1.2", deals=30_000), Never) == run.Report()


class Never:
    """An executor that must not be opened."""

    def __init__(self) -> None:
        raise AssertionError("there was something left to play")


class Dying(Serial):
    """Ends after some shards, as a killed process would."""

    def play(self, folder: Path, sweep: Any, shards: Any, stop: Any) -> Any:
        for number, result in enumerate(super().play(folder, sweep, shards, stop)):
            yield result
            if number == 3:
                return


def test_resumed_until_it_is_decided(tmp_path: Path) -> None:
    played(tmp_path / "whole", precise("1"))
    sweep, runs = precise("1"), 0
    while len(manifest(tmp_path / "s")) < len(manifest(tmp_path / "whole")):
        played(tmp_path / "s", sweep, Dying)
        runs += 1
    assert runs > 2
    assert files(tmp_path / "s") == files(tmp_path / "whole")
    assert decisions(tmp_path / "s") == decisions(tmp_path / "whole")
    assert len({line["shard"] for line in manifest(tmp_path / "s")}) == len(manifest(tmp_path / "s"))


def test_until_decided(tmp_path: Path, two_workers: Executor) -> None:
    """greedy wins more than first; the pairs of the same deals say so, and no deal more is played."""
    command = ("sweep", "la_belle_lucie", "--policy", "first", "--policy", "greedy", "--deals", "30_000")
    rule = ("--until-decided", "--traces", "none", "--executor", "serial", "--format", "json")
    out, err = patience(*command, *rule, "--out", tmp_path / "s", shard_moves=10_000)
    [found] = decisions(tmp_path / "s")
    assert f"la_belle_lucie default greedy wins more, after {found['deals']:,} deals: {found['lost']:,} were won" in err
    assert [row["deals"] for row in json.loads(out)] == [found["deals"]] * 2
    one, other = (read(tmp_path / "s", "outcomes", policy=policy)["won"].to_pylist() for policy in ("first", "greedy"))
    gained = sum(b and not a for a, b in zip(one, other, strict=True))
    lost = sum(a and not b for a, b in zip(one, other, strict=True))
    assert (found["gained"], found["lost"], found["enough"]) == (gained, lost, True)
    assert found["better"].endswith("policy=greedy")
    assert log_evidence(gained, gained + lost, 0.5) >= EVIDENCE
    sweep = planned(players=["first", "greedy"], deals=30_000, stop="decided", traces="none", shard_moves=10_000)
    assert sweep.cells[0].shard_deals == sweep.cells[1].shard_deals
    played(tmp_path / "ray", sweep, lambda: two_workers)
    assert files(tmp_path / "ray") == files(tmp_path / "s")


def test_what_is_not_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule that no deal ever uses makes no difference."""
    sweep = planned(players=["first"], vary={"redeals": ["2", "3"]}, deals=150, stop="decided", shard_moves=1)
    played(tmp_path / "s", sweep)
    [found] = decisions(tmp_path / "s")
    assert (found["deals"], found["enough"], found["better"]) == (150, False, None)
    assert "not decided which wins more, after 150 deals" in capsys.readouterr().err


def test_two_rules_are_refused(tmp_path: Path) -> None:
    command = ("sweep", "la_belle_lucie", "--precision", "0.1", "--until-decided", "--out", tmp_path / "s")
    _, err = patience(*command, code=2)
    assert err == "patience: --precision and --until-decided are two rules by which to stop. Leave out one of them.\n"
    with pytest.raises(PatienceError, match="compares two cells, and this sweep has 4"):
        planned(vary={"redeals": ["0", "1"]}, stop="decided")
