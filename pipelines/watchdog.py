"""Watches a shard while it is played: a policy that does not come back from a choice is found out.

Compiled code cannot be interrupted, but it leaves Python free. So the shard is played in a thread of its own, and the
thread that waits for it reads off the table which deal it is at. A deal has so much CPU time of the playing thread:
other work on the machine, a slow disk or a process that was stopped for a while count for nothing.
"""

import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread, get_ident
from typing import Generic, TypeVar

from sim.errors import PatienceError
from sim.table import Table

T = TypeVar("T")
TICK = 0.2  # seconds between two looks at the table


class Overrun(PatienceError):
    """A deal that took too long. The thread that plays it cannot be ended; its process is to be given up."""


class Player(Thread, Generic[T]):
    """A thread that does some work, and whose CPU time others may read."""

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.result: Future[T] = Future()
        self.clock: Future[int] = Future()

    def run(self) -> None:
        self.clock.set_result(time.CLOCK_PROCESS_CPUTIME_ID if sys.platform == "darwin" else own_clock())
        try:
            self.result.set_result(self.work())
        except BaseException as error:  # such as SystemExit: it is raised again where the result is asked for
            self.result.set_exception(error)

    def seconds(self) -> float:
        """CPU seconds so far; 0 once the thread has ended, and its clock with it."""
        try:
            return time.clock_gettime(self.clock.result())
        except OSError:
            return 0.0


def own_clock() -> int:
    return time.pthread_getcpuclockid(get_ident())


def watched(work: Callable[[], T], table: Table, seconds: float) -> T:
    """What `work`, which plays at this table, gives; raises Overrun when a deal takes more CPU seconds than this."""
    player = Player(work)
    player.start()
    deal, began = -1, 0.0
    while not player.result.done():
        wait([player.result], TICK)
        now, spent = place(table)[0], player.seconds()
        if now != deal:
            deal, began = now, spent
        elif spent - began > seconds:
            raise Overrun(
                f"the policy was not done with the deal of seed {deal} after {seconds:g} s of CPU, at move "
                f"{place(table)[1]}. Mend it, or allow a deal more with --deal-seconds"
            )
    return player.result.result()


def place(table: Table) -> tuple[int, int]:
    """The seed of the deal that is being played, and the number of its next move."""
    block = table.block
    return int(block.first_seed) + int(block.at), int(block.used) - int(block.start)
