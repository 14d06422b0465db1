"""The Four Corners, from Lady Cadogan and dossier 09.

Two packs, dealt out over twelve packets in rounds: top left corner, four left sides, lower left corner, and the same on
the right. Aces go up and kings down in suit, in two columns in the centre. During the deal a foundation card is played
at once, another card that has just fallen may be played from a corner, or from a side on the foundation beside it, and
the next card takes its place. Afterwards all upper cards may be played or married, up and down in suit. Twice the
packets may be taken up in order and dealt again.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Place, Twin, empty, first_values, lowest_empty, moved, rank
from .fortress import runs_one_way

STOCK = ("stock", 0)
PACKETS = range(12)
CORNERS = (0, 5, 6, 11)
SIDES = (1, 2, 3, 4, 7, 8, 9, 10)
LEFT, RIGHT = [0, 6, 4, 2], [1, 7, 5, 3]  # the foundations beside the sides: clubs, spades, hearts, diamonds
PYSOLFC_ROWS = [0, 6, 5, 11, 1, 2, 3, 4, 7, 8, 9, 10]


class TheFourCorners(Twin):
    """A game of The Four Corners; foundation 2 s ascends in suit s, foundation 2 s + 1 descends."""

    OPTIONS: ClassVar[Options] = {
        "during_deal_scope": ("just_dealt", "any_upper"),
        "replace_withdrawn": (True, False),
        "centre": ("aces_left_kings_right", "slots_in_order_of_appearance"),
        "gather": ("packet1_bottom_first", "packet12_bottom_first", "packet1_top_first", "pysolfc"),
        "vacancy": ("closed", "any"),
        "redeals": (2, 0, 1, 3),
        "marriages": ("suit", "rank"),
        "move_unit": ("single", "sequence"),
        "foundation_return": (False, True),
        "dealing": ("card_by_card", "whole_rounds"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = set()  # a card's place decides where it may be played, and when it is dealt again

    def deal(self, deck: list[str]) -> None:
        """Everything is in the hand at first."""
        self.piles = {"foundation": empty(8), "stock": [deck[::-1]], "tableau": empty(12)}
        self.next_packet = 0
        self.just_dealt: list[int] = []  # the packets whose upper card has just fallen there
        self.begun: list[int] = []  # the foundations in the order in which they were begun
        self.deal_once()
        self.go_on_dealing()

    @property
    def memory(self) -> tuple[object, ...]:
        """What tells positions apart beside the table."""
        fresh = sorted(self.just_dealt) if self.options["during_deal_scope"] == "just_dealt" else []
        begun = list(self.begun) if self.options["centre"] == "slots_in_order_of_appearance" else []
        return (self.next_packet, fresh, begun)

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """During the deal its own plays, and to go on; afterwards everything else."""
        if self.pile(STOCK):
            return [*self.plays_in_deal(), Move("deal", STOCK, ("tableau", self.next_packet), 1, ())]
        return self.plays() + self.marriages() + self.returns() + self.redeal()

    # The deal

    def plays_in_deal(self) -> list[Move]:
        """The card just dealt, or by option any upper card, where its packet lets it go."""
        scope = self.just_dealt if self.options["during_deal_scope"] == "just_dealt" else PACKETS
        moves = []
        for packet in scope:
            for card in self.piles["tableau"][packet][-1:]:
                slots = [slot for slot in self.foundations_for(card) if self.lets_go(packet, slot)]
                moves += moved("play", ("tableau", packet), "foundation", slots, (card,))
        return moves

    def lets_go(self, packet: int, slot: int) -> bool:
        """From a corner to any foundation, from a side to the one beside it; foundation cards from everywhere."""
        return packet in CORNERS or self.beside(packet) == slot or not self.piles["foundation"][slot]

    def beside(self, packet: int) -> int | None:
        """The foundation that adjoins a side packet."""
        column = LEFT + RIGHT if self.options["centre"] == "aces_left_kings_right" else self.begun
        return dict(zip(SIDES, column, strict=False)).get(packet)

    def go_on_dealing(self) -> None:
        """Deal until something can be played; whole rounds each wait for the player."""
        if self.options["dealing"] == "card_by_card":
            while self.pile(STOCK) and not self.plays_in_deal():
                self.deal_once()
        if not self.pile(STOCK):
            self.next_packet, self.just_dealt = 0, []

    def deal_once(self) -> None:
        """A card falls on the next packet, or one on each."""
        self.just_dealt = []
        if self.options["dealing"] == "card_by_card":
            packet = self.next_packet
            self.next_packet = (packet + 1) % 12
            self.fall(packet)
        else:
            for packet in PACKETS:
                self.fall(packet)

    def fall(self, packet: int) -> None:
        """The next card falls on a packet; a foundation card is played at once, and the next takes its place."""
        if self.pile(STOCK):
            card = self.pile(STOCK).pop()
            slots = [slot for slot in self.foundations_for(card) if not self.piles["foundation"][slot]]
            if slots and self.options["dealing"] == "card_by_card":
                self.piles["foundation"][slots[0]].append(card)
                self.note(slots[0])
                self.replace(packet)
            else:
                self.piles["tableau"][packet].append(card)
                self.just_dealt.append(packet)

    def replace(self, packet: int) -> None:
        """A card was withdrawn from here."""
        if self.options["replace_withdrawn"]:
            self.fall(packet)

    def note(self, slot: int) -> None:
        """A foundation has perhaps been begun."""
        if slot not in self.begun:
            self.begun.append(slot)

    # After the deal

    def foundations_for(self, card: str) -> list[int]:
        """The foundations that take this card: the one that goes up, the one that goes down, both or none."""
        up = 2 * SUITS.index(card[1])
        heights = [len(pile) for pile in self.piles["foundation"]]
        return [up] * (heights[up] == rank(card) - 1) + [up + 1] * (heights[up + 1] == 13 - rank(card))

    def plays(self) -> list[Move]:
        """Upper cards to the foundations."""
        moves = []
        for packet, pile in enumerate(self.piles["tableau"]):
            for card in pile[-1:]:
                moves += moved("play", ("tableau", packet), "foundation", self.foundations_for(card), (card,))
        return moves

    def marriages(self) -> list[Move]:
        """Upper cards, or runs, on upper cards; by option to a vacancy."""
        moves = []
        for packet, pile in enumerate(self.piles["tableau"]):
            place = ("tableau", packet)
            for cards in runs_one_way(pile, self.options["move_unit"], (1, -1)):
                moves += self.on_packets("build", place, cards)
                if len(cards) < len(pile):
                    moves += self.to_vacancy("fill", place, cards)
        return moves

    def on_packets(self, kind: str, place: Place, cards: tuple[str, ...]) -> list[Move]:
        """The upper cards that are next above or below, in suit or by option in any."""
        takers = [
            packet
            for packet, pile in enumerate(self.piles["tableau"])
            if pile
            and ("tableau", packet) != place
            and abs(rank(pile[-1]) - rank(cards[0])) == 1
            and (pile[-1][1] == cards[0][1] or self.options["marriages"] == "rank")
        ]
        return moved(kind, place, "tableau", takers, cards)

    def to_vacancy(self, kind: str, place: Place, cards: tuple[str, ...]) -> list[Move]:
        """By option an empty packet takes any card."""
        vacancies = lowest_empty(self.piles["tableau"]) if self.options["vacancy"] == "any" else []
        return moved(kind, place, "tableau", vacancies, cards)

    def returns(self) -> list[Move]:
        """With `foundation_return` a foundation's top card may come back to the packets."""
        moves = []
        for slot, pile in enumerate(self.piles["foundation"]):
            for card in pile[-1:] if self.options["foundation_return"] else []:
                moves += self.on_packets("return", ("foundation", slot), (card,))
                moves += self.to_vacancy("return", ("foundation", slot), (card,))
        return moves

    def redeal(self) -> list[Move]:
        """Take up the packets and deal them again."""
        left = sum(len(pile) for pile in self.piles["tableau"])
        return [Move("redeal", ("tableau", 0), ("tableau", 0), left, ())] if left and self.redeals_left else []

    def gathered(self) -> list[str]:
        """The cards of the packets, first the one that is dealt first."""
        tableau = self.piles["tableau"]
        order = {
            "packet1_bottom_first": [tableau[packet] for packet in PACKETS],
            "packet12_bottom_first": [tableau[packet] for packet in reversed(PACKETS)],
            "packet1_top_first": [tableau[packet][::-1] for packet in PACKETS],
            "pysolfc": [tableau[packet] for packet in reversed(PYSOLFC_ROWS)],
        }
        return [card for pile in order[self.options["gather"]] for card in pile]

    def perform(self, move: Move) -> None:
        """Make the move, and go on dealing as far as nothing can be done."""
        dealing = bool(self.pile(STOCK))
        if move.kind == "redeal":
            self.redeals_left -= 1
            self.piles["stock"], self.piles["tableau"] = [self.gathered()[::-1]], empty(12)
            self.deal_once()
        elif move.kind == "deal":
            self.deal_once()
        else:
            self.carry(move)
            if move.target[0] == "foundation":
                self.note(move.target[1])
            if dealing:
                self.just_dealt = [packet for packet in self.just_dealt if packet != move.source[1]]
                self.replace(move.source[1])
        self.go_on_dealing()

    def clone(self) -> "TheFourCorners":
        """The lists of this twin are its own, too."""
        other = super().clone()
        assert isinstance(other, TheFourCorners)
        other.just_dealt, other.begun = list(self.just_dealt), list(self.begun)
        return other


TWIN = TheFourCorners
