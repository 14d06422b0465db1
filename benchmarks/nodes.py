"""How many nodes `search` visits per second, beside the moves that the plain C program makes.

`python -m benchmarks.nodes` from the root of the repository; see benchmarks/README.md. All times are CPU seconds.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.kernel import WARM_UP, build, run_c
from policies.frontier import ALL_NODES, ALL_REACHED
from policies.loader import load
from sim.door import game
from sim.table import Table

C_DEALS = 10_000


class Pair(NamedTuple):
    """What a run of the search did per second of CPU, and what the C program did just before."""

    deals: float
    nodes: float  # M positions/s that were not met before
    reached: float  # M positions/s that a move led to, met before or not
    c: float  # M moves/s of the C program, greedy


def measure(program: Path, table: Table, first: int, deals: int) -> Pair:
    """A run of the C program, then a run of the search from this seed on."""
    c, work = run_c(program, "greedy", C_DEALS).speed, table.scratch.work
    work[ALL_NODES] = work[ALL_REACHED] = 0
    start = time.process_time()
    for _ in table.play(first, first + deals):
        pass
    seconds = time.process_time() - start
    return Pair(deals / seconds, int(work[ALL_NODES]) / seconds / 1e6, int(work[ALL_REACHED]) / seconds / 1e6, c)


def report(what: str, pairs: list[Pair]) -> None:
    """Print medians; a ratio is one of each pair."""
    deals, nodes, reached, c = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [statistics.median(ratio) for ratio in ([p.nodes / p.c for p in pairs], [p.reached / p.c for p in pairs])]
    print(f"  {what}   C {c:5.2f} M moves/s   search {deals:8.1f} deals/s", end="")
    print(f"   {nodes:5.2f} M nodes/s, ratio {ratios[0]:.2f}   {reached:5.2f} M reached/s, ratio {ratios[1]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", nargs="?", default="house_in_the_wood", help="default house_in_the_wood")
    parser.add_argument("--policy", default="search", help="search with other parameters")
    parser.add_argument("--deals", type=int, default=100, help="deals of each run (default 100)")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of runs (default 5)")
    given = parser.parse_args()
    chosen, policy = game(given.variant), load(given.policy)
    table = Table(chosen, policy.choose, scratch=policy.scratch(chosen.title))
    list(table.play(0, 1 + min(WARM_UP, given.deals // 10)))
    print(f"{chosen.id}, {policy.id}: {given.deals} deals a run")
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        pairs = [measure(program, table, given.deals * k, given.deals) for k in range(given.pairs)]
    for number, pair in enumerate(pairs, 1):
        report(f"pair {number}", [pair])
    report("median", pairs)


if __name__ == "__main__":
    main()
