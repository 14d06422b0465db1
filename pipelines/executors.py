"""Where shards are played: on Ray, or in this process one after another. Both give the same files.

What Ray does on each fault was measured; see the reasons below.
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import islice
from typing import Any, Protocol

from pipelines.limits import USUAL, Limits, silence
from pipelines.local_ray import quiet_start
from pipelines.machine import cores
from pipelines.place import Place
from pipelines.plan import Shard, Sweep
from pipelines.stragglers import Flights
from pipelines.worker import Failure, Result, order, play_order
from sim.errors import PatienceError

OBJECT_STORE = 128 * 2**20  # bytes; nothing large crosses it, and Ray wants 75 MiB at the least
CRASHES = 3  # times that a shard is tried again after its worker died
POLL = 0.5  # seconds
NAMES = ("ray", "serial")
Supply = Iterator[Shard | None]  # None: nothing can be played until a result has come
Stop = Callable[[], bool]


class ClusterLost(PatienceError):
    """Ray itself has died; nothing that was written is lost."""

    exit_code = 75


class Executor(Protocol):
    """Plays shards, in any order; stops taking new ones once `stop()` is true, and lets those under way finish."""

    def play(self, folder: Place, sweep: Sweep, shards: Supply, stop: Stop) -> Iterator[Result]: ...

    def map(self, work: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
        """What `work`, a function of this package, makes of each order."""
        ...

    def close(self) -> None: ...


class Serial:
    """In this process, one after another: for tests, debuggers and small sweeps.

    A deal that does not end is given up here too, but its thread runs on beside the others until the process ends.
    After a policy that took all memory the sweep stops; one that ends its process ends the sweep.
    """

    def __init__(self, limits: Limits = USUAL) -> None:
        self.limits = limits

    def play(self, folder: Place, sweep: Sweep, shards: Supply, stop: Stop) -> Iterator[Result]:
        for shard in ready(shards):
            if stop():
                return
            result = play_order(order(folder, sweep, shard, self.limits))
            yield result
            if isinstance(result, Failure) and result.lost == "memory":
                return

    def map(self, work: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
        return [work(one) for one in orders]

    def close(self) -> None:
        pass


class Ray:
    """Ray Core tasks, one a shard, a bounded number in flight."""

    def __init__(self, address: str | None = None, workers: int | None = None, limits: Limits = USUAL) -> None:
        # `uv run` would have Ray ship the whole folder, results included, and the statistics leave the machine.
        os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ.setdefault("RAY_task_oom_retries", "2")  # the default is to try a leaking task for ever
        import ray

        local: dict[str, Any] = {"num_cpus": workers or cores(), "object_store_memory": OBJECT_STORE}
        local |= {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        if address:
            refuse_silence(address, ray.util.get_node_ip_address())
        try:
            with nullcontext() if address else quiet_start():
                ray.init(
                    address or "local", log_to_driver=False, logging_level=logging.ERROR, **({} if address else local)
                )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise ClusterLost(
                f"Ray cannot be started or reached{f' at {address}' if address else ''}: {error}"
            ) from error
        self.ray, self.limits = ray, limits
        self.window = max(4, 2 * int(ray.cluster_resources().get("CPU", 1)))
        self.remote = ray.remote(num_cpus=1, max_retries=CRASHES, retry_exceptions=False)
        self.task = self.remote(play_order)

    def play(self, folder: Place, sweep: Sweep, shards: Supply, stop: Stop) -> Iterator[Result]:
        with self.alive():
            yield from self._play(folder, sweep, shards, stop)

    def map(self, work: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
        task = self.remote(work)
        with self.alive():
            done: list[Any] = self.ray.get([task.remote(one) for one in orders])
        return done

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Say in a sentence that Ray has died, if it does; what Ray says itself would stand among the data."""
        try:
            with silence():
                yield
        except self.ray.exceptions.RayError as error:
            raise ClusterLost(f"Ray has died ({type(error).__name__}). Run the same command again to go on.") from error

    def _play(self, folder: Place, sweep: Sweep, shards: Supply, stop: Stop) -> Iterator[Result]:
        flights = Flights()
        while True:
            self._launch(folder, sweep, shards, stop(), flights)
            if not len(flights) or (stop() and not flights.punctual(time.monotonic())):
                return
            landed, _ = self.ray.wait(list(flights.flying), num_returns=1, timeout=POLL)
            for task in landed:
                yield from self._land(task, flights)

    def _launch(self, folder: Place, sweep: Sweep, shards: Supply, stopped: bool, flights: Flights) -> None:
        """Hand new shards to Ray, as many as are to be under way; if there are none, once more those that are late."""
        now = time.monotonic()
        free = 0 if stopped else self.window - flights.punctual(now)
        fresh = list(islice(ready(shards), max(0, min(free, 2 * self.window - len(flights)))))
        for shard in fresh or flights.late(now)[: max(0, free)]:
            flights.add(self.task.remote(order(folder, sweep, shard, self.limits, retire=True)), shard, now)

    def _land(self, task: Any, flights: Flights) -> Iterator[Result]:
        """The result of a shard, once; a failure counts when no other task plays it."""
        shard, others = flights.land(task, time.monotonic())
        result = self._result(task, shard.name)
        if isinstance(result, Failure) and others:
            return
        flights.forget(others)
        for other in others:
            self.ray.cancel(other, force=True)
        yield result

    def _result(self, task: Any, shard: str) -> Result:
        """A worker that dies again and again costs its shard, not the sweep."""
        try:
            result: Result = self.ray.get(task)
            return result
        except (self.ray.exceptions.WorkerCrashedError, self.ray.exceptions.OutOfMemoryError) as error:
            return Failure(shard, f"its worker died {CRASHES + 1} times ({type(error).__name__})")

    def close(self) -> None:
        with silence():
            self.ray.shutdown()


def ready(shards: Supply) -> Iterator[Shard]:
    """The shards that can be played now."""
    for shard in shards:
        if shard is None:
            return
        yield shard


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


def refuse_unknown(name: str) -> None:
    """An error for an executor that there is not."""
    if name not in NAMES:
        raise PatienceError(f"There is no executor {name!r}. Known: {', '.join(NAMES)}.")


def make(name: str, address: str | None = None, workers: int | None = None, limits: Limits = USUAL) -> Executor:
    """The executor of that name, one of NAMES."""
    refuse_unknown(name)
    return Ray(address, workers, limits) if name == "ray" else Serial(limits)
