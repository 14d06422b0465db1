"""The Fourteenth.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Fourteenth".
Layout
    Two packs. Twenty-five cards in five rows of five, all open; the other 79 cards are the stock.
Play
    Two cards of one row or of one column that make fourteen (ace 1, jack 11, queen 12, king 13) are withdrawn, whatever
    lies between them, and their places are filled from the stock. Once, when there is no fourteen, any two cards may
    change places with any other two, so as to produce one.
End
    Won with all 104 cards paired off; lost when no move is left.
Left open by the book, and read so
    Which of the two places gets the next card: the first in reading order. The dossier's `fill_order` has this one
    value and is therefore a rule, not an option. When the stock has one card left, the other place stays a gap.
    An exchange of two for two couples the four places: a changes with b, and c with d. Each coupling is a step; one
    that exchanges equal cards only is none. A step names a and c as its source, b and d as its target.
    A fourteen is produced where two places of one line make fourteen that did not before.
    `gaps_too`: no gap changes with a gap, so that each couple has a card; a gap receives the card of its couple.
    `close_up`: once the stock is out the cards close up in reading order after each pair, not after an exchange.
    `decks=1` is played with 52 cards, of which 27 are the stock.
Version
    1: first.
    2: with `grace_must_produce=false` the exchanges that produce a fourteen are listed among the others.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from sim.bits import ONE, U, lowest
from sim.builder import lay_out
from sim.cards import face, rank
from sim.exchanges import END, FIRST, double_exchanges, note_couples, notes_behind, thirds
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import EXCHANGE, PAIR, count, couples, dst, move, src, what
from sim.options import option
from sim.rules import FOUNDATION, STOCK, TABLEAU
from sim.state import carry, set_counter, swap

VERSION = 2
STOCK_PILE, DISCARD_PILE = range(FIRST)  # the places are the piles FIRST … END - 1, in reading order
VALUES = ("unlimited", "one_for_one", "any_time", "close_up", "gaps_too")
UNLIMITED, ONE_FOR_ONE, ANY_TIME, CLOSE_UP, GAPS_TOO, COUNT, MUST_PRODUCE = range(7)
GRACES = 0  # counter: the exchanges that are left, 1 if there is no limit
EVERY = (1 << END) - (1 << FIRST)  # the set of all places
LINES = np.zeros(END, np.int32)  # [place]: the set of the other places of its row and column
for p, q in permutations(range(FIRST, END), 2):
    LINES[p] |= ((p - FIRST) // 5 == (q - FIRST) // 5 or p % 5 == q % 5) << q


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and a variant that programs play."""

    grace_count: int | str = option(1, 0, "unlimited", about="how often cards may change places")
    grace_shape: str = option("two_for_two", "one_for_one", about="how many cards change places with how many")
    grace_when: str = option("only_without_a_pair", "any_time", about="when cards may change places")
    grace_must_produce: bool = option(True, False, about="an exchange must produce a fourteen")
    after_stock: str = option("leave_gaps", "close_up", about="what becomes of gaps once the stock is out")
    decks: int = option(2, 1, about="packs of cards")
    grace_targets: str = option("filled_places_only", "gaps_too", about="may a card change places with a gap?")


PRESETS: dict[str, dict[str, bool | int | str]] = {}


def layout(o: Options) -> list[Piles]:
    return [
        Piles("stock", STOCK, hidden=True),
        Piles("discard", FOUNDATION),
        Piles("tableau", TABLEAU, END - FIRST, fixed=True),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), range(FIRST, END), packs=o.decks)
    record.option[: len(VALUES)] = [value in vars(o).values() for value in VALUES]
    record.option[COUNT], record.option[MUST_PRODUCE] = o.grace_count != 0, o.grace_must_produce
    return record


