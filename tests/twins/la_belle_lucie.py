"""La Belle Lucie, from Lady Cadogan and dossier 03.

One pack in seventeen packets of three and one of a single card. Only the upper card of a packet is
available. Four foundations ascend in suit from ace to king; marriages on the tableau descend in suit.
The tableau may be taken up, shuffled and dealt again twice; the foundations stay.
"""

from typing import ClassVar

from . import Move, Options, Pile, Twin, empty, first_values, free_runs, home, lowest_empty, marries, moved, rank

WHOLE_TABLEAU = ("tableau", 0)


def together(cards: list[str]) -> list[Pile]:
    """Packets of three consecutive cards; the last packet has what remains."""
    return [cards[start : start + 3] for start in range(0, len(cards), 3)]


def round_robin(cards: list[str]) -> list[Pile]:
    """PySolFC's way: the full packets get one card each in three rounds; the rest makes a last packet."""
    full = len(cards) // 3
    packets = [[cards[row], cards[full + row], cards[2 * full + row]] for row in range(full)]
    rest = cards[3 * full :]
    return [*packets, rest] if rest else packets


class LaBelleLucie(Twin):
    """A game of La Belle Lucie."""

    OPTIONS: ClassVar[Options] = {
        "vacancy": ("closed", "king", "any"),
        "redeals": (2, 0, 1, 3),
        "merci": (0, 1),
        "merci_from": ("under", "anywhere", "anywhere_to_top"),
        "redeal_when": ("any_time", "only_when_stuck"),
        "move_unit": ("single", "sequence"),
        "foundation_return": (False, True),
        "dealing": ("together", "round_robin"),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """The whole pack in packets."""
        self.piles = {"foundation": empty(4), "tableau": self.packets(deck)}
        self.redeals_done = 0
        self.draws_left = self.options["merci"]

    def packets(self, cards: list[str]) -> list[Pile]:
        """The cards dealt in packets of three."""
        return together(cards) if self.options["dealing"] == "together" else round_robin(cards)

    @property
    def won(self) -> bool:
        """All 52 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """All moves; with `only_when_stuck` the redeal waits until nothing else is left."""
        others = self.lifts() + self.draws() + self.returns()
        if others and self.options["redeal_when"] == "only_when_stuck":
            return others
        return others + self.redeal()

    def lifts(self) -> list[Move]:
        """Upper cards (or runs) to a foundation, in marriage, or to a vacancy."""
        moves = []
        for index, packet in enumerate(self.piles["tableau"]):
            source = ("tableau", index)
            for cards in free_runs(packet, self.options["move_unit"]):
                if len(cards) == 1:
                    moves += moved("play", source, "foundation", home(cards[0], self.piles["foundation"]), cards)
                moves += moved("build", source, "tableau", self.takers(cards[0]), cards)
                if len(cards) < len(packet):
                    moves += moved("fill", source, "tableau", self.vacancies(cards[0]), cards)
        return moves

    def takers(self, card: str) -> list[int]:
        """The packets whose upper card marries this one."""
        return [index for index, packet in enumerate(self.piles["tableau"]) if packet and marries(card, packet[-1])]

    def vacancies(self, card: str) -> list[int]:
        """The vacancy that may take this card, if there is one."""
        rule = self.options["vacancy"]
        allowed = rule == "any" or (rule == "king" and rank(card) == 13)
        return lowest_empty(self.piles["tableau"]) if allowed else []

    def draws(self) -> list[Move]:
        """Merci: once, after the last deal, the card directly under an upper card, or any beneath it, is drawn out.

        It goes where an upper card may go, or with `anywhere_to_top` on its own packet.
        """
        if not self.draws_left or self.redeals_left:
            return []
        moves = []
        for index, packet in enumerate(self.piles["tableau"]):
            for card in packet[-2:-1] if self.options["merci_from"] == "under" else packet[:-1]:
                source = ("tableau", index)
                if self.options["merci_from"] == "anywhere_to_top":
                    moves += moved("draw", source, "tableau", [index], (card,))
                    continue
                others = [taker for taker in self.takers(card) if taker != index]
                moves += moved("draw", source, "foundation", home(card, self.piles["foundation"]), (card,))
                moves += moved("draw", source, "tableau", others + self.vacancies(card), (card,))
        return moves

    def returns(self) -> list[Move]:
        """With `foundation_return` a foundation's top card may come back to the packets."""
        if not self.options["foundation_return"]:
            return []
        moves = []
        for slot, pile in enumerate(self.piles["foundation"]):
            for card in pile[-1:]:
                targets = self.takers(card) + self.vacancies(card)
                moves += moved("return", ("foundation", slot), "tableau", targets, (card,))
        return moves

    def redeal(self) -> list[Move]:
        """Take up the tableau and deal it again, while redeals remain."""
        count = sum(len(packet) for packet in self.piles["tableau"])
        if not count or not self.redeals_left:
            return []
        return [Move("redeal", WHOLE_TABLEAU, WHOLE_TABLEAU, count, ())]

    def perform(self, move: Move) -> None:
        """Carry the cards, or draw the one beneath the upper card, or deal the tableau again."""
        if move.kind == "redeal":
            self.deal_again()
        elif move.kind == "draw":
            self.pile(move.source).remove(move.cards[0])
            self.pile(move.target).append(move.cards[0])
            self.draws_left -= 1
        else:
            self.carry(move)

    def deal_again(self) -> None:
        """Gather packets left to right, each from the bottom up, shuffle, deal."""
        gathered = [card for packet in self.piles["tableau"] for card in packet]
        self.redeals_left -= 1
        self.redeals_done += 1
        self.piles["tableau"] = self.packets(list(self.reshuffle(gathered, self.redeals_done)))


TWIN = LaBelleLucie
