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


class Functions(NamedTuple):
    """The compiled functions of a game, as a policy sees them."""

    deal: Any
    legal_moves: Any
    apply_move: Any


class Scratch(NamedTuple):
    """What a policy may write on."""

    states: NDArray[Any]  # STATE[COPIES]
    moves: NDArray[np.int32]  # int32[COPIES, MAX_MOVES]
    memory: NDArray[np.int64]  # int64[MEMORY], zero at the start of a deal
    rng: NDArray[np.uint64]  # uint64[1], the policy's own stream, for `sim.rng.below`


def new_scratch() -> Scratch:
    return Scratch(
        np.zeros(COPIES, STATE),
        np.zeros((COPIES, MAX_MOVES), np.int32),
        np.zeros(MEMORY, np.int64),
        np.zeros(1, np.uint64),
    )


rules_t, state_t = numba.from_dtype(RULES), numba.from_dtype(STATE)
cards_t, moves_t = types.uint8[::1], types.int32[::1]

DEAL = types.void(rules_t, state_t, cards_t)
LEGAL = types.int64(rules_t, state_t, moves_t)
APPLY = types.void(rules_t, state_t, types.int32)

functions_t = types.NamedTuple(tuple(types.FunctionType(role) for role in (DEAL, LEGAL, APPLY)), Functions)
scratch_t = numba.typeof(new_scratch())
CHOOSE = types.int64(functions_t, rules_t, state_t, moves_t, types.int64, scratch_t)
