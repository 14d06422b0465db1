"""Policies that never come back, take all memory, print without end or end their process; workers that are stopped."""

import gc
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import psutil
import pytest

from pipelines import stragglers
from pipelines.apart import apart
from pipelines.executors import Executor
from pipelines.limits import Limits, limited_data, share
from pipelines.plan import Cell, Shard
from pipelines.shard import open_table
from pipelines.stragglers import Flights
from pipelines.watchdog import place, watched
from policies.loader import Policy
from sim.errors import PatienceError
from tests.sweeping import files, patience, planned, played, title_of

CHOOSE = "def choose(game, rules, state, moves, n, scratch):\n"
ENDLESS = f"{CHOOSE}    while WHEN:\n        scratch.memory[0] += 1\n    return 0\n"
HOG = f"""
import numpy as np

{CHOOSE}    kept = [np.zeros(1)]
    while WHEN:
        kept.append(np.zeros(1 << 20))
    return len(kept) - 1
"""
DEADLY = f"""
import ctypes

abort = ctypes.CDLL(None).abort
abort.argtypes, abort.restype = [], None

{CHOOSE}    if WHEN:
        abort()
    return 0
"""
NOISY = f"{CHOOSE}    print('noise', n)\n    return 0\n"
TEXTS = {"endless": ENDLESS, "hog": HOG, "deadly": DEADLY, "noisy": NOISY}
SEED = 512
BAD = "game=la_belle_lucie/variant=default/policy={}/seed=00000000000000000500-00000000000000000600"
COMMAND = ("sweep", "la_belle_lucie", "--deals", "700", "--format", "json", "--traces", "none")
LIMITS = ("--deal-seconds", "0.5", "--worker-memory", "0.25")


def write(folder: Path, name: str, when: str = f"state.seed == {SEED}") -> Path:
    path = folder / f"{name}.py"
    path.write_text(TEXTS[name].replace("WHEN", when))
    return path


def test_bad_policies_on_ray(tmp_path: Path) -> None:
    """Each costs the shard in which it goes wrong, with policy and seeds named; the same command tries it again."""
    paths = [write(tmp_path, name) for name in TEXTS]
    policies = [word for path in paths for word in ("--policy", path)]
    command = (*COMMAND, *policies, "--policy", "first", *LIMITS, "--out", tmp_path / "s", "--workers", "2")
    out, err = patience(*command, code=3, shard_moves=1)
    assert_bad_ones_named(err)
    assert [(row["policy"], row["deals"]) for row in json.loads(out)] == [
        ("endless", 600), ("hog", 600), ("deadly", 600), ("noisy", 700), ("first", 700)
    ]  # fmt: skip
    before = files(tmp_path / "s")
    once_more = (*COMMAND, "--policy", paths[0], *LIMITS, "--out", tmp_path / "s", "--executor", "serial")
    again, err = patience(*once_more, code=3, shard_moves=1)
    assert f"Shard {BAD.format('endless')} failed:" in err
    assert (again, files(tmp_path / "s")) == (out, before)


def assert_bad_ones_named(err: str) -> None:
    reasons = {
        "endless": f"the policy was not done with the deal of seed {SEED} after 0.5 s of CPU, at move 0.",
        "hog": f"no more memory was to be had in the deal of seed {SEED} at move 0;",
        "deadly": "its worker died 4 times (WorkerCrashedError)",
    }
    failed = dict(re.findall(r"^Shard (\S+) failed: (.*)$", err, re.M))
    assert set(failed) == {BAD.format(name) for name in reasons}, err
    for name, reason in reasons.items():
        assert failed[BAD.format(name)].startswith(reason)
    assert "noise" not in err
    assert err.endswith("Not finished: run the same command again to go on.\n")


@pytest.mark.parametrize(("name", "deals"), [("endless", 600), ("hog", 500), ("noisy", 700)])
def test_bad_policies_in_one_process(tmp_path: Path, name: str, deals: int) -> None:
    """An endless deal leaves a thread behind; where memory is gone the sweep stops, for its process is spoilt."""
    path = write(tmp_path, name)
    command = (*COMMAND, "--policy", path, *LIMITS, "--out", tmp_path / "s", "--executor", "serial")
    out, err = patience(*command, code=0 if name == "noisy" else 3, shard_moves=1)
    assert [row["deals"] for row in json.loads(out)] == [deals]
    assert "noise" not in out + err
    assert [line for line in err.splitlines() if f"Shard {BAD.format(name)} failed:" in line] or name == "noisy"