@njit
def note_fellows(state, notes):
    """Note which places make fourteen with the card of each."""
    notes.with_rank[:] = 0
    for place, card in enumerate(state.top[FIRST:END], FIRST):
        notes.with_rank[np.int64(rank(card))] |= 1 << place
    for place, card in enumerate(state.top[FIRST:END], FIRST):
        notes.fellows[place] = notes.with_rank[14 - np.int64(rank(card))] & ~(1 << place)


@njit
def pairs(state, moves, notes):
    """List the pairs."""
    n = 0
    for place, card in enumerate(state.top[FIRST:END], FIRST):
        found = U(LINES[place] & notes.fellows[place]) >> U(place)
        while found != U(0):
            moves[n] = move(PAIR, place, place + lowest(found), face(card), 1)
            found &= found - ONE
            n += 1
    return n


@njit
def note_mates(rules, state, notes):
    """Note which places may change cards, and which have equal ones."""
    cards = EVERY & ~notes.with_rank[0]
    of_card, of_gap = (EVERY, cards) if rules.option[GAPS_TOO] else (cards, 0)
    for a, card in enumerate(state.top[FIRST:END], FIRST):
        notes.near[a] = LINES[a] & ~notes.fellows[a]
        notes.mates[a] = (of_card if card else of_gap) & -2 << a  # those above it
        notes.alike[a] = 0
        for b, other in enumerate(state.top[FIRST:END], FIRST):
            notes.alike[a] |= (face(card) == face(other)) << b


@njit
def single_exchange(state, moves, n, a, b):
    """Add the exchange of a couple; a card goes to a gap, or the lower one to the other."""
    a, b = (a, b) if state.top[a] else (b, a)
    moves[n] = move(EXCHANGE, a, b, face(state.top[a]), 1)
    return n + 1


@njit(inline=True)
def exchanges_of(rules, state, moves, notes, n, a, b):
    """Add the exchanges of a couple, alone or with one of higher places."""
    found = thirds(notes, a, b) if rules.option[MUST_PRODUCE] else EVERY
    if not rules.option[ONE_FOR_ONE]:
        return double_exchanges(moves, notes, n, a, b, found)
    if found and not notes.alike[a] >> b & 1:
        return single_exchange(state, moves, n, a, b)
    return n


@njit
def exchanges(rules, state, moves, notes, n):
    """Add the exchanges."""
    note_mates(rules, state, notes)
    note_couples(notes)
    for a in range(FIRST, END):
        mates = U(notes.mates[a])
        while mates != U(0):
            n = exchanges_of(rules, state, moves, notes, n, a, np.int64(lowest(mates)))
            mates &= mates - ONE
    return n


@njit
def close_up(rules, state):
    """The cards move up, in reading order, so that all gaps are behind them."""
    to = FIRST
    for pile in range(FIRST, END):
        cards = state.height[pile]
        carry(rules, state, pile, to, cards)
        to += cards


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    set_counter(state, GRACES, rules.option[COUNT])


@njit
def legal_moves(rules, state, moves):
    notes = notes_behind(moves)
    note_fellows(state, notes)
    n = pairs(state, moves, notes)
    if state.counter[GRACES] and (n == 0 or rules.option[ANY_TIME]):
        return exchanges(rules, state, moves, notes, n)
    return n


@njit
def apply_move(rules, state, m):
    a, b = src(m), dst(m)
    if what(m) == PAIR:
        carry(rules, state, a, DISCARD_PILE, 1)
        carry(rules, state, b, DISCARD_PILE, 1)
        for place in (a, b):
            carry(rules, state, STOCK_PILE, place, np.int64(state.top[STOCK_PILE] != 0))
        if rules.option[CLOSE_UP] and state.top[STOCK_PILE] == 0:
            close_up(rules, state)
        return
    if count(m) == 2:
        a, b, c, d = couples(m)
        swap(rules, state, c, d)
    swap(rules, state, a, b)
    if not rules.option[UNLIMITED]:
        set_counter(state, GRACES, 0)
