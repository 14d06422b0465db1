"""The Sultan, from Lady Cadogan and dossier 16.

Two packs. One king of hearts, the Sultan, lies in the centre and takes no card. Round it the other seven kings and one
ace of hearts are foundations: they ascend in suit to queens, the ace following the king. Eight cards are the Divan; any
of them may be played. The rest is turned one by one on to the talon. A place of the Divan is filled at once, from the
talon or, when there is no talon, from the pack. The talon may be taken up, shuffled and dealt again, twice.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Place, Twin, empty, first_values, lowest_empty, moved, rank

STOCK, WASTE = ("stock", 0), ("waste", 0)


class TheSultan(Twin):
    """A game of The Sultan."""

    OPTIONS: ClassVar[Options] = {
        "divan": (8, 6),
        "redeals": (2, 0, 1, 3),
        "redeal_shuffle": (True, False),
        "divan_fill": ("waste_else_stock_forced", "optional"),
        "foundation_play": ("optional", "forced"),
        "fill_from_stock": (True, False),
        "turn_at_deal": (False, True),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = {"reserve"}

    def deal(self, deck: list[str]) -> None:
        """The kings and the first ace of hearts out, then the Divan; the rest is the stock."""
        ace = deck.index("AH")
        rest = [card for at, card in enumerate(deck) if rank(card) != 13 and at != ace]
        divan = self.options["divan"]
        self.piles = {
            "foundation": [["KC"], ["KC"], ["KD"], ["KD"], ["KH"], ["AH"], ["KS"], ["KS"]],
            "discard": [["KH"]],
            "reserve": [[card] for card in rest[:divan]],
            "stock": [rest[divan:][::-1]],
            "waste": empty(1),
        }
        if self.options["turn_at_deal"]:
            self.carry(self.turn()[0])

    @property
    def won(self) -> bool:
        """Eight queens round the Sultan."""
        return all(rank(pile[-1]) == 12 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """Cards home, and what may be done with the pack; cards home alone where they are forced."""
        plays = self.plays()
        if plays and self.options["foundation_play"] == "forced":
            return plays
        return plays + self.fills("fill") + self.turn() + self.redeal()

    def plays(self) -> list[Move]:
        """A card of the Divan, or the top of the talon, to the first foundation that waits for it."""
        moves = []
        for source in [*(("reserve", index) for index in range(self.options["divan"])), WASTE]:
            for card in self.pile(source)[-1:]:
                moves += moved("play", source, "foundation", self.homes(card)[:1], (card,))
        return moves

    def homes(self, card: str) -> list[int]:
        """The foundations of its suit that wait for this card: one up, or an ace on its king, but none on a queen."""
        first = 2 * SUITS.index(card[1])
        return [
            slot
            for slot in (first, first + 1)
            if rank(card) == rank(self.piles["foundation"][slot][-1]) % 13 + 1 and rank(card) != 13
        ]

    def sources(self) -> list[Place]:
        """Where the next card for the Divan comes from: the talon, or the pack when there is none."""
        if self.pile(WASTE):
            return [WASTE]
        return [STOCK] if self.pile(STOCK) and self.options["fill_from_stock"] else []

    def fills(self, kind: str) -> list[Move]:
        """A card to the first empty place of the Divan; one of the pack is not seen."""
        return [
            Move(kind, source, ("reserve", index), 1, tuple(self.pile(source)[-1:]) if source == WASTE else ())
            for source in self.sources()
            for index in lowest_empty(self.piles["reserve"])
        ]

    def turn(self) -> list[Move]:
        """The next card of the pack to the talon."""
        return [Move("turn", STOCK, WASTE, 1, ())] if self.pile(STOCK) else []

    def redeal(self) -> list[Move]:
        """The pack is out: take up the talon, while re-deals remain."""
        waste = self.pile(WASTE)
        if self.pile(STOCK) or not waste or not self.redeals_left:
            return []
        return [Move("redeal", WASTE, STOCK, len(waste), ())]

    def perform(self, move: Move) -> None:
        """Make the move, and fill the Divan where that is forced."""
        if move.kind == "redeal":
            self.take_up()
        else:
            self.carry(move)
        while self.options["divan_fill"] == "waste_else_stock_forced" and self.fills("refill"):
            self.carry(self.fills("refill")[0])

    def take_up(self) -> None:
        """The talon becomes the pack: shuffled, or turned over so that its first card is the next one."""
        self.redeals_left -= 1
        cards, self.piles["waste"] = self.pile(WASTE), empty(1)
        if self.options["redeal_shuffle"]:
            cards = self.reshuffle(cards, self.options["redeals"] - self.redeals_left)
        self.piles["stock"] = [cards[::-1]]


TWIN = TheSultan
