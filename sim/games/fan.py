"""Fan.

Source
    Cavendish (Henry Jones), Patience Games (De La Rue, 1890). A cousin of La Belle Lucie, not in Lady Cadogan; here
    because its rate is known: 48.776 +- 0.099 % of deals can be won when every card is seen.
Layout
    One pack, all dealt face up: sixteen packets of three cards, then two of two. Four foundations.
Play
    Foundations are built up in suit from ace to king. The upper card of a packet may be played home, or built on the
    upper card of another packet, down in suit, one card at a time. A king may fill an emptied packet. A foundation card
    may come back to the packets.
End
    Won with all 52 cards home; lost when no move is left. There is no redeal.
Left open by the book, and read so
    The packets are dealt one after another, the cards of each together.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import lay_out
from sim.fans import fans, first_deal, packet_moves
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import count, dst, src
from sim.options import option
from sim.packing import down_in_suit
from sim.state import carry

VERSION = 1
PACKS = 1
SIZES = [3] * 16 + [2] * 2
FIRST_PACKET = 5  # behind the stock, which is always empty, and the foundations


@dataclass(frozen=True)
class Options:
    """What players differ on."""

    vacancy: str = option("king", "any", "closed", about="which cards may fill an emptied packet")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    foundation_return: bool = option(True, False, about="a foundation card may come back to the tableau")


PRESETS: dict[str, dict[str, bool | int | str]] = {}


def layout(o: Options) -> list[Piles]:
    return fans(o, len(SIZES), down_in_suit, foundations(PACKS, lift=int(o.foundation_return), fills=True))


def rules(o: Options) -> np.record:
    return build(layout(o), [FIRST_PACKET + packet for packet in first_deal(SIZES, False)], packs=PACKS)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    return packet_moves(rules, state, moves, False, True)


@njit
def apply_move(rules, state, m):
    carry(rules, state, src(m), dst(m), count(m))
