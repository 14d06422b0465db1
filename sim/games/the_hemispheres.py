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
from sim.layout import Piles, build, foundations
from sim.moves import BUILD, EXCHANGE, FILL, PLAY, REFILL, TRANSFER, dst, move, src, what
from sim.options import choices, option
from sim.packing import Packing, red, up_in_colour, up_in_suit
from sim.rules import DESCENDING, FOUNDATION, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import carry, swap
from sim.talon import STOCK_FIRST, WASTE_FIRST, source_moves, supply, turn_moves

VERSION = 1
PACKS = 2
PLACES, RACE, RED_SUITS = 12, 3, (2, 3)
STOCK_PILE, WASTE_PILE, SOUTH, NORTH, FIRST_BARRIER = 0, 9, 10, 16, 22  # the foundations are piles 1 to 8
SOURCES, HEMISPHERE, COLOUR, WHEN_IT_FITS, USABLE, FROM_WASTE, WRONG_PLAYED, HOME_CARDS, AT_ONCE = range(9)  # Options
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


def marries(up: Packing) -> Packing:
    """Black cards up, red ones down."""
    return lambda card, below: up(below, card) if red(card) else up(card, below)


def layout(o: Options) -> list[Piles]:
    in_suit = o.marriage_suit == "suit"
    return [
        Piles("stock", STOCK, hidden=True),
        *[row for row in foundations(PACKS, PACKS) if (row.kind == FOUNDATION) == (row.suit in RED_SUITS)],
        Piles("waste", WASTE),
        Piles("tableau", TABLEAU, PLACES, marries(up_in_suit if in_suit else up_in_colour), fixed=True),
        Piles("barrier", RESERVE, len(BARRIERS), fixed=True),
    ]


def rules(o: Options) -> np.record:
    south, north, barriers = range(SOUTH, NORTH), range(NORTH, FIRST_BARRIER), range(FIRST_BARRIER, FIRST_BARRIER + 4)
    ring = [*south, *north] if o.start == "KH" else [*north, *south]
    record = build(layout(o), [*range(1, 9), *barriers, *ring, *[WASTE_PILE] * o.turn_at_deal], packs=PACKS)
    record.option[: AT_ONCE + 1] = choices(o)[: AT_ONCE + 1]
    record.option[SOURCES] = STOCK_FIRST if o.refill_source == "stock" else WASTE_FIRST
    return record


@njit(inline=True)
def at_home(place, card):
    """Whether a card belongs in the hemisphere of this place: red in the north, the second half of the ring."""
    return (card >> 5 & 1) == (place >= NORTH)


@njit(inline=True)
def card_moves(rules, state, moves, n, pile, anywhere):
    """Add the plays and marriages of the top of a pile; wrong cards marry only where cards are used `anywhere`."""
    card, wide = state.top[pile], rules.option[HEMISPHERE]
    n = home_moves(rules, state, moves, n, PLAY, pile, card)
    for pack in range(PACKS):
        hits = rules.onto[TABLEAU, face(card)] & state.shown[TABLEAU, pack]
        while hits != U(0):
            place = np.int64(state.where[pack << 6 | lowest(hits)])
            hits &= hits - ONE
            near = (place - SOUTH) // RACE >> wide == (pile - SOUTH) // RACE >> wide
            if (anywhere or at_home(place, card)) and (near or pile == WASTE_PILE):
                moves[n] = move(BUILD, pile, place, face(card), 1)
                n += 1
    return n


@njit
def departures(rules, state, moves, n, place):
    """Add the moves of a wrong card, or of one of several at home, to the vacancies of its hemisphere."""
    card = state.top[place]
    wrong = not at_home(place, card)
    if rules.option[HOME_CARDS] == wrong or (wrong and rules.option[USABLE]) or state.height[place] + wrong < 2:
        return n
    for to in range(SOUTH, FIRST_BARRIER):
        if state.top[to] == 0 and at_home(to, card):
            moves[n] = move(TRANSFER if wrong else FILL, place, to, face(card), 1)
            n += 1
    return n


@njit
def exchanges(state, moves, n, wrong):
    """Add the exchanges of wrong cards, given as bits of their places: of the south with those of the north."""
    for south in range(SOUTH, NORTH):
        for north in range(NORTH, FIRST_BARRIER):
            if wrong >> south & wrong >> north & 1:
                moves[n] = move(EXCHANGE, south, north, face(state.top[south]), 1)
                n += 1
    return n


@njit
def ring_moves(rules, state, moves, n, end):
    """Add the moves of the ring."""
    up, down, ring = open_faces(state, FOUNDATION), open_faces(state, DESCENDING), open_faces(state, TABLEAU)
    wrong, anywhere = 0, end and rules.option[USABLE] != 0
    released = anywhere or rules.option[WRONG_PLAYED] != 0
    for place in range(SOUTH, FIRST_BARRIER):
        f = face(state.top[place])
        if not at_home(place, f) and state.height[place] == 1:
            wrong |= 1 << place
        free = released or at_home(place, f)
        if free and (rules.onto[FOUNDATION, f] & up | rules.onto[DESCENDING, f] & down | rules.onto[TABLEAU, f] & ring):
            n = card_moves(rules, state, moves, n, place, anywhere)
        if end:
            n = departures(rules, state, moves, n, place)
    return exchanges(state, moves, n, wrong) if wrong % (1 << NORTH) and wrong >> NORTH else n


@njit(inline=True)
def refills(rules, state):
    """Whether there is a vacancy, and a card for it."""
    from_waste = rules.option[FROM_WASTE] and state.top[WASTE_PILE]
    return state.spaces[TABLEAU] and (state.top[STOCK_PILE] or from_waste)


@njit
def deal(rules, state, deck):
    for i in range(len(TAKEN_OUT)):
        withdraw(deck, i, TAKEN_OUT[i], False)
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    end = state.top[WASTE_PILE] == 0 and state.top[STOCK_PILE] == 0
    n = ring_moves(rules, state, moves, 0, end)
    n = card_moves(rules, state, moves, n, WASTE_PILE, False)
    if end or rules.option[WHEN_IT_FITS]:
        for barrier in range(FIRST_BARRIER, rules.n_piles):
            n = home_moves(rules, state, moves, n, PLAY, barrier, state.top[barrier])
    if not refills(rules, state):
        return turn_moves(rules, state, moves, n)
    kind = REFILL if state.top[STOCK_PILE] else FILL
    return source_moves(rules, state, moves, n, kind, space(rules, state, TABLEAU), rules.option[SOURCES])


@njit
def apply_move(rules, state, m):
    if what(m) == EXCHANGE:
        swap(rules, state, src(m), dst(m))
    else:
        carry(rules, state, src(m), dst(m), 1)
    while rules.option[AT_ONCE] and refills(rules, state):
        supply(rules, state, space(rules, state, TABLEAU), rules.option[SOURCES])
