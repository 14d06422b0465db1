"""Say a layout in words; get the record that compiled code reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.bits import U, mix
from sim.cards import FACES, SUITS
from sim.packing import Packing, Start, ace, down_in_suit, king, never, no_card, tabulate, up_in_suit
from sim.rules import DESCENDING, FOUNDATION, MAX_PILES, RULES, STOCK

FOUNDATION_SUITS = "CDHS"  # the order in which foundations stand


@dataclass(frozen=True)
class Piles:
    """A row of piles of one kind."""

    zone: str  # as `Position.zones` names it
    kind: int
    count: int = 1
    packing: Packing = never  # which card may lie on which
    start: Start = no_card  # which card may fill a space
    lift: int = 1  # most cards that may be taken off together
    fills: bool = False  # may its cards fill a space of the tableau?
    hidden: bool = False  # are its cards face down?
    fixed: bool = False  # does it matter which of these places a card lies in?
    suit: int | None = None  # the one suit that may be played here; None: any that the packing takes
    full: int = 255  # cards that make a foundation complete


def foundations(up: int, down: int = 0, *, lift: int = 0, fills: bool = False) -> list[Piles]:
    """For each suit, so many piles from ace to king and so many from king to ace.

    With lift 1 a top card may come back to the tableau, and with fills to a space of it.
    """
    rows = []
    for suit in map(SUITS.index, FOUNDATION_SUITS):
        kept: dict[str, Any] = {"lift": lift, "fills": fills, "fixed": True, "suit": suit}
        rows += [Piles("foundation", FOUNDATION, up, up_in_suit, ace, **kept)] if up else []
        rows += [Piles("foundation", DESCENDING, down, down_in_suit, king, **kept)] if down else []
    return rows


def build(piles: Sequence[Piles], dealt_to: Iterable[int], *, packs: int, goal: int = 0, redeals: int = 0) -> np.record:
    """The rules record; `dealt_to` names the pile of each card of the deck, the rest is the stock.

    Piles are numbered in the order given. `goal` is the count of cards home that wins, 0 for all of them.
    """
    record: np.record = np.zeros(1, RULES)[0]
    record.packs, record.n_cards, record.redeals = packs, 52 * packs, redeals
    record.goal = goal or 52 * packs
    at = 0
    for group, row in enumerate(piles):
        _place(record, row, at, group)
        at += row.count
    record.n_piles = at
    record.dealt_to[:] = record.first[STOCK]
    places = list(dealt_to)
    record.dealt_to[: len(places)] = places
    return record


def _place(record: np.record, row: Piles, at: int, group: int) -> None:
    end = at + row.count
    assert end <= MAX_PILES, "a game with more piles than a move can name"
    record.first[row.kind] = min(at, record.first[row.kind]) if record.end[row.kind] else at
    record.end[row.kind] = end
    record.kind[at:end], record.hidden[at:end], record.full[at:end] = row.kind, row.hidden, row.full
    record.lift[row.kind], record.fills[row.kind] = row.lift, row.fills
    record.onto[row.kind] = tabulate(row.packing, row.start)
    for pile in range(at, end):
        record.ground[pile] = mix(U(1 + (pile if row.fixed else MAX_PILES + group)))
    if row.kind >= FOUNDATION:
        _send_home(record, row.suit, at, end)
        record.nth[row.kind - FOUNDATION] = order(record.onto[row.kind])


def _send_home(record: np.record, suit: int | None, at: int, end: int) -> None:
    """The foundations that a face may go to stand side by side."""
    for face in FACES:
        if suit in (None, face >> 4):
            record.home_first[face] = record.home_first[face] if record.home_end[face] else at
            record.home_end[face] = end


def order(onto: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The place of each face on a foundation, from 1, if it starts as a space may be filled; 0 where none is fixed.

    onto: uint64[64], the set of the faces that each face may lie on.
    """
    places, lies_on = [0] * 64, onto.tolist()
    last = 1  # the set of the faces of the place before; that of the first place is a space
    for place in range(1, len(FACES) + 1):
        faces = [face for face in FACES if not places[face] and lies_on[face] & last]
        for face in faces:
            places[face] = place
        last = sum(1 << face for face in faces)
    return np.array(places, np.uint8)
