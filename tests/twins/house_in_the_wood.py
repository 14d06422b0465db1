"""The House in the Wood, from Lady Cadogan and dossier 04.

La Belle Lucie with two packs and double the number of packets: thirty-four of three cards and two of a
single card. Only the upper card of a packet is available. Eight foundations ascend in suit from ace to
king; marriages on the tableau descend in suit. The tableau may be taken up, shuffled and dealt again
twice, in threes; the foundations stay.
"""

from itertools import pairwise
from typing import ClassVar

from . import RANKS, Move, Options, Pile, Twin, empty, first_values, home, lowest_empty, moved, rank

WHOLE_TABLEAU = ("tableau", 0)


def above(card: str) -> str:
    """The next higher card of the suit; none for a king."""
    return RANKS[rank(card) : rank(card) + 1] + card[1]


def beneath(card: str) -> str:
    """The next lower card of the suit; none for an ace."""
    return RANKS[: rank(card) - 1][-1:] + card[1]


def together(deck: list[str], sizes: list[int]) -> list[Pile]:
    """Each packet at once: consecutive cards, the last one uppermost."""
    cards = iter(deck)
    return [[next(cards) for _ in range(size)] for size in sizes]


def round_by_round(deck: list[str], sizes: list[int]) -> list[Pile]:
    """PySolFC's way: three rounds of one card each; a packet of fewer cards misses the first rounds."""
    packets, cards = empty(len(sizes)), iter(deck)
    for missed in (0, 1, 2):
        for packet, size in zip(packets, sizes, strict=True):
            if size >= 3 - missed:
                packet.append(next(cards))
    return packets


class HouseInTheWood(Twin):
    """A game of The House in the Wood."""

    OPTIONS: ClassVar[Options] = {
        "remainder": ("two_packets_of_one", "one_packet_of_two"),
        "marriages": ("down", "up_and_down"),
        "redeals": (2, 0, 1, 3),
        "vacancy": ("closed", "king", "any"),
        "move_unit": ("single", "sequence"),
        "foundation_return": (False, True),
        "dealing": ("together", "round_robin"),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """Both packs in packets."""
        sizes = [3] * 34 + ([1, 1] if self.options["remainder"] == "two_packets_of_one" else [2])
        lay = together if self.options["dealing"] == "together" else round_by_round
        self.piles = {"foundation": empty(8), "tableau": lay(deck, sizes)}
        self.redeals_done = 0

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return sum(len(pile) for pile in self.piles["foundation"]) == 104

    def legal(self) -> list[Move]:
        """Everything that may be done."""
        return self.plays() + self.marriages() + self.fills() + self.returns() + self.redeal()

    def mates(self, card: str) -> list[str]:
        """The cards on which this one may lie: the next above in suit; by option the next below too."""
        return [above(card)] if self.options["marriages"] == "down" else [above(card), beneath(card)]

    def homes(self, card: str) -> list[int]:
        """The foundation that takes this card, if there is one."""
        return home(card, self.piles["foundation"])

    def takers(self, card: str) -> list[int]:
        """The packets whose upper card marries this one."""
        mates = self.mates(card)
        return [index for index, pile in enumerate(self.piles["tableau"]) if pile and pile[-1] in mates]

    def vacancies(self, card: str) -> list[int]:
        """The vacancy that may take this card, if there is one."""
        rule = self.options["vacancy"]
        allowed = rule == "any" or (rule == "king" and rank(card) == 13)
        return lowest_empty(self.piles["tableau"]) if allowed else []

    def lifted(self) -> list[tuple[int, Pile]]:
        """What may be taken off the packets: each upper card; with `sequence` also the runs that end with it."""
        most = 1 if self.options["move_unit"] == "single" else 13
        return [
            (index, packet[-count:])
            for index, packet in enumerate(self.piles["tableau"])
            for count in range(1, min(most, len(packet)) + 1)
            if self.is_run(packet[-count:])
        ]

    def is_run(self, cards: Pile) -> bool:
        """Each card marries the one it lies on, and the ranks go one way all along."""
        pairs = list(pairwise(cards))
        steps = {rank(upper) - rank(lower) for lower, upper in pairs}
        return len(steps) <= 1 and all(lower in self.mates(upper) for lower, upper in pairs)

    def plays(self) -> list[Move]:
        """An upper card to a foundation."""
        moves = []
        for index, packet in enumerate(self.piles["tableau"]):
            for card in packet[-1:]:
                moves += moved("play", ("tableau", index), "foundation", self.homes(card), (card,))
        return moves

    def marriages(self) -> list[Move]:
        """Upper cards, or runs, on the upper cards of other packets."""
        moves = []
        for index, cards in self.lifted():
            others = [taker for taker in self.takers(cards[0]) if taker != index]
            moves += moved("build", ("tableau", index), "tableau", others, tuple(cards))
        return moves

    def fills(self) -> list[Move]:
        """By option, to a vacancy; a whole packet gains nothing there."""
        moves: list[Move] = []
        if self.options["vacancy"] == "closed":
            return moves
        for index, cards in self.lifted():
            if len(cards) < len(self.piles["tableau"][index]):
                moves += moved("fill", ("tableau", index), "tableau", self.vacancies(cards[0]), tuple(cards))
        return moves

    def returns(self) -> list[Move]:
        """With `foundation_return` the top of a foundation may come back; of equal twins the first."""
        if not self.options["foundation_return"]:
            return []
        moves: list[Move] = []
        foundations = self.piles["foundation"]
        for slot, pile in enumerate(foundations):
            if pile and pile not in foundations[:slot]:
                targets = self.takers(pile[-1]) + self.vacancies(pile[-1])
                moves += moved("return", ("foundation", slot), "tableau", targets, (pile[-1],))
        return moves

    def redeal(self) -> list[Move]:
        """Take up the tableau and deal it again, while redeals remain."""
        count = sum(len(packet) for packet in self.piles["tableau"])
        return [Move("redeal", WHOLE_TABLEAU, WHOLE_TABLEAU, count, ())] if count and self.redeals_left else []

    def perform(self, move: Move) -> None:
        """Carry the cards, or gather all packets, left to right and each from the bottom up, and deal in threes."""
        if move.kind != "redeal":
            self.carry(move)
            return
        gathered = [card for packet in self.piles["tableau"] for card in packet]
        self.redeals_left -= 1
        self.redeals_done += 1
        cards = list(self.reshuffle(gathered, self.redeals_done))
        self.piles["tableau"] = [cards[start : start + 3] for start in range(0, len(cards), 3)]


TWIN = HouseInTheWood
