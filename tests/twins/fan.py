"""Fan, from Cavendish.

One pack in sixteen packets of three and two of two. Only the upper card of a packet is available. Four
foundations ascend in suit from ace to king; marriages descend in suit; a king may fill a vacancy, and a
foundation card may come back.
"""

from typing import ClassVar

from . import Move, Options, Twin, empty, first_values, free_runs, home, lowest_empty, marries, moved, rank


class Fan(Twin):
    """A game of Fan."""

    OPTIONS: ClassVar[Options] = {
        "vacancy": ("king", "any", "closed"),
        "move_unit": ("single", "sequence"),
        "foundation_return": (True, False),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """The whole pack, packet after packet."""
        threes = [deck[start : start + 3] for start in range(0, 48, 3)]
        self.piles = {"foundation": empty(4), "tableau": [*threes, deck[48:50], deck[50:]]}

    @property
    def won(self) -> bool:
        """All 52 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """Upper cards (or runs) home, in marriage, or to a vacancy; foundation cards back."""
        moves = []
        for index, packet in enumerate(self.piles["tableau"]):
            for cards in free_runs(packet, self.options["move_unit"]):
                home_to = home(cards[0], self.piles["foundation"]) if len(cards) == 1 else []
                moves += moved("play", ("tableau", index), "foundation", home_to, cards)
                moves += moved("build", ("tableau", index), "tableau", self.takers(cards[0]), cards)
                if len(cards) < len(packet):
                    moves += moved("fill", ("tableau", index), "tableau", self.vacancies(cards[0]), cards)
        return moves + self.returns()

    def takers(self, card: str) -> list[int]:
        """The packets whose upper card marries this one."""
        return [index for index, packet in enumerate(self.piles["tableau"]) if packet and marries(card, packet[-1])]

    def vacancies(self, card: str) -> list[int]:
        """The vacancy that may take this card, if there is one."""
        rule = self.options["vacancy"]
        allowed = rule == "any" or (rule == "king" and rank(card) == 13)
        return lowest_empty(self.piles["tableau"]) if allowed else []

    def returns(self) -> list[Move]:
        """A foundation's top card, back to the packets."""
        if not self.options["foundation_return"]:
            return []
        moves = []
        for slot, pile in enumerate(self.piles["foundation"]):
            for card in pile[-1:]:
                moves += moved("return", ("foundation", slot), "tableau", self.takers(card), (card,))
                moves += moved("return", ("foundation", slot), "tableau", self.vacancies(card), (card,))
        return moves

    def perform(self, move: Move) -> None:
        """Carry the cards."""
        self.carry(move)


TWIN = Fan
