"""The Hemispheres, from Lady Cadogan and dossier 21.

Two packs. Four red aces ascend and four black kings descend, in suit. A king of hearts (right) and one of diamonds
(left) part a northern hemisphere of red cards from a southern one of black cards; an ace of clubs and one of spades
part each into two Races of three places. From the king of hearts round, clockwise, the ring is SE, SW, NW, NE. Only
cards in their own hemisphere are available; wrong ones may be exchanged, two at a time, and in the end transferred.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Place, Twin, first_values, moved, rank

STOCK, WASTE = ("stock", 0), ("waste", 0)
RING = range(12)
BARRIERS = ("KH", "KD", "AC", "AS")


def red(card: str) -> bool:
    return card[1] in "HD"


def north(place: int) -> bool:
    """The second half of the ring."""
    return place >= 6


class TheHemispheres(Twin):
    """A game of The Hemispheres."""

    OPTIONS: ClassVar[Options] = {
        "refill_source": ("stock", "waste_then_stock"),
        "marriage_scope": ("own_race", "own_hemisphere"),
        "marriage_suit": ("suit", "colour"),
        "barrier_release": ("stock_and_waste_out", "when_it_fits"),
        "end_transfer": ("to_a_vacancy_in_proper_hemisphere", "usable_where_it_lies"),
        "vacancy_after_stock": ("stays", "waste"),
        "wrong_cards": ("unusable", "played"),
        "end_vacancy": ("wrong_cards", "home_cards"),
        "refill": ("before_next_card", "at_once"),
        "start": ("KH", "KD"),
        "turn_at_deal": (False, True),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = set()

    def deal(self, deck: list[str]) -> None:
        """Foundations and barriers out of the pack, the copies nearest the top; then the ring; then the stock."""
        pack = list(deck)
        bases = [("A" if suit in "DH" else "K") + suit for suit in SUITS for _ in range(2)]
        for card in (*bases, *BARRIERS):
            pack.remove(card)
        ring, rest = pack[:12], pack[12:]
        if self.options["start"] == "KD":
            ring = ring[6:] + ring[:6]
        self.piles = {
            "foundation": [[card] for card in bases],
            "barrier": [[card] for card in BARRIERS],
            "tableau": [[card] for card in ring],
            "stock": [rest[::-1]],
            "waste": [[]],
        }
        if self.options["turn_at_deal"]:
            self.pile(WASTE).append(self.pile(STOCK).pop())

    @property
    def won(self) -> bool:
        """All 104 cards are on the foundations."""
        return all(len(pile) == 13 for pile in self.piles["foundation"])

    @property
    def end(self) -> bool:
        """All cards are dealt, and the talon is exhausted."""
        return not self.pile(STOCK) and not self.pile(WASTE)

    def legal(self) -> list[Move]:
        """Plays, marriages, exchanges; the next card; and what is allowed in the end."""
        return self.plays() + self.marriages() + self.exchanges() + self.next_card() + self.transfers()

    def upper(self, place: int) -> str:
        """The upper card of a place, or nothing."""
        pile = self.piles["tableau"][place]
        return pile[-1] if pile else ""

    def at_home(self, place: int) -> bool:
        """Red in the north, black in the south."""
        return bool(self.upper(place)) and red(self.upper(place)) == north(place)

    def wrong(self, place: int) -> bool:
        """In the other hemisphere."""
        return bool(self.upper(place)) and red(self.upper(place)) != north(place)

    def usable(self) -> list[int]:
        """The places whose cards are available."""
        all_are = self.end and self.options["end_transfer"] == "usable_where_it_lies"
        return [place for place in RING if self.at_home(place) or (all_are and self.wrong(place))]

    def plays(self) -> list[Move]:
        """One card to its foundation."""
        places: list[Place] = [("tableau", place) for place in self.usable()]
        if self.options["wrong_cards"] == "played":
            places = [("tableau", place) for place in RING if self.upper(place)]
        if self.pile(WASTE):
            places.append(WASTE)
        if self.end or self.options["barrier_release"] == "when_it_fits":
            places += [("barrier", i) for i in range(4) if self.pile(("barrier", i))]
        return [move for place in places for move in self.play_of(place)]

    def play_of(self, place: Place) -> list[Move]:
        """The play of the upper card there, if it fits: red up, black down, in suit; of equal twins the first."""
        card = self.pile(place)[-1]
        step = 1 if red(card) else -1
        slots = [
            slot
            for slot, pile in enumerate(self.piles["foundation"])
            if pile[-1][1] == card[1] and rank(card) == rank(pile[-1]) + step
        ]
        return moved("play", place, "foundation", slots[:1], (card,))

    def marries(self, card: str, below: str) -> bool:
        """Red on the next higher, black on the next lower, in suit or by option in colour."""
        fits = card[1] == below[1] if self.options["marriage_suit"] == "suit" else red(card) == red(below)
        return fits and rank(below) == rank(card) + (1 if red(card) else -1)

    def marriages(self) -> list[Move]:
        """Within a Race, or by option a hemisphere; the talon marries any card that is at home."""
        size = 3 if self.options["marriage_scope"] == "own_race" else 6
        usable, moves = self.usable(), []
        for place in usable:
            mates = [
                mate
                for mate in usable
                if mate != place and mate // size == place // size and self.marries(self.upper(place), self.upper(mate))
            ]
            moves += moved("build", ("tableau", place), "tableau", mates, (self.upper(place),))
        if self.pile(WASTE):
            card = self.pile(WASTE)[-1]
            moves += moved("build", WASTE, "tableau", [m for m in usable if self.marries(card, self.upper(m))], (card,))
        return moves

    def exchanges(self) -> list[Move]:
        """A red card of the south with a black one of the north, each alone in its place."""
        alone = [place for place in RING if self.wrong(place) and len(self.piles["tableau"][place]) == 1]
        return [
            Move("exchange", ("tableau", south), ("tableau", other), 1, (self.upper(south),))
            for south in alone
            for other in alone
            if not north(south) and north(other)
        ]

    def vacancies(self) -> list[int]:
        """Empty places, in the order of the ring."""
        return [place for place in RING if not self.upper(place)]

    def source(self) -> list[Place]:
        """Where the next card for a vacancy comes from, if it is filled at all."""
        if self.pile(STOCK):
            return [WASTE] if self.options["refill_source"] == "waste_then_stock" and self.pile(WASTE) else [STOCK]
        return [WASTE] if self.options["vacancy_after_stock"] == "waste" and self.pile(WASTE) else []

    def next_card(self) -> list[Move]:
        """Vacancies are refilled before a card is turned; once the pack is out, by option, from the talon."""
        vacancy, kind = self.vacancies()[:1], "refill" if self.pile(STOCK) else "fill"
        moves = [
            Move(kind, place, ("tableau", to), 1, (self.pile(WASTE)[-1],) if place == WASTE else ())
            for to in vacancy
            for place in self.source()
        ]
        return moves if vacancy or not self.pile(STOCK) else [Move("turn", STOCK, WASTE, 1, ())]

    def transfers(self) -> list[Move]:
        """In the end wrong cards go home without an exchange; PySolFC's way: cards spread out in their hemisphere."""
        if not self.end:
            return []
        places = [place for place in RING if self.wrong(place)]
        kind = "transfer"
        if self.options["end_vacancy"] == "home_cards":
            places = [place for place in RING if self.at_home(place) and len(self.piles["tableau"][place]) > 1]
            kind = "fill"
        elif self.options["end_transfer"] == "usable_where_it_lies":
            return []
        return [
            move
            for place in places
            for card in [self.upper(place)]
            for move in moved(kind, ("tableau", place), "tableau", self.spaces(red(card)), (card,))
        ]

    def spaces(self, northern: bool) -> list[int]:
        """The vacancies of a hemisphere."""
        return [place for place in self.vacancies() if north(place) == northern]

    def perform(self, move: Move) -> None:
        """Make the move; by option vacancies are filled at once."""
        if move.kind == "exchange":
            one, other = self.pile(move.source), self.pile(move.target)
            one[:], other[:] = list(other), list(one)
        else:
            self.carry(move)
        while self.options["refill"] == "at_once" and self.vacancies() and self.source():
            self.piles["tableau"][self.vacancies()[0]].append(self.pile(self.source()[0]).pop())


TWIN = TheHemispheres
