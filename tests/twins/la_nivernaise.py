"""La Nivernaise, from Lady Cadogan and dossier 17.

Two packs. Two Flanks of four single cards; below, a Line of six packets of four cards dealt together; the rest is the
stock, dealt over the Line in rounds of four cards a packet. Flanks and upper cards of the Line go to the foundations,
four up from the ace and four down from the king, in suit. A vacant Flank takes the upper card of a packet or the next
of the stock; a packet that is gone is replaced at once by four cards. As many cards of each packet may be looked at as
there are vacant Flanks. A card may pass between the two foundations of its suit. Once the Line is dealt again.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Place, Twin, empty, first_values, lowest_empty, moved, rank

STOCK = ("stock", 0)


class LaNivernaise(Twin):
    """A game of La Nivernaise; foundation 2 s ascends in suit s, foundation 2 s + 1 descends."""

    OPTIONS: ClassVar[Options] = {
        "gather": ("packet1_bottom_first", "packet6_bottom_first"),
        "exchange": ("any_time_one_card", "off"),
        "exchange_base": (False, True),
        "flank_fill": ("stock_or_line_optional", "line_only"),
        "redeals": (1, 0, 2, 3),
        "line_view": ("vacancies_deep", "top_only", "all"),
        "flank_to_flank": (False, True),
        "foundation_return": (False, True),
        "arranged_deal": (False, True),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = {"reserve"}

    def deal(self, deck: list[str]) -> None:
        """The Flanks, then the Line."""
        cards = list(deck)
        if self.options["arranged_deal"] and not any(rank(card) in (1, 13) for card in cards[:8]):
            last = max(at for at, card in enumerate(cards) if rank(card) in (1, 13))
            cards.insert(0, cards.pop(last))
        flanks, rest = cards[:8], cards[8:]
        self.piles = {
            "foundation": empty(8),
            "reserve": [[card] for card in flanks],
            "tableau": empty(6),
            "stock": [rest[::-1]],
        }
        self.deal_round()

    def deal_round(self) -> None:
        """Four cards on each packet, from left to right, as long as there are any."""
        for packet in range(6):
            self.add_four(packet)

    def add_four(self, packet: int) -> None:
        """Four cards of the stock, together, on a packet."""
        for _ in range(4):
            if self.pile(STOCK):
                self.piles["tableau"][packet].append(self.pile(STOCK).pop())

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    @property
    def covered(self) -> tuple[int, ...]:
        """How many cards of each packet may not be looked at."""
        vacant = sum(not pile for pile in self.piles["reserve"])
        seen = {"vacancies_deep": max(1, vacant), "top_only": 1, "all": 104}[self.options["line_view"]]
        return tuple(max(0, len(packet) - seen) for packet in self.piles["tableau"])

    def legal(self) -> list[Move]:
        """Everything is optional."""
        return self.plays() + self.to_flanks() + self.exchanges() + self.round_or_redeal()

    def places(self, zone: str) -> list[tuple[Place, str]]:
        """The places of a zone that have a card, with their upper cards."""
        return [((zone, index), pile[-1]) for index, pile in enumerate(self.piles[zone]) if pile]

    def foundations_for(self, card: str) -> list[int]:
        """The foundations that take this card: the one that goes up, the one that goes down, both or none."""
        up = 2 * SUITS.index(card[1])
        heights = [len(pile) for pile in self.piles["foundation"]]
        return [up] * (heights[up] == rank(card) - 1) + [up + 1] * (heights[up + 1] == 13 - rank(card))

    def plays(self) -> list[Move]:
        """Cards of the Flanks and upper cards of the Line to the foundations."""
        moves = []
        for place, card in self.places("reserve") + self.places("tableau"):
            moves += moved("play", place, "foundation", self.foundations_for(card), (card,))
        return moves

    def to_flanks(self) -> list[Move]:
        """Cards to a vacant Flank."""
        moves: list[Move] = []
        for vacant in lowest_empty(self.piles["reserve"]):
            for place, card in self.places("tableau"):
                moves += moved("fill", place, "reserve", [vacant], (card,))
            if self.pile(STOCK) and self.options["flank_fill"] != "line_only":
                moves.append(Move("fill", STOCK, ("reserve", vacant), 1, ()))
            for place, card in self.places("reserve") if self.options["flank_to_flank"] else []:
                moves += moved("fill", place, "reserve", [vacant], (card,))
            for place, card in self.places("foundation") if self.options["foundation_return"] else []:
                moves += moved("return", place, "reserve", [vacant], (card,))
        return moves

    def exchanges(self) -> list[Move]:
        """A card from one foundation of its suit to the other; aces and kings stay but by option."""
        moves: list[Move] = []
        for place, card in self.places("foundation") if self.options["exchange"] != "off" else []:
            if self.options["exchange_base"] or rank(card) not in (1, 13):
                moves += moved("transfer", place, "foundation", self.foundations_for(card), (card,))
        return moves

    def round_or_redeal(self) -> list[Move]:
        """A round while there is stock; then the Line may be taken up."""
        if self.pile(STOCK):
            return [Move("deal", STOCK, ("tableau", 0), 24, ())]
        left = sum(len(packet) for packet in self.piles["tableau"])
        return [Move("redeal", ("tableau", 0), ("tableau", 0), left, ())] if left and self.redeals_left else []

    def perform(self, move: Move) -> None:
        """Make the move; a packet that is gone is replaced at once."""
        if move.kind == "redeal":
            self.take_up()
        if move.kind in ("redeal", "deal"):
            self.deal_round()
            return
        self.carry(move)
        if move.source[0] == "tableau" and not self.pile(move.source):
            self.add_four(move.source[1])

    def take_up(self) -> None:
        """Take up the Line from left to right, and turn it."""
        self.redeals_left -= 1
        packets = self.piles["tableau"]
        if self.options["gather"] == "packet6_bottom_first":
            packets = packets[::-1]
        self.piles["stock"] = [[card for packet in packets for card in packet][::-1]]
        self.piles["tableau"] = empty(6)


TWIN = LaNivernaise
