"""Deal sources: from a number to a deck in dealing order.

`splitmix` is the project's own: seeds 0 … 2**63 - 1, the deck of a seed is the same for every policy, and for every
variant that is played with as many packs.
`pysol` gives PySolFC's numbered deals, so that anyone can open a simulated deal there. 1 … 31999, and `msN` for any
N < 2**33, come from Microsoft's linear congruential generator, other numbers from Python's Mersenne twister. The
facts are those of PySolFC 3.6.1 (where 32000 already is a Mersenne deal) and of pysol_cards for N >= 2**31.
"""

import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sim.bits import U
from sim.cards import FACE_OF
from sim.errors import PatienceError, unknown
from sim.play import open_deck

SPLITMIX, PYSOL = SOURCES = ("splitmix", "pysol")
MAX_SEED = 2**63 - 1
MAX_PYSOL = 10**20 - 1
MICROSOFT = 31999  # the last number that PySolFC deals as Microsoft's FreeCell did
MICROSOFT_SUITS = (0, 3, 2, 1)  # clubs, diamonds, hearts, spades


def check_seed(seed: int | str, source: str = SPLITMIX) -> int:
    """The seed as a number; an error that says the range otherwise."""
    if source not in SOURCES:
        raise unknown("deal source", source, SOURCES)
    text = str(seed).strip().lower()
    microsoft = source == PYSOL and text.startswith("ms")
    digits = text[2:] if microsoft else text
    low, high = (1, 2**33 - 1) if microsoft else (0, MAX_SEED) if source == SPLITMIX else (1, MAX_PYSOL)
    if isinstance(seed, bool) or not digits.isascii() or not digits.isdigit() or not low <= int(digits) <= high:
        raise PatienceError(f"{seed!r} is no seed of the {source} deals: expected a whole number from {low} to {high}.")
    return int(digits)


def deck(seed: int | str, packs: int, source: str = SPLITMIX, pysol_ranks: int = 13) -> NDArray[np.uint8]:
    """The deck of a seed in dealing order, uint8[52 * packs].

    PySolFC shuffles no cards above `pysol_ranks`; here they come last.
    """
    number = check_seed(seed, source)
    if source == PYSOL:
        microsoft = number <= MICROSOFT or str(seed).lower().startswith("ms")
        return pysol_deck(number, packs, microsoft, pysol_ranks)
    cards = np.zeros(52 * packs, np.uint8)
    open_deck(cards, U(number))
    return cards


def pysol_deck(number: int, packs: int, microsoft: bool, ranks: int) -> NDArray[np.uint8]:
    """PySolFC keeps the cards as a list whose end is dealt first; here the first card is dealt first."""
    whole = [pack << 6 | suit << 4 | rank for pack in range(packs) for suit in range(4) for rank in range(1, 14)]
    cards = [card for card in whole if card & 15 <= ranks]
    if microsoft and packs == 1:
        cards = [suit << 4 | rank for rank in range(1, 14) for suit in MICROSOFT_SUITS]
    draw = _microsoft(number) if microsoft else _mersenne(number)
    for k in range(len(cards) - 1, 0, -1):
        j = draw(k + 1)
        cards[k], cards[j] = cards[j], cards[k]
    return np.array(cards[::-1] + [card for card in whole if card & 15 > ranks], np.uint8)


def brought_up(deck: NDArray[np.uint8], top: Sequence[str]) -> NDArray[np.uint8]:
    """The deck with these cards of the first pack on top, in this order; the others keep theirs."""
    first = [FACE_OF[name] for name in top]
    return np.array([*first, *(card for card in deck if card not in first)], np.uint8)


def _mersenne(number: int) -> Callable[[int], int]:
    twister = random.Random(number)
    return lambda n: int(twister.random() * n)


def _microsoft(number: int) -> Callable[[int], int]:
    words = _microsoft_words(number)
    return lambda n: next(words) % n


def _microsoft_words(number: int) -> Iterator[int]:
    """15 bits each; 16 for numbers from 2**31 on, as Freecell Pro extended the generator."""
    x = number - 2**32 if number >= 2**32 else number
    while True:
        x = (x * 214013 + 2531011) % 2**33
        if number >= 2**32:
            yield (x >> 16 & 0xFFFF) + 1
        else:
            yield x >> 16 & 0x7FFF | (0x8000 if number >= 2**31 else 0)
