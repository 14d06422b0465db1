"""Whether a policy's choice depends on what a player cannot see: deal the unseen cards anew, and ask it again."""

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.bits import U
from sim.hidden import permute_hidden
from sim.jit import njit
from sim.moves import MAX_MOVES
from sim.position import Position
from sim.rng import POLICY, stream
from sim.roles import CHOOSE, WORK, Functions, Scratch, functions_t, moves_t, rules_t, scratch_t, state_t
from sim.state import STATE

CHOOSER = (*functions_t, types.FunctionType(CHOOSE), rules_t)
CHOICE = types.int64(*CHOOSER, state_t, moves_t, types.int64, scratch_t)
AGREE = types.boolean(*CHOOSER, state_t[::1], moves_t, scratch_t, scratch_t)
WORDS = np.zeros(WORK, np.uint64)


@njit(CHOICE)
def choice(deal, legal_moves, apply_move, choose, rules, state, moves, n, scratch):
    return choose(Functions(deal, legal_moves, apply_move), rules, state, moves, n, scratch)


@njit
def remember(there, here):
    for i in range(len(here)):
        there[i] = here[i]


@njit(AGREE)
def agree(deal, legal_moves, apply_move, choose, rules, states, moves, scratch, spare):
    """Whether the choice is the same in all these positions, made each time with what is remembered in `scratch`.

    Positions and lists of moves are nobody's from move to move; those of `spare` may hold anything.
    """
    first = np.int64(0)
    for i in range(len(states)):
        remember(spare.memory, scratch.memory)
        remember(spare.rng, scratch.rng)
        remember(spare.knobs, scratch.knobs)
        remember(spare.work, scratch.work)
        n = legal_moves(rules, states[i], moves)
        index = choose(Functions(deal, legal_moves, apply_move), rules, states[i], moves, n, spare)
        first = index if i == 0 else first
        if index != first:
            return False
    return True


def legal(here: Position) -> tuple[NDArray[np.int32], int]:
    """The moves as a policy gets them, and their number."""
    moves = np.zeros(MAX_MOVES, np.int32)
    return moves, int(here.game.functions.legal_moves(here.game.rules, here.state, moves))


def chosen(choose: Any, here: Position, scratch: Scratch) -> int:
    """The index that a policy, compiled, gives for a position."""
    return int(choice(*here.game.functions, choose, here.game.rules, here.state, *legal(here), scratch))


def unseen(here: Position, number: int) -> Position:
    """Another position that looks the same; others for other numbers."""
    there = here.copy()
    permute_hidden(here.game.rules, there.state, U(stream(U(number), POLICY, U(0))), WORDS)
    return there


def peeks(choose: Any, here: Position, scratch: Scratch, number: int, tries: int = 3) -> bool:
    """Whether the choice here is another one on one of so many positions that look the same."""
    spare = Scratch._make(np.empty_like(part) for part in scratch)
    states = np.empty(1 + tries, STATE)
    for k, position in enumerate([here, *(unseen(here, tries * number + k) for k in range(tries))]):
        states[k] = position.state
    moves = np.empty(MAX_MOVES, np.int32)
    return not agree(*here.game.functions, choose, here.game.rules, states, moves, scratch, spare)
