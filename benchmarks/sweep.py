"""A whole sweep beside the kernel alone: what Ray, Parquet, bookkeeping and start-up add; and two workers beside one.

Run `python -m benchmarks.sweep [GAME] [POLICY] [DEALS] [PAIRS]` from the root of the repository, in the environment in
which `patience` is installed. All times are wall seconds of the same run, and mean something on a quiet machine only;
but for those of CPU, which are of the thread that plays and writes, and can be compared on a busy one too.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

import sim
from pipelines.plan import Cell, Shard, Sweep
from pipelines.shard import open_table, play_shard
from policies.loader import load
from sim.table import Table

SHARD = 100_000  # deals of a shard of the usual game and policy
COMMAND = [sys.executable, "-m", "pipelines"]


def kernel_seconds(game: str, policy: str, deals: int) -> float:
    """Seconds of the play loop alone, moves recorded, in this process."""
    table = Table(sim.game(game), load(policy).choose, keep="all")
    table.play_block(0, 100)
    start = time.monotonic()
    for _ in table.play(0, deals):
        pass
    return time.monotonic() - start


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
    one, two = (sweep(game, policy, deals, workers=n)[0] - startup for n in (1, 2))
    return one / two


def sweep(game: str, policy: str, deals: int, cache: str | None = None, workers: int = 2) -> tuple[float, float]:
    """Seconds of a sweep with all traces, and the peak of its processes' memory in MiB (PSS)."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["sweep", game, "--policy", policy, "--deals", str(deals), "--traces", "all", "--workers", str(workers)]
        environment = os.environ | ({"PATIENCE_CACHE": cache} if cache else {})
        start, peak = time.monotonic(), 0.0
        command = [*COMMAND, *words, "--out", str(Path(folder) / "sweep"), "--quiet"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            peak = max(peak, memory(process.pid))
            time.sleep(0.3)
        assert process.returncode == 0
        return time.monotonic() - start, peak


def memory(pid: int) -> float:
    """MiB (PSS) of a process and all it started."""
    total = 0
    try:
        parent = psutil.Process(pid)
        for process in [parent, *parent.children(recursive=True)]:
            total += process.memory_full_info().pss
    except psutil.NoSuchProcess:
        pass
    return total / 2**20


def main(game: str = "napoleon_at_st_helena", policy: str = "greedy", deals: str = "1000000", pairs: str = "3") -> None:
    n = int(deals)
    for traces in ("all", "sample:0.01"):
        ratio = overhead(game, policy, min(n, SHARD), traces, 2 * int(pairs) + 1)
        print(f"CPU of a shard, Parquet and digests included, over that of the kernel, traces {traces}: {ratio:.3f}")
    with tempfile.TemporaryDirectory() as empty:
        print(f"start-up, cold cache: {sweep(game, policy, 1, empty)[0]:.1f} s")
    startup = min(sweep(game, policy, 1)[0] for _ in range(3))
    print(f"start-up, warm cache (a sweep of one deal): {startup:.1f} s")
    alone = kernel_seconds(game, policy, n)
    print(f"kernel alone, one process: {alone:.1f} s for {n:,} deals of {game} under {policy}")
    seconds, peak = sweep(game, policy, n)
    small = sweep(game, policy, n // 10)[1]
    ratio = (seconds - startup) / (alone / 2)
    print(f"sweep, two workers, all traces: {seconds:.1f} s = {ratio:.2f} x kernel / 2, + start-up")
    ratios = [speed_up(game, policy, n, startup) for _ in range(int(pairs))]
    print(f"two workers over one: {statistics.median(ratios):.2f} ({', '.join(f'{ratio:.2f}' for ratio in ratios)})")
    print(f"peak memory: {small:.0f} MiB for {n // 10:,} deals, {peak:.0f} MiB for {n:,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
