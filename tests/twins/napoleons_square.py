"""Napoleon's Square, from Lady Cadogan and dossier 22.

Two packs. Twelve packets of four cards dealt together make three sides of a square; the other 56 are the
stock. If two kings of one suit block smaller cards of their suit, one of them is slipped underneath, or all
is dealt again. Eight foundations ascend in suit from ace to king; the upper cards of the square are packed in
descending line in suit; a vacant place may be filled by the talon's top or by the next card of the pack. The
stock is turned one by one on to the waste (the book's talon).
"""

from typing import ClassVar

from . import (
    Move,
    Options,
    Pile,
    Place,
    Twin,
    empty,
    first_values,
    free_runs,
    home,
    lowest_empty,
    marries,
    moved,
    rank,
)

STOCK, WASTE = ("stock", 0), ("waste", 0)


class NapoleonsSquare(Twin):
    """A game of Napoleon's Square."""

    OPTIONS: ClassVar[Options] = {
        "blocked_kings": ("slip_one", "redeal", "ignore"),
        "blocked_test": ("each_king_over_a_lower_card_of_its_suit", "different_packets_only"),
        "vacancy_source": ("waste_or_stock", "any_card"),
        "move_unit": ("single", "sequence"),
        "redeals": (0, 1),
        "foundation_return": (False, True),
        "dealing": ("together", "round_robin"),
        "turn_at_deal": (False, True),
        "fill_from_unturned_stock": (True, False),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """The square, then what blocked kings ask for, then the rest of the pack."""
        square, again = self.square(deck), 0
        while self.options["blocked_kings"] == "redeal" and self.blocked_kings(square):
            again += 1
            deck = list(self.reshuffle(deck, again))
            square = self.square(deck)
        while self.options["blocked_kings"] == "slip_one" and self.blocked_kings(square):
            packet, depth = self.blocked_kings(square)[0]
            square[packet].insert(0, square[packet].pop(depth))
        self.lay(square, deck[48:])

    def lay(self, square: list[Pile], rest: list[str]) -> None:
        """The square and the stock; PySolFC turns its first card at once."""
        self.piles = {"foundation": empty(8), "stock": [list(reversed(rest))], "waste": [[]], "tableau": square}
        if self.options["turn_at_deal"]:
            self.piles["waste"][0].append(self.piles["stock"][0].pop())

    def square(self, deck: list[str]) -> list[Pile]:
        """Twelve packets of four."""
        if self.options["dealing"] == "round_robin":
            return [[deck[packet + 12 * row] for row in range(4)] for packet in range(12)]
        return [deck[4 * packet : 4 * packet + 4] for packet in range(12)]

    def blocked_kings(self, square: list[Pile]) -> list[tuple[int, int]]:
        """Packet and depth of every king over a smaller card of its suit that has a fellow in the same plight."""
        blocking = [
            (packet, depth, pile[depth])
            for packet, pile in enumerate(square)
            for depth in range(4)
            if rank(pile[depth]) == 13 and any(card[1] == pile[depth][1] and rank(card) < 13 for card in pile[:depth])
        ]
        apart = self.options["blocked_test"] == "different_packets_only"
        return [
            (packet, depth)
            for packet, depth, king in blocking
            if any(
                king == other and (packet, depth) != (p, d) and not (apart and packet == p) for p, d, other in blocking
            )
        ]

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """All moves."""
        return self.plays() + self.builds() + self.fills() + self.returns() + self.turn() + self.redeal()

    def available(self) -> list[tuple[Place, tuple[str, ...]]]:
        """The talon's top, and the upper cards (or runs) of the square."""
        waste = [(WASTE, run) for run in free_runs(self.piles["waste"][0], "single")]
        return waste + [
            (("tableau", packet), run)
            for packet, pile in enumerate(self.piles["tableau"])
            for run in free_runs(pile, self.options["move_unit"])
        ]

    def plays(self) -> list[Move]:
        """One card to a foundation."""
        moves = []
        for source, cards in self.available():
            if len(cards) == 1:
                moves += moved("play", source, "foundation", home(cards[0], self.piles["foundation"]), cards)
        return moves

    def builds(self) -> list[Move]:
        """Marriages with the upper cards of the square."""
        moves = []
        for source, cards in self.available():
            moves += moved("build", source, "tableau", self.takers(cards[0]), cards)
        return moves

    def takers(self, card: str) -> list[int]:
        """The packets whose upper card marries this one."""
        return [packet for packet, pile in enumerate(self.piles["tableau"]) if pile and marries(card, pile[-1])]

    def fills(self) -> list[Move]:
        """A vacant place takes the talon's top or the next pack card, by option also part of a packet."""
        vacancy, moves = lowest_empty(self.piles["tableau"]), []
        for source, cards in self.available():
            part = len(cards) < len(self.pile(source))
            if source == WASTE or (part and self.options["vacancy_source"] == "any_card"):
                moves += moved("fill", source, "tableau", vacancy, cards)
        if self.options["fill_from_unturned_stock"] and self.piles["stock"][0]:
            moves += [Move("fill", STOCK, ("tableau", place), 1, ()) for place in vacancy]
        return moves

    def returns(self) -> list[Move]:
        """With `foundation_return` a foundation's top card may come back to the square."""
        if not self.options["foundation_return"]:
            return []
        vacancy = lowest_empty(self.piles["tableau"]) if self.options["vacancy_source"] == "any_card" else []
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


TWIN = NapoleonsSquare
