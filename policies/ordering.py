"""In which order a search tries moves: what opens cards first."""

import numpy as np

from sim.bits import has
from sim.cards import face
from sim.jit import njit
from sim.moves import BUILD, FILL, KINDS, PLAY, src, what
from sim.rules import TABLEAU


def ranks():
    """How late a move is tried: uint8[kind, whether its card bares a place, and is married, and lies high]."""
    rank = np.full((len(KINDS), 2, 2, 2), 7, np.uint8)
    rank[PLAY] = 0
    rank[BUILD, 0], rank[FILL, 0] = [[2, 3], [5, 5]], [[4, 4], [6, 6]]
    rank[BUILD, 1] = rank[FILL, 1] = 1
    return rank


RANK = ranks()


@njit(inline=True)
def rank_of(rules, state, m):
    """How late a move is tried, from 0 to 7: what opens cards comes first, what takes sequences apart last.

    Looked up in RANK, for branches that nobody can foresee take longer than all the rest.
    """
    kind, card = what(m), state.top[src(m)]
    below, high = state.under[card], np.uint8(state.height[src(m)] > 3)
    married = has(rules.onto[TABLEAU, face(card)], face(below))
    return RANK[kind, np.uint8(below == 0), np.uint8(married), high]


@njit(inline=True)
def can_be_undone(rules, state, m):
    """Whether a single card moves in the tableau from where it could be built, or from a place of its own."""
    if what(m) != BUILD and what(m) != FILL:
        return False
    card = state.top[src(m)]
    return has(rules.onto[TABLEAU, face(card)], face(state.under[card]))


@njit(inline=True)
def insert(order, i, word):
    """Put a word among the first i in order: it goes past each of them, and the lesser stays."""
    for j in range(i):
        other = order[j]
        order[j] = min(other, word)
        word = max(other, word)
    order[i] = word
