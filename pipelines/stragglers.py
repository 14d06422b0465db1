"""Shards under way, and which of them are late: their node may be lost, or their process stopped.

Ray waits for ever for a task on a node that it can no longer reach. So a shard that takes far longer than others of its
cell is played once more when there is nothing else to play, and again if the copy is late in its turn, for it may have
gone to the same node; the first copy that is finished counts, and all would write the same bytes. Dean and Ghemawat,
"MapReduce", OSDI 2004, section 3.6, call these backup tasks.
"""

from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import Any

from pipelines.plan import Shard

PATIENCE = 60.0  # seconds in which no shard is late
TIMES = 10  # times the median of its cell


@dataclass
class Flight:
    """One task: a shard, when it was handed to Ray, and how many tasks played it then."""

    shard: Shard
    since: float
    others: int


class Flights:
    """The tasks under way, by Ray's reference to their result."""

    def __init__(self) -> None:
        self.flying: dict[Any, Flight] = {}
        self.took: dict[str, list[float]] = defaultdict(list)  # seconds, of the last shards of each cell

    def __len__(self) -> int:
        return len(self.flying)

    def add(self, task: Any, shard: Shard, now: float) -> None:
        self.flying[task] = Flight(shard, now, sum(one.shard == shard for one in self.flying.values()))

    def land(self, task: Any, now: float) -> tuple[Shard, list[Any]]:
        """The shard of a task that has ended, and the tasks that still play it."""
        flight = self.flying.pop(task)
        self.took[flight.shard.cell.key] = [*self.took[flight.shard.cell.key][-99:], now - flight.since]
        return flight.shard, [other for other, one in self.flying.items() if one.shard == flight.shard]

    def forget(self, tasks: list[Any]) -> None:
        """Their shard is finished; what these tasks may still bring does not count."""
        for task in tasks:
            del self.flying[task]

    def late(self, now: float) -> list[Shard]:
        """Shards of which the last copy is late."""
        last = {one.shard.name: one for one in self.flying.values()}
        return [one.shard for one in last.values() if self.is_late(one, now)]

    def is_late(self, flight: Flight, now: float) -> bool:
        """Each copy may take twice as long as the one before, lest a slow cluster be flooded."""
        known = self.took.get(flight.shard.cell.key)
        return now - flight.since > (1 << flight.others) * max(PATIENCE, TIMES * median(known) if known else 0.0)

    def punctual(self, now: float) -> int:
        """How many tasks are under way and not late."""
        return sum(not self.is_late(flight, now) for flight in self.flying.values())
