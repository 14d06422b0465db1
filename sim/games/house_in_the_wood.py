"""The House in the Wood.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "La Belle Lucie", last paragraph but one.
Layout
    Two packs, all dealt face up: 34 packets of three cards dealt together, and two of a single card, which is double
    the number of La Belle Lucie. Eight foundations.
Play
    Foundations are built up in suit from ace to king. The upper card of a packet may be played home, or built on the
    upper card of another packet, down in suit, one card at a time. An emptied packet is not filled.
    The packets may be gathered, shuffled and dealt again in threes, twice; the foundations stay.
End
    Won with all 104 cards home; lost when no move and no redeal is left.
Left open by the book, and read so
    All that the paragraph does not say is as in La Belle Lucie. Packets are gathered from left to right, each from the
    bottom up, before the shuffle; the last packet of a redeal has the one, two or three cards that remain, whatever
    `remainder` says; places without a packet are gone and not vacancies.
    Two twin foundations of one suit, or two vacancies, are one target: the first. Two twin upper cards are two targets.
    The ranks of a run that moves as a sequence go one way, and its deepest card is built up or down as a card may be.
    A foundation card that may come back goes where an upper card might go.
    `dealing=round_robin` is PySolFC's way of the first deal: the first cards of all packets, then the second ones, then
    the third, where a packet of fewer cards misses the first rounds. A redeal is dealt together.
Version
    1: first.
    2: moves of runs are listed in another order.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import lay_out
from sim.fans import HOUSES, fans, first_deal, packet_moves, redeal, redeal_move
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import REDEAL, count, dst, src, what
from sim.options import option
from sim.packing import down_in_suit, next_in_suit
from sim.state import carry

VERSION = 2
PACKS = 2
FIRST_PACKET = 9  # behind the stock, which is always empty, and the foundations
BOTH_WAYS, VACANCIES = range(2)


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    remainder: str = option("two_packets_of_one", "one_packet_of_two", about="how the last two cards are dealt")
    marriages: str = option("down", "up_and_down", about="which way packets are built, in suit")
    redeals: int = option(2, 0, 1, 3, about="shuffled redeals after the first deal")
    vacancy: str = option("closed", "king", "any", about="which cards may fill an emptied packet")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    dealing: str = option("together", "round_robin", about="deal the cards of a packet together, or round by round")


PRESETS = {
    "pysolfc": {
        "remainder": "one_packet_of_two",
        "marriages": "up_and_down",
        "redeals": 0,
        "foundation_return": True,
        "dealing": "round_robin",
    }
}
MARRIAGES = {"down": down_in_suit, "up_and_down": next_in_suit}


def layout(o: Options) -> list[Piles]:
    home = foundations(PACKS, lift=int(o.foundation_return), fills=True)
    return fans(o, len(HOUSES[o.remainder]), MARRIAGES[o.marriages], home)


def rules(o: Options) -> np.record:
    places = [FIRST_PACKET + packet for packet in first_deal(HOUSES[o.remainder], o.dealing == "round_robin")]
    record = build(layout(o), places, packs=PACKS, redeals=o.redeals)
    record.option[BOTH_WAYS] = o.marriages == "up_and_down"
    record.option[VACANCIES] = o.vacancy != "closed"
    return record


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    n = packet_moves(rules, state, moves, rules.option[BOTH_WAYS], rules.option[VACANCIES])
    return redeal_move(rules, moves, n, False) if state.redeals_left else n


@njit(allocates=True)
def apply_move(rules, state, m):
    if what(m) == REDEAL:
        redeal(rules, state, False)
    else:
        carry(rules, state, src(m), dst(m), count(m))
