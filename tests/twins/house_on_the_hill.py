"""The House on the Hill, from Lady Cadogan and dossier 05.

The House in the Wood played another way: the foundations are four aces, ascending in suit to kings, and
four kings of different suits, descending to aces; marriages are made both in ascending and descending
lines. The second ace of a suit ends its descending foundation, the second king its ascending one.
"""

from typing import ClassVar

from . import SUITS, Move, Options, first_values, moved
from .house_in_the_wood import HouseInTheWood, above, beneath


class HouseOnTheHill(HouseInTheWood):
    """A game of The House on the Hill; foundation 2 s ascends in suit s, foundation 2 s + 1 descends."""

    OPTIONS: ClassVar[Options] = {
        "remainder": ("two_packets_of_one", "one_packet_of_two"),
        "redeals": (2, 0, 1, 3),
        "vacancy": ("closed", "king", "any"),
        "foundation_exchange": (False, True),
        "move_unit": ("single", "sequence"),
        "foundation_return": (False, True),
        "dealing": ("together", "round_robin"),
    }
    DEFAULTS = first_values(OPTIONS)

    def legal(self) -> list[Move]:
        """The moves of the other House, and the exchange of foundation cards."""
        return super().legal() + self.exchanges()

    def mates(self, card: str) -> list[str]:
        """The cards on which this one may lie: the next above in suit and the next below."""
        return [above(card), beneath(card)]

    def homes(self, card: str) -> list[int]:
        """The ascending and the descending foundation of the suit, where they want this card."""
        ascending = 2 * SUITS.index(card[1])
        wanted = {ascending: "A23456789TJQK", ascending + 1: "KQJT98765432A"}
        heights = {slot: len(self.piles["foundation"][slot]) for slot in wanted}
        return [slot for slot in wanted if heights[slot] < 13 and wanted[slot][heights[slot]] == card[0]]

    def exchanges(self) -> list[Move]:
        """By option, the top of a foundation to the other foundation of its suit."""
        moves: list[Move] = []
        for slot, pile in enumerate(self.piles["foundation"]):
            for card in pile[-1:] if self.options["foundation_exchange"] else []:
                moves += moved("return", ("foundation", slot), "foundation", self.homes(card), (card,))
        return moves


TWIN = HouseOnTheHill
