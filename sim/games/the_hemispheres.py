"""The Hemispheres.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Hemispheres".
Layout
    Two packs. The foundations are the four red aces and the four black kings. A king of hearts on the right and a king
    of diamonds on the left part a northern hemisphere from a southern one; an ace of clubs and an ace of spades, above
    and below, part each of them into two Races of three places. Twelve cards are dealt to these places from the king of
    hearts round: south-east, south-west, north-west, north-east. The other 80 are the stock.
Play
    Red foundations are built up in suit from ace to king, black ones down in suit from king to ace.
    Red cards belong in the north, black ones in the south; a card in the wrong hemisphere cannot be used in any way.
    The upper card of a place may be played home, or married to one of its own Race, red cards on the next higher and
    black ones on the next lower of their suit. The top of the waste (the book's talon) may be played home, or married
    to a card that is at home, in any Race. A red card of the south and a black one of the north may be exchanged.
    A vacant place is refilled, one card a step, from the stock before the next card is turned on to the waste.
    In the end, when stock and waste are out, a wrong card may be transferred to a vacant place of its own hemisphere,
    and the four barriers, which nothing moves before, are played home.
End
    Won with all 104 cards home, the foundations included; lost when no move is left. There is no redeal.
Left open by the book, and read so
    The picture is lost: that the kings lie right and left is known from programs, which ace lies above does not matter.
    "From left to right" is clockwise. Of twin cards the one nearest the top of the pack, next to be dealt, becomes a
    barrier; the rest keep their order. Between two refillings other moves may be made. A wrong card lies alone.
    Of several vacancies the first, in the order of the ring, is refilled; a transfer chooses among them.
    `refill_source=waste_then_stock`: the top of the waste, if there is one, while the stock lasts. Once it is out, only
    `vacancy_after_stock=waste` lets the waste fill vacancies, when wanted.
    `end_transfer=usable_where_it_lies`: in the end wrong cards are played and married like others, among themselves,
    and not transferred; those that share a place are not exchanged.
    PySolFC deals from the king of diamonds round (`start`), turns the first card at once, refills at once, plays
    wrong cards, and has no transfers: in the end a vacant place takes a card of a larger pile of the same hemisphere
    (`end_vacancy=home_cards`). Of its numbered deals the barriers are those of its first pack.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import ONE, U, lowest
from sim.builder import home_moves, lay_out, open_faces, space, withdraw
from sim.cards import FACE_OF, face
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import BUILD, EXCHANGE, FILL, PLAY, REFILL, TRANSFER, TURN, dst, move, src, what
from sim.options import option
from sim.packing import Packing, down_in_suit, red, up_in_suit
from sim.rules import DESCENDING, FOUNDATION, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import carry, swap

VERSION = 1
PACKS = 2
PLACES, RACE, HALF = 12, 3, 6
STOCK_PILE, WASTE_PILE, FIRST_PLACE, FIRST_BARRIER = 0, 9, 10, 22  # the foundations are piles 1 to 8
WASTE_FIRST, ANY_RACE, BARRIERS_FREE, USABLE, FROM_WASTE, WRONG_PLAYS, SPREAD, AT_ONCE = range(8)
BASES, BARRIERS = ("KC", "KC", "AD", "AD", "AH", "AH", "KS", "KS"), ("KH", "KD", "AC", "AS")
TAKEN_OUT = np.array([FACE_OF[name] for name in BASES + BARRIERS], np.uint8)
PYSOL_TOP = BARRIERS  # what PySolFC takes out of the first pack


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and programs differ on."""

    refill_source: str = option("stock", "waste_then_stock", about="where the card for a vacant place comes from")
    marriage_scope: str = option("own_race", "own_hemisphere", about="how far a card of the ring may go to marry")
    marriage_suit: str = option("suit", "colour", about="must marriages follow suit, or colour only?")
    barrier_release: str = option("stock_and_waste_out", "when_it_fits", about="when a barrier may be played")
    end_transfer: str = option(
        "to_a_vacancy_in_proper_hemisphere", "usable_where_it_lies", about="what becomes of wrong cards in the end"
    )
    vacancy_after_stock: str = option("stays", "waste", about="may the waste fill vacancies when the stock is out?")
    wrong_cards: str = option("unusable", "played", about="may wrong cards be played home at any time?")
    end_vacancy: str = option("wrong_cards", "home_cards", about="which cards go to vacant places in the end")
    refill: str = option("before_next_card", "at_once", about="when vacant places are refilled")
    start: str = option("KH", "KD", about="the barrier at which the deal begins")
    turn_at_deal: bool = option(False, True, about="the deal turns the first stock card")


