"""Cards as bytes, pack << 6 | suit << 4 | rank, and their two-letter names.

The low six bits are the *face*: two cards of one face (from two packs) are the same card to every rule. Face 0 is no
card: the bare table, or a card that is not seen.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sim.errors import PatienceError, unknown
from sim.jit import njit

SUITS = "CSHD"  # the order of PySolFC's numbers; suit >> 1 tells red from black
RANKS = "A23456789TJQK"
FACES = tuple(suit << 4 | rank for suit in range(4) for rank in range(1, 14))
NAMES = {face: RANKS[(face & 15) - 1] + SUITS[face >> 4] for face in FACES}
FACE_OF = {name: face for face, name in NAMES.items()}
MAX_CARDS = 208


@njit(inline=True)
def face(card):
    return np.uint8(card & 63)


@njit(inline=True)
def rank(card):
    return card & 15


@njit(inline=True)
def suit(card):
    return card >> 4 & 3


def full_deck(packs: int) -> NDArray[np.uint8]:
    """The cards of so many packs in order, uint8[52 * packs]."""
    return np.array([pack << 6 | face for pack in range(packs) for face in FACES], np.uint8)


def names(cards: Iterable[int]) -> list[str]:
    """Cards as text, such as "TD" for the ten of diamonds."""
    return [NAMES[int(card) & 63] for card in cards]


def parse_deck(texts: Sequence[str], packs: int) -> NDArray[np.uint8]:
    """A full deck from card names, in their order; the first copy of a face counts as of the first pack."""
    seen: dict[int, int] = {}
    cards = []
    for text in texts:
        if text not in FACE_OF:
            raise unknown("card", text, FACE_OF)
        face = FACE_OF[text]
        cards.append(seen.get(face, 0) << 6 | face)
        seen[face] = seen.get(face, 0) + 1
    wrong = [f"{NAMES[face]} {seen.get(face, 0)} times" for face in FACES if seen.get(face, 0) != packs]
    if wrong:
        raise PatienceError(
            f"The deck has {len(texts)} cards; this game wants {52 * packs}, every card {packs} times, "
            f"but it holds {', '.join(wrong[:5])}{' and more' if len(wrong) > 5 else ''}."
        )
    return np.array(cards, np.uint8)
