"""In which order a search tries moves: what opens cards first."""

import numpy as np

from sim.bits import has
from sim.cards import face
from sim.jit import njit
from sim.moves import BUILD, FILL, PLAY, src, what
from sim.rules import TABLEAU


@njit(inline=True)
def rank_of(rules, state, m):
    """How late a move is tried, from 0 to 7: what opens cards comes first, what takes sequences apart last."""
    kind, card = what(m), state.top[src(m)]
    below = state.under[card]
    if kind == PLAY:
        return 0
    if kind != BUILD and kind != FILL:
        return 7
    if below == 0:
        return 1
    married = has(rules.onto[TABLEAU, face(card)], face(below))
    if kind == FILL:
        return 6 if married else 4
    return 5 if married else 2 if state.height[src(m)] <= 3 else 3


@njit(inline=True)
def can_be_undone(rules, state, m):
    """Whether a single card moves in the tableau from where it could be built, or from a place of its own."""
    if what(m) != BUILD and what(m) != FILL:
        return False
    card = state.top[src(m)]
    return has(rules.onto[TABLEAU, face(card)], face(state.under[card]))


@njit
def sort(rules, state, moves, n):
    """Put the moves in the order in which they are tried."""
    for i in range(n):
        m = np.int32(rank_of(rules, state, moves[i]) << 28 | moves[i])
        j = i
        while j > 0 and moves[j - 1] > m:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = m
    for i in range(n):
        moves[i] &= 0xFFFFFFF
