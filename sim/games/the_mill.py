"""The Mill, known to computers as Windmill.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Mill".
Layout
    Two packs. The first ace lies in the centre, eight cards round it are the wings; the first four kings that appear
    lie at the four angles. These five are the foundations; what remains is the stock.
Play
    Suits do not matter. The centre is built up in four families from ace to king, ace on king; the angles are built
    down from king to ace. Cards of the wings and the top of the waste may be played. Turn the stock card by card on to
    the waste, once.
    Within the step, as long as there is no choice: the first four kings go to the angles as soon as they appear, and an
    empty wing is filled from waste or stock. While both have a card, the choice between them is the only move.
    The top of a king packet may be transferred to the centre if a card of the wings or the top of the waste can be
    played then that could not be played before; one card of each packet, until another card has been played.
End
    Won with all 104 cards home; lost when no move is left.
Left open by the book, and read so
    The ace is the one nearest the top of the pack, next to be dealt. All eight wings are dealt before their kings go to
    the angles; the stock replaces these.
    While an angle is free, a king of wings or waste does not go to the centre (`king_to_centre`).
    King packets of one height are alike: a card goes to the first of them, and a transfer comes from the first that may
    give one. Any card played from wings or waste, be it a king that had to go, lets all of them give one again;
    transfers, turns and fillings do not.
    `transfer=unlocks_and_must_play_it`: after a transfer such a card is played, and nothing else is done.
    `transfer_base_king`: the king too may be transferred; the angle that it leaves takes any king, but need not.
    `foundation_return`: the top of the centre, but not its first ace, may go to a king packet, at any time, without the
    limits of a transfer. It counts as a transfer, not as a play.
    `turn_on_empty_waste`: in PySolFC the next card is turned, within the step, whenever the waste is empty; its wings,
    which are filled from the waste alone, are so with `wing_fill=waste_first`.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import ONE, U, has
from sim.builder import home_for, home_moves, lay_out, open_faces, space, takes, withdraw
from sim.cards import face, rank
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import PLAY, REFILL, TRANSFER, dst, move, src, what
from sim.options import choices, option
from sim.packing import ACE, KING, down, king, up_round
from sim.rules import DESCENDING, FOUNDATION, RESERVE, STOCK, WASTE
from sim.state import carry, set_counter
from sim.talon import STOCK_FIRST, chooses, fill_reserve, reserve_moves, supply, turn_moves

VERSION = 1
PACKS = 2
WINGS, ANGLES = 8, 4
STOCK_PILE, CENTRE, FIRST_ANGLE, WASTE_PILE, FIRST_WING = 0, 1, 2, 6, 7
# the options in their order below; each is kept as the number of its value, 0 for the default, as `chooses` wants it
SOURCES, TRANSFERS, UNLIMITED, BASE_KING, KINGS_WAIT, ANYWHERE, RETURNS, TURNS = range(8)
UNLOCKING, MUST_PLAY, FREE, NEVER = range(4)
WAYS = ("unlocks_a_card", "unlocks_and_must_play_it", "free", "never")
SPENT, DUE, KINGS = range(3)  # counters: bits of the angles that gave a card; a rank to be played; kings that had to go
ALL_KINGS = U(sum(1 << (suit << 4 | KING) for suit in range(4)))
PYSOL_TOP = ("AC",)


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and a program's version."""

    wing_fill: str = option("choice", "waste_first", "stock_first", about="where the cards for empty wings come from")
    transfer: str = option(*WAYS, about="when a king packet may give a card to the centre")
    transfer_limit: str = option("one_per_packet_until_other_play", "none", about="how many cards a packet may give")
    transfer_base_king: bool = option(False, True, about="the king itself may be transferred")
    kings_to_angles: str = option("forced_first_four", "optional", about="must the first kings go to the angles?")
    king_to_centre: str = option("after_angles", "any_time", about="when a king may go to the centre")
    foundation_return: bool = option(False, True, about="a card of the centre may go to a king packet")
    turn_on_empty_waste: bool = option(False, True, about="when the waste is empty the next card is turned at once")


PRESETS = {
    "pysolfc": {
        "wing_fill": "waste_first",
        "transfer": "free",
        "transfer_limit": "none",
        "transfer_base_king": True,
        "kings_to_angles": "optional",
        "king_to_centre": "any_time",
        "foundation_return": True,
        "turn_on_empty_waste": True,
    }
}


def layout(o: Options) -> list[Piles]:
    return [
        Piles("stock", STOCK, hidden=True),
        Piles("foundation", FOUNDATION, packing=up_round, full=52),
        Piles("angles", DESCENDING, ANGLES, down, king, fixed=True),
        Piles("waste", WASTE),
        Piles("reserve", RESERVE, WINGS),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), [CENTRE, *range(FIRST_WING, FIRST_WING + WINGS)], packs=PACKS)
    numbers = choices(o)
    record.option[: len(numbers)] = numbers
    return record


@njit(inline=True)
def spent(state, angle):
    """Whether a king packet has given a card since the last play."""
    return has(U(state.counter[SPENT]), angle - FIRST_ANGLE)


