"""The Flower-Garden.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Flower-Garden".
Layout
    One pack, all dealt face up: six packets of six cards dealt together, the Garden; the other sixteen cards are kept
    in the hand, the Bouquet. Four foundations.
Play
    Foundations are built up in suit from ace to king. Any card of the Bouquet and the upper card of a packet may be
    played home, or built on the upper card of a packet, down in rank, whatever the suit, one card at a time. An empty
    packet takes any such card. No card returns to the Bouquet.
End
    Won with all 52 cards home; lost when no move is left. There is one deal only.
Left open by the book, and read so
    `vacancy` binds cards of the Bouquet, of the Garden and of the foundations alike. Moving a whole packet to an empty
    place changes nothing and is no move. With `move_unit=sequence` a run follows `building`.
    A foundation card that may come back goes where a card of the Garden might go.
    `dealing=round_robin` is PySolFC's way: the first cards of all packets, then the second ones, and so on.
    The dossier's `bouquet_size` has one value and is therefore a rule, not an option.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import building_moves, lay_out
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import count, dst, src
from sim.options import option
from sim.packing import any_card, down, down_alternating, down_in_suit, king
from sim.rules import RESERVE, STOCK, TABLEAU
from sim.state import carry

VERSION = 1
PACKS = 1
PACKETS, HEIGHT, BOUQUET = 6, 6, 16
FIRST_PACKET, FIRST_FLOWER = 5, 11  # behind the stock, which is always empty, and the foundations


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    move_unit: str = option("single", "sequence", about="move one card, or a run as well")
    vacancy: str = option("any", "king_only", about="which cards may fill an empty packet")
    building: str = option("rank", "suit", "alternate_colour", about="which next lower card a card of the Garden takes")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    dealing: str = option("together", "round_robin", about="deal the cards of a packet together, or round by round")


PRESETS = {"pysolfc": {"foundation_return": True, "dealing": "round_robin"}}
STARTS = {"any": any_card, "king_only": king}
PACKINGS = {"rank": down, "suit": down_in_suit, "alternate_colour": down_alternating}


def layout(o: Options) -> list[Piles]:
    lift = 13 if o.move_unit == "sequence" else 1
    return [
        Piles("stock", STOCK),
        *foundations(PACKS, lift=int(o.foundation_return), fills=True),
        Piles("tableau", TABLEAU, PACKETS, PACKINGS[o.building], STARTS[o.vacancy], lift, fills=True),
        Piles("reserve", RESERVE, BOUQUET, fills=True),
    ]


def rules(o: Options) -> np.record:
    together = [FIRST_PACKET + packet for packet in range(PACKETS) for _ in range(HEIGHT)]
    by_rows = [FIRST_PACKET + packet for _ in range(HEIGHT) for packet in range(PACKETS)]
    garden = together if o.dealing == "together" else by_rows
    return build(layout(o), [*garden, *range(FIRST_FLOWER, FIRST_FLOWER + BOUQUET)], packs=PACKS)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    return building_moves(rules, state, moves, FIRST_PACKET, rules.n_piles)


@njit
def apply_move(rules, state, m):
    carry(rules, state, src(m), dst(m), count(m))
