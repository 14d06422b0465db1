"""What a running sweep tells a person, on stderr: a live view on a terminal, and plain lines elsewhere.

How far each cell is, its win rate with its interval so far, deals per second, time left, what failed.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from math import ceil
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from pipelines.plan import Sweep
from pipelines.shard import Summary
from pipelines.statistics import wilson

CELLS_NAMED = 12  # in a plain line; with more cells it tells the total only
PLAIN_EVERY = 10.0  # seconds between lines where there is no terminal
ROOM = 4  # lines of a terminal that are left to others


class Tally:
    """Counts what is finished, by cell."""

    def __init__(self, sweep: Sweep, done: Iterable[Mapping[str, Any]]) -> None:
        self.cells = {cell.key: sweep.deals for cell in sweep.cells}
        self.total = sum(self.cells.values())
        self.deals, self.wins, self.broken = Counter[str](), Counter[str](), Counter[str]()
        self.failed_shards = 0
        for line in done:
            self.count(line["shard"], line["deals"], line["wins"], line["fallen"])
        self.before, self.start = self.deals.total(), time.monotonic()

    def count(self, shard: str, deals: int, wins: int, fallen: int) -> str:
        """Add a shard; its cell."""
        cell = shard.rpartition("/")[0]
        self.deals[cell] += deals
        self.wins[cell] += wins
        self.broken[cell] += fallen
        return cell

    @property
    def speed(self) -> float:
        """Deals per second since this run began."""
        return (self.deals.total() - self.before) / max(1e-9, time.monotonic() - self.start)

    @property
    def seconds_left(self) -> float | None:
        """Until all is played, at the speed so far."""
        return (self.total - self.deals.total()) / self.speed if self.speed else None

    def rate(self, cell: str) -> str:
        """The win rate of a cell with its 95 % interval."""
        deals, wins = self.deals[cell], self.wins[cell]
        low, high = wilson(wins, deals)
        return f"{100 * wins / deals:.2f} % won [{100 * low:.2f}, {100 * high:.2f}]" if deals else ""

    def harm(self) -> list[str]:
        """What failed so far, in words."""
        told = {"deals broke off": self.broken.total(), "shards failed": self.failed_shards}
        return [f"{count:,} {what}" for what, count in told.items() if count]


class Watch(Tally):
    """Is told of each shard that is finished or failed; a context manager. This one says nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    def add(self, summary: Summary) -> None:
        """A shard more is finished."""
        self.show(self.count(summary.shard, summary.deals, summary.wins, summary.fallen))

    def failed(self, shard: str, reason: str) -> None:
        """A shard could not be played."""
        self.failed_shards += 1
        say(f"Shard {shard} failed: {reason}")

    def show(self, cell: str) -> None:
        """The cell has changed."""


class Lines(Watch):
    """A line now and then, for a log."""

    def __init__(self, sweep: Sweep, done: Iterable[Mapping[str, Any]]) -> None:
        super().__init__(sweep, done)
        self.spoke = self.start

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        say(self.line())

    def show(self, cell: str) -> None:
        """Not of the last shard: the last line tells of it."""
        if time.monotonic() - self.spoke > PLAIN_EVERY and self.deals.total() < self.total:
            self.spoke = time.monotonic()
            say(self.line())

    def line(self) -> str:
        """How far it is, in one line."""
        left = self.seconds_left
        time_left = [f"{timedelta(seconds=ceil(left))} left"] if left else []
        done = [f"{self.deals.total():,} of {self.total:,} deals", f"{self.speed:,.0f} deals/s", *time_left]
        named = self.cells if len(self.cells) <= CELLS_NAMED else ()
        rates = [f"{words(cell)} {self.rate(cell)}" for cell in named if self.deals[cell]]
        return "; ".join([", ".join(done + self.harm()), *rates])


class Bars(Lines):
    """A bar for each of the cells that changed last, as many as the terminal is high, and one for all."""

    def __init__(self, sweep: Sweep, done: Iterable[Mapping[str, Any]], console: Console) -> None:
        super().__init__(sweep, done)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}")
        self.bars = Progress(*columns, TimeRemainingColumn(), console=console, transient=True)
        self.tasks: dict[str, TaskID] = {}
        self.seen: dict[str, None] = {}  # the cells that have bars, the one that changed last at the end
        self.room = max(1, console.height - ROOM)

    def __enter__(self) -> Self:
        self.bars.start()
        for cell, deals in self.cells.items():
            done, rate = self.deals[cell], self.rate(cell)
            self.tasks[cell] = self.bars.add_task(words(cell), total=deals, completed=done, visible=False, rate=rate)
        self.all = self.bars.add_task("all", total=self.total, completed=self.before, rate="")
        for cell in list(self.cells)[: self.room]:
            self.see(cell)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.bars.stop()
        super().__exit__(kind, error, at)

    def show(self, cell: str) -> None:
        self.bars.update(self.tasks[cell], completed=self.deals[cell], rate=self.rate(cell))
        said = ", ".join([f"{self.speed:,.0f} deals/s", *self.harm()])
        self.bars.update(self.all, completed=self.deals.total(), rate=said)
        self.see(cell)

    def see(self, cell: str) -> None:
        """The cell's bar is there, in the place of the one that has not changed for the longest time."""
        self.seen.pop(cell, None)
        self.seen[cell] = None
        self.bars.update(self.tasks[cell], visible=True)
        if len(self.seen) > self.room:
            oldest = next(iter(self.seen))
            del self.seen[oldest]
            self.bars.update(self.tasks[oldest], visible=False)


def watch(sweep: Sweep, done: Iterable[Mapping[str, Any]], quiet: bool = False, events: bool = False) -> Watch:
    """What tells of a sweep whose shards `done` are finished already."""
    console = Console(stderr=True)
    if events:
        from pipelines.events import Events

        return Events(sweep, done)
    return Watch(sweep, done) if quiet else Bars(sweep, done, console) if console.is_terminal else Lines(sweep, done)


def words(cell: str) -> str:
    """A cell's folder as a person reads it."""
    return " ".join(part.rpartition("=")[2] for part in cell.split("/"))


def say(text: str) -> None:
    """A line for the person, on stderr."""
    print(text, file=sys.stderr)