PRESETS = {
    "pysolfc": {
        "refill_source": "waste_then_stock",
        "marriage_scope": "own_hemisphere",
        "marriage_suit": "colour",
        "barrier_release": "when_it_fits",
        "vacancy_after_stock": "waste",
        "wrong_cards": "played",
        "end_vacancy": "home_cards",
        "refill": "at_once",
        "start": "KD",
        "turn_at_deal": True,
    }
}


def marries(in_suit: bool) -> Packing:
    """Red cards down, black ones up, in suit or in colour."""

    def packing(card: int, below: int) -> bool:
        alike = card >> 4 == below >> 4 if in_suit else red(card) == red(below)
        return alike and (below & 15) - (card & 15) == (1 if red(card) else -1)

    return packing


def layout(o: Options) -> list[Piles]:
    up, down = (FOUNDATION, up_in_suit), (DESCENDING, down_in_suit)
    return [
        Piles("stock", STOCK, hidden=True),
        *[
            Piles("foundation", kind, PACKS, packing, lift=0, fixed=True, suit=suit)
            for suit, (kind, packing) in ((0, down), (3, up), (2, up), (1, down))
        ],
        Piles("waste", WASTE),
        Piles("tableau", TABLEAU, PLACES, marries(o.marriage_suit == "suit"), fixed=True),
        Piles("barrier", RESERVE, len(BARRIERS), fixed=True),
    ]


def rules(o: Options) -> np.record:
    turn = HALF if o.start == "KD" else 0
    ring = [FIRST_PLACE + (i + turn) % PLACES for i in range(PLACES)]
    places = [*range(1, 9), *range(FIRST_BARRIER, FIRST_BARRIER + len(BARRIERS)), *ring, *[WASTE_PILE] * o.turn_at_deal]
    record = build(layout(o), places, packs=PACKS)
    record.option[WASTE_FIRST] = o.refill_source == "waste_then_stock"
    record.option[ANY_RACE] = o.marriage_scope == "own_hemisphere"
    record.option[BARRIERS_FREE] = o.barrier_release == "when_it_fits"
    record.option[USABLE] = o.end_transfer == "usable_where_it_lies"
    record.option[FROM_WASTE] = o.vacancy_after_stock == "waste"
    record.option[WRONG_PLAYS] = o.wrong_cards == "played"
    record.option[SPREAD] = o.end_vacancy == "home_cards"
    record.option[AT_ONCE] = o.refill == "at_once"
    return record


@njit(inline=True)
def at_home(place, card):
    """Whether a card belongs in the hemisphere of this place: red in the north, the second half of the ring."""
    return (card >> 5 & 1) == (place >= FIRST_PLACE + HALF)


@njit(inline=True)
def marriages(rules, state, moves, n, pile, card):
    """Add the marriages of a card of the ring within its Race or hemisphere, or of the waste to any card at home."""
    scope = HALF if rules.option[ANY_RACE] else RACE
    for pack in range(PACKS):
        hits = rules.onto[TABLEAU, face(card)] & state.shown[TABLEAU, pack] & ~ONE
        while hits != U(0):
            place = np.int64(state.where[pack << 6 | lowest(hits)])
            hits &= hits - ONE
            near = (place - FIRST_PLACE) // scope == (np.int64(pile) - FIRST_PLACE) // scope
            if at_home(place, card) if pile == WASTE_PILE else near:
                moves[n] = move(BUILD, pile, place, face(card), 1)
                n += 1
    return n


@njit
def to_vacancies(state, moves, n, kind, place):
    """Add the moves of a card of the ring to each vacancy of the hemisphere where it belongs."""
    card = state.top[place]
    for other in range(FIRST_PLACE, FIRST_BARRIER):
        if state.top[other] == 0 and at_home(other, card):
            moves[n] = move(kind, place, other, face(card), 1)
            n += 1
    return n


