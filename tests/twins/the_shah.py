"""The Shah, from Lady Cadogan and dossier 11.

Two packs. One king, the Shah, lies in the centre with the eight aces round it, which ascend in suit to queens; the
other kings are thrown aside. Circle after circle of eight cards makes eight rays of three places. While the first two
circles are dealt, the circle last begun may be played, and its spaces are filled from the stock at once. Afterwards
the outermost card of each ray is available, and outer cards may be married, in descending line. Spaces are refilled
from waste or stock before the next stock card is turned, inner circles first; an empty ray is made up at once.
"""

from typing import ClassVar

from . import SUITS, Move, Options, Place, Twin, empty, first_values, free_runs, home, marries, moved, rank

STOCK, WASTE = ("stock", 0), ("waste", 0)
RAYS = range(8)
CIRCLES = ("inner", "middle", "outer")


class TheShah(Twin):
    """A game of The Shah."""

    OPTIONS: ClassVar[Options] = {
        "refill_timing": ("before_next_stock_card", "at_once"),
        "refill_source": ("choice", "waste_first", "stock_first"),
        "lane_grace": ("any_third_circle_card", "off"),
        "marriage_on_released_inner": (False, True),
        "marry_during_deal": (False, True),
        "move_unit": ("single", "sequence"),
        "shah": ("KH", "any_king"),
    }
    DEFAULTS = first_values(OPTIONS)
    stage: str  # the circle that is being dealt, "play", or "bout" while spaces are refilled

    def deal(self, deck: list[str]) -> None:
        """Aces and kings out, then circle after circle until something can be done."""
        kings = [at for at, card in enumerate(deck) if rank(card) == 13]
        shah = kings[-1] if self.options["shah"] == "any_king" else deck.index("KH")
        self.piles = {
            "foundation": [["A" + suit] for suit in SUITS for _ in range(2)],
            "shah": [[deck[shah]]],
            "discard": [[deck[at] for at in kings if at != shah]],
            "inner": empty(8),
            "middle": empty(8),
            "outer": empty(8),
            "stock": [[card for card in reversed(deck) if rank(card) not in (1, 13)]],
            "waste": [[]],
        }
        self.stage = "inner"
        self.go_on_dealing()

    @property
    def won(self) -> bool:
        """Eight queens round the Shah."""
        return all(len(pile) == 12 for pile in self.piles["foundation"])

    @property
    def dealing(self) -> bool:
        """Whether circles are still to come."""
        return self.stage in ("inner", "middle")

    def legal(self) -> list[Move]:
        """What is begun, or must be done at once, comes before everything else."""
        if self.stage == "bout":
            return self.refills(self.spaces()[0])
        if self.lanes() and self.sources():
            return self.ways_to_attend()
        moves = self.plays() + self.marriages()
        if self.dealing:
            return moves + self.next_circle()
        if self.spaces():
            moves += self.refills(self.spaces()[0])
        elif self.pile(STOCK):
            moves.append(Move("turn", STOCK, WASTE, 1, ()))
        if self.lanes():
            moves += self.graces()
        return moves

    @property
    def memory(self) -> str:
        """What tells positions apart beside the table."""
        return self.stage

    def available(self) -> list[Place]:
        """Rule I: the waste, and the circle last begun, or after the deal the outermost card of each ray."""
        rays = [(self.stage, ray) for ray in RAYS] if self.dealing else [self.outermost(ray) for ray in RAYS]
        return [place for place in (WASTE, *rays) if self.pile(place)]

    def outermost(self, ray: int) -> Place:
        """The place of a ray that has a card and nothing outside it; the inner place of an empty ray."""
        if self.piles["outer"][ray]:
            return ("outer", ray)
        return ("middle", ray) if self.piles["middle"][ray] else ("inner", ray)

    def plays(self) -> list[Move]:
        """One available card to its foundation."""
        moves = []
        for place in self.available():
            card = self.pile(place)[-1]
            moves += moved("play", place, "foundation", home(card, self.piles["foundation"]), (card,))
        return moves

    def marriages(self) -> list[Move]:
        """Cards (or runs) of the third circle, and the waste's top, on cards that they marry."""
        moves, places = [], self.available()
        for source in places:
            if self.may_marry(source[0]):
                unit = "single" if source == WASTE else self.options["move_unit"]
                for cards in free_runs(self.pile(source), unit):
                    moves += [
                        Move("build", source, mate, len(cards), cards)
                        for mate in places
                        if mate not in (WASTE, source)
                        and self.may_be_married(mate[0])
                        and marries(cards[0], self.pile(mate)[-1])
                    ]
        return moves

    def may_marry(self, zone: str) -> bool:
        """Rule II: cards of the third circle only; by option those of the circle that is being dealt."""
        if self.dealing:
            return bool(self.options["marry_during_deal"]) and zone == self.stage
        return zone in ("waste", "outer")

    def may_be_married(self, zone: str) -> bool:
        """Rule II again; by option a released inner card may be married, though it never leaves by marriage."""
        if self.dealing:
            return zone == self.stage
        return zone == "outer" or bool(self.options["marriage_on_released_inner"])

    def next_circle(self) -> list[Move]:
        """Leave this circle and deal the next."""
        following = CIRCLES[CIRCLES.index(self.stage) + 1]
        return [Move("deal", STOCK, (following, 0), 8, ())]

    def spaces(self) -> list[Place]:
        """Empty places, inner circles first, left to right."""
        return [(circle, ray) for circle in CIRCLES for ray in RAYS if not self.piles[circle][ray]]

    def lanes(self) -> list[int]:
        """The ray that is gone as a whole; several are alike, so only the first counts."""
        return [ray for ray in RAYS if not any(self.piles[circle][ray] for circle in CIRCLES)][:1]

    def sources(self) -> list[Place]:
        """Where a card for a space may come from."""
        order = [STOCK, WASTE] if self.options["refill_source"] == "stock_first" else [WASTE, STOCK]
        full = [place for place in order if self.pile(place)]
        return full if self.options["refill_source"] == "choice" else full[:1]

    def refills(self, space: Place, kind: str = "refill") -> list[Move]:
        """A card of a source to this space; a stock card is not seen before."""
        return [
            Move(kind, place, space, 1, (self.pile(WASTE)[-1],) if place == WASTE else ()) for place in self.sources()
        ]

    def graces(self) -> list[Move]:
        """One card of the third circle to the inner place of an empty ray."""
        if self.options["lane_grace"] == "off":
            return []
        return [
            Move("fill", ("outer", other), ("inner", ray), 1, (pile[-1],))
            for ray in self.lanes()
            for other, pile in enumerate(self.piles["outer"])
            if pile
        ]

    def ways_to_attend(self) -> list[Move]:
        """How the inner place of an empty ray may be taken."""
        return self.graces() + self.refills(("inner", self.lanes()[0]), "fill")

    def perform(self, move: Move) -> None:
        """Make the move, then all that follows without a choice."""
        if move.kind == "deal":
            self.stage = move.target[0]
        else:
            self.carry(move)
        if move.kind == "fill":
            self.complete(move.target[1])
        elif move.kind == "refill":
            self.stage = "bout"
        self.follow_up()

    def follow_up(self) -> None:
        """Dealing, an empty ray, and the refilling of spaces, as far as there is no choice."""
        if self.stage in CIRCLES:
            self.go_on_dealing()
        if self.stage == "play" and self.lanes() and self.sources() and len(self.ways_to_attend()) == 1:
            only = self.ways_to_attend()[0]
            self.carry(only)
            self.complete(only.target[1])
        at_once = self.options["refill_timing"] == "at_once"
        if at_once and self.stage == "play" and not self.lanes() and self.sources():
            self.stage = "bout"
        if self.stage == "bout":
            self.go_on_refilling()

    def go_on_dealing(self) -> None:
        """Fill the circle; deal the next one when nothing can be done in this one."""
        while self.dealing:
            self.fill_circle(self.stage)
            if not self.pile(STOCK):
                self.stage = "play"
            elif self.plays() or self.marriages():
                return
            else:
                self.stage = CIRCLES[CIRCLES.index(self.stage) + 1]
        if self.stage == "outer":
            self.fill_circle("outer")
            self.stage = "play"

    def fill_circle(self, circle: str) -> None:
        """Cards of the stock to the empty places of a circle, from left to right."""
        for pile in self.piles[circle]:
            if not pile and self.pile(STOCK):
                pile.append(self.pile(STOCK).pop())

    def complete(self, ray: int) -> None:
        """The two outer places of a ray that was empty: from the waste, or when there is none from the stock."""
        for circle in ("middle", "outer"):
            for place in [place for place in (WASTE, STOCK) if self.pile(place)][:1]:
                self.piles[circle][ray].append(self.pile(place).pop())

    def go_on_refilling(self) -> None:
        """Fill the spaces until the source of the next one is to be chosen."""
        while self.spaces() and self.sources():
            if len(self.sources()) > 1:
                return
            self.carry(self.refills(self.spaces()[0])[0])
        self.stage = "play"


TWIN = TheShah
