"""The Fifteen, from Lady Cadogan and dossier 07.

Two packs dealt in rows of fifteen, the last row of fourteen: fourteen columns of seven and one of six. Only the lowest
card of a column is available. Four foundations up in suit from the ace, four down in suit from the king. Marriages in
suit, up and down. An empty column, a lane, takes any available card. No redeal.

The opening grace: while no foundation is begun and none can be, one ace and one king of the sixth row may go to the
foundations from under the card below them, which then fills their place.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Place, Twin, empty, first_values, lowest_empty, moved, rank
from .fortress import may_lie_on, runs_one_way

LAST = 14  # the short column
BOTH_WAYS = (-1, 1)


class TheFifteen(Twin):
    """A game of The Fifteen."""

    OPTIONS: ClassVar[Options] = {
        "opening_grace": ("one_ace_and_one_king", "off"),
        "grace_condition": ("no_foundation_started_and_none_available", "before_any_move"),
        "grace_row": ("original_sixth_row_under_one_card", "second_lowest_card"),
        "short_column": ("sixth_row_card_available", "not"),
        "move_unit": ("single", "sequence"),
        "foundation_return": (False, True),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """Row by row, from left to right."""
        self.piles = {"foundation": empty(8), "tableau": [deck[column::15] for column in range(15)]}
        self.held = self.options["short_column"] == "not"
        self.grace_from: frozenset[int] = frozenset()  # the columns that the grace may still take a card of
        if self.options["opening_grace"] != "off":
            anywhere = self.options["grace_row"] == "second_lowest_card"
            tableau = self.piles["tableau"]
            self.grace_from = frozenset(c for c in range(15) if anywhere or rank(tableau[c][5]) in (1, 13))

    @property
    def memory(self) -> tuple[object, ...]:
        """What the table does not show."""
        return self.held, sorted(self.grace_from)

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    def available(self) -> list[tuple[Place, tuple[str, ...]]]:
        """Whatever may be lifted, with its place; the dealt last card of the short column may be held."""
        return [
            (("tableau", column), run)
            for column, pile in enumerate(self.piles["tableau"])
            for run in runs_one_way(pile, self.options["move_unit"], BOTH_WAYS)
            if not (self.held and column == LAST and len(pile) - len(run) < 6)
        ]

    def legal(self) -> list[Move]:
        """Plays, marriages, cards to a lane, and the grace."""
        moves = self.plays()
        if not moves:
            moves += self.grace()
        for place, cards in self.available():
            moves += self.marriages("build", place, cards)
            if len(cards) < len(self.pile(place)):
                moves += self.to_lane("fill", place, cards)
        return moves + self.returns()

    def plays(self) -> list[Move]:
        """Available cards to the foundations, one by one."""
        return [
            move
            for place, cards in self.available()
            if len(cards) == 1
            for move in moved("play", place, "foundation", self.foundations_for(cards[0]), cards)
        ]

    def foundations_for(self, card: str) -> list[int]:
        """The foundations that take this card: the one that goes up, the one that goes down, both or none."""
        up = 2 * SUITS.index(card[1])
        heights = [len(pile) for pile in self.piles["foundation"]]
        return [up] * (heights[up] == rank(card) - 1) + [up + 1] * (heights[up + 1] == 13 - rank(card))

    def marriages(self, kind: str, place: Place, cards: tuple[str, ...]) -> list[Move]:
        """The other columns whose lowest card takes the first of these cards."""
        takers = [
            column
            for column, pile in enumerate(self.piles["tableau"])
            if ("tableau", column) != place and pile and may_lie_on(cards[0], pile[-1], BOTH_WAYS)
        ]
        return moved(kind, place, "tableau", takers, cards)

    def to_lane(self, kind: str, place: Place, cards: tuple[str, ...]) -> list[Move]:
        """A lane takes any available card."""
        return moved(kind, place, "tableau", lowest_empty(self.piles["tableau"]), cards)

    def returns(self) -> list[Move]:
        """With `foundation_return` a foundation's top card may come back to the columns."""
        moves: list[Move] = []
        for slot, pile in enumerate(self.piles["foundation"]):
            if pile and self.options["foundation_return"]:
                moves += self.marriages("return", ("foundation", slot), (pile[-1],))
                moves += self.to_lane("return", ("foundation", slot), (pile[-1],))
        return moves

    def grace(self) -> list[Move]:
        """One ace, one king, or one of each, while no foundation is begun."""
        if any(self.piles["foundation"]):
            return []
        blocked = {column: self.blocked(column) for column in sorted(self.grace_from)}
        aces = [(column, card) for column, card in blocked.items() if card and rank(card) == 1]
        kings = [(column, card) for column, card in blocked.items() if card and rank(card) == 13]
        moves = []
        for column, card in aces + kings:
            moves += moved("draw", ("tableau", column), "foundation", self.foundations_for(card), (card,))
        for ace_column, ace in aces:
            for king_column, king in kings:
                moves += moved("draw", ("tableau", ace_column), "tableau", [king_column], (ace, king))
        return moves

    def blocked(self, column: int) -> str:
        """The card under exactly one other: that of the sixth row, or in any row."""
        pile = self.piles["tableau"][column]
        if self.options["grace_row"] == "second_lowest_card":
            return pile[-2] if len(pile) >= 2 else ""
        return pile[5] if len(pile) == 7 else ""

    def perform(self, move: Move) -> None:
        """Carry the cards, or withdraw them from under the lowest ones; then see what can no longer be."""
        columns = [place[1] for place in (move.source, move.target) if place[0] == "tableau"]
        if move.kind == "draw":
            for column, card in zip(columns, move.cards, strict=True):
                self.piles["foundation"][self.foundations_for(card)[0]].append(card)
                del self.piles["tableau"][column][-2]
            self.grace_from = frozenset()
        else:
            self.carry(move)
        if self.options["grace_condition"] == "before_any_move":
            self.grace_from = frozenset()
        if self.options["grace_row"] == "original_sixth_row_under_one_card":
            self.grace_from = frozenset(c for c in self.grace_from if len(self.piles["tableau"][c]) >= 6)
        if LAST in columns and len(self.piles["tableau"][LAST]) <= 6:
            self.held = False


TWIN = TheFifteen
