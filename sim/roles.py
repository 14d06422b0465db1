"""The roles that a game and a policy play, one fixed signature each.

Because each role is a first-class function type, the driver is compiled once for all games and policies, and a policy
can be handed the functions of the game. A game module has, under these names:

* `deal(rules, state, deck)`: lay out the deck, uint8[n_cards] in dealing order;
* `legal_moves(rules, state, moves) -> n`: list every legal move once in moves[:n];
* `apply_move(rules, state, move)`: carry out one of them, with all that follows at once and without a choice.

A policy has `choose(game, rules, state, moves, n, scratch) -> index`: which of moves[:n], or -1 to resign. It must not
change the state, and must not use what a player cannot see: piles with `rules.hidden`, the lowest cards of a pile
that `state.covered` counts, `state.seed`, and keys that depend on them, such as `state.hash` where there is a stock.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.moves import MAX_MOVES
from sim.rules import RULES
from sim.state import STATE

MEMORY = 64  # words that a policy may keep from move to move of one deal
COPIES = 8  # positions, and lists of moves, that a policy may use while it thinks
WORK = 1024  # words that it may write on as it likes; what they hold at first is not defined


class Functions(NamedTuple):
    """The compiled functions of a game, as a policy sees them."""

    deal: Any
    legal_moves: Any
    apply_move: Any


class Scratch(NamedTuple):
    """What a policy may write on, and the knobs that it was given. The sizes are the least; it may ask for more."""

    states: Any  # STATE[COPIES], a record array
    moves: NDArray[np.int32]  # int32[COPIES, MAX_MOVES]
    memory: NDArray[np.int64]  # int64[MEMORY], zero at the start of a deal
    rng: NDArray[np.uint64]  # uint64[1], the policy's own stream, for `sim.rng.below`
    knobs: NDArray[np.float64]  # the values of its parameters, in their order, and then its weights
    work: NDArray[np.uint64]  # uint64[WORK]


def new_scratch(
    copies: int = COPIES, memory: int = MEMORY, work: int = WORK, knobs: Sequence[float] | NDArray[np.float64] = ()
) -> Scratch:
    """Everything that a policy writes on, allocated once for all deals."""
    return Scratch(
        np.zeros(copies, STATE),
        np.zeros((copies, MAX_MOVES), np.int32),
        np.zeros(memory, np.int64),
        np.zeros(1, np.uint64),
        np.array(knobs, np.float64),
        np.zeros(work, np.uint64),
    )


rules_t, state_t = numba.from_dtype(RULES), numba.from_dtype(STATE)
cards_t, moves_t = types.uint8[::1], types.int32[::1]

DEAL = types.void(rules_t, state_t, cards_t)
LEGAL = types.int64(rules_t, state_t, moves_t)
APPLY = types.void(rules_t, state_t, types.int32)

functions_t = types.NamedTuple(tuple(types.FunctionType(role) for role in (DEAL, LEGAL, APPLY)), Functions)
scratch_t = numba.typeof(new_scratch())
CHOOSE = types.int64(functions_t, rules_t, state_t, moves_t, types.int64, scratch_t)
