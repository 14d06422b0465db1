"""The Mill (Windmill), from Lady Cadogan and dossier 10.

Two packs. An ace lies in the centre, eight cards round it are the wings; the first four kings that appear lie at the
angles. On the centre ace four families ascend, ace after king; the kings descend to aces; suits do not matter. Cards of
the wings and the top of the talon may be played. Empty wings are filled at once from the pack or the talon. The top of
a king packet may pass to the ace packet where that brings a card of the wings or of the talon into immediate use.
"""

from typing import ClassVar

from . import Move, Options, Pile, Place, Twin, empty, first_values, rank

STOCK, WASTE, CENTRE = ("stock", 0), ("waste", 0), ("foundation", 0)
ANGLES = [("angles", index) for index in range(4)]
WINGS = [("reserve", index) for index in range(8)]
ACE, KING = 1, 13


class TheMill(Twin):
    """A game of The Mill."""

    OPTIONS: ClassVar[Options] = {
        "wing_fill": ("choice", "waste_first", "stock_first"),
        "transfer": ("unlocks_a_card", "unlocks_and_must_play_it", "free", "never"),
        "transfer_limit": ("one_per_packet_until_other_play", "none"),
        "transfer_base_king": (False, True),
        "kings_to_angles": ("forced_first_four", "optional"),
        "king_to_centre": ("after_angles", "any_time"),
        "foundation_return": (False, True),
        "turn_on_empty_waste": (False, True),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = {"reserve"}
    spent: frozenset[Place]  # king packets that have given a card since the last play
    due: frozenset[Place]  # a transfer has brought these cards into use, and one of them must be played
    kings: int  # that have gone to the angles because they had to

    def deal(self, deck: list[str]) -> None:
        """The first ace to the centre, eight wings, and kings of the wings to the angles; the rest is the stock."""
        ace = next(at for at, card in enumerate(deck) if rank(card) == ACE)
        rest = deck[:ace] + deck[ace + 1 :]
        self.spent, self.due, self.kings = frozenset(), frozenset(), 0
        self.piles = {
            "foundation": [[deck[ace]]],
            "angles": empty(4),
            "stock": [rest[8:][::-1]],
            "waste": empty(1),
            "reserve": [[card] for card in rest[:8]],
        }
        self.follow_up()

    @property
    def memory(self) -> object:
        """What tells positions apart beside the table."""
        return sorted(self.spent), sorted(self.due), self.kings

    @property
    def won(self) -> bool:
        """Four families in the centre, and four kings covered down to aces."""
        return [len(pile) for pile in self.piles["foundation"] + self.piles["angles"]] == [52, 13, 13, 13, 13]

    def legal(self) -> list[Move]:
        """A wing to be filled, or a card to be played, comes before everything else."""
        if self.vacant() and len(self.sources()) > 1:
            return [self.filling(source) for source in self.sources()]
        plays = self.plays()
        if self.due:
            return [play for play in plays if play.source in self.due]
        return plays + self.transfers() + self.returns() + self.turn()

    def available(self) -> list[Place]:
        """The wings and the talon, where there is a card."""
        return [place for place in [WASTE, *WINGS] if self.pile(place)]

    def top(self, place: Place) -> str:
        """The upper card of a pile that has one."""
        return self.pile(place)[-1]

    def homes(self, card: str) -> list[Place]:
        """Where a card of the wings or of the talon may be played: a king not in the centre while an angle is free."""
        angles = [place for place in ANGLES if fits_angle(card, self.pile(place))]
        if rank(card) == KING and angles and self.options["king_to_centre"] == "after_angles":
            return angles
        return ([CENTRE] if fits_centre(card, self.pile(CENTRE)) else []) + angles

    def plays(self) -> list[Move]:
        """Each card to the centre, and to the first of the king packets that want it."""
        moves = []
        for source in self.available():
            homes = self.homes(self.top(source))
            centre, angles = [home for home in homes if home == CENTRE], [home for home in homes if home != CENTRE]
            moves += [Move("play", source, home, 1, (self.top(source),)) for home in centre + angles[:1]]
        return moves

    def playable(self) -> set[Place]:
        """The cards that can be played anywhere."""
        return {place for place in self.available() if self.homes(self.top(place))}

    def transfers(self) -> list[Move]:
        """From a king packet to the ace packet; packets of one height are alike."""
        moves: dict[int, Move] = {}
        for place in ANGLES:
            pile = self.pile(place)
            if pile and fits_centre(pile[-1], self.pile(CENTRE)) and self.may_transfer(place):
                moves.setdefault(len(pile), Move("transfer", place, CENTRE, 1, (pile[-1],)))
        return list(moves.values())

    def may_transfer(self, place: Place) -> bool:
        """The privilege with its limits."""
        if self.options["transfer"] == "never" or place in self.spent:
            return False
        if len(self.pile(place)) == 1 and not self.options["transfer_base_king"]:
            return False
        return self.options["transfer"] == "free" or bool(self.unlocked(place))

    def unlocked(self, place: Place) -> frozenset[Place]:
        """The cards that can be played after the transfer from this packet and cannot before."""
        after = self.clone()
        after.carry(Move("transfer", place, CENTRE, 1, ()))
        return frozenset(after.playable() - self.playable())

    def returns(self) -> list[Move]:
        """By option from the ace packet to a king packet; the ace that lies beneath all stays."""
        centre = self.pile(CENTRE)
        if not self.options["foundation_return"] or len(centre) == 1:
            return []
        moves: dict[bool, Move] = {}  # of the packets that take it, a spent one is not like one that is not spent
        for place in ANGLES:
            if fits_angle(centre[-1], self.pile(place)):
                moves.setdefault(place in self.spent, Move("transfer", CENTRE, place, 1, (centre[-1],)))
        return list(moves.values())

    def turn(self) -> list[Move]:
        """The next card of the pack to the talon."""
        return [Move("turn", STOCK, WASTE, 1, ())] if self.pile(STOCK) else []

    def vacant(self) -> list[Place]:
        """Empty wings."""
        return [place for place in WINGS if not self.pile(place)]

    def sources(self) -> list[Place]:
        """Where the card for a wing may come from."""
        order = [STOCK, WASTE] if self.options["wing_fill"] == "stock_first" else [WASTE, STOCK]
        full = [place for place in order if self.pile(place)]
        return full if self.options["wing_fill"] == "choice" else full[:1]

    def filling(self, source: Place) -> Move:
        """A card to the first empty wing; one of the pack is not seen."""
        return Move("refill", source, self.vacant()[0], 1, (self.top(source),) if source == WASTE else ())

    def perform(self, move: Move) -> None:
        """Make the move, then all that follows without a choice."""
        if move.kind == "transfer" and move.target == CENTRE:
            if self.options["transfer"] == "unlocks_and_must_play_it":
                self.due = self.unlocked(move.source)
            if self.options["transfer_limit"] == "one_per_packet_until_other_play":
                self.spent |= {move.source}
        elif move.kind == "play":
            self.spent = self.due = frozenset()
        self.carry(move)
        self.follow_up()

    def follow_up(self) -> None:
        """Kings to the angles, cards to the wings, by option one to the empty talon, as far as there is no choice."""
        while True:
            kings = [place for place in self.available() if rank(self.top(place)) == KING]
            if kings and self.kings < 4 and self.options["kings_to_angles"] == "forced_first_four":
                angle = next(place for place in ANGLES if not self.pile(place))
                self.carry(Move("play", kings[0], angle, 1, ()))
                self.kings += 1
                self.spent = frozenset()
            elif self.vacant() and len(self.sources()) == 1:
                self.carry(self.filling(self.sources()[0]))
            elif self.options["turn_on_empty_waste"] and self.turn() and not self.pile(WASTE):
                self.carry(self.turn()[0])
            else:
                return


def fits_centre(card: str, pile: Pile) -> bool:
    """Next up, the ace after the king, in four families."""
    return len(pile) < 52 and rank(card) == rank(pile[-1]) % 13 + 1


def fits_angle(card: str, pile: Pile) -> bool:
    """A king to a free angle, then next down to the ace."""
    return rank(card) == KING if not pile else rank(card) == rank(pile[-1]) - 1


TWIN = TheMill
