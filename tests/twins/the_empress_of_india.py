"""The Empress of India, from Lady Cadogan and dossier 18.

Four packs. The black aces and the red kings are foundations; one queen of clubs, the Empress, and the red knaves stand
alone, the other black queens are thrown aside. Red cards are dealt to the Army, black ones to the Navy, twenty-four
each; more cards of a colour whose rows are full go to its talon. A red and a black card are played at the same time, or
paired in one cell, to be played together later; vacancies are refilled with their own colour.
"""

from typing import ClassVar

from . import Move, Options, Place, Twin, empty, first_values

STOCK = ("stock", 0)
BLACK = "A23456789TJK"  # the order on a black foundation; the queens are omitted
RED = "KQT98765432A"  # on a red one; the knaves are omitted
ROWS = {"red": "army", "black": "navy"}
TALONS = {"red": "red_waste", "black": "black_waste"}
CELLS = range(24)
FOUNDATIONS = {"C": range(4), "D": range(4, 8), "H": range(8, 12), "S": range(12, 16)}


def colour(card: str) -> str:
    """Red or black."""
    return "red" if card[1] in "HD" else "black"


def order(card: str) -> str:
    """The values of a foundation of this card's suit, in the order in which they are played."""
    return RED if colour(card) == "red" else BLACK


class TheEmpressOfIndia(Twin):
    """A game of The Empress of India."""

    OPTIONS: ClassVar[Options] = {
        "refill_from_stock": ("turn_until_colour_comes", "leave_vacant_until_it_comes"),
        "stock_turn": ("when_wanted", "only_when_stuck"),
        "deal_waste_visible": ("top_only", "all"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = {"army", "navy"}

    def deal(self, deck: list[str]) -> None:
        """The named cards out, then card by card to the Army, the Navy or a talon, until both are complete."""
        queens = [card for card in deck if card in ("QC", "QS")]
        queens.remove("QC")
        guard = [card for card in deck if card in ("JD", "JH")]
        out = {"QC", "QS", "JD", "JH", "AC", "AS", "KD", "KH"}
        self.piles = {
            "stock": [[card for card in reversed(deck) if card not in out]],
            "foundation": [[first] for first in ("AC", "KD", "KH", "AS") for _ in range(4)],
            "army": empty(24),
            "navy": empty(24),
            "red_waste": [[]],
            "black_waste": [[]],
            "empress": [["QC"]],
            "guard": [guard],
            "discard": [queens],
        }
        while self.vacancies("red") or self.vacancies("black"):
            self.turn_a_card()

    @property
    def won(self) -> bool:
        """Sixteen packets of twelve."""
        return all(len(pile) == 12 for pile in self.piles["foundation"])

    @property
    def covered(self) -> tuple[int, ...]:
        """How many cards are not seen, from the Army's cells on: in the talons those under the top, by option."""
        talons = [len(self.piles[TALONS[which]][0]) for which in ("red", "black")]
        masked = self.options["deal_waste_visible"] == "top_only"
        return (*[0] * 48, *[max(height - 1, 0) if masked else 0 for height in talons])

    def legal(self) -> list[Move]:
        """Cards home two by two, pairings, and a card of the pack."""
        plays = self.pairs_played() + self.joint_plays()
        waits = bool(plays) and self.options["stock_turn"] == "only_when_stuck"
        return plays + self.pairings() + ([] if waits else self.turn())

    def vacancies(self, which: str) -> list[Place]:
        """The empty cells of a colour."""
        return [(ROWS[which], cell) for cell in CELLS if not self.piles[ROWS[which]][cell]]

    def unpaired(self, which: str) -> list[Place]:
        """The cells of a colour with a single card."""
        return [(ROWS[which], cell) for cell in CELLS if len(self.piles[ROWS[which]][cell]) == 1]

    def paired(self) -> list[Place]:
        """The cells with a pair."""
        return [(row, cell) for row in ("army", "navy") for cell in CELLS if len(self.piles[row][cell]) == 2]

    def home_of(self, card: str) -> list[int]:
        """The foundation that takes this card, if there is one; of equal ones the first."""
        wanted = order(card).index(card[0])
        return [slot for slot in FOUNDATIONS[card[1]] if len(self.piles["foundation"][slot]) == wanted][:1]

    def pairs_played(self) -> list[Move]:
        """Both cards of a cell, when both fit."""
        return [
            Move("pair", place, place, 2, tuple(self.pile(place)))
            for place in self.paired()
            if all(self.home_of(card) for card in self.pile(place))
        ]

    def joint_plays(self) -> list[Move]:
        """A card of the Army and one of the Navy, when both fit."""
        soldiers = [place for place in self.unpaired("red") if self.home_of(self.pile(place)[0])]
        sailors = [place for place in self.unpaired("black") if self.home_of(self.pile(place)[0])]
        return [
            Move("pair", soldier, sailor, 2, (self.pile(soldier)[0], self.pile(sailor)[0]))
            for soldier in soldiers
            for sailor in sailors
        ]

    def pairings(self) -> list[Move]:
        """Any unpaired card on any unpaired one of the other colour."""
        soldiers, sailors = self.unpaired("red"), self.unpaired("black")
        return [
            Move("build", source, target, 1, (self.pile(source)[0],))
            for soldier in soldiers
            for sailor in sailors
            for source, target in ((soldier, sailor), (sailor, soldier))
        ]

    def turn(self) -> list[Move]:
        """The next card of the pack; nobody knows yet which talon it is for."""
        return [Move("turn", STOCK, STOCK, 1, ())] if self.pile(STOCK) else []

    def perform(self, move: Move) -> None:
        """Make the move, then refill at once."""
        if move.kind == "pair":
            for place in {move.source, move.target}:
                for card in self.pile(place):
                    self.piles["foundation"][self.home_of(card)[0]].append(card)
                self.pile(place).clear()
        elif move.kind == "build":
            self.carry(move)
        else:
            self.turn_a_card()
        self.refill()

    def refill(self) -> None:
        """From the talons first; then, by option, cards are turned until nothing is vacant or the pack is out."""
        for which in ("red", "black"):
            talon = self.piles[TALONS[which]][0]
            while talon and self.vacancies(which):
                self.pile(self.vacancies(which)[0]).append(talon.pop())
        if self.options["refill_from_stock"] == "turn_until_colour_comes":
            while self.pile(STOCK) and (self.vacancies("red") or self.vacancies("black")):
                self.turn_a_card()

    def turn_a_card(self) -> None:
        """A card of the pack to a vacancy of its colour, otherwise to its talon."""
        card = self.pile(STOCK).pop()
        vacant = self.vacancies(colour(card))
        target = vacant[0] if vacant else (TALONS[colour(card)], 0)
        self.pile(target).append(card)


TWIN = TheEmpressOfIndia
