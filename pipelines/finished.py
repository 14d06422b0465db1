"""Which deals of a sweep are finished. It takes memory for each cell and each gap, not for each shard."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from pipelines.manifest import SHARD
from pipelines.plan import Shard

Span = tuple[int, int]  # seeds lo <= seed < hi


class Finished:
    """The seeds of each cell, by its key, as spans in ascending order; and how many deals were won, or broken off."""

    def __init__(self, lines: Iterable[dict[str, Any]]) -> None:
        self.deals: Counter[str] = Counter()
        self.wins: Counter[str] = Counter()
        self.fallen: Counter[str] = Counter()
        spans: dict[str, list[Span]] = defaultdict(list)
        for line in lines:
            cell, span = place(line["shard"])
            spans[cell].append(span)
            self.deals[cell] += line["deals"]
            self.wins[cell] += line["wins"]
            self.fallen[cell] += line["fallen"]
        self.spans = {cell: merged(sorted(found)) for cell, found in spans.items()}

    def holds(self, shard: Shard) -> bool:
        """Is every deal of the shard finished?"""
        spans = self.spans.get(shard.cell.key, [])
        at = bisect_right(spans, (shard.lo, shard.hi))
        return any(lo <= shard.lo and shard.hi <= hi for lo, hi in spans[max(0, at - 1) : at + 1])

    def lines(self) -> list[dict[str, Any]]:
        """For each cell what a line of the manifest would say, were it one shard."""
        counts = {"deals": self.deals, "wins": self.wins, "fallen": self.fallen}
        return [{"shard": f"{cell}/"} | {name: count[cell] for name, count in counts.items()} for cell in self.spans]


def place(shard: str) -> tuple[str, Span]:
    """The key of a shard's cell, and its seeds, from its name."""
    match = SHARD.fullmatch(shard)
    assert match
    return shard.rpartition("/")[0], (int(match[4]), int(match[5]))


def merged(spans: list[Span]) -> list[Span]:
    """Spans in ascending order, those that touch made one."""
    found: list[Span] = []
    for lo, hi in spans:
        if found and lo <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], hi)
        else:
            found.append((lo, hi))
    return found
