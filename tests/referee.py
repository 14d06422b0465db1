"""A compiled game and its naive twin at one table: both play the same deal, and must always agree."""

from functools import cache
from typing import NamedTuple

import sim
from sim.position import Move
from sim.rules import TABLEAU
from tests import splitmix, twins


class Step(NamedTuple):
    """A move as both sides say it."""

    kind: str
    source: str
    target: str
    cards: tuple[str, ...]


def of_twin(move: twins.Move) -> Step:
    """The step that a twin's move is."""
    return Step(move.kind, name(move.source), name(move.target), move.cards)


@cache
def name(place: twins.Place) -> str:
    """A place as the compiled game names it."""
    return twins.name(place)


def of_compiled(move: Move) -> Step:
    """The step that a compiled move is."""
    return Step(move.kind, move.source, move.target, move.cards)


class Table:
    """One deal, played by the compiled rules and by the twin at once."""

    def __init__(self, variant: str, seed: int, deck: list[str] | None = None) -> None:
        game = sim.game(variant)
        self.compiled = game.deal(seed=seed, deck=deck)
        cards = splitmix.deck(seed, game.packs) if deck is None else deck
        self.twin = twins.TWINS[game.name](dict(game.values), cards, lambda held, k: splitmix.reshuffled(held, seed, k))
        self.about = f"{variant}, seed {seed}, deck {deck}"

    def agree(self) -> list[Step]:
        """The legal steps, in the compiled order; both sides must show the same table, the same steps, the same end."""
        self.agree_on_zones()
        ours, theirs = self.compiled.moves(), self.twin.moves()
        self.by_step = {of_compiled(move): move for move in ours}
        self.twin_by_step = {of_twin(move): move for move in theirs}
        assert len(self.by_step) == len(ours), f"A move is listed twice. {self}"
        only = (self.by_step.keys() - self.twin_by_step.keys(), self.twin_by_step.keys() - self.by_step.keys())
        assert only == (set(), set()), f"Legal by the compiled rules only, by the twin only: {only}. {self}"
        assert (self.compiled.won, self.compiled.over) == (self.twin.won, self.twin.won or not theirs), self
        assert self.compiled.redeals_left == self.twin.redeals_left, self
        return list(self.by_step)

    def agree_on_zones(self) -> None:
        """Both sides have the same piles; a zone that the twin does not know holds no card."""
        ours, theirs = self.compiled.zones, self.twin.zones()
        assert {zone: ours[zone] for zone in theirs} == theirs, self
        covered = getattr(self.twin, "covered", ())
        at = int(self.compiled.game.rules.first[TABLEAU])
        assert tuple(self.compiled.state.covered[at : at + len(covered)]) == covered, self
        assert int(self.compiled.state.covered.sum()) == sum(covered), self
        assert not any(pile for zone in ours.keys() - theirs.keys() for pile in ours[zone]), self

    def play(self, step: Step) -> None:
        """Make one of the steps of `agree` on both sides."""
        self.compiled.play(self.by_step[step])
        self.twin.perform(self.twin_by_step[step])

    def __repr__(self) -> str:
        return f"{self.about}\ncompiled: {self.compiled.zones}\ntwin:     {self.twin.zones()}"
