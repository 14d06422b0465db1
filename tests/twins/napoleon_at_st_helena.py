"""Napoleon at St Helena (Forty Thieves), from Lady Cadogan and dossier 06.

Two packs. Four rows of ten cards, left to right, make ten columns; the other 64 are the stock. Only
the lowest card of a column and the top of the waste are available. Eight foundations ascend in suit
from ace to king; columns are packed in descending line in suit; a vacant column takes any available
card. The stock is turned one by one on to the waste.
"""

from typing import ClassVar

from . import Move, Options, Place, Twin, empty, first_values, free_runs, home, lowest_empty, marries, moved

STOCK, WASTE = ("stock", 0), ("waste", 0)


class NapoleonAtStHelena(Twin):
    """A game of Napoleon at St Helena."""

    OPTIONS: ClassVar[Options] = {
        "vacancy_source": ("tableau_or_waste", "waste_only"),
        "fill_from_unturned_stock": (False, True),
        "move_unit": ("single", "sequence"),
        "redeals": (0, 1, 2, 3),
        "stock_turn": ("when_wanted", "only_when_stuck"),
        "foundation_return": (False, True),
        "turn_at_deal": (False, True),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """Four rows of ten; the first card of a column is its uppermost, the one most covered."""
        rows = [deck[0:10], deck[10:20], deck[20:30], deck[30:40]]
        self.piles = {
            "foundation": empty(8),
            "stock": [list(reversed(deck[40:]))],
            "waste": [[]],
            "tableau": [[row[column] for row in rows] for column in range(10)],
        }
        if self.options["turn_at_deal"]:
            self.piles["waste"][0].append(self.piles["stock"][0].pop())

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """All moves; with `only_when_stuck` turning and redealing wait until nothing else is left."""
        others = self.plays() + self.builds() + self.fills() + self.returns()
        if others and self.options["stock_turn"] == "only_when_stuck":
            return others
        return others + self.turn() + self.redeal()

    def available(self) -> list[tuple[Place, tuple[str, ...]]]:
        """Whatever may be lifted from the waste and the columns, with its place."""
        waste = [(WASTE, run) for run in free_runs(self.piles["waste"][0], "single")]
        return waste + [
            (("tableau", column), run)
            for column, pile in enumerate(self.piles["tableau"])
            for run in free_runs(pile, self.options["move_unit"])
        ]

    def plays(self) -> list[Move]:
        """One card to a foundation."""
        return [
            move
            for source, cards in self.available()
            if len(cards) == 1
            for move in moved("play", source, "foundation", home(cards[0], self.piles["foundation"]), cards)
        ]

    def builds(self) -> list[Move]:
        """Marriages on the lowest cards of the columns."""
        return [
            move
            for source, cards in self.available()
            for move in moved("build", source, "tableau", self.takers(cards[0]), cards)
        ]

    def takers(self, card: str) -> list[int]:
        """The columns whose lowest card marries this one."""
        return [column for column, pile in enumerate(self.piles["tableau"]) if pile and marries(card, pile[-1])]

    def fills(self) -> list[Move]:
        """A vacant column takes any available card, but a whole column gains nothing there."""
        vacancy = lowest_empty(self.piles["tableau"])
        fills = [
            move
            for source, cards in self.available()
            if source == WASTE or (self.tableau_may_fill() and len(cards) < len(self.pile(source)))
            for move in moved("fill", source, "tableau", vacancy, cards)
        ]
        if self.options["fill_from_unturned_stock"] and self.piles["stock"][0]:
            fills += [Move("fill", STOCK, ("tableau", column), 1, ()) for column in vacancy]
        return fills

    def tableau_may_fill(self) -> bool:
        """The Note: some players only allow the vacancy to be filled from the waste."""
        return bool(self.options["vacancy_source"] == "tableau_or_waste")

    def returns(self) -> list[Move]:
        """With `foundation_return` a foundation's top card may come back to the columns."""
        if not self.options["foundation_return"]:
            return []
        vacancy = lowest_empty(self.piles["tableau"]) if self.tableau_may_fill() else []
        moves, seen = [], set()
        for slot, pile in enumerate(self.piles["foundation"]):
            if pile and pile[-1] not in seen:  # an equal twin would give the same game
                seen.add(pile[-1])
                targets = self.takers(pile[-1]) + vacancy
                moves += moved("return", ("foundation", slot), "tableau", targets, (pile[-1],))
        return moves

    def turn(self) -> list[Move]:
        """The next stock card to the waste."""
        return [Move("turn", STOCK, WASTE, 1, ())] if self.piles["stock"][0] else []

    def redeal(self) -> list[Move]:
        """The stock is out: turn the waste over, while redeals remain."""
        waste = self.piles["waste"][0]
        if self.piles["stock"][0] or not waste or not self.redeals_left:
            return []
        return [Move("redeal", WASTE, STOCK, len(waste), ())]

    def perform(self, move: Move) -> None:
        """Carry the cards; a redeal turns the whole waste over, so that its first card is next."""
        self.carry(move)
        if move.kind == "redeal":
            self.piles["stock"][0].reverse()
            self.redeals_left -= 1


TWIN = NapoleonAtStHelena
