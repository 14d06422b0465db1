"""What a worker does: play the shard of an order.

Orders are plain values: names, seed ranges, the text of a policy file, never code objects; small summaries come back.
"""

import os
import signal
import time
import traceback
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from threading import Event, Timer
from typing import Any

from filelock import FileLock, Timeout

from pipelines.limits import USUAL, Limits, contained
from pipelines.place import Place, located
from pipelines.plan import Cell, Shard, Sweep
from pipelines.shard import Summary, open_table, play_shard
from pipelines.watchdog import Overrun, place, watched
from policies.loader import Policy, from_plain
from sim.errors import PatienceError
from sim.table import Table

RETIRE = 1.0  # seconds in which the result of a spoilt worker reaches the driver before the worker ends itself
COMPILING = 120.0  # seconds that a worker waits for another one that compiles
retiring = Event()


@dataclass(frozen=True)
class Failure:
    """A shard that could not be played, and why."""

    shard: str
    reason: str
    lost: str = ""  # what its process has lost to the policy: its "thread", or "memory"


Result = Summary | Failure


def order(folder: Place, sweep: Sweep, shard: Shard, limits: Limits = USUAL, retire: bool = False) -> dict[str, Any]:
    """All that a worker needs to play a shard; a worker that can be replaced retires when it is spoilt."""
    plain = asdict(replace(sweep, cells=(shard.cell,), cuts=()))
    bounds = {"lo": shard.lo, "hi": shard.hi, "limits": asdict(limits), "retire": retire}
    return {"folder": str(folder.resolve()), "sweep": plain} | bounds


def play_order(given: dict[str, Any]) -> Result:
    """Play a shard. Errors come back as values: an exception that cannot be pickled would lose its reason."""
    if retiring.is_set():
        time.sleep(60 * RETIRE)  # and the process ends in its sleep
    limits = Limits(**given["limits"])
    with contained(limits):
        sweep = restore(given["sweep"])
        shard = Shard(sweep.cells[0], given["lo"], given["hi"])
        result = played(located(given["folder"]), sweep, shard, limits)
    if given["retire"] and isinstance(result, Failure) and result.lost:
        retire()
    return result


def played(folder: Place, sweep: Sweep, shard: Shard, limits: Limits) -> Result:
    """The shard's summary, or why there is none."""
    try:
        compile_once(shard.cell.game, shard.cell.policy)
        table = open_table(sweep, shard.cell)
        return at_table(folder, sweep, shard, limits, table)
    except (PatienceError, OSError) as error:  # such as a disk that is full
        return Failure(shard.name, str(error))
    except BaseException as error:  # a policy may call sys.exit, which Ray would take for a crash
        return Failure(shard.name, f"{type(error).__name__}: {error}\n{traceback.format_exc()}")


def at_table(folder: Place, sweep: Sweep, shard: Shard, limits: Limits, table: Table) -> Result:
    """Play it, watched; what spoils the process is a failure of the shard, for later deals would suffer from it."""
    try:
        return watched(lambda: play_shard(folder, sweep, shard, table), table, limits.deal_seconds)
    except Overrun as error:
        return Failure(shard.name, str(error), lost="thread")
    except MemoryError:
        seed, step = place(table)
        reason = f"no more memory was to be had in the deal of seed {seed} at move {step}; --worker-memory allows more"
        return Failure(shard.name, reason, lost="memory")


def retire() -> None:
    """End this process as soon as the result has left it. A task that comes to it meanwhile is played again by Ray."""
    retiring.set()
    timer = Timer(RETIRE, os.kill, (os.getpid(), signal.SIGKILL))
    timer.daemon = True
    timer.start()


def restore(plain: dict[str, Any]) -> Sweep:
    cells = tuple(Cell(**cell | {"policy": from_plain(cell["policy"])}) for cell in plain["cells"])
    return Sweep(**plain | {"cells": cells})


@lru_cache
def compile_once(game: str, policy: Policy) -> None:
    """One process of a node compiles, the others wait and then load what it kept; not for ever, it may be stopped."""
    from sim.jit import cache_root

    cache_root().mkdir(parents=True, exist_ok=True)
    with suppress(Timeout), FileLock(cache_root() / ".compiling", timeout=COMPILING):
        compile_now(game, policy)
    compile_now(game, policy)


def compile_now(game: str, policy: Policy) -> None:
    """Compile, or load, what the game and the policy need; nothing if they are ready."""
    import sim

    assert sim.game(game).functions
    assert policy.choose
