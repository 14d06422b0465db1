"""Rouge et Noir, from the encyclopaedia's text (Charles Jewell's game) and dossier 02.

Two packs. Ten columns of 8, 7, 6, 5, 4, 3, 2, 1, 1 and no cards, only the top cards face up; the other 67 are the
stock. Columns are built down in alternate colours, and runs move in part or in whole; a king, or a run that a king
heads, may go to an empty column. Four foundations begin with two red and two black aces and are built up by colour.
A run from king to ace in alternate colours may be discarded, four times. The stock is dealt a card on each column.
"""

from typing import ClassVar

from . import Move, Options, Pile, Twin, empty, first_values, moved, rank

STOCK = ("stock", 0)
COLUMNS, FOUNDATIONS = range(10), range(4)
HEIGHTS = (8, 7, 6, 5, 4, 3, 2, 1, 1)


def red(card: str) -> bool:
    """Whether the card is a heart or a diamond."""
    return card[1] in "HD"


def follows(card: str, below: str) -> bool:
    """Whether a card may lie on another in a column."""
    return rank(card) == rank(below) - 1 and red(card) != red(below)


def is_run(cards: Pile) -> bool:
    """Whether these cards lie one on another as they should."""
    return all(follows(cards[i + 1], cards[i]) for i in range(len(cards) - 1))


