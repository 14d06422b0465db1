"""The Salic Law, from Lady Cadogan and dossier 08.

Two packs. One king is laid down. The other cards are dealt one by one, each on the last king laid; a king begins the
next packet, an ace goes at once to the row of foundations, a queen at once to the row above. Between two cards the
surface cards of all packets may be played. Foundations ascend from ace to knave and do not follow suit. When all is
dealt, one surface card of another packet at a time may lie on a bare king.
"""

from typing import ClassVar

from . import Move, Options, Place, Twin, empty, first_values, moved, rank

STOCK = ("stock", 0)
PACKETS = range(8)


class TheSalicLaw(Twin):
    """A game of The Salic Law."""

    OPTIONS: ClassVar[Options] = {
        "king_space": ("one_at_a_time", "once_per_king"),
        "king_space_during_deal": (False, True),
        "turned_card_direct": (True, False),  # the same game: a card that was dealt is the surface of its packet
        "first_king": ("nearest_top", "random", "nearest_bottom"),
        "queens": ("as_they_appear", "removed_first"),
        "foundation_opens": ("with_its_ace", "with_its_king"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = {"foundation", "queens"}
    memory: tuple[int, ...]  # the kings on which the player has already laid a card, where that counts

    def deal(self, deck: list[str]) -> None:
        """One king; by option the queens; all else is to be dealt."""
        first = self.withdrawn(deck)
        early = [card for card in deck if rank(card) == 12 and self.options["queens"] == "removed_first"]
        rest = [card for at, card in enumerate(deck) if at != first and not (early and rank(card) == 12)]
        self.piles = {
            "foundation": empty(8),
            "tableau": [[deck[first]], *empty(7)],
            "queens": [[card] for card in early] or empty(8),
            "stock": [rest[::-1]],
        }
        self.memory = ()

    def withdrawn(self, deck: list[str]) -> int:
        """Where in the pack the first king lies."""
        kings = [at for at, card in enumerate(deck) if rank(card) == 13]
        if self.options["first_king"] == "random":
            kings = [int(at) for at in self.reshuffle([str(at) for at in kings], 0)]
        return kings[-1 if self.options["first_king"] == "nearest_bottom" else 0]

    @property
    def won(self) -> bool:
        """Eight knaves."""
        return all(len(pile) == 11 for pile in self.piles["foundation"])

    def legal(self) -> list[Move]:
        """Plays at any time; cards to bare kings after the deal, by option during it; the next card."""
        moves = self.plays()
        if not self.pile(STOCK) or self.options["king_space_during_deal"]:
            moves += self.fills()
        if self.pile(STOCK):
            moves.append(Move("deal", STOCK, ("tableau", self.last()), 1, ()))
        return moves

    def last(self) -> int:
        """The packet of the last king laid."""
        return self.kings_out() - 1

    def kings_out(self) -> int:
        """How many kings have been laid."""
        return sum(1 for packet in self.piles["tableau"] if packet)

    def surface(self) -> list[tuple[Place, str]]:
        """The surface cards, kings left out, with their places."""
        packets = self.piles["tableau"]
        return [(("tableau", at), packets[at][-1]) for at in PACKETS if len(packets[at]) > 1]

    def plays(self) -> list[Move]:
        """A surface card to the first of the foundations that take it: they are all of the same height."""
        return [
            move
            for place, card in self.surface()
            for move in moved("play", place, "foundation", self.takers(card)[:1], (card,))
        ]

    def takers(self, card: str) -> list[int]:
        """The foundations that take a card, whatever its suit; by option only those whose king is out."""
        opened = 8 if self.options["foundation_opens"] == "with_its_ace" else self.kings_out()
        return [slot for slot in range(opened) if len(self.piles["foundation"][slot]) == rank(card) - 1]

    def fills(self) -> list[Move]:
        """A surface card to a bare king."""
        bare = [at for at in PACKETS if len(self.piles["tableau"][at]) == 1 and at not in self.memory]
        return [
            Move("fill", place, ("tableau", king), 1, (card,))
            for place, card in self.surface()
            for king in bare
            if not self.same_again(place[1], king)
        ]

    def same_again(self, packet: int, king: int) -> bool:
        """A lone card from a king to its twin changes nothing, unless one of them is dealt on, or used up."""
        packets = self.piles["tableau"]
        if self.options["king_space"] == "once_per_king" or (self.pile(STOCK) and self.last() in (packet, king)):
            return False
        return len(packets[packet]) == 2 and packets[packet][0] == packets[king][0]

    def perform(self, move: Move) -> None:
        """Carry out the move."""
        if move.kind == "deal":
            self.deal_card(self.pile(STOCK).pop())
        else:
            self.carry(move)
        if move.kind == "fill" and self.options["king_space"] == "once_per_king":
            self.memory = tuple(sorted((*self.memory, move.target[1])))

    def deal_card(self, card: str) -> None:
        """Aces and queens at once to their rows; kings begin a packet; the others lie on the last king."""
        rows = {1: "foundation", 12: "queens", 13: "tableau"}
        if rank(card) in rows:
            next(pile for pile in self.piles[rows[rank(card)]] if not pile).append(card)
        else:
            self.piles["tableau"][self.last()].append(card)


TWIN = TheSalicLaw