@njit(inline=True)
def send_king(rules, state):
    """One of the first four kings goes to an angle as soon as it appears; false where there is none."""
    kings = (open_faces(state, WASTE) | open_faces(state, RESERVE)) & ALL_KINGS
    if kings == U(0) or state.counter[KINGS] == ANGLES or rules.option[KINGS_WAIT]:
        return False
    pile = WASTE_PILE
    while rank(state.top[pile]) != KING:
        pile += 1
    carry(rules, state, pile, space(rules, state, DESCENDING), 1)
    set_counter(state, KINGS, state.counter[KINGS] + 1)
    set_counter(state, SPENT, 0)
    return True


@njit(inline=True)
def turn_first(rules, state):
    """By option the next card is turned when the waste is empty; false where that is not so."""
    return rules.option[TURNS] == 1 and state.top[WASTE_PILE] == 0 and supply(rules, state, WASTE_PILE, STOCK_FIRST)


@njit
def follow_up(rules, state):
    """All that happens without a choice."""
    while send_king(rules, state) or fill_reserve(rules, state, rules.option[SOURCES]) or turn_first(rules, state):
        pass


@njit(inline=True)
def plays(rules, state, moves):
    """List the plays of waste and wings; after a transfer that must be made use of, only of what it unlocked."""
    n, due = 0, state.counter[DUE]
    up, down = open_faces(state, FOUNDATION), open_faces(state, DESCENDING)
    for pile in range(WASTE_PILE, FIRST_WING + WINGS):
        f = face(state.top[pile])
        if rules.onto[FOUNDATION, f] & up | rules.onto[DESCENDING, f] & down and due in (0, rank(f)):
            before = n
            n = home_moves(rules, state, moves, n, PLAY, pile, state.top[pile])
            if n == before + 2 and rank(f) == KING and not rules.option[ANYWHERE]:
                n -= 1  # not to the centre, for an angle is free
                moves[before] = moves[n]
    return n


@njit(inline=True)
def unlocks(rules, state, card):
    """Whether this card, in the centre, makes a card playable that fits nowhere now; only the next one up can."""
    for pile in range(WASTE_PILE, FIRST_WING + WINGS):
        other = state.top[pile]
        if other and has(rules.onto[FOUNDATION, face(other)], face(card)):
            return home_for(rules, state, other) < 0 and state.height[CENTRE] + 1 < rules.full[CENTRE]
    return False


@njit(inline=True)
def transfers(rules, state, moves, n):
    """Add the transfer of a card to the centre; the packets that could give it are of one height."""
    for angle in range(FIRST_ANGLE, FIRST_ANGLE + ANGLES):
        card = state.top[angle]
        may = rules.option[TRANSFERS] != NEVER and (state.height[angle] > 1 or rules.option[BASE_KING])
        if card and may and takes(rules, state, CENTRE, face(card)) and not spent(state, angle):
            if rules.option[TRANSFERS] == FREE or unlocks(rules, state, card):
                moves[n] = move(TRANSFER, angle, CENTRE, face(card), 1)
                n += 1
            return n
    return n


@njit(inline=True)
def returns(rules, state, moves, n):
    """Add the moves of the centre's top to king packets: to one that gave a card, and to one that did not."""
    f, listed = face(state.top[CENTRE]), U(0)
    for angle in range(FIRST_ANGLE, FIRST_ANGLE + ANGLES):
        of_its_sort = ONE << U(spent(state, angle))
        if state.height[CENTRE] > 1 and takes(rules, state, angle, f) and listed & of_its_sort == U(0):
            moves[n] = move(TRANSFER, CENTRE, angle, f, 1)
            n += 1
            listed |= of_its_sort
    return n


@njit
def deal(rules, state, deck):
    first = 0
    while rank(deck[first]) != ACE:
        first += 1
    withdraw(deck, 0, face(deck[first]), False)
    lay_out(rules, state, deck)
    follow_up(rules, state)


@njit
def legal_moves(rules, state, moves):
    if state.spaces[RESERVE] and chooses(rules, state, rules.option[SOURCES]):
        return reserve_moves(rules, state, moves, 0, REFILL, rules.option[SOURCES])
    n = plays(rules, state, moves)
    if state.counter[DUE]:
        return n
    n = transfers(rules, state, moves, n)
    if rules.option[RETURNS]:
        n = returns(rules, state, moves, n)
    return turn_moves(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    carry(rules, state, src(m), dst(m), 1)
    if what(m) == PLAY:
        set_counter(state, SPENT, 0)
        set_counter(state, DUE, 0)
    elif what(m) == TRANSFER and dst(m) == CENTRE:
        if not rules.option[UNLIMITED]:
            set_counter(state, SPENT, state.counter[SPENT] | 1 << (src(m) - FIRST_ANGLE))
        if rules.option[TRANSFERS] == MUST_PLAY:
            set_counter(state, DUE, rank(state.top[CENTRE]) % KING + 1)
    follow_up(rules, state)