class RougeEtNoir(Twin):
    """A game of Rouge et Noir."""

    OPTIONS: ClassVar[Options] = {
        "foundation_build": ("same_colour", "alternate_colour"),
        "foundation_aces": ("two_red_two_black", "one_of_each_suit"),
        "deal_when": ("any_time", "only_when_no_moves"),
        "deal_on_empty": (True, False),
        "last_deal": ("partial_left_to_right", "not_dealt"),
        "discard_run": ("when_wanted", "forced"),
        "discard_from": ("end_of_any_column", "whole_column_only"),
        "discard_limit": (4, "none"),
        "dealing": ("by_columns", "by_rows"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = set()  # the next deal falls on them from left to right

    def deal(self, deck: list[str]) -> None:
        """The columns one after another, or row by row from right to left, the top cards last."""
        cards = list(deck)
        columns: list[Pile] = empty(10)
        if self.options["dealing"] == "by_columns":
            for column, height in enumerate(HEIGHTS):
                columns[column] = [cards.pop(0) for _ in range(height)]
        else:
            for left in range(7, 0, -1):
                for column in reversed(range(left)):
                    columns[column].append(cards.pop(0))
            for column in reversed(range(9)):
                columns[column].append(cards.pop(0))
        discards = 4 if self.options["discard_limit"] == 4 else 8
        self.piles = {
            "foundation": empty(4),
            "discard": empty(discards),
            "tableau": columns,
            "stock": [cards[::-1]],
        }
        self.covered = tuple(max(len(column) - 1, 0) for column in columns)

    @property
    def won(self) -> bool:
        """52 cards on the foundations, four runs discarded."""
        built = [len(pile) for pile in self.piles["foundation"]]
        return built == [13] * 4 and sum(len(pile) for pile in self.piles["discard"]) == 52

    def open_cards(self, column: int) -> Pile:
        """The cards of a column that lie face up."""
        return self.piles["tableau"][column][self.covered[column] :]

    def legal(self) -> list[Move]:
        """Everything that the text allows."""
        others = self.plays() + self.builds() + self.discards()
        if others and self.options["deal_when"] == "only_when_no_moves":
            return others
        return others + self.deals()

    def plays(self) -> list[Move]:
        """Top cards to the foundations."""
        moves = []
        for column in COLUMNS:
            for card in self.open_cards(column)[-1:]:
                slots = self.slots_for(card)
                moves += moved("play", ("tableau", column), "foundation", slots, (card,))
        return moves

    def slots_for(self, card: str) -> list[int]:
        """The foundations that take this card; of those that are alike only the first."""
        slots: list[int] = []
        alike = set()
        for slot in FOUNDATIONS:
            pile = self.piles["foundation"][slot]
            looks = (len(pile), red(pile[-1]) if pile else red("A" + "CDHS"[slot]))
            if self.takes(slot, card) and looks not in alike:
                alike.add(looks)
                slots.append(slot)
        return slots

    def takes(self, slot: int, card: str) -> bool:
        """Whether this foundation takes this card now; the places are of clubs, diamonds, hearts, spades."""
        pile = self.piles["foundation"][slot]
        suit = "CDHS"[slot]
        if rank(card) != len(pile) + 1:
            return False
        if not pile:
            if self.options["foundation_aces"] == "one_of_each_suit":
                return card[1] == suit
            return red(card) == red("A" + suit)
        same = red(card) == red(pile[-1])
        return same if self.options["foundation_build"] == "same_colour" else not same

    def builds(self) -> list[Move]:
        """Cards and runs to other columns; to an empty one only those that a king heads."""
        moves = []
        for column in COLUMNS:
            cards = self.open_cards(column)
            for start in range(len(cards)):
                run = cards[start:]
                if not is_run(run):
                    continue
                for target in COLUMNS:
                    pile = self.piles["tableau"][target]
                    if pile and target != column and follows(run[0], pile[-1]):
                        moves += moved("build", ("tableau", column), "tableau", [target], tuple(run))
                    if not pile and rank(run[0]) == 13:
                        moves += moved("fill", ("tableau", column), "tableau", [target], tuple(run))
        return moves

    def discards(self) -> list[Move]:
        """Complete runs at the end of a column, while a place for them is left."""
        moves = []
        for column in COLUMNS:
            for place in self.discard_place():
                if self.ends_in_complete_run(column):
                    run = tuple(self.piles["tableau"][column][-13:])
                    moves += moved("play", ("tableau", column), "discard", [place], run)
        return moves

    def discard_place(self) -> list[int]:
        """The first place without a run."""
        return [place for place, pile in enumerate(self.piles["discard"]) if not pile][:1]

    def ends_in_complete_run(self, column: int) -> bool:
        """Whether the last 13 cards of a column (by option all its cards) are a run from king to ace."""
        cards = self.open_cards(column)[-13:]
        whole = len(self.piles["tableau"][column]) == 13
        allowed = whole or self.options["discard_from"] == "end_of_any_column"
        return len(cards) == 13 and is_run(cards) and allowed

    def deals(self) -> list[Move]:
        """A stock card on each column, if they are enough."""
        stock, wanted = len(self.piles["stock"][0]), len(self.receivers())
        enough = stock >= wanted or self.options["last_deal"] == "partial_left_to_right"
        return [Move("turn", STOCK, ("tableau", 0), 0, ())] if stock and wanted and enough else []

    def receivers(self) -> list[int]:
        """The columns that a deal falls on."""
        return [column for column in COLUMNS if self.piles["tableau"][column] or self.options["deal_on_empty"]]

    def perform(self, move: Move) -> None:
        """Carry the cards or deal; then what follows by itself."""
        if move.kind == "turn":
            for column in self.receivers():
                if self.piles["stock"][0]:
                    self.piles["tableau"][column].append(self.piles["stock"][0].pop())
        else:
            self.carry(move)
        self.turn_up()
        if self.options["discard_run"] == "forced":
            for column in COLUMNS:
                while self.ends_in_complete_run(column) and self.discard_place():
                    run = self.piles["tableau"][column][-13:]
                    del self.piles["tableau"][column][-13:]
                    self.piles["discard"][self.discard_place()[0]] = run
                    self.turn_up()

    def turn_up(self) -> None:
        """A bared card is turned face up."""
        heights = [len(column) for column in self.piles["tableau"]]
        self.covered = tuple(max(min(down, height - 1), 0) for down, height in zip(self.covered, heights, strict=True))


TWIN = RougeEtNoir
