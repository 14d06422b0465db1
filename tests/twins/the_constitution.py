"""The Constitution (British Constitution), from Lady Cadogan as far as she is preserved, and dossier 24.

Two packs. Kings and queens are out of play, the eight aces are the foundations and ascend in suit to knaves. Four
divisions of eight: the Privy Council on top, Lords, Commons, People. Only cards of the Privy Council are played. A card
may be laid on one of the division immediately above, in descending line and alternate colours. A vacancy must be filled
at once by a card of the division immediately below, and so on down; the People are filled from the waste, or where
there is none from the stock, whose cards are turned one by one.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Pile, Place, Twin, first_values, home, moved, rank

STOCK, WASTE = ("stock", 0), ("waste", 0)
DIVISIONS = ("privy_council", "lords", "commons", "people")
UPPER = DIVISIONS[:3]
BELOW = dict(zip(UPPER, DIVISIONS[1:], strict=True))
COLUMNS = range(8)


def fits(card: str, below: str) -> bool:
    """Descending line, alternate colours."""
    return rank(card) == rank(below) - 1 and (card[1] in "CS") != (below[1] in "CS")


class TheConstitution(Twin):
    """A game of The Constitution."""

    OPTIONS: ClassVar[Options] = {
        "build_rows": ("three_upper", "privy_council_only"),
        "within_row": (False, "privy_council"),
        "fill_choice": ("any_card_of_row_below", "directly_below"),
        "fill_forced": (True, False),
        "waste_builds_on_people": (False, True),
        "redeals": (0, 1),
        "dealing": ("people_first", "council_first"),
        "turn_when_empty": (False, True),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """Aces, queens and kings out; four rows of eight; the rest is the stock."""
        cards = [card for card in deck if 1 < rank(card) < 12]
        order = DIVISIONS if self.options["dealing"] == "council_first" else DIVISIONS[::-1]
        self.piles = {
            "foundation": [["A" + suit] for suit in SUITS for _ in range(2)],
            **{division: [[cards.pop(0)] for _ in COLUMNS] for division in order},
            "stock": [cards[::-1]],
            "waste": [[]],
            "discard": [[card for card in deck if rank(card) >= 12]],
        }
        self.turn_when_empty()

    @property
    def ALIKE(self) -> set[str]:  # type: ignore[override]
        """The places of a division, unless each is filled from the one below it."""
        return set() if self.options["fill_choice"] == "directly_below" else set(DIVISIONS)

    @property
    def won(self) -> bool:
        """Eight knaves."""
        return all(len(pile) == 11 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """A fill that is due comes before everything else."""
        fills = self.fills()
        if fills and self.options["fill_forced"]:
            return fills
        return fills + self.plays() + self.builds() + self.turns()

    def tops(self, division: str) -> list[tuple[Place, str]]:
        """The top cards of a division with their places."""
        piles = self.piles[division]
        return [((division, column), piles[column][-1]) for column in COLUMNS if piles[column]]

    def fills(self) -> list[Move]:
        """Cards of a division to a vacancy of the one above: by option those of the same column only."""
        moves = []
        for division in UPPER:
            vacant = [column for column in COLUMNS if not self.piles[division][column]]
            for source, card in self.tops(BELOW[division]):
                if self.options["fill_choice"] == "directly_below":
                    columns = [column for column in vacant if column == source[1]]
                else:
                    columns = vacant[:1]
                moves += moved("refill", source, division, columns, (card,))
        return moves

    def plays(self) -> list[Move]:
        """Cards of the Privy Council to the foundations."""
        moves = []
        for source, card in self.tops("privy_council"):
            moves += moved("play", source, "foundation", home(card, self.piles["foundation"]), (card,))
        return moves

    def builds(self) -> list[Move]:
        """A card on one of the division above; by option within the Privy Council, and from the waste on the People."""
        ways = [("lords", "privy_council")]
        if self.options["build_rows"] == "three_upper":
            ways += [("commons", "lords"), ("people", "commons")]
        if self.options["within_row"]:
            ways += [("privy_council", "privy_council")]
        sources = [(place, card, above) for below, above in ways for place, card in self.tops(below)]
        if self.options["waste_builds_on_people"] and self.waste:
            sources += [(WASTE, self.waste[-1], "people")]
        return [
            Move("build", place, target, 1, (card,))
            for place, card, above in sources
            for target, below in self.tops(above)
            if target != place and fits(card, below)
        ]

    @property
    def waste(self) -> Pile:
        """The waste."""
        return self.pile(WASTE)

    def turns(self) -> list[Move]:
        """The next stock card; when the stock is out the waste is turned over, if redeals are left."""
        if self.pile(STOCK):
            return [Move("turn", STOCK, WASTE, 1, ())]
        if self.waste and self.redeals_left:
            return [Move("redeal", WASTE, STOCK, len(self.waste), ())]
        return []

    def perform(self, move: Move) -> None:
        """Make the move and all that follows without a choice."""
        self.carry(move)
        if move.kind == "redeal":
            self.pile(STOCK).reverse()
            self.redeals_left -= 1
        self.fill_people()
        while self.options["fill_forced"] and self.only_way():
            self.carry(self.only_way()[0])
            self.fill_people()
        self.turn_when_empty()

    def only_way(self) -> list[Move]:
        """The fill that is due, if there is no choice: in its column, or of the only card that there is."""
        fills = self.fills()
        return fills[:1] if len(fills) == 1 or self.options["fill_choice"] == "directly_below" else []

    def fill_people(self) -> None:
        """A vacancy of the People is filled from the waste, or where there is none from the stock."""
        for pile in self.piles["people"]:
            for place in [place for place in (WASTE, STOCK) if self.pile(place) and not pile][:1]:
                pile.append(self.pile(place).pop())

    def turn_when_empty(self) -> None:
        """By option an empty waste gets the next stock card."""
        if self.options["turn_when_empty"] and not self.waste and self.pile(STOCK):
            self.waste.append(self.pile(STOCK).pop())


TWIN = TheConstitution
