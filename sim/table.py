"""Play block after block of deals with one game and one policy; everything is allocated once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import deals, play
from sim.bits import U
from sim.door import Game
from sim.errors import PatienceError
from sim.jit import compiled
from sim.play import BLOCK, FINISH, MOVE_LIMIT, OUTCOME, PLAY, Fault
from sim.roles import Scratch, new_scratch
from sim.state import STATE

BLOCK_DEALS = 20_000
BLOCK_CODES = 4_000_000  # room for the moves of a block; a block ends early when it is full
KEEP = {"none": play.KEEP_NONE, "all": play.KEEP_ALL, "wins": play.KEEP_WINS, "sample": play.KEEP_SAMPLE}


@dataclass(frozen=True)
class Fall:
    """A deal that a policy broke off: its seed, the number of the move, and what went wrong."""

    seed: int
    step: int
    reason: str


@dataclass(frozen=True)
class Played:
    """Deals of one block: `outcomes`, dtype `sim.play.OUTCOME`; the trace codes of the kept ones; the broken ones."""

    outcomes: NDArray[Any]
    codes: NDArray[np.uint32]
    falls: list[Fall]


class Table:
    """A game, a policy, and what they play on."""

    def __init__(
        self, game: Game, choose: Any, *, policy_seed: int = 0, keep: str = "none", share: float = 1.0,
        source: str = deals.SPLITMIX, move_limit: int = MOVE_LIMIT, scratch: Scratch | None = None,
    ) -> None:  # fmt: skip
        self.game, self.choose, self.source = game, choose, source
        self.driver, self.close_deal = compiled(play.play_block, PLAY), compiled(play.close_deal, FINISH)
        self.state: np.record = np.zeros(1, STATE)[0]
        self.scratch = scratch or new_scratch()
        self.seats = (*game.functions, choose, game.rules, self.state, self.scratch)
        self.agreed = game.rules.tobytes()
        self.block: np.record = np.zeros(1, BLOCK)[0]
        self.block.policy_seed, self.block.move_limit = U(policy_seed), move_limit
        self.block.keep, self.block.sample = KEEP[keep], round(share * 1_000_000)
        self.codes = np.zeros(BLOCK_CODES if keep != "none" else 4 * move_limit, np.uint32)

    def play(self, first_seed: int, end: int) -> Iterator[Played]:
        """Play the seeds first_seed <= seed < end, in blocks whose bounds depend on the deals alone."""
        while first_seed < end:
            played = self.play_block(first_seed, min(first_seed + BLOCK_DEALS, end))
            yield played
            first_seed += len(played.outcomes)

    def play_block(self, first_seed: int, end: int, decks: NDArray[np.uint8] | None = None) -> Played:
        """Play the seeds until `codes` is full, but at least one; `decks`, uint8[deals, n_cards], if not their own."""
        block, outcomes = self.block, np.zeros(end - first_seed, OUTCOME)
        block.first_seed, block.at, block.end, block.used = U(first_seed), 0, len(outcomes), 0
        decks = self._decks(range(first_seed, end)) if decks is None else decks
        falls: list[Fall] = []
        while True:
            try:
                self.driver(*self.seats, block, decks, outcomes, self.codes)
            except MemoryError:
                raise  # compiled code does not free what it held: the deals after this one would break off too
            except Exception as error:
                falls.append(self._fell(outcomes, error))
                continue
            self._check_rules()
            done = outcomes[: int(block.at)]
            return Played(done, self.codes[: int(block.used)], sorted(falls + faults(done), key=lambda fall: fall.seed))

    def _check_rules(self) -> None:
        if self.game.rules.tobytes() != self.agreed:
            raise PatienceError(
                f"The policy has changed the rules of {self.game.id} while it played; none of it counts."
            )

    def _fell(self, outcomes: NDArray[Any], error: Exception) -> Fall:
        """The policy raised: its deal ends here, the next ones are played."""
        at, step = int(self.block.at), int(self.block.used - self.block.start)
        out = outcomes[at]
        out.fault = Fault.RAISED
        self.close_deal(self.game.rules, self.state, self.block, out, self.codes, play.ERROR)
        return Fall(int(out.seed), step, f"{type(error).__name__}: {error}")

    def _decks(self, seeds: Sequence[int]) -> NDArray[np.uint8]:
        if self.source == deals.SPLITMIX:
            return np.zeros((0, 52 * self.game.packs), np.uint8)
        return np.array([self.game.deck(seed, self.source) for seed in seeds], np.uint8)


REASONS = {
    Fault.INDEX: "it chose an index that is not in the list of moves",
    Fault.CHANGED: "it changed the state that it was shown",
}


def faults(outcomes: NDArray[Any]) -> list[Fall]:
    """The deals that the driver itself broke off."""
    broken = outcomes[(outcomes["fault"] != Fault.NONE) & (outcomes["fault"] != Fault.RAISED)]
    return [Fall(int(out["seed"]), int(out["moves"]), REASONS[Fault(int(out["fault"]))]) for out in broken]
