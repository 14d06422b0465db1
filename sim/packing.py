"""What may lie on what: plain-Python predicates over faces, tabulated once for compiled code."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sim.cards import FACES

Packing = Callable[[int, int], bool]  # may this face lie on that one?
Start = Callable[[int], bool]  # may this face fill a space?

ACE, KING = 1, 13


def _rank(face: int) -> int:
    return face & 15


def _same_suit(face: int, below: int) -> bool:
    return face >> 4 == below >> 4


def red(face: int) -> bool:
    return face >> 5 == 1


def never(face: int, below: int) -> bool:
    return False


def down_in_suit(face: int, below: int) -> bool:
    return _same_suit(face, below) and _rank(face) == _rank(below) - 1


def down(face: int, below: int) -> bool:
    return _rank(face) == _rank(below) - 1


def down_alternating(face: int, below: int) -> bool:
    return red(face) != red(below) and _rank(face) == _rank(below) - 1


def up(face: int, below: int) -> bool:
    return _rank(face) == _rank(below) + 1


def up_in_colour(face: int, below: int) -> bool:
    return red(face) == red(below) and up(face, below)


def up_alternating(face: int, below: int) -> bool:
    return red(face) != red(below) and up(face, below)


def up_in_suit(face: int, below: int) -> bool:
    return _same_suit(face, below) and _rank(face) == _rank(below) + 1


def up_round(face: int, below: int) -> bool:
    """Up, the ace on the king."""
    return _rank(face) == _rank(below) % KING + 1


def up_round_in_suit(face: int, below: int) -> bool:
    return _same_suit(face, below) and up_round(face, below)


def down_round_in_suit(face: int, below: int) -> bool:
    """Down in suit, the king on the ace."""
    return up_round_in_suit(below, face)


def next_in_suit(face: int, below: int) -> bool:
    return down_in_suit(face, below) or up_in_suit(face, below)


def same_rank(face: int, below: int) -> bool:
    return _rank(face) == _rank(below)


def no_card(face: int) -> bool:
    return False


def any_card(face: int) -> bool:
    return True


def ace(face: int) -> bool:
    return _rank(face) == ACE


def king(face: int) -> bool:
    return _rank(face) == KING


def tabulate(packing: Packing, start: Start) -> NDArray[np.uint64]:
    """[face]: the set of faces it may lie on, as bits; bit 0: it may fill a space. uint64[64]."""
    table = np.zeros(64, np.uint64)
    for face in FACES:
        lies_on = [below for below in FACES if packing(face, below)] + [0] * start(face)
        table[face] = sum(1 << below for below in lies_on)
    return table
