"""Keeps a policy that looks at one move at a time from going round in circles.

A card that was laid elsewhere twice since anything came home, to light or from the hand, stays where it is; so
does its twin, for a set of faces is all that is remembered. A deal in which nothing else is left is resigned.
"""

import numpy as np

from sim.jit import njit
from sim.moves import BUILD, FILL, PLAY, RETURN, TRANSFER, card, count, src, what
from sim.rules import STOCK, WASTE
from sim.state import face_up

LAST, ONCE, TWICE, KEPT = range(4)  # in memory: the move before, the faces laid elsewhere once, and twice since


@njit(inline=True)
def idle(rules, state, m):
    """Whether a move only lays cards that are seen elsewhere."""
    if what(m) not in (BUILD, FILL, RETURN, TRANSFER) or rules.kind[src(m)] in (STOCK, WASTE):
        return False
    return state.covered[src(m)] == 0 or face_up(state, src(m)) > count(m)


@njit(inline=True)
def in_circles(rules, state, m, memory):
    """Whether a move lays a card elsewhere once too often."""
    return memory[TWICE] >> card(m) & 1 and idle(rules, state, m)


@njit(inline=True)
def remember(rules, state, m, memory):
    """Note the move that is going to be made. A card that only comes back home is no progress."""
    memory[LAST] = m
    face = np.int64(1) << card(m)
    if idle(rules, state, m):
        memory[TWICE] |= memory[ONCE] & face
        memory[ONCE] |= face
    elif what(m) != PLAY or memory[ONCE] & face == 0:
        memory[ONCE] = memory[TWICE] = 0
