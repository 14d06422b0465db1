"""The Fourteenth, from Lady Cadogan and dossier 15.

Two packs (or one). Twenty-five cards in five rows of five; the rest is the pack. Two cards of one row or one column
that make fourteen (knave 11, queen 12, king 13) are withdrawn, and their places filled from the pack. When no fourteen
can be composed one chance remains: two cards change places with two others, so as to produce a fourteen.

Places are numbered row by row. An exchange couples places: a with b, and in the book's way c with d at the same time.
"""

from itertools import combinations
from typing import ClassVar

from . import Move, Options, Twin, first_values, rank

STOCK, DISCARD = ("stock", 0), ("discard", 0)
PLACES = range(25)
IN_LINE = [[q for q in PLACES if q != p and (q // 5 == p // 5 or q % 5 == p % 5)] for p in PLACES]
Couples = tuple[tuple[int, int], ...]


class TheFourteenth(Twin):
    """A game of The Fourteenth."""

    OPTIONS: ClassVar[Options] = {
        "grace_count": (1, 0, "unlimited"),
        "grace_shape": ("two_for_two", "one_for_one"),
        "grace_when": ("only_without_a_pair", "any_time"),
        "grace_must_produce": (True, False),
        "after_stock": ("leave_gaps", "close_up"),
        "decks": (2, 1),
        "grace_targets": ("filled_places_only", "gaps_too"),
    }
    DEFAULTS = first_values(OPTIONS)
    ALIKE: ClassVar[set[str]] = set()  # it matters which place a card lies in

    def deal(self, deck: list[str]) -> None:
        """Five rows of five; the next card of the pack is the last of the stock."""
        self.piles = {
            "tableau": [[card] for card in deck[:25]],
            "stock": [deck[:24:-1]],
            "discard": [[]],
        }
        self.graces_used = 0

    @property
    def memory(self) -> int:
        """What the table does not show."""
        return self.graces_used

    @property
    def won(self) -> bool:
        """Everything is paired off."""
        return len(self.piles["discard"][0]) == 52 * self.options["decks"]

    def table(self) -> list[str]:
        """The card of each place, "" for a gap."""
        return ["".join(pile) for pile in self.piles["tableau"]]

    def legal(self) -> list[Move]:
        """The pairs, and the grace."""
        pairs = self.pairs()
        return pairs + (self.exchanges() if self.grace_is_open(bool(pairs)) else [])

    def pairs(self) -> list[Move]:
        """Two cards of one line that make fourteen."""
        table = self.table()
        return [
            Move("pair", ("tableau", p), ("tableau", q), 2, (table[p], table[q]))
            for p in PLACES
            for q in IN_LINE[p]
            if p < q and table[p] and table[q] and rank(table[p]) + rank(table[q]) == 14
        ]

    def grace_is_open(self, any_pair: bool) -> bool:
        """Whether cards may change places now."""
        left = self.options["grace_count"] == "unlimited" or self.graces_used < self.options["grace_count"]
        return left and not (any_pair and self.options["grace_when"] == "only_without_a_pair")

    def exchanges(self) -> list[Move]:
        """The exchanges that by default produce a fourteen, and anyway change something."""
        table = self.table()
        values = [rank(card) if card else 0 for card in table]
        must = self.options["grace_must_produce"]
        return [
            exchange(table, couples)
            for couples in self.couplings(table)
            if (produces(values, couples) if must else any(table[a] != table[b] for a, b in couples))
        ]

    def couplings(self, table: list[str]) -> list[Couples]:
        """The places that might change cards: one couple, or two couples at once."""
        gaps_too = self.options["grace_targets"] == "gaps_too"
        places = [p for p in PLACES if table[p] or gaps_too]
        single = [(a, b) for a, b in combinations(places, 2) if table[a] or table[b]]
        if self.options["grace_shape"] == "one_for_one":
            return [(couple,) for couple in single]
        return [(one, two) for one, two in combinations(single, 2) if one[0] not in two and one[1] not in two]

    def perform(self, move: Move) -> None:
        """Withdraw a pair and fill its places, or exchange cards."""
        sources, targets = (of if isinstance(of, tuple) else (of,) for of in (move.source[1], move.target[1]))
        tableau = self.piles["tableau"]
        if move.kind == "exchange":
            self.graces_used += self.options["grace_count"] != "unlimited"
            for a, b in zip(sources, targets, strict=True):
                tableau[a], tableau[b] = tableau[b], tableau[a]
            return
        for place in (sources[0], targets[0]):
            self.piles["discard"][0].append(tableau[place].pop())
        for place in sorted((sources[0], targets[0])):
            tableau[place] += self.piles["stock"][0][-1:]
            del self.piles["stock"][0][-1:]
        if self.options["after_stock"] == "close_up" and not self.piles["stock"][0]:
            self.piles["tableau"] = sorted(tableau, key=lambda pile: not pile)


def produces(values: list[int], couples: Couples) -> bool:
    """Whether two places of one line make fourteen after the exchange that did not before it."""
    after = list(values)
    for a, b in couples:
        after[a], after[b] = after[b], after[a]
    for couple in couples:
        for p in couple:
            for q in IN_LINE[p]:
                if after[p] + after[q] == 14 and values[p] + values[q] != 14:
                    return True
    return False


def exchange(table: list[str], couples: Couples) -> Move:
    """The move that it is: a card alone goes from its place to the other, gap or not, the lower place first."""
    if len(couples) == 1:
        ((a, b),) = couples
        source, target = (a, b) if table[a] else (b, a)
        return Move("exchange", ("tableau", source), ("tableau", target), 1, (table[source],))
    (a, b), (c, d) = couples
    cards = tuple([table[place] for place in (a, c, b, d) if table[place]])
    return Move("exchange", ("tableau", (a, c)), ("tableau", (b, d)), 2, cards)


TWIN = TheFourteenth
