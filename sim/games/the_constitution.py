"""The Constitution, known to computers as British Constitution.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Constitution", whose last sentences are
    lost; for those, Wikipedia.
Layout
    Two packs. Kings and queens are out of play, the eight aces are the foundations. Four divisions of eight cards are
    dealt from the lowest up: People, House of Commons, House of Lords, Privy Council; 48 cards are the stock.
Play
    Foundations are built up in suit from ace to jack, with cards of the Privy Council only. The top card of a place in
    the three lower divisions may be built on a card of the division immediately above, down in alternate colours, one
    card at a time. Turn the stock card by card on to the waste, once.
    An empty place is filled from the division immediately below, with the top card of any place there. While there is
    a choice, the choices are the only moves; what is left without one happens within the step. This makes an empty
    place below, and so on down. The People are filled within the step, from the waste, else from the stock, unseen.
End
    Won with eight jacks, 88 cards home, the aces included; lost when no move is left.
Left open by the book, and read so
    A place stays empty when the division below, or waste and stock, have no card for it.
    The places of a division are alike, and the first empty one is filled, except with `fill_choice=directly_below`:
    then each is filled from its own column, within the step where fills are forced.
    `fill_forced=false`: the three upper divisions are filled when wanted, the People still at once.
    `redeals=1`: a step of its own turns the waste over, unshuffled, once the stock is out.
    `dealing=council_first` and `turn_when_empty` are PySolFC's ways. It has no kings and queens in the pack that it
    shuffles, and so has the deck of its deal numbers here, where they come last.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import ONE, U, has
from sim.builder import home_for, home_moves, open_faces
from sim.cards import face, rank
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import BUILD, PLAY, REFILL, move, src
from sim.options import option
from sim.packing import ACE, down_alternating
from sim.rules import FOUNDATION, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import carry, clear, push
from sim.talon import apply_carry, turn_moves

VERSION = 1
PACKS = 2
PYSOL_RANKS = KNAVE = 11
PLACES, DIVISIONS = 8, ("privy_council", "lords", "commons", "people")
COUNCIL, LORDS, COMMONS, PEOPLE, STOCK_PILE, WASTE_PILE, DISCARD_PILE = 0, 8, 16, 24, 32, 41, 42
COUNCIL_ONLY, WITHIN_COUNCIL, SAME_COLUMN, FORCED, WASTE_BUILDS, TURN_WHEN_EMPTY = range(6)


@dataclass(frozen=True)
class Options:
    """What the book, Wikipedia and programs differ on."""

    build_rows: str = option("three_upper", "privy_council_only", about="the divisions that are built upon")
    within_row: bool | str = option(False, "privy_council", about="a row whose cards are built on each other too")
    fill_choice: str = option("any_card_of_row_below", "directly_below", about="which cards may fill an empty place")
    fill_forced: bool = option(True, False, about="an empty place must be filled at once")
    waste_builds_on_people: bool = option(False, True, about="the top of the waste may be built on the People")
    redeals: int = option(0, 1, about="times the waste is turned over into a new stock")
    dealing: str = option("people_first", "council_first", about="deal the divisions from the lowest, or the highest")
    turn_when_empty: bool = option(False, True, about="an empty waste gets the next stock card at once")


PRESETS: dict[str, dict[str, bool | int | str]] = {
    "pysolfc": {
        "fill_forced": False,
        "waste_builds_on_people": True,
        "dealing": "council_first",
        "turn_when_empty": True,
    }
}


def layout(o: Options) -> list[Piles]:
    fixed = o.fill_choice == "directly_below"
    return [
        *[Piles(division, TABLEAU, PLACES, down_alternating, fixed=fixed) for division in DIVISIONS],
        Piles("stock", STOCK, hidden=True),
        *foundations(PACKS),
        Piles("waste", WASTE),
        Piles("discard", RESERVE),
    ]


def rules(o: Options) -> np.record:
    divisions = (COUNCIL, LORDS, COMMONS, PEOPLE) if o.dealing == "council_first" else (PEOPLE, COMMONS, LORDS, COUNCIL)
    places = [first + column for first in divisions for column in range(PLACES)]
    record = build(layout(o), places, packs=PACKS, goal=PLACES * KNAVE, redeals=o.redeals)
    record.option[COUNCIL_ONLY] = o.build_rows == "privy_council_only"
    record.option[WITHIN_COUNCIL] = o.within_row == "privy_council"
    record.option[SAME_COLUMN] = o.fill_choice == "directly_below"
    record.option[FORCED] = o.fill_forced
    record.option[WASTE_BUILDS] = o.waste_builds_on_people
    record.option[TURN_WHEN_EMPTY] = o.turn_when_empty
    return record


@njit(inline=True)
def may_fill(rules, state, pile, place):
    """Whether the top of a pile may fill an empty place of the division above."""
    return state.top[pile] and (pile == place + PLACES or not rules.option[SAME_COLUMN])


@njit
def refills(rules, state, moves):
    """List the fills of the first empty place of each division; where columns matter, of every empty place."""
    n, below = 0, 0
    for place in range(COUNCIL, PEOPLE):
        if state.top[place] == 0 and (place >= below or rules.option[SAME_COLUMN]):
            below = place // PLACES * PLACES + PLACES
            for pile in range(below, below + PLACES):
                if may_fill(rules, state, pile, place):
                    moves[n] = move(REFILL, pile, place, face(state.top[pile]), 1)
                    n += 1
    return n


@njit
def follow_up(rules, state, place):
    """A card has left this place: fill it, and what is emptied by that, as far as there is no choice."""
    while place < PEOPLE and state.top[place] == 0 and rules.option[FORCED]:
        below, ways, only = place // PLACES * PLACES + PLACES, 0, place
        for pile in range(below, below + PLACES):
            if may_fill(rules, state, pile, place):
                ways, only = ways + 1, pile
        if ways != 1:
            return
        carry(rules, state, only, place, 1)
        place = only
    source = WASTE_PILE if state.top[WASTE_PILE] else STOCK_PILE
    if PEOPLE <= place < STOCK_PILE and state.top[place] == 0 and state.top[source]:
        carry(rules, state, source, place, 1)
    if rules.option[TURN_WHEN_EMPTY] and state.top[STOCK_PILE] and not state.top[WASTE_PILE]:
        carry(rules, state, STOCK_PILE, WASTE_PILE, 1)


@njit(inline=True)
def builds_on(rules, state, moves, n, division, first, end):
    """Add the builds of the tops of the piles first .. end - 1 on the cards of a division."""
    tops = U(0)
    for place in range(division, division + PLACES):
        tops |= ONE << U(face(state.top[place]))
    for pile in range(first, end):
        f = face(state.top[pile])
        if rules.onto[TABLEAU, f] & tops:
            for place in range(division, division + PLACES):
                if has(rules.onto[TABLEAU, f], face(state.top[place])) and place != pile:
                    moves[n] = move(BUILD, pile, place, f, 1)
                    n += 1
    return n


@njit
def deal(rules, state, deck):
    clear(rules, state)
    for i in range(len(deck)):
        if rank(deck[i]) > KNAVE:
            push(rules, state, DISCARD_PILE, deck[i])
    left = PLACES * KNAVE - PLACES
    for i in range(len(deck) - 1, -1, -1):
        if rank(deck[i]) == ACE:
            push(rules, state, home_for(rules, state, deck[i]), deck[i])
        elif rank(deck[i]) <= KNAVE:
            left -= 1
            push(rules, state, rules.dealt_to[left], deck[i])
    follow_up(rules, state, np.int64(WASTE_PILE))


@njit
def legal_moves(rules, state, moves):
    n = refills(rules, state, moves) if state.spaces[TABLEAU] else 0
    if n and rules.option[FORCED]:
        return n
    up = open_faces(state, FOUNDATION)
    for pile in range(COUNCIL, LORDS):
        if rules.onto[FOUNDATION, face(state.top[pile])] & up:
            n = home_moves(rules, state, moves, n, PLAY, pile, state.top[pile])
    n = builds_on(rules, state, moves, n, COUNCIL, COUNCIL if rules.option[WITHIN_COUNCIL] else LORDS, COMMONS)
    if not rules.option[COUNCIL_ONLY]:
        n = builds_on(rules, state, moves, n, LORDS, COMMONS, PEOPLE)
        n = builds_on(rules, state, moves, n, COMMONS, PEOPLE, STOCK_PILE)
    if rules.option[WASTE_BUILDS]:
        n = builds_on(rules, state, moves, n, PEOPLE, WASTE_PILE, WASTE_PILE + 1)
    return turn_moves(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    apply_carry(rules, state, m)
    follow_up(rules, state, np.int64(src(m)))
