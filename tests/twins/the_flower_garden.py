"""The Flower-Garden, from Lady Cadogan and dossier 20.

One pack: six packets of six, spread so that all cards are seen, are the Garden; the sixteen cards left are the
Bouquet, every one of them available. Of a packet only the uppermost card is. Four foundations ascend in suit from ace
to king. On the packets cards are placed in descending sequence, of any suit; an empty packet takes any card. Nothing
goes back to the Bouquet, and there is only one deal.
"""

from itertools import pairwise
from typing import ClassVar

from . import Move, Options, Pile, Twin, empty, first_values, home, lowest_empty, moved, rank

RED = "HD"


class TheFlowerGarden(Twin):
    """A game of the Flower-Garden."""

    OPTIONS: ClassVar[Options] = {
        "move_unit": ("single", "sequence"),
        "vacancy": ("any", "king_only"),
        "building": ("rank", "suit", "alternate_colour"),
        "foundation_return": (False, True),
        "dealing": ("together", "round_robin"),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """Six cards to a packet, at once or round by round; what remains are the sixteen of the Bouquet."""
        if self.options["dealing"] == "together":
            garden = [deck[6 * packet : 6 * packet + 6] for packet in range(6)]
        else:
            garden = [[deck[6 * row + packet] for row in range(6)] for packet in range(6)]
        self.piles = {"foundation": empty(4), "tableau": garden, "reserve": [[card] for card in deck[36:]]}

    @property
    def won(self) -> bool:
        """All 52 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """Cards of the Bouquet, uppermost cards of the Garden (or sequences), by option foundation cards."""
        moves = []
        for zone in ("reserve", "tableau"):
            for index, pile in enumerate(self.piles[zone]):
                for start in range(len(pile)):
                    if self.may_be_lifted(zone, pile[start:]):
                        moves += self.of_cards(zone, index, tuple(pile[start:]))
        if self.options["foundation_return"]:
            for slot, pile in enumerate(self.piles["foundation"]):
                for card in pile[-1:]:
                    targets = self.takers(card) + self.vacancies(card)
                    moves += moved("return", ("foundation", slot), "tableau", targets, (card,))
        return moves

    def may_be_lifted(self, zone: str, cards: Pile) -> bool:
        """One card always; several, with `sequence`, where each lies on the one before as it should."""
        if len(cards) == 1:
            return True
        in_sequence = all(self.follows(card, below) for below, card in pairwise(cards))
        return zone == "tableau" and self.options["move_unit"] == "sequence" and in_sequence

    def of_cards(self, zone: str, index: int, cards: tuple[str, ...]) -> list[Move]:
        """All that these available cards of one pile may do."""
        source, whole = (zone, index), zone == "tableau" and len(cards) == len(self.piles[zone][index])
        moves = moved("play", source, "foundation", home(cards[0], self.piles["foundation"]), cards)
        moves = moves if len(cards) == 1 else []
        moves += moved("build", source, "tableau", self.takers(cards[0]), cards)
        return moves + ([] if whole else moved("fill", source, "tableau", self.vacancies(cards[0]), cards))

    def follows(self, card: str, below: str) -> bool:
        """Whether a card may lie on another in the Garden: next lower; of what suit, the option says."""
        suits = {
            "rank": True,
            "suit": card[1] == below[1],
            "alternate_colour": (card[1] in RED) != (below[1] in RED),
        }
        return rank(card) == rank(below) - 1 and suits[self.options["building"]]

    def takers(self, card: str) -> list[int]:
        """The packets on whose uppermost card this one may lie."""
        return [index for index, pile in enumerate(self.piles["tableau"]) if pile and self.follows(card, pile[-1])]

    def vacancies(self, card: str) -> list[int]:
        """The empty packet that may take this card, if there is one."""
        allowed = self.options["vacancy"] == "any" or rank(card) == 13
        return lowest_empty(self.piles["tableau"]) if allowed else []

    def perform(self, move: Move) -> None:
        """Carry the cards."""
        self.carry(move)


TWIN = TheFlowerGarden
