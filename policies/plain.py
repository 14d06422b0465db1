"""Plain moves: the top card of one pile goes to another, all cards lie in sight, and nothing follows.

What such a move leads to is known before it is made: the key of the position, what it is worth, and how many cards can
come home from there at most. And it can be taken back, so that a search needs no copy of the position for it.
"""

import numpy as np

from sim.bits import GOLDEN, ONE, U, has, lowest, mix, size
from sim.cards import face, rank
from sim.fans import ACES
from sim.jit import njit
from sim.moves import BUILD, FILL, PLAY, dst, src, what
from sim.rules import FOUNDATION, INNER, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import prefix, shift


@njit
def in_the_open(rules, state):
    """Whether all cards lie in sight, on piles of the tableau that lift single cards, or at home for good."""
    for kind in (WASTE, RESERVE, INNER):
        if rules.first[kind] < rules.end[kind]:
            return False
    for pile in range(rules.n_piles):
        if rules.hidden[pile] or state.covered[pile]:
            return False
    return rules.lift[TABLEAU] <= 1 and rules.lift[FOUNDATION] == 0 and state.height[rules.first[STOCK]] == 0


@njit(inline=True)
def is_plain(m):
    """Whether a move is plain where all lies in the open and nothing follows."""
    return what(m) == PLAY or what(m) == BUILD or what(m) == FILL


@njit
def take_back(rules, state, m):
    """Undo a plain move."""
    shift(rules, state, dst(m), src(m))


@njit(inline=True)
def hash_change(rules, state, m):
    """What a plain move adds to the hash."""
    card, onto = state.top[src(m)], prefix(rules, state, dst(m))
    below = state.under[card]
    left = state.prefix[below] if below else rules.ground[src(m)]
    return left - state.prefix[card] - onto + mix(onto + U(face(card)) * GOLDEN)


@njit(inline=True)
def worth_after(state, m):
    """What a plain move leads to is worth, as `search.worth` says."""
    home = np.int64(state.home) + np.int64(what(m) == PLAY)
    spaces = np.int64(state.spaces[TABLEAU]) + np.int64(state.height[src(m)] == 1) - np.int64(what(m) == FILL)
    return home << 8 | spaces


@njit
def partners(rules):
    """Sets of the faces that may be built on the next higher of their suit, on the next lower, and fill a space."""
    down = up = fill = U(0)
    for f in range(1, 64):
        onto, here = rules.onto[TABLEAU, f], ONE << U(f)
        down |= here if has(onto, f + 1) else U(0)
        up |= here if rank(f) > 1 and has(onto, f - 1) else U(0)
        fill |= here if has(onto, 0) else U(0)
    return down, up, fill


@njit(inline=True)
def most_home(state, bounds):
    """The most cards that can come home in this deal, where plays are safe, all lies in the open, and tops only."""
    return most_home_of(state, state.shown[TABLEAU, 0], state.shown[FOUNDATION, 0] & ~ONE, state.home, bounds)


@njit
def most_home_after(state, m, bounds):
    """The same after a plain move."""
    card, onto = state.top[src(m)], state.top[dst(m)]
    below = state.under[card]
    left = state.shown[TABLEAU, 0] & ~(ONE << U(face(card))) | ONE << U(face(below))
    if what(m) == PLAY:
        home = state.shown[FOUNDATION, 0] & ~(ONE << U(face(onto)) | ONE) | ONE << U(face(card))
        return most_home_of(state, left, home, state.home + 1, bounds)
    if onto or (state.spaces[TABLEAU] == 1 and below):
        left &= ~(ONE << U(face(onto)))
    state.under[card] = onto
    most = most_home_of(state, left | ONE << U(face(card)), state.shown[FOUNDATION, 0] & ~ONE, state.home, bounds)
    state.under[card] = below
    return most


@njit
def most_home_of(state, open, home, n, bounds):
    """No more cards than these can come home with these faces open and at home, and so many cards at home.

    Cards count as open for good once they have been open, and spaces as well: whatever can be done can be done in this
    easier game, where a card leaves its pile at the first chance and is never in the way.
    """
    down, up, fill = bounds
    gone = ONE
    while True:
        at_home = ACES | home << ONE
        cards = open & ~ONE
        goes = at_home | down & cards >> ONE | up & cards << ONE | (fill if open & ONE else U(0))
        goes &= open & ~gone
        if goes == U(0) and open & at_home & ~home == U(0):
            return n + size(home & open & ~ONE)
        home |= open & at_home
        gone |= goes
        while goes:
            open |= ONE << U(face(state.under[lowest(goes)]))
            goes &= goes - ONE
