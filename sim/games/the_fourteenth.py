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
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import EXCHANGE, PAIR, count, couple, couples, dst, move, src, what
from sim.options import option
from sim.rules import FOUNDATION, STOCK, TABLEAU
from sim.state import carry, set_counter, swap

VERSION = 2
STOCK_PILE, DISCARD_PILE, FIRST = range(3)
END = FIRST + 25  # the places are the piles FIRST .. END - 1, in reading order
VALUES = ("unlimited", "one_for_one", "any_time", "close_up", "gaps_too")
UNLIMITED, ONE_FOR_ONE, ANY_TIME, CLOSE_UP, GAPS_TOO, COUNT, MUST_PRODUCE = range(7)
GRACES = 0  # counter: the exchanges that are left, 1 if there is no limit
LINES = np.zeros(END, np.int32)  # [place]: the set of the other places of its row and column
for p, q in permutations(range(FIRST, END), 2):
    LINES[p] |= ((p - FIRST) // 5 == (q - FIRST) // 5 or p % 5 == q % 5) << q
ALIKE = 1 << END  # in the set of every couple of equal cards: as if these had a place in common

# What is noted behind the moves while they are listed; a couple is two places, the lower first, that may change cards:
WITH_RANK = 38_200  # [rank]: the set of its places
FELLOWS, NEAR = 38_220, 38_250  # [place]: the others that make fourteen with it; those in line with it that do not
FIRST_FROM = 38_280  # [place]: the first couple of it or of a higher place
MOVES, CODES, HITS, SETS, CHOSEN = range(38_400, 39_900, 300)  # [couple]: see `note_couples` and `choose`


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
def note_fellows(state, moves):
    """Note which places make fourteen with the card of each."""
    moves[WITH_RANK : WITH_RANK + 15] = 0
    for place, card in enumerate(state.top[FIRST:END], FIRST):
        moves[WITH_RANK + np.int64(rank(card))] |= 1 << place
    for place, card in enumerate(state.top[FIRST:END], FIRST):
        moves[FELLOWS + place] = moves[WITH_RANK + 14 - np.int64(rank(card))] & ~(1 << place)


@njit
def pairs(state, moves):
    """List the pairs."""
    n = 0
    for place, card in enumerate(state.top[FIRST:END], FIRST):
        found = U(LINES[place] & moves[FELLOWS + place]) >> U(place)
        while found != U(0):
            moves[n] = move(PAIR, place, place + lowest(found), face(card), 1)
            found &= found - ONE
            n += 1
    return n


@njit
def note_couples(rules, state, moves):
    """Note the bits of each couple that come first or second, its new fourteens, its places; return the number."""
    for place in range(FIRST, END):
        moves[NEAR + place] = LINES[place] & ~moves[FELLOWS + place]
    n = 0
    for a in range(FIRST, END):
        moves[FIRST_FROM + a] = n
        for b in range(a + 1, END):
            alike = face(state.top[a]) == face(state.top[b])
            if (state.top[a] and state.top[b]) or (rules.option[GAPS_TOO] and not alike):
                moves[MOVES + n], moves[CODES + n] = move(EXCHANGE, a, b, 0, 2), couple(a, b)
                moves[HITS + n] = moves[NEAR + a] & moves[FELLOWS + b] | moves[NEAR + b] & moves[FELLOWS + a]
                moves[SETS + n] = 1 << a | 1 << b | ALIKE * alike
                n += 1
    return n


@njit
def choose(moves, i, start, end, anything):
    """Note the move of a couple and of each from `start` on, or 0 where it does not do."""
    bits, hit, ab = moves[MOVES + i], moves[HITS + i], moves[SETS + i]
    near_a, of_a = moves[NEAR + src(bits)], moves[FELLOWS + src(bits)]
    near_b, of_b = moves[NEAR + dst(bits)], moves[FELLOWS + dst(bits)]
    far_a, far_b = ~(near_a | of_b | ALIKE), ~(near_b | of_a | ALIKE)
    if anything:  # but couples with a place in common
        for j in range(U(start), U(end)):
            moves[U(CHOSEN) + j] = (bits | moves[U(CODES) + j]) * (moves[U(SETS) + j] & ab == 0)
        return
    for j in range(U(start), U(end)):
        cd = moves[U(SETS) + j]
        stays = (hit & ~cd | moves[U(HITS) + j] & ~ab) != 0  # a fourteen with a card that stays
        with_a = (cd & near_a != 0) & (cd & of_b != 0) & (cd & far_a == 0)
        with_b = (cd & near_b != 0) & (cd & of_a != 0) & (cd & far_b == 0)
        does = (stays | with_a | with_b) & (cd & ab == 0)
        moves[U(CHOSEN) + j] = (bits | moves[U(CODES) + j]) * does


@njit
def double_exchanges(moves, n, i, end, anything):
    """Add the exchanges of couple number i and of one of higher places."""
    start = moves[FIRST_FROM + src(moves[MOVES + i]) + 1]
    choose(moves, i, start, end, anything)
    room, k = moves[n : n + end - start], U(0)
    for m in moves[CHOSEN + start : CHOSEN + end]:
        room[k] = m
        k += U(m != 0)
    return n + np.int64(k)


@njit
def single_exchange(state, moves, n, i, anything):
    """Add the exchange of couple number i; a card goes to a gap, or the lower one to the other."""
    a, b = src(moves[MOVES + i]), dst(moves[MOVES + i])
    if (moves[HITS + i] or anything) and moves[SETS + i] < ALIKE:
        a, b = (a, b) if state.top[a] else (b, a)
        moves[n] = move(EXCHANGE, a, b, face(state.top[a]), 1)
        n += 1
    return n


@njit
def exchanges(rules, state, moves, n):
    """Add the exchanges."""
    end, anything = note_couples(rules, state, moves), rules.option[MUST_PRODUCE] == 0
    for i in range(end):
        if rules.option[ONE_FOR_ONE]:
            n = single_exchange(state, moves, n, i, anything)
        else:
            n = double_exchanges(moves, n, i, end, anything)
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
    note_fellows(state, moves)
    n = pairs(state, moves)
    if state.counter[GRACES] and (n == 0 or rules.option[ANY_TIME]):
        return exchanges(rules, state, moves, n)
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
