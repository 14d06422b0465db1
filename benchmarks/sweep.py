"""A whole sweep beside the kernel alone: what Ray, Parquet, bookkeeping and start-up add; and two workers beside one.

Run `python -m benchmarks.sweep [GAME] [POLICY] [DEALS] [PAIRS]` from the root of the repository, in the environment in
which `patience` is installed. Seconds are of the wall, and mean something on a quiet machine only. Those of CPU can be
compared on a busy one too, but for the caches that others empty: of a shard they are those of the thread that plays and
writes, of a sweep those of all its processes, Ray's too, and the kernel's are measured in the same run.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

import sim
from pipelines.folder import read_plan
from pipelines.plan import Cell, Shard, Sweep
from pipelines.shard import open_table, play_shard
from policies.loader import load
from sim.table import Table

SHARD = 100_000  # deals of a shard of the usual game and policy
COMMAND = [sys.executable, "-m", "pipelines"]


@dataclass
class Cost:
    """What a sweep took: seconds, CPU seconds of each of its processes, and the peak of their memory in MiB (PSS)."""

    seconds: float = 0.0
    cpu: dict[int, float] = field(default_factory=dict)
    peak: float = 0.0
    shard_seconds: float = 0.0  # of CPU, as the manifest says: for playing and writing

    @property
    def cpu_seconds(self) -> float:
        return sum(self.cpu.values())

    def look(self, pid: int) -> None:
        """At a process and all it started; what is used between the last look and the end is not seen."""
        total = 0
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(pid)
            for process in [parent, *parent.children(recursive=True)]:
                times = process.cpu_times()
                self.cpu[process.pid] = times.user + times.system
                total += process.memory_full_info().pss
        self.peak = max(self.peak, total / 2**20)


def kernel_seconds(game: str, policy: str, deals: int) -> tuple[float, float]:
    """Seconds, and CPU seconds, of the play loop alone, moves recorded, in this process."""
    table = Table(sim.game(game), load(policy).choose, keep="all")
    table.play_block(0, 100)
    start, cpu = time.monotonic(), time.thread_time()
    for _ in table.play(0, deals):
        pass
    return time.monotonic() - start, time.thread_time() - cpu


def overhead(game: str, policy: str, deals: int, traces: str, pairs: int) -> float:
    """CPU seconds of a shard, Parquet, flushes and digests included, over those of its play loop alone: median."""
    cell = Cell(game, load(policy), deals)
    plan = Sweep((cell,), deals=deals, traces=traces)
    table = open_table(plan, cell)
    table.play_block(0, 100)
    ratios = []
    for _ in range(pairs):
        start = time.thread_time()
        for _ in table.play(0, deals):
            pass
        alone = time.thread_time() - start
        with tempfile.TemporaryDirectory() as folder:
            ratios.append(play_shard(Path(folder), plan, Shard(cell, 0, deals), table).seconds / alone)
    return statistics.median(ratios)


def speed_up(game: str, policy: str, deals: int, startup: float) -> float:
    """Seconds of one worker over those of two, start-up taken off both."""
    one, two = (sweep(game, policy, deals, workers=n).seconds - startup for n in (1, 2))
    return one / two


def sweep(game: str, policy: str, deals: int, cache: str | None = None, workers: int = 2, traces: str = "all") -> Cost:
    """A sweep on Ray, from the command to its end."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["sweep", game, "--policy", policy, "--deals", str(deals), "--traces", traces]
        environment = os.environ | ({"PATIENCE_CACHE": cache} if cache else {})
        start, cost = time.monotonic(), Cost()
        command = [*COMMAND, *words, "--workers", str(workers), "--out", str(Path(folder) / "sweep"), "--quiet"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            cost.look(process.pid)
            time.sleep(0.3)
        assert process.returncode == 0
        cost.seconds = time.monotonic() - start
        cost.shard_seconds = sum(read_plan(Path(folder) / "sweep").seconds.values())
        return cost


def bookkeeping(game: str, policy: str, deals: int, traces: str) -> float:
    """CPU seconds of all processes of a sweep, Ray's too, over those of its shards alone.

    Of what three times the deals take more, for start-up goes on beside the first shards.
    """
    once, thrice = (sweep(game, policy, n, traces=traces) for n in (deals, 3 * deals))
    return (thrice.cpu_seconds - once.cpu_seconds) / (thrice.shard_seconds - once.shard_seconds)


def main(game: str = "napoleon_at_st_helena", policy: str = "greedy", deals: str = "1000000", pairs: str = "3") -> None:
    n = int(deals)
    for traces in ("sample:0.01", "all"):
        shard = overhead(game, policy, min(n, SHARD), traces, 2 * int(pairs) + 1)
        print(f"CPU of a shard, Parquet and digests included, over that of the kernel, traces {traces}: {shard:.3f}")
        rest = statistics.median(bookkeeping(game, policy, n, traces) for _ in range(int(pairs)))
        print(f"CPU of all processes, Ray's too, over that of the shards, start-up apart, traces {traces}: {rest:.3f}")
        print(f"CPU of all processes over that of the kernel, start-up apart, traces {traces}: {shard * rest:.3f}")
    with tempfile.TemporaryDirectory() as empty:
        print(f"start-up, cold cache: {sweep(game, policy, 1, empty).seconds:.1f} s")
    starts = [sweep(game, policy, 1) for _ in range(3)]
    startup = min(cost.seconds for cost in starts)
    print(f"start-up, warm cache (a sweep of one deal): {startup:.1f} s")
    alone, _ = kernel_seconds(game, policy, n)
    print(f"kernel alone, one process: {alone:.1f} s for {n:,} deals of {game} under {policy}")
    large, small = sweep(game, policy, n), sweep(game, policy, n // 10)
    ratio = (large.seconds - startup) / (alone / 2)
    print(f"sweep, two workers, all traces: {large.seconds:.1f} s = {ratio:.2f} x kernel / 2, + start-up")
    ratios = [speed_up(game, policy, n, startup) for _ in range(int(pairs))]
    print(f"two workers over one: {max(ratios):.2f} at best ({', '.join(f'{ratio:.2f}' for ratio in ratios)})")
    print(f"peak memory: {small.peak:.0f} MiB for {n // 10:,} deals, {large.peak:.0f} MiB for {n:,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