@njit
def exchanges(state, moves, n, wrong):
    """Add the exchanges of wrong cards, given as bits of their places: of the south with those of the north."""
    for south in range(HALF):
        for north in range(HALF, PLACES):
            if wrong >> south & wrong >> north & 1:
                src, dst = FIRST_PLACE + south, FIRST_PLACE + north
                if state.height[src] == 1 and state.height[dst] == 1:
                    moves[n] = move(EXCHANGE, src, dst, face(state.top[src]), 1)
                    n += 1
    return n


@njit
def source(rules, state):
    """The pile that the next card for a vacancy comes from, or -1."""
    waste = state.top[WASTE_PILE]
    if state.top[STOCK_PILE]:
        return WASTE_PILE if waste and rules.option[WASTE_FIRST] else STOCK_PILE
    return WASTE_PILE if waste and rules.option[FROM_WASTE] else -1


@njit
def next_card(rules, state, moves, n):
    """Add the refilling of the first vacancy, or the turn of a card."""
    stock = state.top[STOCK_PILE]
    if state.spaces[TABLEAU]:
        pile, to = source(rules, state), space(rules, state, TABLEAU)
        if pile < 0:
            return n
        card = face(state.top[pile]) if pile == WASTE_PILE else 0
        moves[n] = move(REFILL if stock else FILL, pile, to, card, 1)
    elif stock:
        moves[n] = move(TURN, STOCK_PILE, WASTE_PILE, 0, 1)
    else:
        return n
    return n + 1


@njit(inline=True)
def card_moves(rules, state, moves, n, pile):
    """Add the plays and marriages of the top of a pile."""
    n = home_moves(rules, state, moves, n, PLAY, pile, state.top[pile])
    return marriages(rules, state, moves, n, pile, state.top[pile])


@njit
def wrong_moves(rules, state, moves, n, place, end):
    """Add the moves of a card in the wrong hemisphere, other than exchanges."""
    if end and rules.option[USABLE]:
        return card_moves(rules, state, moves, n, place)
    if rules.option[WRONG_PLAYS]:
        n = home_moves(rules, state, moves, n, PLAY, place, state.top[place])
    return n if not end or rules.option[SPREAD] else to_vacancies(state, moves, n, TRANSFER, place)


@njit
def ring_moves(rules, state, moves, n, end):
    """Add the moves of the ring."""
    up, down, others = open_faces(state, FOUNDATION), open_faces(state, DESCENDING), open_faces(state, TABLEAU)
    wrong = 0
    for place in range(FIRST_PLACE, FIRST_BARRIER):
        card = state.top[place]
        f = face(card)
        if card and not at_home(place, card):
            wrong |= 1 << (place - FIRST_PLACE)
            if end or rules.option[WRONG_PLAYS]:
                n = wrong_moves(rules, state, moves, n, place, end)
        elif rules.onto[FOUNDATION, f] & up | rules.onto[DESCENDING, f] & down | rules.onto[TABLEAU, f] & others:
            n = card_moves(rules, state, moves, n, place)
        if end and rules.option[SPREAD] and state.height[place] > 1 and at_home(place, card):
            n = to_vacancies(state, moves, n, FILL, place)
    return exchanges(state, moves, n, wrong) if wrong % (1 << HALF) and wrong >> HALF else n


@njit
def deal(rules, state, deck):
    for i in range(len(TAKEN_OUT)):
        withdraw(deck, i, TAKEN_OUT[i], False)
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    waste = state.top[WASTE_PILE]
    end = waste == 0 and state.top[STOCK_PILE] == 0
    n = ring_moves(rules, state, moves, 0, end)
    if waste:
        n = card_moves(rules, state, moves, n, WASTE_PILE)
    if end or rules.option[BARRIERS_FREE]:
        for barrier in range(FIRST_BARRIER, rules.n_piles):
            if state.top[barrier]:
                n = home_moves(rules, state, moves, n, PLAY, barrier, state.top[barrier])
    return next_card(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    if what(m) == EXCHANGE:
        swap(rules, state, src(m), dst(m))
    else:
        carry(rules, state, src(m), dst(m), 1)
    while rules.option[AT_ONCE] and state.spaces[TABLEAU] and source(rules, state) >= 0:
        carry(rules, state, source(rules, state), space(rules, state, TABLEAU), 1)
