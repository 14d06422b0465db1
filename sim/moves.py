"""A move is one int32; its bits, lowest first: kind 4, source 7, target 7, face of the card 6, count of cards 4.

An exchange of two cards for two others names two couples of piles, a with b and c with d, and no card: a and b are the
lower five bits of source and target, and `couple` has c and d in the bits that are left. Such a source is no pile.
"""

import numpy as np

from sim.jit import njit

KINDS = (
    "turn",
    "redeal",
    "pair",
    "refill",
    "draw",
    "play",
    "build",
    "fill",
    "return",
    "deal",
    "exchange",
    "transfer",
)
TURN, REDEAL, PAIR, REFILL, DRAW, PLAY, BUILD, FILL, RETURN, DEAL, EXCHANGE, TRANSFER = range(len(KINDS))
MAX_MOVES = 40_000  # no position has more: three couplings of each four of the 25 places of The Fourteenth are 37,950


@njit(inline=True)
def move(kind, src, dst, face, count):
    """The card is the deepest of those that go; face 0 where the player does not see it."""
    return np.int32(int(kind) | int(src) << 4 | int(dst) << 11 | int(face) << 18 | int(count) << 24)


@njit(inline=True)
def couple(c, d):
    """The bits that a second couple, 1 < c < d < 27, adds to an exchange; those of d + 5 make the source 32 or more."""
    return np.int32((d + 5 >> 3) << 9 | (c >> 3) << 16 | (d + 5 & 7) << 18 | (c & 7) << 21)


@njit(inline=True)
def couples(m):
    """The piles a, b, c, d of an exchange of two couples."""
    c, d = (m >> 16 & 3) << 3 | m >> 21 & 7, (m >> 9 & 3) << 3 | m >> 18 & 7
    return m >> 4 & 31, m >> 11 & 31, c, d - 5


def ends(code: int, n_piles: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The piles that the cards of a move come from, and those they go to; more than one for an exchange of couples."""
    source, target = src(code), dst(code)
    if source < n_piles:
        return (source,), (target,)
    a, b, c, d = couples(code)
    return (a, c), (b, d)


@njit(inline=True)
def what(m):
    return m & 15


@njit(inline=True)
def src(m):
    return m >> 4 & 127


@njit(inline=True)
def dst(m):
    return m >> 11 & 127


@njit(inline=True)
def card(m):
    return m >> 18 & 63


@njit(inline=True)
def count(m):
    return m >> 24 & 15


TRACE_BITS = 0xFFFFFF  # of a move that stand in its trace code: kind, source, target and face tell it from all others
MOST_LEGAL = 255  # a trace code's highest byte counts the legal moves up to here: 255 means "255 or more"


@njit(inline=True)
def trace_code(m, n):
    """What a trace keeps of a move that was chosen among n, as one uint32."""
    return np.uint32(int(m) & TRACE_BITS | min(n, MOST_LEGAL) << 24)
