"""La Croix d'Honneur, from the encyclopaedia's text (after Watilliaux, Paris 1885) and dossier 01.

One pack. An inner circle of eight cards, an outer circle of eight cards behind them; the other 36 are
the stock. Two cards of the same rank make a pair and are discarded.
Stage 1: the stock is turned on to the waste; the waste top pairs with inner cards; an inner card that
leaves is replaced by the outer card behind it. Stage 2, the stock being out: waste cards may fill
inner places that have nothing behind them. Stage 3, the waste being out: inner cards pair together.
"""

from typing import ClassVar

from . import Move, Options, Twin, empty, first_values, moved, rank

STOCK, WASTE = ("stock", 0), ("waste", 0)
RAYS = range(8)


class LaCroixDHonneur(Twin):
    """A game of La Croix d'Honneur."""

    OPTIONS: ClassVar[Options] = {
        "stage1_pairs": ("waste_with_inner", "also_inner_inner"),
        "stage2_fill": ("optional", "forced"),
        "stage2_fill_from": ("waste_top", "waste_bottom"),
        "stage_1_turn": ("when_wanted", "only_when_no_pair"),
        "outer_refill": ("automatic", "optional"),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """Eight inner cards, then eight outer cards on the same rays, then the stock."""
        self.piles = {
            "inner": [[card] for card in deck[0:8]],
            "outer": [[card] for card in deck[8:16]],
            "stock": [list(reversed(deck[16:]))],
            "waste": [[]],
            "discard": empty(1),
        }

    @property
    def won(self) -> bool:
        """All 52 cards are discarded."""
        return len(self.piles["discard"][0]) == 52

    @property
    def stage(self) -> int:
        """1 while there is a stock, 2 while there is a waste, then 3."""
        if self.piles["stock"][0]:
            return 1
        return 2 if self.piles["waste"][0] else 3

    def legal(self) -> list[Move]:
        """All moves of the stage."""
        pairs = self.waste_pairs() + self.inner_pairs()
        waits = bool(pairs) and self.options["stage_1_turn"] == "only_when_no_pair"
        return pairs + self.refills() + self.fills() + ([] if waits else self.turn())

    def waste_pairs(self) -> list[Move]:
        """The waste top with an inner card of the same rank."""
        return [
            Move("pair", WASTE, ("inner", ray), 2, (top, card))
            for top in self.piles["waste"][0][-1:]
            for ray in RAYS
            for card in self.piles["inner"][ray]
            if rank(top) == rank(card)
        ]

    def inner_pairs(self) -> list[Move]:
        """Two inner cards of the same rank: in stage 3, in stage 1 by option."""
        if self.stage == 2 or (self.stage == 1 and self.options["stage1_pairs"] == "waste_with_inner"):
            return []
        return [
            Move("pair", ("inner", ray), ("inner", other), 2, (card, mate))
            for ray in RAYS
            for other in RAYS
            if ray < other
            for card in self.piles["inner"][ray]
            for mate in self.piles["inner"][other]
            if rank(card) == rank(mate)
        ]

    def refills(self) -> list[Move]:
        """An outer card to the empty inner place of its ray; there are none when that is automatic."""
        return [
            move
            for ray in RAYS
            if not self.piles["inner"][ray]
            for card in self.piles["outer"][ray]
            for move in moved("refill", ("outer", ray), "inner", [ray], (card,))
        ]

    def open_places(self) -> list[int]:
        """The inner place open to the waste: the first one with nothing on it and nothing behind it."""
        return [ray for ray in RAYS if not self.piles["inner"][ray] and not self.piles["outer"][ray]][:1]

    def fills(self) -> list[Move]:
        """Stage 2: a waste card to an open place; all open places are alike."""
        if self.stage != 2:
            return []
        card = self.piles["waste"][0][self.filling_end()]
        return moved("fill", WASTE, "inner", self.open_places(), (card,))

    def filling_end(self) -> int:
        """Which waste card fills: the top one, or the bottom one by option."""
        return -1 if self.options["stage2_fill_from"] == "waste_top" else 0

    def turn(self) -> list[Move]:
        """The next stock card to the waste."""
        return [Move("turn", STOCK, WASTE, 1, ())] if self.piles["stock"][0] else []

    def perform(self, move: Move) -> None:
        """Make the move, then all that is automatic: outer cards move in, the waste fills if forced."""
        if move.kind == "pair":
            self.piles["discard"][0].extend([self.pile(move.source).pop(), self.pile(move.target).pop()])
        elif move.kind == "fill":
            self.fill(move)
        else:
            self.carry(move)
        if self.options["outer_refill"] == "automatic":
            for refill in self.refills():
                self.carry(refill)
        while self.options["stage2_fill"] == "forced" and self.fills():
            self.fill(self.fills()[0])

    def fill(self, move: Move) -> None:
        """Lay the filling card of the waste in the open place."""
        self.pile(move.target).append(self.piles["waste"][0].pop(self.filling_end()))


TWIN = LaCroixDHonneur
