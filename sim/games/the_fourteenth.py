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
    With `grace_must_produce=false` the exchanges that produce a fourteen are listed before the others.
Version
    1: first.
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

VERSION = 1
PLACES = 25
STOCK_PILE, DISCARD_PILE, FIRST_PLACE = range(3)
COUNT, UNLIMITED, ONE_FOR_ONE, ANY_TIME, MUST_PRODUCE, CLOSE_UP, GAPS_TOO = range(7)
GRACES = 0  # counter: the exchanges that are left, 1 if there is no limit
LINES = np.array(
    [sum(1 << q for q in range(PLACES) if q != p and (q // 5 == p // 5 or q % 5 == p % 5)) for p in range(PLACES)]
)  # [place]: the set of the other places of its row and column

# What is noted behind the moves while they are listed; a couple is two places, the lower first, that may change cards:
WITH_RANK = 38_500  # [rank]: the set of its places
FELLOWS = 38_520  # [place]: the set of those that make fourteen with it, wherever they are
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
    record.option[COUNT] = o.grace_count != 0
    record.option[UNLIMITED] = o.grace_count == "unlimited"
    record.option[ONE_FOR_ONE] = o.grace_shape == "one_for_one"
    record.option[ANY_TIME] = o.grace_when == "any_time"
    record.option[MUST_PRODUCE] = o.grace_must_produce
    record.option[CLOSE_UP] = o.after_stock == "close_up"
    record.option[GAPS_TOO] = o.grace_targets == "gaps_too"
    return record


@njit(inline=True)
def card_at(state, place):
    return state.top[FIRST_PLACE + place]


@njit
def note_fellows(state, moves):
    """Note which places make fourteen with the card of each."""
    for r in range(15):
        moves[WITH_RANK + r] = 0
    for place in range(PLACES):
        moves[WITH_RANK + np.int64(rank(card_at(state, place)))] |= 1 << place
    for place in range(PLACES):
        moves[FELLOWS + place] = moves[WITH_RANK + 14 - np.int64(rank(card_at(state, place)))]


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
def hits(moves, a, b):
    """The places that make fourteen with the cards of a and b when these have changed places."""
    of_a, of_b = moves[FELLOWS + a], moves[FELLOWS + b]
    return (LINES[a] & of_b | LINES[b] & of_a) & ~(1 << a | 1 << b) if of_a != of_b else np.int64(0)


@njit(inline=True)
def alike(state, a, b):
    """Whether an exchange of these places changes nothing."""
    return face(card_at(state, a)) == face(card_at(state, b))


@njit
def note_couples(rules, state, moves):
    """Note of each couple its bits in a move, with which places it makes a fourteen, and its places; their number."""
    n = 0
    for a in range(PLACES):
        moves[FIRST_FROM + a] = n
        for b in range(a + 1, PLACES):
            if (card_at(state, a) and card_at(state, b)) or (rules.option[GAPS_TOO] and not alike(state, a, b)):
                moves[CODES + n] = couple(FIRST_PLACE + a, FIRST_PLACE + b)
                moves[HITS + n] = hits(moves, a, b)
                moves[SETS + n] = 1 << a | 1 << b
                n += 1
    return n


@njit(inline=True)
def places_of(moves, i):
    """The places of a couple."""
    places = U(moves[SETS + i])
    return np.int64(lowest(places)), np.int64(lowest(places & (places - ONE)))


@njit
def choose(moves, a, b, made, start, end, productive):
    """Note the move of a with b and of each couple from `start` on, or 0 where it does not do."""
    ab, of_a, of_b = 1 << a | 1 << b, moves[FELLOWS + a], moves[FELLOWS + b]
    near_a, near_b = LINES[a] & ~of_a, LINES[b] & ~of_b  # where a card makes no fourteen with the old one
    bits = move(EXCHANGE, FIRST_PLACE + a, FIRST_PLACE + b, 0, 2)
    for i in range(U(start), U(end)):
        cd = moves[U(SETS) + i]
        stays = (made & ~cd | moves[U(HITS) + i] & ~ab) != 0  # a fourteen with a card that stays
        with_a = (cd & near_a != 0) & (cd & of_b != 0) & (cd & (near_a | of_b) == cd)
        with_b = (cd & near_b != 0) & (cd & of_a != 0) & (cd & (near_b | of_a) == cd)
        does = ((stays | with_a | with_b) == productive) & (cd & ab == 0)
        moves[U(CHOSEN) + i] = (bits | moves[U(CODES) + i]) * does


@njit
def leave_out_alike(state, moves, start, end):
    """Two cards of one face are exchanged: with two more of one face nothing changes."""
    for i in range(start, end):
        c, d = places_of(moves, i)
        if alike(state, c, d):
            moves[CHOSEN + i] = 0


@njit
def double_exchanges(state, moves, n, i, end, productive):
    """Add the exchanges of couple number i and of one of higher places."""
    a, b = places_of(moves, i)
    start = moves[FIRST_FROM + a + 1]
    choose(moves, a, b, np.int64(moves[HITS + i]), start, end, productive)
    if alike(state, a, b):
        leave_out_alike(state, moves, start, end)
    n = U(n)
    for m in moves[CHOSEN + start : CHOSEN + end]:
        moves[n] = m
        n += U(m != 0)
    return np.int64(n)


@njit
def single_exchange(state, moves, n, i, productive):
    """Add the exchange of couple number i; a card goes to a gap, or the lower one to the other."""
    a, b = places_of(moves, i)
    if (moves[HITS + i] != 0) == productive and not alike(state, a, b):
        source, target = (a, b) if card_at(state, a) else (b, a)
        moves[n] = move(EXCHANGE, FIRST_PLACE + source, FIRST_PLACE + target, face(card_at(state, source)), 1)
        n += 1
    return n


@njit
def exchanges(rules, state, moves, n, productive):
    """Add the exchanges that produce a fourteen, or those that do not."""
    end = note_couples(rules, state, moves)
    for i in range(end):
        if rules.option[ONE_FOR_ONE]:
            n = single_exchange(state, moves, n, i, productive)
        else:
            n = double_exchanges(state, moves, n, i, end, productive)
    return n


@njit
def close_up(rules, state):
    """The cards move up, in reading order, so that all gaps are behind them."""
    to = FIRST_PLACE
    for pile in range(FIRST_PLACE, FIRST_PLACE + PLACES):
        if state.top[pile]:
            if pile != to:
                carry(rules, state, pile, to, 1)
            to += 1


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    set_counter(state, GRACES, rules.option[COUNT])


@njit
def legal_moves(rules, state, moves):
    note_fellows(state, moves)
    n = pairs(state, moves)
    if state.counter[GRACES] and (n == 0 or rules.option[ANY_TIME]):
        n = exchanges(rules, state, moves, n, True)
        if not rules.option[MUST_PRODUCE]:
            n = exchanges(rules, state, moves, n, False)
    return n


@njit
def apply_move(rules, state, m):
    a, b = src(m), dst(m)
    if what(m) == PAIR:
        carry(rules, state, a, DISCARD_PILE, 1)
        carry(rules, state, b, DISCARD_PILE, 1)
        for place in (a, b):
            if state.top[STOCK_PILE]:
                carry(rules, state, STOCK_PILE, place, 1)
        if rules.option[CLOSE_UP] and state.top[STOCK_PILE] == 0:
            close_up(rules, state)
        return
    if count(m) == 2:
        a, b, c, d = couples(m)
        swap(rules, state, c, d)
    swap(rules, state, a, b)
    if not rules.option[UNLIMITED]:
        set_counter(state, GRACES, 0)
