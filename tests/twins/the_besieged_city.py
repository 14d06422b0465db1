"""The Besieged City, from Lady Cadogan and dossier 19.

Two packs. Four rows of three cards are the Reserve; at the ends of the rows and columns lie fourteen packets, the
Ramparts. The foundations are four aces of different suits, on which kings follow, then deuces, queens, threes and so
on, 26 cards each. Cards of the Ramparts, and cards of the pack as they are turned, are played there. Reserve cards
pass into the Ramparts at the ends of their own lines; talon cards pass into the Reserve.
"""

from itertools import pairwise
from typing import ClassVar

from . import SUITS, Move, Options, Place, Twin, empty, first_values, moved, rank

STOCK, WASTE, TURNED = ("stock", 0), ("waste", 0), ("turned", 0)
ORDER = [1, 13, 2, 12, 3, 11, 4, 10, 5, 9, 6, 8, 7, 7, 8, 6, 9, 5, 10, 4, 11, 3, 12, 2, 13, 1]
ROWS = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
COLUMNS = [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]
LINES = [*COLUMNS, *ROWS, *reversed(COLUMNS), *reversed(ROWS)]  # of each rampart, clockwise from the top left


class TheBesiegedCity(Twin):
    """A game of The Besieged City."""

    OPTIONS: ClassVar[Options] = {
        "order_links": ("sum14_or_sum15", "sum14_only"),
        "end_transpose": ("free_rearrangement", "swap_two", "off"),
        "rampart_fill": ("player_chooses_card_forced", "optional"),
        "stock_card_to_rampart": (False, True),
        "turned_card": ("choice", "foundation_else_waste"),
        "redeals": (0, 1),
        "move_unit": ("single", "sequence"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = set()

    def deal(self, deck: list[str]) -> None:
        """The Reserve, then the Ramparts; the rest is the stock."""
        self.piles = {
            "foundation": empty(4),
            "rampart": [[card] for card in deck[12:26]],
            "reserve": [[card] for card in deck[:12]],
            "stock": [deck[:25:-1]],
            "waste": [[]],
            "turned": [[]],
        }

    @property
    def won(self) -> bool:
        """Four packets of 26."""
        return all(len(pile) == len(ORDER) for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """What must be settled first, or else everything."""
        if self.must_fill():
            return self.fills()
        if self.pile(TURNED):
            return self.turned_moves()
        return [
            *self.plays(),
            *self.transfers(),
            *self.sorties(),
            *self.fills(),
            *self.turn(),
            *self.redeal(),
            *self.transpositions(),
        ]

    def homes(self, card: str) -> list[int]:
        """The foundation of this suit, if the card is the next of the order there."""
        slot = SUITS.index(card[1])
        height = len(self.piles["foundation"][slot])
        return [slot] if height < len(ORDER) and ORDER[height] == rank(card) else []

    def links(self, card: str, below: str) -> bool:
        """Rule II: the same suit, next up or down, or neighbours in the order of the foundations."""
        if card[1] != below[1]:
            return False
        sums = [14] if self.options["order_links"] == "sum14_only" else [14, 15]
        return abs(rank(card) - rank(below)) == 1 or rank(card) + rank(below) in sums

    def takers(self, card: str) -> list[int]:
        """The ramparts on which the card may be placed."""
        return [at for at, pile in enumerate(self.piles["rampart"]) if pile and self.links(card, pile[-1])]

    def plays(self) -> list[Move]:
        """Cards of the Ramparts to the foundations."""
        moves = []
        for at, pile in enumerate(self.piles["rampart"]):
            for card in pile[-1:]:
                moves += moved("play", ("rampart", at), "foundation", self.homes(card), (card,))
        return moves

    def units(self, pile: list[str]) -> list[tuple[str, ...]]:
        """The top card; with `sequence` also the longer runs that end the packet, by ones, all up or all down."""
        units = [tuple(pile[-n:]) for n in range(1, len(pile) + 1) if n == 1 or self.is_run(pile[-n:])]
        return units if self.options["move_unit"] == "sequence" else units[:1]

    def is_run(self, cards: list[str]) -> bool:
        """A regular succession in one suit."""
        suits = {card[1] for card in cards}
        steps = {rank(upper) - rank(lower) for lower, upper in pairwise(cards)}
        return len(suits) == 1 and steps in ({1}, {-1})

    def transfers(self) -> list[Move]:
        """Cards of the Ramparts on other ramparts."""
        moves = []
        for at, pile in enumerate(self.piles["rampart"]):
            for unit in self.units(pile):
                takers = [other for other in self.takers(unit[0]) if other != at]
                moves += moved("build", ("rampart", at), "rampart", takers, unit)
        return moves

    def sorties(self) -> list[Move]:
        """Cards of the Reserve on the ramparts at the ends of their lines."""
        moves = []
        for place, pile in enumerate(self.piles["reserve"]):
            for card in pile:
                takers = [at for at in self.takers(card) if place in LINES[at]]
                moves += moved("build", ("reserve", place), "rampart", takers, (card,))
        return moves

    def fills(self) -> list[Move]:
        """Cards of the Reserve to vacant ramparts at the ends of their lines."""
        return [
            Move("refill", ("reserve", place), ("rampart", at), 1, tuple(self.piles["reserve"][place]))
            for at, pile in enumerate(self.piles["rampart"])
            for place in LINES[at]
            if not pile and self.piles["reserve"][place]
        ]

    def must_fill(self) -> bool:
        """Whether a vacancy is to be filled before all else."""
        return self.options["rampart_fill"] == "player_chooses_card_forced" and bool(self.fills())

    def turn(self) -> list[Move]:
        """The next card of the pack."""
        return [Move("turn", STOCK, TURNED, 1, ())] if self.pile(STOCK) else []

    def redeal(self) -> list[Move]:
        """The pack is out: turn the talon over, while redeals remain."""
        if self.pile(STOCK) or not self.pile(WASTE) or not self.redeals_left:
            return []
        return [Move("redeal", WASTE, STOCK, len(self.pile(WASTE)), ())]

    def turned_moves(self) -> list[Move]:
        """The turned card is played, by option placed on a rampart, or laid on the talon."""
        card = self.pile(TURNED)[0]
        ramparts = self.takers(card) if self.options["stock_card_to_rampart"] else []
        return [
            *moved("play", TURNED, "foundation", self.homes(card), (card,)),
            *moved("build", TURNED, "rampart", ramparts, (card,)),
            Move("deal", TURNED, WASTE, 1, (card,)),
        ]

    def transpositions(self) -> list[Move]:
        """Pack and talon are out: a Reserve card changes places with another, or goes to a vacant place."""
        if self.pile(STOCK) or self.pile(WASTE) or self.options["end_transpose"] == "off":
            return []
        moves = []
        reserve = list(enumerate(self.piles["reserve"]))
        for place, pile in reserve:
            for other, there in reserve:
                if pile and there and place < other and pile != there:
                    moves.append(Move("exchange", ("reserve", place), ("reserve", other), 1, tuple(pile)))
                if pile and not there and self.options["end_transpose"] == "free_rearrangement":
                    moves.append(Move("exchange", ("reserve", place), ("reserve", other), 1, tuple(pile)))
        return moves

    def perform(self, move: Move) -> None:
        """Carry out a step, then whatever follows without a choice."""
        if move.kind == "exchange":
            one, other = self.pile(move.source), self.pile(move.target)
            one[:], other[:] = list(other), list(one)
        else:
            self.carry(move)
        if move.kind == "redeal":
            self.pile(STOCK).reverse()
            self.redeals_left -= 1
        if move.kind == "turn":
            self.settle_turned()
        self.fill_reserve()
        while self.must_fill() and len(self.fills()) == 1:
            self.carry(self.fills()[0])
            self.fill_reserve()

    def settle_turned(self) -> None:
        """A turned card without a choice goes where it must."""
        moves = self.turned_moves()
        must_play = self.options["turned_card"] == "foundation_else_waste" and moves[0].kind == "play"
        if must_play or len(moves) == 1:
            self.carry(moves[0])

    def fill_reserve(self) -> None:
        """Vacant places of the Reserve take the talon's top card, without a talon the next one of the pack."""
        for pile in self.piles["reserve"]:
            source: list[Place] = [place for place in (WASTE, STOCK) if self.pile(place)]
            if not pile and source:
                pile.append(self.pile(source[0]).pop())


TWIN = TheBesiegedCity