@pytest.mark.filterwarnings("ignore:Cannot cache compiled function")
@pytest.mark.parametrize("name", ["hog", "deadly", "noisy"])
def test_the_plan_outlives_its_policies(
    tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A policy that goes wrong in the deals that are played for the plan gets small shards."""
    monkeypatch.setattr("pipelines.apart.USUAL", Limits(memory=0.25))
    path = write(tmp_path, name, "state.seed == 50")
    [cell] = planned(players=[str(path)], shard_moves=10**6).cells
    assert cell.shard_deals == (20_000 if name == "noisy" else 100)
    assert capfd.readouterr().out == ""


def test_an_endless_policy_in_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.shard.USUAL", Limits(deal_seconds=0.5))
    [cell] = planned(players=[str(write(tmp_path, "endless", "True"))], shard_moves=10**6).cells
    assert cell.shard_deals == 100


def test_a_child_leaves_what_its_parent_threw_away() -> None:
    """A database waits for its threads when it is collected; in a child there are none, and it crashed."""
    thrown_away: list[Any] = [duckdb.connect(config={"threads": 2})]
    thrown_away[0].execute("SELECT sum(range) FROM range(1_000_000)")
    thrown_away.append(thrown_away)
    del thrown_away
    assert apart(gc.collect) is not None


@pytest.mark.parametrize("limits", [{"deal_seconds": 0.0}, {"memory": -1.0}, {"deal_seconds": float("nan")}])
def test_limits_that_cannot_be(limits: dict[str, float]) -> None:
    with pytest.raises(PatienceError, match=r"--(deal-seconds|worker-memory) .* cannot be: expected a number above 0"):
        Limits(**limits)


def test_a_deal_is_timed_by_itself() -> None:
    """Thousands of short deals take longer than one may; none is given up."""
    sweep = planned(players=["first"], deals=100, traces="none")
    table = open_table(sweep, sweep.cells[0])
    outcomes = watched(lambda: sum(len(block.outcomes) for block in table.play(0, 30_000)), table, 0.3)
    assert outcomes == 30_000
    assert place(table) == (30_000, 0)


def test_errors_come_out_of_the_thread() -> None:
    sweep = planned(players=["first"], deals=100)
    table = open_table(sweep, sweep.cells[0])
    for error in (SystemExit(5), ValueError("wrong")):
        with pytest.raises(type(error)):
            watched(lambda error=error: (_ for _ in ()).throw(error), table, 1)


def test_memory_is_limited_for_a_while() -> None:
    import numpy as np

    with limited_data(0.25), pytest.raises(MemoryError):
        np.ones(2**30, np.uint8)
    assert len(np.ones(2**29, np.uint8)) == 2**29
    assert 2**28 < share() < 2**50


class Stopping:
    """Stops one of Ray's workers in the middle of a shard, as a lack of memory or a debugger would."""

    def __init__(self, executor: Executor) -> None:
        self.executor, self.stopped = executor, list[psutil.Process]()

    def play(self, *given: Any) -> Iterator[Any]:
        for number, result in enumerate(self.executor.play(*given)):
            yield result
            busy = [one for one in psutil.Process().children(recursive=True) if "ray::play_order" in title_of(one)]
            for process in busy[: number > 4 and not self.stopped]:
                process.suspend()
                self.stopped.append(process)

    def close(self) -> None:
        for process in self.stopped:
            process.resume()


def test_a_stopped_worker(tmp_path: Path, two_workers: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its shard is played by another, and the sweep does not wait for it."""
    monkeypatch.setattr(stragglers, "PATIENCE", 1.0)
    monkeypatch.setattr(stragglers, "TIMES", 1)
    sweep = planned(players=["first", "random"], deals=20_000, shard_moves=100_000)
    stopping = Stopping(two_workers)
    assert played(tmp_path / "ray", sweep, lambda: stopping).failures == []
    assert stopping.stopped
    played(tmp_path / "usual", sweep)
    assert files(tmp_path / "ray") == files(tmp_path / "usual")


def test_which_shards_are_late() -> None:
    slow, fast = (Cell("la_belle_lucie", Policy(name), 100) for name in ("random", "first"))
    flights = Flights()
    for number, cell in enumerate([slow, fast, fast]):
        flights.add(number, Shard(cell, number * 100, number * 100 + 100), now=0.0)
    assert flights.land(1, now=7.0) == (Shard(fast, 100, 200), [])
    assert (flights.late(60.0), flights.punctual(60.0)) == ([], 2)
    assert flights.late(61.0) == [Shard(slow, 0, 100)]  # of its cell nothing is known
    assert flights.late(71.0) == [Shard(slow, 0, 100), Shard(fast, 200, 300)]  # ten times 7 s
    flights.add(3, Shard(fast, 200, 300), now=71.0)
    assert flights.late(211.0) == [Shard(slow, 0, 100)]  # the copy has twice the time
    assert flights.late(212.0) == [Shard(slow, 0, 100), Shard(fast, 200, 300)]
    assert flights.land(3, now=1001.0) == (Shard(fast, 200, 300), [2])
    flights.forget([2])
    assert list(flights.flying) == [0]
