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
    An exchange of two for two couples the four places: a changes with b, and c with d. Each coupling is a step; one that
    exchanges only equal cards changes nothing and is none. In a step, source names a and c, target b and d.
    A fourteen is produced where two places of one line make fourteen that did not before.
    `gaps_too`: each couple has a card, so that no gap changes with a gap; a gap receives the card that it is coupled with.
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
from sim.state import carry, pop, push, set_counter

VERSION = 1
PLACES = 25
STOCK_PILE, DISCARD_PILE, FIRST_PLACE = range(3)
COUNT, UNLIMITED, ONE_FOR_ONE, ANY_TIME, MUST_PRODUCE, CLOSE_UP, GAPS_TOO = range(7)
GRACES = 0  # counter: the exchanges that are left, 1 if there is no limit
LINES = np.array(
    [sum(1 << q for q in range(PLACES) if q != p and (q // 5 == p // 5 or q % 5 == p % 5)) for p in range(PLACES)]
)  # [place]: the set of the other places of its row and column

# What is noted behind the list of moves, while it is made. Places have numbers: those that may take part, in order.
WITH_RANK = 39_000  # [rank]: the set of the places of its cards
PLACE, NUMBER = 39_020, 39_050  # [number]: its place, and [place]: its number
CODES, HITS, SETS = 39_100, 39_400, 39_700  # [couple]: its bits of a move, what it makes a fourteen with, its two places


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


@njit(inline=True)
def fellows(state, moves, place):
    """The places whose cards make fourteen with the card of this one."""
    return moves[WITH_RANK + 14 - rank(card_at(state, place))]


@njit
def note_ranks(state, moves):
    """Note which places have cards of which rank; a gap has rank 0."""
    for r in range(15):
        moves[WITH_RANK + r] = 0
    for place in range(PLACES):
        moves[WITH_RANK + rank(card_at(state, place))] |= 1 << place


@njit
def pairs(state, moves):
    """List the pairs."""
    n = 0
    for place in range(PLACES):
        found = U(LINES[place] & fellows(state, moves, place)) >> U(place)
        while found != U(0):
            other = place + lowest(found)
            found &= found - ONE
            moves[n] = move(PAIR, FIRST_PLACE + place, FIRST_PLACE + other, face(card_at(state, place)), 1)
            n += 1
    return n


@njit(inline=True)
def hits(state, moves, a, b):
    """The other places that make fourteen with a or b when the cards of these change places."""
    if rank(card_at(state, a)) == rank(card_at(state, b)):
        return np.int64(0)
    found = LINES[a] & fellows(state, moves, b) | LINES[b] & fellows(state, moves, a)
    return found & ~(1 << a | 1 << b)


@njit(inline=True)
def alike(state, a, b):
    """Whether an exchange of these places changes nothing."""
    return face(card_at(state, a)) == face(card_at(state, b))


@njit
def single_exchanges(rules, state, moves, n, productive):
    """Add the exchanges of one card for another that make a fourteen, or those that do not."""
    for a in range(PLACES):
        for b in range(a + 1, PLACES):
            whole = (card_at(state, a) and card_at(state, b)) or rules.option[GAPS_TOO]
            if whole and not alike(state, a, b) and (hits(state, moves, a, b) != 0) == productive:
                source, target = (a, b) if card_at(state, a) else (b, a)
                moves[n] = move(EXCHANGE, FIRST_PLACE + source, FIRST_PLACE + target, face(card_at(state, source)), 1)
                n += 1
    return n


@njit
def number_places(rules, state, moves):
    """Number the places that may take part in an exchange; their count."""
    n = 0
    for place in range(PLACES):
        if card_at(state, place) or rules.option[GAPS_TOO]:
            moves[PLACE + n] = place
            moves[NUMBER + place] = n
            n += 1
    return n


@njit(inline=True)
def index(n, c, d):
    """Where the couple c < d stands among all couples of n numbers."""
    return c * (2 * n - 1 - c) // 2 + d - c - 1


@njit
def note_couples(state, moves, n, x, end, left_out):
    """Note the couples of number x with those below `end`; there are n numbers, for one place number is left out."""
    for y in range(end):
        if y != x:
            c, d = min(x, y), max(x, y)
            p, q = moves[PLACE + c + (c >= left_out)], moves[PLACE + d + (d >= left_out)]
            i = index(n, c, d)
            moves[CODES + i] = couple(FIRST_PLACE + p, FIRST_PLACE + q)
            moves[HITS + i] = hits(state, moves, p, q)
            moves[SETS + i] = 1 << p | 1 << q if card_at(state, p) or card_at(state, q) else -1


@njit(inline=True)
def produces(first, made, also_made, cd):
    """Whether an exchange makes a fourteen: with a place that stays, or of two that change."""
    ab, near_a, near_b, fit_a, fit_b = first
    a_with_c = (cd & near_a != 0) & (cd & fit_a != 0) & (cd & (near_a | fit_a) == cd)
    b_with_c = (cd & near_b != 0) & (cd & fit_b != 0) & (cd & (near_b | fit_b) == cd)
    return (made & ~cd | also_made & ~ab != 0) | a_with_c | b_with_c


@njit(inline=True)
def first_couple(state, moves, a, b):
    """Of a first couple: its set, which places would be new partners of either place, and what they would need."""
    with_a, with_b = fellows(state, moves, a), fellows(state, moves, b)
    return 1 << a | 1 << b, LINES[a] & ~with_a, LINES[b] & ~with_b, with_b, with_a


@njit
def scan(state, moves, n, start, end, a, b, productive):
    """Add the exchanges of a with b and of a couple from `start` on that make a fourteen, or those that do not."""
    first, made, n = first_couple(state, moves, a, b), hits(state, moves, a, b), U(n)
    bits = move(EXCHANGE, FIRST_PLACE + a, FIRST_PLACE + b, 0, 2)
    for i in range(U(start), U(end)):
        cd = moves[U(SETS) + i]
        moves[n] = bits | moves[U(CODES) + i]
        if productive:
            n += U(produces(first, made, moves[U(HITS) + i], cd))
        elif not produces(first, made, moves[U(HITS) + i], cd) and cd > 0:
            n += U(not alike(state, a, b) or not alike(state, lowest(U(cd)), lowest(U(cd & (cd - 1)))))
    return np.int64(n)


@njit
def take_all(moves, n, start, end, bits):
    """Add the exchanges of one couple and each from `start` on."""
    n = U(n)
    for i in range(U(start), U(end)):
        moves[n] = bits | moves[U(CODES) + i]
        n += U(1)
    return np.int64(n)


@njit
def row(rules, state, moves, n, numbers, x, y, productive):
    """Add the exchanges of numbers x < y and of two above x, of so many `numbers` without y."""
    a, b = np.int64(moves[PLACE + x]), np.int64(moves[PLACE + y])
    if card_at(state, a) == 0 and card_at(state, b) == 0:
        return n
    start, end = index(numbers, x + 1, x + 2), numbers * (numbers - 1) // 2
    first, made = first_couple(state, moves, a, b), hits(state, moves, a, b)
    if made == 0 or (rules.option[GAPS_TOO] and state.spaces[TABLEAU] > 1):
        return scan(state, moves, n, start, end, a, b, productive)
    bits, at = move(EXCHANGE, FIRST_PLACE + a, FIRST_PLACE + b, 0, 2), n
    if productive:
        n = take_all(moves, n, start, end, bits)
    # Only a couple that takes part of what a and b make a fourteen with can undo it.
    taken = np.int64(moves[NUMBER + lowest(U(made))])
    taken -= taken > y
    for other in range(numbers - 1, x, -1):
        if other != taken and taken > x:
            i = index(numbers, min(other, taken), max(other, taken))
            if not produces(first, made, moves[HITS + i], moves[SETS + i]):
                n += -1 if productive else 1
                moves[at + i - start if productive else n - 1] = moves[n] if productive else bits | moves[CODES + i]
    return n


@njit
def double_exchanges(rules, state, moves, n, productive):
    """Add the exchanges of two cards for two others that make a fourteen, or those that do not."""
    numbers = number_places(rules, state, moves) - 1  # but for the greater of the first couple
    for x in range(numbers):
        note_couples(state, moves, numbers, x, x, 0)
    for y in range(1, numbers + 1):
        note_couples(state, moves, numbers, y - 1, numbers, y)
        for x in range(y):
            n = row(rules, state, moves, n, numbers, x, y, productive)
    return n


@njit
def exchanges(rules, state, moves, n, productive):
    if rules.option[ONE_FOR_ONE]:
        return single_exchanges(rules, state, moves, n, productive)
    return double_exchanges(rules, state, moves, n, productive)


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
def swap(rules, state, a, b):
    """The cards of two piles change places; one of the piles may have none."""
    card, other = state.top[a], state.top[b]
    if card:
        pop(rules, state, a)
    if other:
        pop(rules, state, b)
        push(rules, state, a, other)
    if card:
        push(rules, state, b, card)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    set_counter(state, GRACES, rules.option[COUNT])


@njit
def legal_moves(rules, state, moves):
    note_ranks(state, moves)
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
