"""The Clock (Big Ben), from Lady Cadogan and dossier 13.

Two packs. Twelve cards withdrawn from the pack lie at the hours of a clock: they are foundations that ascend in suit,
from king on to ace, each until its top card has the value of its hour. Around them twelve packets of three, dealt
together from I round. Upper cards are played home or marry in descending line in suit; packets of fewer than three are
filled up from the pack, and only then may a card of the pack be turned on to the talon.
"""

from typing import ClassVar

from . import RANKS, Move, Options, Pile, Twin, first_values, moved, rank

STOCK, WASTE = ("stock", 0), ("waste", 0)
FIRST_CARDS = ["6C", "7H", "8S", "9D", "TC", "JH", "QS", "KD", "2C", "3H", "4S", "5D"]  # at I, II, III … XII
LAST_CARDS = ["AC", "2H", "3S", "4D", "5C", "6H", "7S", "8D", "9C", "TH", "JS", "QD"]
FROM_ONE = range(12)  # I, II … XII
FROM_TWELVE = [11, *range(11)]  # XII, I … XI


def follows(card: str, below: str) -> bool:
    """Whether `card` is the next one up of the same suit; the ace follows the king."""
    return card[1] == below[1] and rank(card) % 13 == (rank(below) + 1) % 13


def withdraw(deck: list[str], copy: str) -> list[str]:
    """What is left of the pack when the twelve cards are taken out, of each the copy first (or last) dealt."""
    rest = list(deck) if copy == "nearest_top" else list(reversed(deck))
    for card in FIRST_CARDS:
        rest.remove(card)
    return rest if copy == "nearest_top" else list(reversed(rest))


class TheClock(Twin):
    """A game of The Clock."""

    OPTIONS: ClassVar[Options] = {
        "refill_when": ("when_wanted", "at_once"),
        "refill_order": ("packet_by_packet", "round_robin"),
        "marry_on_short_packet": (True, False),
        "marriage_wrap": (False, True),
        "waste_marries": (False, True),
        "redeals": (0, 1),
        "dealing": ("together", "round_robin"),
        "withdrawn_copy": ("nearest_top", "nearest_bottom"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = set()  # packets are filled in the order of the hours

    def deal(self, deck: list[str]) -> None:
        """The hours, then the packets; the rest is the stock."""
        rest = withdraw(deck, self.options["withdrawn_copy"])
        packets: list[Pile] = [[] for _ in FROM_ONE]
        if self.options["dealing"] == "together":
            for hour in FROM_ONE:
                packets[hour] = [rest.pop(0), rest.pop(0), rest.pop(0)]
        else:
            for _ in range(3):
                for hour in FROM_TWELVE:
                    packets[hour].append(rest.pop(0))
        self.piles = {
            "stock": [rest[::-1]],
            "foundation": [[card] for card in FIRST_CARDS],
            "waste": [[]],
            "tableau": packets,
        }

    @property
    def won(self) -> bool:
        """Every foundation has reached its hour."""
        return [pile[-1] for pile in self.piles["foundation"]] == LAST_CARDS

    def legal(self) -> list[Move]:
        """Cards home, marriages, and one thing to do with the pack."""
        return self.plays() + self.marriages() + self.refill() + self.turn() + self.redeal()

    def plays(self) -> list[Move]:
        """Upper cards, and the top of the talon, to each foundation that takes them and is not complete."""
        moves = []
        packets = [("tableau", index) for index in FROM_ONE]
        for source in [*packets, WASTE]:
            for card in self.pile(source)[-1:]:
                hours = [
                    hour
                    for hour, pile in enumerate(self.piles["foundation"])
                    if follows(card, pile[-1]) and pile[-1] != LAST_CARDS[hour]
                ]
                moves += moved("play", source, "foundation", hours, (card,))
        return moves

    def marriages(self) -> list[Move]:
        """Upper cards (with `waste_marries` the top of the talon too) on upper cards of the circle."""
        sources = [("tableau", index) for index in FROM_ONE]
        if self.options["waste_marries"]:
            sources.append(WASTE)
        moves = []
        for source in sources:
            for card in self.pile(source)[-1:]:
                takers = [
                    index
                    for index, packet in enumerate(self.piles["tableau"])
                    if packet
                    and follows(packet[-1], card)
                    and (rank(card) != len(RANKS) or self.options["marriage_wrap"])
                    and (len(packet) >= 3 or self.options["marry_on_short_packet"])
                ]
                moves += moved("build", source, "tableau", takers, (card,))
        return moves

    def short(self) -> list[int]:
        """The packets of fewer than three cards."""
        return [index for index, packet in enumerate(self.piles["tableau"]) if len(packet) < 3]

    def refill(self) -> list[Move]:
        """All short packets are filled from the pack in one step, named by the first of them."""
        if not self.short() or not self.piles["stock"][0]:
            return []
        return [Move("refill", STOCK, ("tableau", self.short()[0]), 0, ())]

    def turn(self) -> list[Move]:
        """The next card of the pack to the talon, when no packet is short."""
        return [Move("turn", STOCK, WASTE, 1, ())] if self.piles["stock"][0] and not self.short() else []

    def redeal(self) -> list[Move]:
        """The pack is out: turn the talon over, while redeals remain."""
        waste = self.piles["waste"][0]
        if self.piles["stock"][0] or not waste or not self.redeals_left:
            return []
        return [Move("redeal", WASTE, STOCK, len(waste), ())]

    def perform(self, move: Move) -> None:
        """Carry a card, fill the packets, or turn the talon over."""
        if move.kind == "refill":
            self.fill_packets()
        else:
            self.carry(move)
        if move.kind == "redeal":
            self.piles["stock"][0].reverse()
            self.redeals_left -= 1
        if self.options["refill_when"] == "at_once":
            self.fill_packets()

    def fill_packets(self) -> None:
        """Packet by packet from I round, or one card for each short packet from XII round, again and again."""
        stock = self.piles["stock"][0]
        if self.options["refill_order"] == "packet_by_packet":
            for hour in FROM_ONE:
                while stock and len(self.piles["tableau"][hour]) < 3:
                    self.piles["tableau"][hour].append(stock.pop())
        while stock and self.short():
            for hour in FROM_TWELVE:
                if stock and len(self.piles["tableau"][hour]) < 3:
                    self.piles["tableau"][hour].append(stock.pop())


TWIN = TheClock
