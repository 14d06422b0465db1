"""Naive twins: the games once more in plain Python, written from the books and the dossiers alone.

A twin is the referee of the compiled games. It knows nothing of them; it is slow, short, and meant
to be read beside the book. Cards are strings ("AS", "TD"), piles are lists with the bottom card
first, and the copies of a card are not told apart.
"""

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar

RANKS = "A23456789TJQK"
SUITS = "CDHS"

Pile = list[str]
Place = tuple[str, Any]  # zone and index; of an exchange of two cards for two others, zone and two indices
Reshuffle = Callable[[list[str], int], list[str]]
Options = dict[str, tuple[object, ...]]


@dataclass(frozen=True)
class Move:
    """One step of the player: `count` cards go from `source` to `target` (zone and index).

    `cards` are the cards moved, the bottom one first; none when they are not seen (turn, redeal).
    """

    kind: str
    source: Place
    target: Place
    count: int
    cards: tuple[str, ...]


@cache
def name(place: Place) -> str:
    """A place, or two, as the compiled games name it."""
    zone, index = place
    return " ".join([f"{zone}[{i}]" for i in (index if isinstance(index, tuple) else (index,))])


@cache
def rank(card: str) -> int:
    """The value of a card: ace 1, king 13."""
    return RANKS.index(card[0]) + 1


def pack() -> list[str]:
    """The 52 cards in a fixed order."""
    return [r + s for s in SUITS for r in RANKS]


def marries(card: str, below: str) -> bool:
    """Whether `card` may lie on `below`: same suit, next lower."""
    return card[1] == below[1] and rank(card) == rank(below) - 1


def empty(count: int) -> list[Pile]:
    """So many piles without a card."""
    return [[] for _ in range(count)]


def lowest_empty(piles: list[Pile]) -> list[int]:
    """The vacancy to fill, if there is one: all vacancies are alike, so only the first counts."""
    return [index for index, pile in enumerate(piles) if not pile][:1]


def home(card: str, foundations: list[Pile]) -> list[int]:
    """The foundation that takes this card, if there is one; of equal twins the first."""
    twins = len(foundations) // len(SUITS)
    first = SUITS.index(card[1]) * twins
    return [slot for slot in range(first, first + twins) if len(foundations[slot]) == rank(card) - 1][:1]


def free_runs(pile: Pile, move_unit: str) -> list[tuple[str, ...]]:
    """What may be lifted from a pile: its top card, and with `sequence` every longer run in suit."""
    runs: list[tuple[str, ...]] = []
    for start in reversed(range(len(pile))):
        if runs and (move_unit == "single" or not marries(pile[start + 1], pile[start])):
            break
        runs.append(tuple(pile[start:]))
    return runs


def first_values(options: Options) -> dict[str, object]:
    """The default of every option: the first of its values."""
    return {name: values[0] for name, values in options.items()}


class Twin:
    """What the twins share: named piles, options checked, moves carried out one by one."""

    OPTIONS: ClassVar[Options]
    DEFAULTS: ClassVar[dict[str, object]]
    ALIKE: ClassVar[set[str]] = {"tableau"}  # zones whose piles may change places

    def __init__(self, options: dict[str, object], deck: list[str], reshuffle: Reshuffle) -> None:
        """Deal `deck`, first card first; `reshuffle(cards, k)` orders the cards of the k-th redeal."""
        for name, value in options.items():
            if value not in self.OPTIONS.get(name, ()):
                raise ValueError(f"{type(self).__name__} has no option {name}={value!r}")
        self.options: dict[str, Any] = {**self.DEFAULTS, **options}
        self.reshuffle = reshuffle
        self.redeals_left = self.options.get("redeals", 0)
        self.piles: dict[str, list[Pile]] = {}
        self.deal(deck)

    def deal(self, deck: list[str]) -> None:
        """Lay the piles."""
        raise NotImplementedError

    def legal(self) -> list[Move]:
        """The moves of a game that is not won."""
        raise NotImplementedError

    def perform(self, move: Move) -> None:
        """Carry out a legal move with all that follows from it."""
        raise NotImplementedError

    @property
    def won(self) -> bool:
        """Whether the player has reached the aim of the game."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        """Whether nothing can be done any more."""
        return self.won or not self.moves()

    def moves(self) -> list[Move]:
        """Every legal move, once."""
        return [] if self.won else self.legal()

    def play(self, move: Move) -> None:
        """Make one of the legal moves."""
        if move not in self.moves():
            raise ValueError(f"{move} is not legal in {self.piles}")
        self.perform(move)

    def carry(self, move: Move) -> None:
        """Lay the last `count` cards of the source, as they lie, on the target."""
        pile = self.pile(move.source)
        lifted = pile[len(pile) - move.count :]
        del pile[len(pile) - move.count :]
        self.pile(move.target).extend(lifted)

    def pile(self, place: Place) -> Pile:
        """The pile that stands at a place."""
        zone, index = place
        return self.piles[zone][index]

    def zones(self) -> dict[str, list[Pile]]:
        """A copy of the table: zone -> piles, bottom card first."""
        return {zone: [list(pile) for pile in piles] for zone, piles in self.piles.items()}

    def clone(self) -> "Twin":
        """The same position, to be played on independently."""
        other = copy(self)
        other.piles = self.zones()
        return other


def moved(kind: str, source: Place, zone: str, indices: Iterable[int], cards: tuple[str, ...]) -> list[Move]:
    """The moves of these seen cards from one source to each of the piles of a zone."""
    return [Move(kind, source, (zone, index), len(cards), cards) for index in indices]


# Each module of this package is a game's, and names its class TWIN.
TWINS: dict[str, type[Twin]] = {
    module.name: import_module(f"{__name__}.{module.name}").TWIN for module in iter_modules(__path__)
}
