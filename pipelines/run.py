"""Run a sweep: plan in, files out; resumed by the same call, whatever ended the last one."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from types import FrameType

from pipelines import store
from pipelines.disk import refuse_full
from pipelines.executors import Executor
from pipelines.extending import holds
from pipelines.finished import Finished
from pipelines.owner import owned
from pipelines.place import Place
from pipelines.plan import Shard, Sweep
from pipelines.progress import Watch, say, watch
from pipelines.shard import Summary
from pipelines.stopping import keep
from pipelines.supply import Supply, supply
from pipelines.worker import Failure

BROKEN = 3  # the exit code of a run in which something broke
TOLD = 3  # broken deals of a policy that are told one by one


@dataclass
class Report:
    """How a run ended."""

    failures: list[Failure] = field(default_factory=list)
    fallen: int = 0  # deals that ended as an error
    signal: int = 0  # that stopped it
    stopped: bool = False  # by --on-error stop

    @property
    def finished(self) -> bool:
        """Is all of it played?"""
        return not (self.signal or self.stopped or self.failures)

    @property
    def exit_code(self) -> int:
        """128 and the signal's number, or BROKEN, or 0."""
        return 128 + self.signal if self.signal else BROKEN if self.failures or self.fallen else 0


def run(
    folder: Place,
    sweep: Sweep,
    open_executor: Callable[[], Executor],
    *,
    arguments: list[str],
    on_error: str = "continue",
    quiet: bool = False,
    events: bool = False,
) -> Report:
    """Play all of the sweep that is not yet there. Raises PatienceError for a folder that cannot be used."""
    report = Report()
    with owned(folder):
        whole, asked = store.prepare(folder, sweep, arguments)
        if more := holds(whole, sweep):
            say(more)
        lines = store.finished(folder)
        done = Finished(lines.values())
        report.fallen = done.fallen.total()
        shards = supply(folder, asked, sweep.deals, done)
        for name, line in lines.items():
            shards.hear(name, line["wins"])
        del lines  # one for each shard: from here on memory does not grow with them
        first = next(shards, None)
        if first is not None:
            watching = watch(asked, done.lines(), quiet, events)
            # Before Ray starts, for a signal in the middle of an import would be lost; and after, for it takes SIGTERM.
            with signals(report), closing(open_executor()) as executor, watching, signals(report):
                play(folder, asked, executor, first, shards, watching, report, on_error)
            store.close(folder)
        keep(folder, shards.decided())
        for rule in shards.decided():
            say(rule.sentence())
    return report


def play(
    folder: Place, sweep: Sweep, executor: Executor, first: Shard, left: Supply, watch: Watch, report: Report,
    on_error: str,
) -> None:  # fmt: skip
    """Take results as they come; a line in the manifest each."""
    for result in executor.play(folder, sweep, chain([first], left), lambda: bool(report.signal) or report.stopped):
        if isinstance(result, Summary):
            store.note(folder, result)
            left.hear(result.shard, result.wins)
            tell(result, report)
            watch.add(result)
            report.stopped |= on_error == "stop" and result.fallen > 0
        else:
            report.failures.append(result)
            watch.failed(result.shard, result.reason)
            refuse_full(folder)
            report.stopped = on_error == "stop"


def tell(summary: Summary, report: Report) -> None:
    """Name the policy, the seed and the move of broken deals; only the first few, for there may be millions."""
    cell = summary.shard.rpartition("/")[0]
    for fall in summary.falls[: max(0, TOLD - report.fallen)]:
        say(f"A deal broke off: {cell} seed {fall['seed']} move {fall['step']}: {fall['reason']}")
    report.fallen += summary.fallen


@contextmanager
def closing(executor: Executor) -> Iterator[Executor]:
    try:
        yield executor
    finally:
        executor.close()


@contextmanager
def signals(report: Report) -> Iterator[None]:
    """The first SIGINT or SIGTERM lets the shards under way finish; the second ends the process as usual.

    Ray's own handler of SIGTERM aborts with a stack trace, so these are installed after Ray has started.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        report.signal = number
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        say("Stopping: the shards under way are finished first. Once more to stop at once.")

    old = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
