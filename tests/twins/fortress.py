"""Fortress, from Lady Cadogan and dossier 14.

One pack in two groups of five rows, dealt straight across, row by row. Only the outside card of a row is available:
the left one in the left-hand group, the right one in the right-hand group. Four foundations in suit on the aces.
Marriages in suit, up and down, on outside cards. An empty row, a lane, takes any available card. No redeal.

Rows are lists from the inner end outwards; rows 0 to 4 are the left-hand group, 5 to 9 the right-hand one.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Pile, Place, Twin, empty, first_values, lowest_empty, moved, rank

UP = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
DOWN_WRAPPED = (1, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)


def may_lie_on(card: str, below: str, steps: tuple[int, ...]) -> bool:
    """Whether the card is of the suit of the one beneath it and so many values higher."""
    return card[1] == below[1] and rank(card) - rank(below) in steps


def runs_one_way(pile: Pile, move_unit: str, steps: tuple[int, ...]) -> list[tuple[str, ...]]:
    """What may be lifted: the last card, and with `sequence` longer runs in suit that go one way, by one of `steps`."""
    lifts = [tuple(pile[-1:])] if pile else []
    if move_unit == "sequence":
        for start in range(len(pile) - 2, -1, -1):
            steps = tuple(step for step in steps if may_lie_on(pile[start + 1], pile[start], (step,)))
            if not steps:
                break
            lifts.append(tuple(pile[start:]))
    return lifts


class Fortress(Twin):
    """A game of Fortress."""

    OPTIONS: ClassVar[Options] = {
        "foundation_direction": ("up", "down_wrapped"),
        "shape": ("6_5_5_5_5_each", "two_rows_of_six_first"),
        "move_unit": ("single", "sequence"),
        "marriages": ("up_and_down", "down"),
        "foundation_return": (False, True),
        "dealing": ("straight_across", "round_robin"),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """The rows from the deck; in the left-hand group the first card dealt to a row lies outside."""
        cards = list(deck)
        each = self.options["shape"] == "6_5_5_5_5_each"
        left = [6, 5, 5, 5, 5] if each else [6, 6, 5, 5, 5]
        right = [6, 5, 5, 5, 5] if each else [5, 5, 5, 5, 5]
        rows: list[Pile] = empty(10)
        if self.options["dealing"] == "round_robin":
            while cards:
                for row, size in zip(rows, left + right, strict=True):
                    if len(row) < size:
                        row.append(cards.pop(0))
        else:
            for line in range(5):
                for _ in range(left[line]):
                    rows[line].insert(0, cards.pop(0))
                for _ in range(right[line]):
                    rows[5 + line].append(cards.pop(0))
        self.piles = {"foundation": empty(4), "tableau": rows}

    @property
    def won(self) -> bool:
        """All 52 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    @property
    def steps(self) -> tuple[int, ...]:
        """How much higher a married card may be than the card it lies on."""
        return (-1,) if self.options["marriages"] == "down" else (-1, 1)

    def legal(self) -> list[Move]:
        """Plays, marriages, and cards to a lane."""
        moves: list[Move] = []
        for row, pile in enumerate(self.piles["tableau"]):
            place = ("tableau", row)
            for cards in runs_one_way(pile, self.options["move_unit"], self.steps):
                if len(cards) == 1:
                    moves += moved("play", place, "foundation", self.foundation_for(cards[0]), cards)
                moves += self.marriages("build", place, cards)
                if len(cards) < len(pile):
                    moves += self.to_lane("fill", place, cards)
        return moves + self.returns()

    def foundation_for(self, card: str) -> list[int]:
        """The foundation of the suit, if this card is the next one there."""
        order = UP if self.options["foundation_direction"] == "up" else DOWN_WRAPPED
        slot = SUITS.index(card[1])
        height = len(self.piles["foundation"][slot])
        return [slot] if height < 13 and order[height] == rank(card) else []

    def marriages(self, kind: str, place: Place, cards: tuple[str, ...]) -> list[Move]:
        """The other rows whose outside card takes the deepest of these cards."""
        first = cards[0]
        takers = [
            row
            for row, pile in enumerate(self.piles["tableau"])
            if ("tableau", row) != place and pile and may_lie_on(first, pile[-1], self.steps)
        ]
        return moved(kind, place, "tableau", takers, cards)

    def to_lane(self, kind: str, place: Place, cards: tuple[str, ...]) -> list[Move]:
        """A lane takes any available card."""
        return moved(kind, place, "tableau", lowest_empty(self.piles["tableau"]), cards)

    def returns(self) -> list[Move]:
        """With `foundation_return` a foundation's top card may come back to the rows."""
        moves: list[Move] = []
        for slot, pile in enumerate(self.piles["foundation"]):
            if pile and self.options["foundation_return"]:
                moves += self.marriages("return", ("foundation", slot), (pile[-1],))
                moves += self.to_lane("return", ("foundation", slot), (pile[-1],))
        return moves

    def perform(self, move: Move) -> None:
        """Nothing follows from a move but that the cards lie elsewhere."""
        self.carry(move)


TWIN = Fortress
