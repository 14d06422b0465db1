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
PLACES = 25
STOCK_PILE, DISCARD_PILE, FIRST_PLACE = range(3)
VALUES = ("unlimited", "one_for_one", "any_time", "close_up", "gaps_too")
UNLIMITED, ONE_FOR_ONE, ANY_TIME, CLOSE_UP, GAPS_TOO, COUNT, MUST_PRODUCE = range(7)
GRACES = 0  # counter: the exchanges that are left, 1 if there is no limit
LINES = np.array(
    [sum(1 << q for q in range(PLACES) if (q // 5 == p // 5) != (q % 5 == p % 5)) for p in range(PLACES)], np.int32
)  # [place]: the set of the other places of its row and column

ALIKE = 1 << PLACES  # in the set of every couple of equal cards: as if these had a place in common

# What is noted behind the moves while they are listed; a couple is two places, the lower first, that may change cards:
WITH_RANK = 38_500  # [rank]: the set of its places
FELLOWS = 38_520  # [place]: the set of the others that make fourteen with it, wherever they are
FIRST_FROM = 38_550  # [place]: the first couple of it or of a higher place
CODES, HITS, SETS, CHOSEN = 38_600, 38_900, 39_200, 39_500  # [couple]: see `note_couples` and `choose`


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
        Piles("tableau", TABLEAU, PLACES, fixed=True),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), range(FIRST_PLACE, FIRST_PLACE + PLACES), packs=o.decks)
    record.option[: len(VALUES)] = [value in vars(o).values() for value in VALUES]
    record.option[COUNT], record.option[MUST_PRODUCE] = o.grace_count != 0, o.grace_must_produce
    return record


@njit(inline=True)
def card_at(state, place):
    return state.top[FIRST_PLACE + place]


@njit
def note_fellows(state, moves):
    """Note which places make fourteen with the card of each."""
    moves[WITH_RANK : WITH_RANK + 15] = 0
    for place in range(PLACES):
        moves[WITH_RANK + np.int64(rank(card_at(state, place)))] |= 1 << place
    for place in range(PLACES):
        moves[FELLOWS + place] = moves[WITH_RANK + 14 - np.int64(rank(card_at(state, place)))] & ~(1 << place)


@njit
def pairs(state, moves):
    """List the pairs."""
    n = 0
    for place in range(PLACES):
        found = U(LINES[place] & moves[FELLOWS + place]) >> U(place)
        while found != U(0):
            other = place + lowest(found)
            found &= found - ONE
            moves[n] = move(PAIR, FIRST_PLACE + place, FIRST_PLACE + other, face(card_at(state, place)), 1)
            n += 1
    return n


@njit(inline=True)
def lines(moves, place):
    """The places in line with this one that make no fourteen with it as it is; and its fellows."""
    fellows = moves[FELLOWS + place]
    return LINES[place] & ~fellows, fellows


@njit
def note_couples(rules, state, moves):
    """Note of each couple its bits in a move, where it makes a new fourteen, and its places; return their number."""
    n = 0
    for a in range(PLACES):
        moves[FIRST_FROM + a] = n
        for b in range(a + 1, PLACES):
            alike = face(card_at(state, a)) == face(card_at(state, b))
            if (card_at(state, a) and card_at(state, b)) or (rules.option[GAPS_TOO] and not alike):
                (near_a, of_a), (near_b, of_b) = lines(moves, a), lines(moves, b)
                moves[CODES + n] = couple(FIRST_PLACE + a, FIRST_PLACE + b)
                moves[HITS + n] = near_a & of_b | near_b & of_a
                moves[SETS + n] = 1 << a | 1 << b | ALIKE * alike
                n += 1
    return n


@njit(inline=True)
def places_of(moves, i):
    """The places of a couple."""
    places = U(moves[SETS + i])
    return np.int64(lowest(places)), np.int64(lowest(places & (places - ONE)))


@njit
def choose(moves, i, start, end, anything):
    """Note the move of a couple and of each from `start` on, or 0 where it does not do."""
    a, b = places_of(moves, i)
    ab, hit, bits = moves[SETS + i], moves[HITS + i], move(EXCHANGE, FIRST_PLACE + a, FIRST_PLACE + b, 0, 2)
    (near_a, of_a), (near_b, of_b) = lines(moves, a), lines(moves, b)
    far_a, far_b = ~(near_a | of_b | ALIKE), ~(near_b | of_a | ALIKE)
    for j in range(U(start), U(end)):
        cd = moves[U(SETS) + j]
        stays = (hit & ~cd | moves[U(HITS) + j] & ~ab) != 0  # a fourteen with a card that stays
        with_a = (cd & near_a != 0) & (cd & of_b != 0) & (cd & far_a == 0)
        with_b = (cd & near_b != 0) & (cd & of_a != 0) & (cd & far_b == 0)
        does = (stays | with_a | with_b | anything) & (cd & ab == 0)
        moves[U(CHOSEN) + j] = (bits | moves[U(CODES) + j]) * does


@njit
def double_exchanges(moves, n, i, end, anything):
    """Add the exchanges of couple number i and of one of higher places."""
    start = moves[FIRST_FROM + places_of(moves, i)[0] + 1]
    choose(moves, i, start, end, anything)
    room, k = moves[n : n + end - start], U(0)
    for m in moves[CHOSEN + start : CHOSEN + end]:
        room[k] = m
        k += U(m != 0)
    return n + np.int64(k)


@njit
def single_exchange(state, moves, n, i, anything):
    """Add the exchange of couple number i; a card goes to a gap, or the lower one to the other."""
    a, b = places_of(moves, i)
    if (moves[HITS + i] or anything) and moves[SETS + i] < ALIKE:
        source, target = (a, b) if card_at(state, a) else (b, a)
        moves[n] = move(EXCHANGE, FIRST_PLACE + source, FIRST_PLACE + target, face(card_at(state, source)), 1)
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
    to = FIRST_PLACE
    for pile in range(FIRST_PLACE, FIRST_PLACE + PLACES):
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
            carry(rules, state, STOCK_PILE, place, state.top[STOCK_PILE] != 0)
        if rules.option[CLOSE_UP] and state.top[STOCK_PILE] == 0:
            close_up(rules, state)
        return
    if count(m) == 2:
        a, b, c, d = couples(m)
        swap(rules, state, c, d)
    swap(rules, state, a, b)
    if not rules.option[UNLIMITED]:
        set_counter(state, GRACES, 0)
