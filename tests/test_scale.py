"""A driver's memory does not grow with the deals that it plans, plays, or has played."""

import os
import tracemalloc
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

import sim
from pipelines.executors import ready
from pipelines.finished import Finished
from pipelines.plan import Cell, Shard, Sweep
from pipelines.shard import Summary
from policies.loader import Policy
from sim import options
from tests.sweeping import manifest, played

SIZE = 1000  # deals of a shard
WINDOW = 8


class Pretending:
    """Says of every shard that it was played, and writes nothing; of `most` shards, then it stops."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def play(self, folder: Path, sweep: Sweep, shards: Iterator[Shard | None], stop: Any) -> Iterator[Summary]:
        left = self.most or 10**9
        while flying := list(islice(ready(shards), min(WINDOW, left))):
            left -= len(flying)
            for shard in flying:
                yield Summary(shard.name, [], shard.hi - shard.lo, (shard.hi - shard.lo) // 7, 1.0)

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def peak(folder: Path, sweep: Sweep, most: int | None = None) -> int:
    """Bytes that Python held at most while the sweep was run, beyond those it held before."""
    tracemalloc.start()
    played(folder, sweep, lambda: Pretending(most))
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def hand_made(deals: int, stop: str = "", cells: int = 1) -> Sweep:
    return Sweep(tuple(islice(many_cells(), cells)), deals=deals, stop=stop)


def many_cells() -> Iterator[Cell]:
    """Every variant of a game, under four policies."""
    base = sim.game("the_constitution")
    known = options.values(type(base.options))
    for chosen in product(*known.values()):
        text = options.canonical(type(base.options)(**dict(zip(known, chosen, strict=True))))
        for policy in ("first", "random", "greedy", "weighted"):
            yield Cell(f"{base.name}({text})" if text else base.name, Policy(policy), SIZE)


@pytest.mark.parametrize("stop", ["", "precision=0.05"])
def test_a_hundred_times_the_deals(tmp_path: Path, stop: str) -> None:
    """10^7 against 10^5 deals a cell (of a smaller size than usual, so that there are many)."""
    peak(tmp_path / "first", hand_made(10**5, stop))  # what is loaded once
    few, many = (peak(tmp_path / f"{deals}", hand_made(deals, stop)) for deals in (10**5, 10**7))
    assert many / few < 1.05
    assert len(manifest(tmp_path / f"{10**7}")) > 10 * len(manifest(tmp_path / f"{10**5}"))


@pytest.mark.parametrize("stop", ["", "precision=0.0001"])
def test_a_thousand_cells_of_a_million_million_deals(tmp_path: Path, stop: str) -> None:
    sweep = hand_made(10**12, stop, 1000)
    assert len(sweep.cells) == 1000
    assert peak(tmp_path / "s", sweep, 1500) < 12 * 2**20
    assert len(manifest(tmp_path / "s")) == 1500


def test_what_is_finished_takes_no_memory_for_a_shard() -> None:
    cell = next(many_cells())

    def lines(shards: int) -> Iterator[dict[str, Any]]:
        for lo in range(0, shards * SIZE, SIZE):
            yield {"shard": Shard(cell, lo, lo + SIZE).name, "deals": SIZE, "wins": 1, "fallen": 0}

    held = []
    for shards in (10_000, 30_000):
        tracemalloc.start()
        done = Finished(lines(shards))
        held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        assert done.spans == {cell.key: [(0, shards * SIZE)]}
    assert held[1] < 1.1 * held[0] < 200_000
