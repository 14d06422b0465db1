"""A whole sweep beside the kernel alone: what Ray, Parquet, bookkeeping and start-up add.

Run `python -m benchmarks.sweep [GAME] [POLICY] [DEALS]` from the root of the repository, in the environment in which
`patience` is installed. All times are wall seconds of the same run.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

import sim
from policies.loader import load
from sim.table import Table

COMMAND = [sys.executable, "-m", "pipelines"]


def kernel_seconds(game: str, policy: str, deals: int) -> float:
    """Seconds of the play loop alone, moves recorded, in this process."""
    table = Table(sim.game(game), load(policy).choose, keep="all")
    table.play_block(0, 100)
    start = time.monotonic()
    for _ in table.play(0, deals):
        pass
    return time.monotonic() - start


def sweep(game: str, policy: str, deals: int, cache: str | None = None) -> tuple[float, float]:
    """Seconds of a sweep with all traces on two workers, and the peak of its processes' memory in MiB (PSS)."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["sweep", game, "--policy", policy, "--deals", str(deals), "--traces", "all", "--workers", "2"]
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


def main(game: str = "napoleon_at_st_helena", policy: str = "greedy", deals: str = "1000000") -> None:
    n = int(deals)
    with tempfile.TemporaryDirectory() as empty:
        print(f"start-up, cold cache: {sweep(game, policy, 1, empty)[0]:.1f} s")
    startup = min(sweep(game, policy, 1)[0] for _ in range(3))
    print(f"start-up, warm cache (a sweep of one deal): {startup:.1f} s")
    alone = kernel_seconds(game, policy, n)
    print(f"kernel alone, one process: {alone:.1f} s for {n:,} deals of {game} under {policy}")
    seconds, peak = sweep(game, policy, n)
    small = sweep(game, policy, n // 10)[1]
    print(
        f"sweep, two workers, all traces: {seconds:.1f} s = {(seconds - startup) / (alone / 2):.2f} x kernel / 2, + start-up"
    )
    print(f"peak memory: {small:.0f} MiB for {n // 10:,} deals, {peak:.0f} MiB for {n:,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
