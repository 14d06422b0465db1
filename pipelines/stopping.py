"""When a sweep knows enough. A rule is asked at fixed numbers of shards, and knows the deals up to there, by seed.

* `precision=0.1`: for each cell, until the win rate is known to 0.1 points either way, at 95 %.
* `decided`: for two cells, until it is known which of them wins more of the same deals, at 95 %.

Both use Robbins' confidence sequences (see `statistics`), which are right at whatever number of deals one stops; a
fixed-size interval that is looked at again and again is not. The comparison is a test of one half on the pairs of deals
that just one of the two wins: McNemar's test, made sequential.

No shard beyond the next question is played, so what a sweep holds in the end follows from the deals alone, never from
the workers or their timing. `deals` is the most that is played.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipelines.disk import write_whole
from pipelines.place import Place, opened
from pipelines.plan import Cell, Shard, Sweep, stop_rule
from pipelines.progress import words
from pipelines.statistics import EVIDENCE, Interval, anytime_interval, log_evidence

DIGITS = 3  # binary digits of the numbers of shards at which a rule is asked: 1 to 8, 10, 12, 14, 16, 20, …
DECISIONS = "decisions.json"


def is_asked(number: int) -> bool:
    """Is a rule asked after so many shards? Each time after an eighth to a quarter more."""
    zeros = max(0, number.bit_length() - DIGITS)
    return number >> zeros << zeros == number


class Rule(Protocol):
    """What is known of some cells. It learns of seeds in their order: a shard of each cell, and its wins."""

    cells: Sequence[Cell]

    def learn(self, played: Sequence[tuple[Shard, int]]) -> None: ...

    def enough(self) -> bool: ...

    def found(self) -> dict[str, Any]:
        """What decisions.json keeps."""
        ...

    def sentence(self) -> str: ...


@dataclass
class Precision:
    """One cell, until the half-width of its interval is `half`, a fraction."""

    cells: Sequence[Cell]
    half: float
    deals: int = 0
    wins: int = 0

    def learn(self, played: Sequence[tuple[Shard, int]]) -> None:
        for shard, wins in played:
            self.deals += shard.hi - shard.lo
            self.wins += wins

    @property
    def interval(self) -> Interval:
        return anytime_interval(self.wins, self.deals)

    def enough(self) -> bool:
        low, high = self.interval
        return (high - low) / 2 <= self.half

    def found(self) -> dict[str, Any]:
        low, high = self.interval
        return {"deals": self.deals, "wins": self.wins, "low": low, "high": high}

    def sentence(self) -> str:
        low, high = self.interval
        known = "known" if self.enough() else "not known"
        return (
            f"{words(self.cells[0].key)}: {known} to {100 * self.half:g} points after {self.deals:,} deals, "
            f"{100 * low:.3f} to {100 * high:.3f} % won."
        )


@dataclass
class Comparison:
    """Two cells, until it is known which wins more; `lost`: deals won by the first alone, `gained`: by the second."""

    cells: Sequence[Cell]
    folder: Place
    deals: int = 0
    gained: int = 0
    lost: int = 0

    def learn(self, played: Sequence[tuple[Shard, int]]) -> None:
        first, second = (won(self.folder, shard) for shard, _ in played)
        self.deals += len(first)
        self.lost += pc.sum(pc.and_not(first, second)).as_py() or 0
        self.gained += pc.sum(pc.and_not(second, first)).as_py() or 0

    def enough(self) -> bool:
        return log_evidence(self.gained, self.gained + self.lost, 0.5) >= EVIDENCE

    def better(self) -> Cell | None:
        return self.cells[self.gained > self.lost] if self.enough() else None

    def found(self) -> dict[str, Any]:
        better = self.better()
        counts = {"deals": self.deals, "gained": self.gained, "lost": self.lost}
        return counts | {"better": better.key if better else None}

    def sentence(self) -> str:
        first, second = (words(cell.key) for cell in self.cells)
        better = self.better()
        decided = f"{words(better.key)} wins more" if better else "not decided which wins more"
        return (
            f"{decided}, after {self.deals:,} deals: {self.lost:,} were won by {first} alone, "
            f"{self.gained:,} by {second} alone."
        )


def won(folder: Place, shard: Shard) -> pa.ChunkedArray:
    """Which deals of a finished shard were won, by seed."""
    return pq.read_table(opened(folder / f"outcomes/{shard.name}.parquet"), columns=["won"], partitioning=None)["won"]


def rules(folder: Place, sweep: Sweep) -> list[Rule]:
    """One for each decision of the sweep; none if it plays all its deals."""
    kind, half = stop_rule(sweep.stop)
    if kind == "precision":
        return [Precision([cell], half / 100) for cell in sweep.cells]
    return [Comparison(sweep.cells, folder)] if kind == "decided" else []


def keep(folder: Place, decided: Sequence[Rule]) -> None:
    """Add what was decided to decisions.json, in place of what it says of the same cells."""
    path = folder / DECISIONS
    old = json.loads(path.read_text("utf-8")) if path.exists() else []
    new = [{"cells": [cell.key for cell in rule.cells], "enough": rule.enough()} | rule.found() for rule in decided]
    others = [one for one in old if one["cells"] not in [decision["cells"] for decision in new]]
    if others + new != old:
        write_whole(path, json.dumps(others + new, indent=1) + "\n")
