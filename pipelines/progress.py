"""What a running sweep tells a person, on stderr: deals per second, time left, win rates so far."""

import sys
import time
from collections import Counter
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from pipelines.plan import Sweep
from pipelines.shard import Summary

CELLS_SHOWN = 12  # a bar each; with more cells only the total is shown
PLAIN_EVERY = 10.0  # seconds between lines where there is no terminal


class Watch:
    """Counts finished shards and shows them; a context manager."""

    def __init__(self, sweep: Sweep, done: list[dict[str, object]], quiet: bool = False) -> None:
        self.total = len(sweep.cells) * sweep.deals
        self.deals: Counter[str] = Counter()
        self.wins: Counter[str] = Counter()
        for line in done:
            self.count(str(line["shard"]), int(str(line["deals"])), int(str(line["wins"])))
        self.before = self.deals.total()
        self.start = self.spoke = time.monotonic()
        self.console = Console(stderr=True, quiet=quiet)
        self.bars = self.progress() if self.console.is_terminal and not quiet else None
        self.tasks: dict[str, TaskID] = {}
        self.cells = [cell.key for cell in sweep.cells][: CELLS_SHOWN if len(sweep.cells) <= CELLS_SHOWN else 0]
        self.per_cell = sweep.deals

    def progress(self) -> Progress:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
        )
        return Progress(*columns, TimeRemainingColumn(), console=self.console, transient=True)

    def __enter__(self) -> Self:
        if self.bars:
            self.bars.start()
            for name, total in [*((cell, self.per_cell) for cell in self.cells), ("all", self.total)]:
                self.tasks[name] = self.bars.add_task(words(name), total=total, rate="")
            self.show()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.bars:
            self.bars.stop()
        self.console.print(self.line(), highlight=False, markup=False, soft_wrap=True)

    def count(self, shard: str, deals: int, wins: int) -> None:
        cell = shard.rpartition("/")[0]
        self.deals[cell] += deals
        self.wins[cell] += wins

    def add(self, summary: Summary) -> None:
        """A shard more is finished."""
        self.count(summary.shard, summary.deals, summary.wins)
        self.show()

    def show(self) -> None:
        now = time.monotonic()
        if self.bars:
            for name, task in self.tasks.items():
                done = self.deals.total() if name == "all" else self.deals[name]
                self.bars.update(task, completed=done, rate=self.speed() if name == "all" else self.rate(name))
        elif now - self.spoke > PLAIN_EVERY:
            self.spoke = now
            self.console.print(self.line(), highlight=False, markup=False, soft_wrap=True)

    def speed(self) -> str:
        played = self.deals.total() - self.before
        return f"{played / max(1e-9, time.monotonic() - self.start):,.0f} deals/s"

    def rate(self, cell: str) -> str:
        return f"{100 * self.wins[cell] / self.deals[cell]:.2f} % won" if self.deals[cell] else ""

    def line(self) -> str:
        """One line for a log."""
        done = self.deals.total()
        rates = ", ".join(f"{words(cell)} {self.rate(cell)}" for cell in self.cells if self.deals[cell])
        return f"{done:,} of {self.total:,} deals, {self.speed()}{'; ' if rates else ''}{rates}"


def words(cell: str) -> str:
    """A cell's folder as a person reads it."""
    return " ".join(part.rpartition("=")[2] for part in cell.split("/"))


def say(text: str) -> None:
    """A line for the person, on stderr."""
    print(text, file=sys.stderr)
