"""The Blockade, from Lady Cadogan and dossier 12.

Two packs. Rows of twelve cards are dealt one beneath the other. In each column only the lowest card is available.
Eight foundations ascend in suit from ace to king; available cards are married in descending line, exactly over each
other. While a row is dealt aces may be played as they appear, and nothing else. Vacancies are refilled from the pack,
higher rows first, and when none is left another row may be dealt.
"""

from typing import ClassVar

from . import Move, Options, Pile, Place, Twin, empty, first_values, free_runs, home, marries, moved, rank

STOCK = ("stock", 0)
COLUMNS = 12


class TheBlockade(Twin):
    """A game of The Blockade."""

    OPTIONS: ClassVar[Options] = {
        "refill_timing": ("after_the_bout", "after_each_move"),
        "bout_ends": ("when_player_wants", "when_no_move"),
        "ace_gap": ("next_card_at_once", "left_till_row_complete"),
        "ace_play_in_deal": ("optional", "forced"),
        "row_needs_no_vacancy": (True, False),
        "end_vacancy": ("closed", "any_card"),
        "move_unit": ("single", "sequence"),
        "foundation_return": (False, True),
        "table": ("cells", "columns"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = set()
    begun: int  # cells that a card of a row has fallen on, row by row
    ace_waits: bool  # the deal has stopped at an ace in the last of them

    def deal(self, deck: list[str]) -> None:
        """All cards into the hand; then the first row."""
        self.columns = self.options["table"] == "columns"
        self.zone = "tableau" if self.columns else "cells"
        self.piles = {"foundation": empty(8), "stock": [list(reversed(deck))], self.zone: []}
        self.begun, self.ace_waits = 0, False
        self.new_row()
        self.refill_at_once()

    @property
    def cells(self) -> list[Pile]:
        """The cells, row by row; with `columns` a single row."""
        return self.piles[self.zone]

    @property
    def stock(self) -> Pile:
        """The pack, its next card last."""
        return self.pile(STOCK)

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    @property
    def memory(self) -> str:
        """What tells positions apart beside the table."""
        return f"{self.begun} {self.ace_waits}"

    def legal(self) -> list[Move]:
        """During the deal of a row an ace or nothing; otherwise everything."""
        if self.ace_waits:
            cell = self.begun - 1
            return [*self.plays([(self.zone, cell)]), Move("deal", STOCK, (self.zone, cell), 1, ())]
        moves = self.plays(self.available()) + self.marriages() + self.fills() + self.returns()
        if moves and self.options["bout_ends"] == "when_no_move":
            return moves
        return moves + self.refill() + self.another_row()

    def available(self) -> list[Place]:
        """The lowest cell of each column that has a card."""
        full = [[cell for cell in self.column(k) if self.cells[cell]] for k in range(COLUMNS)]
        return [(self.zone, cells[-1]) for cells in full if cells]

    def column(self, k: int) -> list[int]:
        """The cells of a column, from above."""
        return list(range(k, len(self.cells), COLUMNS))

    def vacancies(self) -> list[int]:
        """Cells that had a card and have none, higher rows first, each from left to right."""
        return [cell for cell in range(self.begun) if not self.cells[cell]]

    def plays(self, places: list[Place]) -> list[Move]:
        """One card to its foundation."""
        moves = []
        for place in places:
            card = self.pile(place)[-1]
            moves += moved("play", place, "foundation", home(card, self.piles["foundation"]), (card,))
        return moves

    def lifted(self) -> list[tuple[Place, tuple[str, ...]]]:
        """What may be lifted from available cells: a card, or with `sequence` a run."""
        return [
            (place, run) for place in self.available() for run in free_runs(self.pile(place), self.options["move_unit"])
        ]

    def takers(self, card: str) -> list[int]:
        """The available cells whose upper card marries this one."""
        return [cell for _, cell in self.available() if marries(card, self.cells[cell][-1])]

    def marriages(self) -> list[Move]:
        """Available cards on available cards."""
        return [
            move
            for source, cards in self.lifted()
            for move in moved("build", source, self.zone, self.takers(cards[0]), cards)
        ]

    def fills(self) -> list[Move]:
        """When the pack is out, by option: to the highest vacancy of another column."""
        moves = []
        for source, cards in self.lifted():
            targets = [cell for cell in self.open_vacancies() if cell % COLUMNS != source[1] % COLUMNS]
            if self.columns and len(cards) == len(self.pile(source)):
                targets = []  # a whole column gains nothing in another place
            moves += moved("fill", source, self.zone, targets, cards)
        return moves

    def open_vacancies(self) -> list[int]:
        """The vacancies that a card of the table may take; empty columns are alike, so only the first counts."""
        if self.options["end_vacancy"] == "closed" or self.stock:
            return []
        vacant = self.vacancies()
        highest = [
            cell for cell in vacant if not any(above in vacant for above in range(cell % COLUMNS, cell, COLUMNS))
        ]
        return highest[:1] if self.columns else highest

    def returns(self) -> list[Move]:
        """By option the top card of a foundation comes back to where another card might go."""
        if not self.options["foundation_return"]:
            return []
        moves, seen = [], set()
        for slot, pile in enumerate(self.piles["foundation"]):
            if pile and pile[-1] not in seen:  # an equal twin would give the same game
                seen.add(pile[-1])
                targets = self.takers(pile[-1]) + self.open_vacancies()
                moves += moved("return", ("foundation", slot), self.zone, targets, (pile[-1],))
        return moves

    def refill(self) -> list[Move]:
        """All vacancies from the pack, in one step."""
        return [Move("refill", STOCK, (self.zone, cell), 1, ()) for cell in self.vacancies()[:1] if self.stock]

    def another_row(self) -> list[Move]:
        """Deal another row, by default only when there is no vacancy."""
        if not self.stock or (self.vacancies() and self.options["row_needs_no_vacancy"]):
            return []
        return [Move("deal", STOCK, (self.zone, 0 if self.columns else self.begun), 1, ())]

    def perform(self, move: Move) -> None:
        """Make the move, and go on with the row that is being dealt."""
        if self.ace_waits:
            self.ace_waits = False
            if move.kind == "play":
                self.carry(move)
                if self.options["ace_gap"] == "next_card_at_once":
                    self.lay_card()
            self.rest_of_row()
        elif move.kind == "deal":
            self.new_row()
        elif move.kind == "refill":
            self.refill_all()
        else:
            self.carry(move)
        self.refill_at_once()

    def refill_at_once(self) -> None:
        """By option no vacancy waits, once the row is complete."""
        if self.options["refill_timing"] == "after_each_move" and not self.ace_waits:
            self.refill_all()

    def refill_all(self) -> None:
        """Cards of the pack to the vacancies, as long as it lasts."""
        for cell in self.vacancies():
            if self.stock:
                self.cells[cell].append(self.stock.pop())

    def new_row(self) -> None:
        """Twelve cards beneath the others, or on the columns; fewer when the pack runs out."""
        if not self.columns or not self.cells:
            self.cells.extend(empty(COLUMNS))
        if self.columns:
            self.begun = COLUMNS
            for pile in self.cells:
                if self.stock:
                    pile.append(self.stock.pop())
        else:
            self.begun += 1
            self.lay_card()
            self.rest_of_row()

    def rest_of_row(self) -> None:
        """Card after card, until the row is complete or an ace may be played."""
        while not self.ace_waits and self.stock and self.begun % COLUMNS:
            self.begun += 1
            self.lay_card()

    def lay_card(self) -> None:
        """The next card falls on the cell that was begun last."""
        cell = self.begun - 1
        if not self.stock:
            return
        self.cells[cell].append(self.stock.pop())
        if rank(self.cells[cell][-1]) == 1:
            if self.options["ace_play_in_deal"] == "optional":
                self.ace_waits = True
            else:
                self.carry(self.plays([(self.zone, cell)])[0])
                if self.options["ace_gap"] == "next_card_at_once":
                    self.lay_card()


TWIN = TheBlockade
