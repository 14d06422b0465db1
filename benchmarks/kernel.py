"""How fast the compiled engine is: against a plain C program, for every option value, and in copies of positions.

`python -m benchmarks.kernel` from the root of the repository; see benchmarks/README.md. All times are CPU seconds.
"""

import argparse
import pkgutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from policies import greedy
from sim import games, moves, play, rng
from sim.bits import GOLDEN
from sim.jit import njit
from sim.options import Value, spell, values
from sim.roles import CHOOSE, COPIES, Functions, new_scratch
from sim.state import STATE

SOURCE = Path(__file__).with_name("napoleon.c")
NAPOLEON = "napoleon_at_st_helena"
ROOM = 4_000_000  # codes of a block, about 16 MB and 8 MB
WARM_UP = 200  # deals played before the clock starts


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
    known = {name: value for module in (moves, play, greedy) for name, value in vars(module).items() if name.isupper()}
    known |= {"DECK_STREAM": rng.DECK, "POLICY_STREAM": rng.POLICY}
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


@cache
def chooser(policy: str) -> Any:
    """The compiled policy."""
    return njit(CHOOSE)(import_module(f"policies.{policy}").choose)


class Engine:
    """The compiled engine with the memory it plays in."""

    def __init__(self, game: ModuleType, policy: str, **options: Value) -> None:
        self.roles = (*Functions(game.deal, game.legal_moves, game.apply_move), chooser(policy))
        self.rules = game.rules(game.Options(**options))
        self.state = np.zeros(1, STATE).view(np.recarray)[0]
        self.scratch = new_scratch()
        self.decks = np.zeros((0, self.rules.n_cards), np.uint8)
        self.codes, self.legal = np.ones(ROOM, np.int32), np.ones(ROOM, np.uint16)
        self.run(WARM_UP)

    def blocks(self, block: np.record, outcomes: NDArray[Any]) -> Iterator[NDArray[np.int32]]:
        """Play on; gives the codes of the moves, block by block."""
        while block.at < block.end:
            block.used = 0
            play.play_block(
                *self.roles, self.rules, self.state, self.scratch, block, self.decks, outcomes, self.codes, self.legal
            )
            yield self.codes[: block.used]

    def prepare(self, deals: int) -> tuple[np.record, NDArray[Any]]:
        block = np.zeros(1, play.BLOCK).view(np.recarray)[0]
        block.end, block.move_limit, block.keep = deals, play.MOVE_LIMIT, play.KEEP_ALL
        return block, np.zeros(deals, play.OUTCOME)

    def run(self, deals: int) -> Run:
        """Play the deals of the seeds 0 … deals - 1."""
        block, outcomes = self.prepare(deals)
        start = time.process_time()
        total = sum(len(codes) for codes in self.blocks(block, outcomes))
        seconds = time.process_time() - start
        return Run(total, seconds, int((outcomes["ending"] == play.WON).sum()), float(outcomes["cards_home"].mean()))

    def trace(self, deals: int) -> NDArray[np.int32]:
        """The codes of all moves."""
        return np.concatenate([codes.copy() for codes in self.blocks(*self.prepare(deals))])


def check_same_games(program: Path, policy: str, deals: int) -> None:
    """Stop unless C and the engine play the same moves."""
    trace = program.with_name("trace")
    run_c(program, policy, deals, str(trace))
    ours, theirs = Engine(game_modules()[NAPOLEON], policy).trace(deals), np.fromfile(trace, np.int32)
    if not np.array_equal(ours, theirs):
        n = min(len(ours), len(theirs))
        at = int((ours[:n] != theirs[:n]).argmax()) if n else 0
        raise SystemExit(f"The C program and the engine play different games under {policy}: move {at} of the trace.")


def compare(program: Path, policy: str, deals: int, pairs: int) -> float:
    """Print the pairs of runs, C first, and the median of their ratios; returns the median speed of C, M moves/s."""
    check_same_games(program, policy, deals)
    engine = Engine(game_modules()[NAPOLEON], policy)
    runs = [(run_c(program, policy, deals), engine.run(deals)) for _ in range(pairs)]
    c, ours = runs[0]
    assert c.games == ours.games, f"C played {c.games}, the engine {ours.games}"
    print(f"\n{NAPOLEON}, {policy}: {deals} deals, {c.moves} moves, {c.wins} won, {c.home:.3f} cards home; same games")
    for number, (c, ours) in enumerate(runs, 1):
        print(f"  pair {number}   C {c.speed:6.2f}   engine {ours.speed:6.2f} M moves/s   ratio {ours.speed / c.speed:.2f}")
    ratio = statistics.median(ours.speed / c.speed for c, ours in runs)
    of_c = statistics.median(c.speed for c, _ in runs)
    print(f"  median   C {of_c:6.2f}   engine {statistics.median(o.speed for _, o in runs):6.2f} M moves/s   ratio {ratio:.2f}")
    return of_c


def game_modules() -> dict[str, ModuleType]:
    """The games by name."""
    return {m.name: import_module(f"sim.games.{m.name}") for m in pkgutil.iter_modules(games.__path__)}


def variants(game: ModuleType) -> Iterator[dict[str, Value]]:
    """The default options, then every other value of every option, one changed at a time."""
    yield {}
    for name, known in values(game.Options).items():
        yield from ({name: value} for value in known[1:])


def every_value(of_c: float, deals: int) -> None:
    """A line for each game and option value: M moves/s under the uniform policy, and the ratio to C on Napoleon."""
    print(f"\nEvery option value, random, {deals} deals: M moves/s, ratio to C's {of_c:.2f} on {NAPOLEON}")
    for name, game in game_modules().items():
        for options in variants(game):
            chosen = ",".join(f"{option}={spell(value)}" for option, value in options.items())
            speed = Engine(game, "random", **options).run(deals).speed
            print(f"  {name}({chosen})".ljust(64), f"{speed:6.2f} {speed / of_c:6.2f}")


@njit
def copy_round(states, n):
    """Copy n positions, each from the one copied before."""
    for i in range(n):
        states[(i + 1) % COPIES] = states[i % COPIES]


def copies(n: int) -> float:
    """Position copies, M/s."""
    states = new_scratch().states
    copy_round(states, 1)
    start = time.process_time()
    copy_round(states, n)
    return n / (time.process_time() - start) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20_000, help="deals of each run against C (default 20000)")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of runs against C (default 5)")
    parser.add_argument("--each", type=int, default=5_000, help="deals for each option value, 0 for none (default 5000)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        compare(program, "greedy", given.deals, given.pairs)
        of_c = compare(program, "random", given.deals, given.pairs)
    print(f"\nPosition copies ({STATE.itemsize} bytes): {statistics.median(copies(2_000_000) for _ in range(5)):.1f} M/s")
    if given.each:
        every_value(of_c, given.each)


if __name__ == "__main__":
    main()
