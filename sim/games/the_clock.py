"""The Clock, known to computers as Big Ben.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Clock".
Layout
    Two packs. Twelve cards are withdrawn and lie as foundations at the hours of a clock: 6C 7H 8S 9D TC JH QS KD 2C 3H
    4S 5D at I to XII. Round them a circle of twelve open packets of three cards dealt together; 56 cards are the stock.
Play
    A foundation is built up in suit, the ace on the king, until its top card has the value of its hour (jack XI, queen
    XII). The upper card of a packet may be played there, or built on the upper card of another packet, down in suit.
    Packets of fewer than three cards are filled up from the stock, all in one step, in order from I. When none is short
    the next stock card may be turned on to the waste, whose top can only be played on the foundations. No redeal.
End
    Won with all 104 cards home, the twelve first ones included, that is with every foundation at its hour; lost when
    no move is left.
Left open by the book, and read so
    The picture is lost; that the two packs are used up fixes the twelve cards but for which suit comes first.
    Of the twin cards the one nearest the top of the pack, next to be dealt, is withdrawn; the rest keep their order.
    Filling up is the player's choice (`refill_when`), but must come before a stock card is turned. When the stock does
    not suffice the last packets stay short. A short packet takes marriages, an empty one nothing but stock cards.
    `refill_order=round_robin` gives one card to each short packet in the order XII, I … XI, round after round.
    `marry_on_short_packet=false` also holds when the stock is out, and for the waste under `waste_marries`.
    With `refill_when=at_once` the step that turns the waste over fills the packets too.
    Two foundations of one suit that want the same card are two moves: their hours differ.
    `dealing` and `withdrawn_copy` have PySolFC's ways second: it deals round by round from XII, and withdraws the
    copies nearest the bottom.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import building_moves, home_moves, lay_out, place_moves, withdraw
from sim.cards import FACE_OF
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import BUILD, PLAY, REFILL, dst, move, what
from sim.options import option
from sim.packing import down_in_suit, down_round_in_suit, up_round_in_suit
from sim.rules import FOUNDATION, STOCK, TABLEAU, WASTE
from sim.state import pop, push
from sim.talon import apply_carry, turn_moves

VERSION = 1
PACKS = 2
HOURS, HEIGHT = 12, 3
STOCK_PILE, WASTE_PILE, FIRST_PACKET = 0, 13, 14  # the foundation of an hour is the pile of its number
FILL_AT_ONCE, ROUND_ROBIN, SHORT_PACKET_CLOSED, WASTE_MARRIES, LAST_COPY = range(5)
BEGUN_WITH = ("6C", "7H", "8S", "9D", "TC", "JH", "QS", "KD", "2C", "3H", "4S", "5D")  # at I to XII
FIRST_CARDS = np.array([FACE_OF[name] for name in BEGUN_WITH], np.uint8)


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    refill_when: str = option("when_wanted", "at_once", about="fill up packets before the next turn, or at once")
    refill_order: str = option("packet_by_packet", "round_robin", about="how stock cards go to several short packets")
    marry_on_short_packet: bool = option(True, False, about="a packet of fewer than three cards may be married upon")
    marriage_wrap: bool = option(False, True, about="a king may be married with an ace")
    waste_marries: bool = option(False, True, about="the top of the waste may be married as well")
    redeals: int = option(0, 1, about="times the waste is turned over into a new stock")
    dealing: str = option("together", "round_robin", about="deal the cards of a packet together, or round by round")
    withdrawn_copy: str = option("nearest_top", "nearest_bottom", about="which of the twin cards begins a foundation")


PRESETS = {
    "pysolfc": {
        "refill_order": "round_robin",
        "marry_on_short_packet": False,
        "marriage_wrap": True,
        "waste_marries": True,
        "dealing": "round_robin",
        "withdrawn_copy": "nearest_bottom",
    }
}


@njit
def packet_of(i, round_robin):
    """The packet whose turn is the i-th: three times each from I round, or in three rounds from XII."""
    return (i + HOURS - 1) % HOURS if round_robin else i // HEIGHT


def layout(o: Options) -> list[Piles]:
    return [
        Piles("stock", STOCK, hidden=True),
        *[
            Piles(
                "foundation", FOUNDATION, packing=up_round_in_suit, lift=0, fixed=True, suit=int(first) >> 4, full=full
            )
            for first, full in zip(FIRST_CARDS, [9] * 8 + [8] * 4, strict=True)
        ],
        Piles("waste", WASTE),
        Piles("tableau", TABLEAU, HOURS, down_round_in_suit if o.marriage_wrap else down_in_suit, fixed=True),
    ]


def rules(o: Options) -> np.record:
    packets = [FIRST_PACKET + packet_of(i, o.dealing == "round_robin") for i in range(HOURS * HEIGHT)]
    record = build(layout(o), [*range(1, HOURS + 1), *packets], packs=PACKS, redeals=o.redeals)
    record.option[FILL_AT_ONCE] = o.refill_when == "at_once"
    record.option[ROUND_ROBIN] = o.refill_order == "round_robin"
    record.option[SHORT_PACKET_CLOSED] = not o.marry_on_short_packet
    record.option[WASTE_MARRIES] = o.waste_marries
    record.option[LAST_COPY] = o.withdrawn_copy == "nearest_bottom"
    return record


@njit
def short_packet(state):
    """The first packet of fewer than three cards, or -1."""
    for packet in range(FIRST_PACKET, FIRST_PACKET + HOURS):
        if state.height[packet] < HEIGHT:
            return packet
    return -1


@njit
def fill_packets(rules, state):
    """Fill all packets up to three, as far as the stock lasts."""
    for i in range(HOURS * HEIGHT):
        packet = FIRST_PACKET + packet_of(i, rules.option[ROUND_ROBIN])
        if state.height[packet] < HEIGHT and state.top[STOCK_PILE]:
            push(rules, state, packet, pop(rules, state, STOCK_PILE))


@njit
def without_short_targets(state, moves, n):
    """Drop the marriages on short packets."""
    kept = 0
    for i in range(n):
        if what(moves[i]) != BUILD or state.height[dst(moves[i])] >= HEIGHT:
            moves[kept] = moves[i]
            kept += 1
    return kept


@njit
def deal(rules, state, deck):
    for i in range(HOURS):
        withdraw(deck, i, FIRST_CARDS[i], rules.option[LAST_COPY])
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    n = building_moves(rules, state, moves, FIRST_PACKET, FIRST_PACKET + HOURS)
    waste = state.top[WASTE_PILE]
    if waste:
        n = home_moves(rules, state, moves, n, PLAY, WASTE_PILE, waste)
        if rules.option[WASTE_MARRIES]:
            n = place_moves(rules, state, moves, n, BUILD, WASTE_PILE, waste, 1)
    if rules.option[SHORT_PACKET_CLOSED]:
        n = without_short_targets(state, moves, n)
    short = short_packet(state)
    if state.top[STOCK_PILE] and short >= 0:
        moves[n] = move(REFILL, STOCK_PILE, short, 0, 0)
        return n + 1
    return turn_moves(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    if what(m) != REFILL:
        apply_carry(rules, state, m)
    if what(m) == REFILL or (rules.option[FILL_AT_ONCE] and short_packet(state) >= 0):
        fill_packets(rules, state)
