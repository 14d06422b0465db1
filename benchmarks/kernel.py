"""How fast the compiled engine is: against a plain C program, for every option value, and in copies of positions.

`python -m benchmarks.kernel` from the root of the repository; see benchmarks/README.md. All times are CPU seconds.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from policies import loader, scoring
from policies.features import FEATURES
from sim import moves, play, rng
from sim.bits import GOLDEN
from sim.door import game, load, names
from sim.jit import njit
from sim.moves import TRACE_BITS
from sim.options import spell, values
from sim.roles import COPIES, new_scratch
from sim.state import STATE
from sim.table import Table

SOURCE = Path(__file__).with_name("napoleon.c")
NAPOLEON = "napoleon_at_st_helena"
WARM_UP = 200  # deals played before the clock starts
C_DEALS = 5_000  # of each run of the C program beside an option value


class Run(NamedTuple):
    """What one run played, and how long it took."""

    moves: int
    seconds: float  # of CPU
    wins: int
    home: float  # mean cards home per deal

    @property
    def speed(self) -> float:
        """M moves/s."""
        return self.moves / self.seconds / 1e6

    @property
    def games(self) -> tuple[int, int, float]:
        """What must not differ between two programs that play the same games."""
        return self.moves, self.wins, round(self.home, 6)


def constants() -> str:
    """constants.h: every whole-number constant that the C program shares with the engine, from the Python modules."""
    known = {name: value for module in (moves, play, scoring) for name, value in vars(module).items() if name.isupper()}
    known |= {"DECK_STREAM": rng.DECK, "POLICY_STREAM": rng.POLICY}
    known |= {f"WEIGHT_{name.upper()}": common for name, (common, _) in FEATURES.items()}
    lines = [f"#define {name} ({value})" for name, value in known.items() if type(value) is int]
    return "\n".join([*lines, f"#define GOLDEN {int(GOLDEN):#x}u", ""])


def build(folder: Path) -> Path:
    """Compile the C program; returns its path."""
    program = folder / "napoleon"
    (folder / "constants.h").write_text(constants())
    flags = ["-O3", "-march=native", "-std=c11", "-Wall", "-Wextra", f"-I{folder}"]
    subprocess.run(["gcc", *flags, "-o", str(program), str(SOURCE)], check=True)
    return program


def run_c(program: Path, policy: str, deals: int, *trace: str) -> Run:
    """Play the deals of the seeds 0 … deals - 1 in C; `trace` names a file for the codes of the moves."""
    command = [str(program), policy, str(deals), "0", *trace]
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    told = dict(zip(words[::2], words[1::2], strict=True))
    return Run(int(told["moves"]), float(told["seconds"]), int(told["wins"]), float(told["home"]))


class Engine:
    """The compiled engine at a table of its own; it keeps the moves of all deals, as the C program does."""

    def __init__(self, variant: str, policy: str) -> None:
        self.table = Table(game(variant), loader.load(policy).choose, keep="all")
        self.table.codes[:] = 1  # no page is touched for the first time while the clock runs
        self.run(WARM_UP)

    def run(self, deals: int) -> Run:
        """Play the deals of the seeds 0 … deals - 1."""
        start = time.process_time()
        outcomes = np.concatenate([played.outcomes for played in self.table.play(0, deals)])
        seconds = time.process_time() - start
        wins = int((outcomes["ending"] == play.WON).sum())
        return Run(int(outcomes["moves"].sum(dtype=np.int64)), seconds, wins, float(outcomes["cards_home"].mean()))

    def trace(self, deals: int) -> NDArray[np.uint32]:
        """The trace codes of all moves."""
        return np.concatenate([played.codes.copy() for played in self.table.play(0, deals)])


def check_same_games(program: Path, policy: str, deals: int) -> None:
    """Stop unless C and the engine play the same moves."""
    trace = program.with_name("trace")
    run_c(program, policy, deals, str(trace))
    both = Engine(NAPOLEON, policy).trace(deals), np.fromfile(trace, np.uint32)
    ours, theirs = (codes & TRACE_BITS for codes in both)
    if not np.array_equal(ours, theirs):
        n = min(len(ours), len(theirs))
        at = int((ours[:n] != theirs[:n]).argmax()) if n else 0
        raise SystemExit(f"The C program and the engine play different games under {policy}: move {at} of the trace.")


def report(what: str, of_c: float, of_ours: float, ratio: float) -> None:
    print(f"  {what}   C {of_c:6.2f}   engine {of_ours:6.2f} M moves/s   ratio {ratio:.2f}")


def compare(program: Path, policy: str, deals: int, pairs: int) -> None:
    """Print the pairs of runs, C first, and the median of their ratios."""
    check_same_games(program, policy, deals)
    runs = alternate(program, Engine(NAPOLEON, policy), policy, deals, pairs)
    c, ours = runs[0]
    assert c.games == ours.games, f"C played {c.games}, the engine {ours.games}"
    print(f"\n{NAPOLEON}, {policy}: {deals} deals, {c.moves} moves, {c.wins} won, {c.home:.3f} cards home; same games")
    for number, (c, ours) in enumerate(runs, 1):
        report(f"pair {number}", c.speed, ours.speed, ours.speed / c.speed)
    report("median", *medians(runs))


def alternate(program: Path, engine: Engine, policy: str, deals: int, pairs: int) -> list[tuple[Run, Run]]:
    """C, engine, C, engine, …"""
    return [(run_c(program, policy, deals), engine.run(deals)) for _ in range(pairs)]


def medians(runs: list[tuple[Run, Run]]) -> tuple[float, float, float]:
    """Of the speeds of C and the engine, M moves/s, and of the ratios of the pairs."""
    speeds = [(c.speed, ours.speed, ours.speed / c.speed) for c, ours in runs]
    of_c, of_ours, ratio = (statistics.median(column) for column in zip(*speeds, strict=True))
    return of_c, of_ours, ratio


def variants(name: str) -> Iterator[str]:
    """The ids of a game: the default options, then every other value of every option, one changed at a time."""
    yield name
    for option, known in values(load(name).Options).items():
        yield from (f"{name}({option}={spell(value)})" for value in known[1:])


def every_value(program: Path, moves: int, games: list[str]) -> None:
    """A line for each game and option value: M moves/s under `random`, and the ratio to C on Napoleon, run in turn."""
    print(f"\nEvery option value, random, {moves:.0e} moves: M moves/s, ratio to C (medians of three pairs)")
    for variant in (variant for name in games for variant in variants(name)):
        engine = Engine(variant, "random")
        deals = round(moves * WARM_UP / engine.run(WARM_UP).moves)
        runs = [(run_c(program, "random", C_DEALS), engine.run(deals)) for _ in range(3)]
        _, of_ours, ratio = medians(runs)
        print(f"  {variant:<62} {of_ours:6.2f} {ratio:6.2f}", flush=True)


@njit
def copy_round(states: NDArray[np.void], n: int) -> None:
    """Copy n positions, each from the one copied before."""
    for i in range(n):
        states[(i + 1) % COPIES] = states[i % COPIES]


def copies(n: int) -> float:
    """Position copies, M/s."""
    states = new_scratch().states
    copy_round(states, 1)
    start = time.process_time()
    copy_round(states, n)
    seconds: float = time.process_time() - start
    return n / seconds / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20_000, help="deals of each run against C (default 20000)")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of runs against C (default 5)")
    parser.add_argument("--each", type=float, default=1e6, help="moves for each option value (default 1e6; 0: none)")
    parser.add_argument("--game", choices=names(), nargs="*", help="only these games' option values")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        if given.game is None:
            compare(program, "greedy", given.deals, given.pairs)
            compare(program, "random", given.deals, given.pairs)
            rate = statistics.median(copies(2_000_000) for _ in range(5))
            print(f"\nPosition copies ({STATE.itemsize} bytes): {rate:.1f} M/s")
        if given.each:
            every_value(program, given.each, given.game or names())


if __name__ == "__main__":
    main()
