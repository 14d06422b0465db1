"""Where shards are played: on Ray, or in this process one after another. Both give the same files.

What Ray does on each fault was measured; see the reasons below. Tasks carry names, seed ranges and the text of a policy
file, never code objects; only small summaries come back.
"""

import logging
import os
import socket
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock

from pipelines.plan import Cell, Shard, Sweep
from pipelines.shard import Summary, play_shard
from policies.loader import Policy, from_plain
from sim.errors import PatienceError

OBJECT_STORE = 128 * 2**20  # bytes; nothing large crosses it, and Ray wants 75 MiB at the least
CRASHES = 3  # times that a shard is tried again after its worker died
POLL = 0.5  # seconds
NAMES = ("ray", "serial")


@dataclass(frozen=True)
class Failure:
    """A shard that could not be played, and why."""

    shard: str
    reason: str


Result = Summary | Failure
Stop = Callable[[], bool]


class ClusterLost(PatienceError):
    """Ray itself has died; nothing that was written is lost."""

    exit_code = 75


class Executor(Protocol):
    """Plays shards, in any order; stops taking new ones once `stop()` is true, and lets those under way finish."""

    def play(self, folder: Path, sweep: Sweep, shards: Iterator[Shard], stop: Stop) -> Iterator[Result]: ...

    def map(self, work: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
        """What `work`, a function of this package, makes of each order."""
        ...

    def close(self) -> None: ...


class Serial:
    """In this process, one after another: for tests, debuggers and small sweeps."""

    def play(self, folder: Path, sweep: Sweep, shards: Iterator[Shard], stop: Stop) -> Iterator[Result]:
        for shard in shards:
            if stop():
                return
            yield play_order(order(folder, sweep, shard))

    def map(self, work: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
        return [work(one) for one in orders]

    def close(self) -> None:
        pass


class Ray:
    """Ray Core tasks, one a shard, a bounded number in flight."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        # `uv run` would have Ray ship the whole folder, results included, and the statistics leave the machine.
        os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ.setdefault("RAY_task_oom_retries", "2")  # the default is to try a leaking task for ever
        import ray

        cores = workers or len(os.sched_getaffinity(0))
        local: dict[str, Any] = {"num_cpus": cores, "object_store_memory": OBJECT_STORE, "include_dashboard": False}
        local["_node_ip_address"] = "127.0.0.1"
        if address:
            refuse_silence(address, ray.util.get_node_ip_address())
        try:
            ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **({} if address else local))
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise ClusterLost(
                f"Ray cannot be started or reached{f' at {address}' if address else ''}: {error}"
            ) from error
        self.ray = ray
        self.window = max(4, 2 * int(ray.cluster_resources().get("CPU", cores)))
        self.remote = ray.remote(num_cpus=1, max_retries=CRASHES, retry_exceptions=False)
        self.task = self.remote(play_order)

    def play(self, folder: Path, sweep: Sweep, shards: Iterator[Shard], stop: Stop) -> Iterator[Result]:
        with self.alive():
            yield from self._play(folder, sweep, shards, stop)

    def map(self, work: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
        task = self.remote(work)
        with self.alive():
            done: list[Any] = self.ray.get([task.remote(one) for one in orders])
        return done

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Say in a sentence that Ray has died, if it does."""
        try:
            yield
        except self.ray.exceptions.RayError as error:
            raise ClusterLost(f"Ray has died ({type(error).__name__}). Run the same command again to go on.") from error

    def _play(self, folder: Path, sweep: Sweep, shards: Iterator[Shard], stop: Stop) -> Iterator[Result]:
        flying: dict[Any, str] = {}
        while True:
            for shard in islice(shards, 0 if stop() else self.window - len(flying)):
                flying[self.task.remote(order(folder, sweep, shard))] = shard.name
            if not flying:
                return
            landed, _ = self.ray.wait(list(flying), num_returns=1, timeout=POLL)
            for ref in landed:
                yield self._result(ref, flying.pop(ref))

    def _result(self, ref: Any, shard: str) -> Result:
        """A worker that dies again and again costs its shard, not the sweep."""
        try:
            result: Result = self.ray.get(ref)
            return result
        except (self.ray.exceptions.WorkerCrashedError, self.ray.exceptions.OutOfMemoryError) as error:
            return Failure(shard, f"its worker died {CRASHES + 1} times ({type(error).__name__})")

    def close(self) -> None:
        self.ray.shutdown()


def refuse_silence(address: str, own: str) -> None:
    """An error if nobody listens there: Ray would try for a quarter of an hour. To Ray, localhost is our own IP."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    for name in (host, own) if host in ("127.0.0.1", "localhost") else (host,):
        try:
            socket.create_connection((name, int(port)), timeout=5).close()
            return
        except ValueError:
            return  # no HOST:PORT, such as "auto"
        except OSError as error:
            reason = error
    raise ClusterLost(f"No Ray answers at {address} ({reason}). Expected HOST:PORT of a cluster's head.")


def order(folder: Path, sweep: Sweep, shard: Shard) -> dict[str, Any]:
    """All that a worker needs to play a shard, as plain values."""
    plain = asdict(replace(sweep, cells=(shard.cell,)))
    return {"folder": str(folder.resolve()), "sweep": plain, "lo": shard.lo, "hi": shard.hi}


def play_order(given: dict[str, Any]) -> Result:
    """What a worker does. Errors come back as values: an exception that cannot be pickled would lose its reason."""
    sweep = restore(given["sweep"])
    shard = Shard(sweep.cells[0], given["lo"], given["hi"])
    try:
        compile_once(sweep.cells[0].game, sweep.cells[0].policy)
        return play_shard(Path(given["folder"]), sweep, shard)
    except (PatienceError, OSError) as error:  # such as a disk that is full
        return Failure(shard.name, str(error))
    except BaseException as error:  # a policy may call sys.exit, which Ray would take for a crash
        return Failure(shard.name, f"{type(error).__name__}: {error}\n{traceback.format_exc()}")


def restore(plain: dict[str, Any]) -> Sweep:
    cells = tuple(Cell(**cell | {"policy": from_plain(cell["policy"])}) for cell in plain["cells"])
    return Sweep(**plain | {"cells": cells})


def compile_once(game: str, policy: Policy) -> None:
    """One process of a node compiles, the others wait and then load what it kept."""
    from sim.jit import cache_root

    cache_root().mkdir(parents=True, exist_ok=True)
    with FileLock(cache_root() / ".compiling"):
        import sim

        assert sim.game(game).functions
        assert policy.choose


def refuse_unknown(name: str) -> None:
    """An error for an executor that there is not."""
    if name not in NAMES:
        raise PatienceError(f"There is no executor {name!r}. Known: {', '.join(NAMES)}.")


def make(name: str, address: str | None = None, workers: int | None = None) -> Executor:
    """The executor of that name, one of NAMES."""
    refuse_unknown(name)
    return Ray(address, workers) if name == "ray" else Serial()
