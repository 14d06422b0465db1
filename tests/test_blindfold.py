"""Honest policies: whatever lies where nobody can see it, the choice is the same."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import sim
from policies.blindfold import chosen, peeks, unseen
from sim.bits import ONE
from sim.cards import face, rank
from sim.moves import src
from sim.position import Position
from sim.rng import below
from sim.roles import Scratch
from sim.state import position
from tests import recount
from tests.engine import GAMES, POLICIES, THINKERS, compiled, easy_deck, every_variant, seated, walk

STEPS = 25


def peeks_somewhere(policy: Any, variant: str) -> bool:
    """Whether a choice anywhere along random play depends on what is hidden."""
    choose = seated(policy, variant)[0]
    return any(peeks(choose, here, scratch, step) for step, (here, scratch) in enumerate(looks(policy, variant)))


def looks(policy: Any, variant: str) -> Iterator[tuple[Position, Scratch]]:
    """Positions along random play, and what the policy remembers there of the ones before."""
    dice, game = random.Random(variant), sim.game(variant)
    for deck in (None, easy_deck(game, dice)):
        choose, scratch = seated(policy, variant)
        scratch.rng[0] = dice.randrange(2**64)
        for here in walk(game.deal(seed=dice.randrange(2**63), deck=deck), dice, STEPS):
            if not here.over:
                yield here, scratch
                chosen(choose, here, scratch)


@pytest.mark.parametrize("policy", [*POLICIES, *THINKERS])
@pytest.mark.parametrize("game", GAMES)
def test_policies_do_not_see_what_is_hidden(game: str, policy: str) -> None:
    assert not peeks_somewhere(policy, game)


@pytest.mark.parametrize("variant", [variant for variant in every_variant() if variant not in GAMES])
def test_features_do_not_see_it_under_any_option_either(variant: str) -> None:
    """All that a policy here knows of a move is in its features, the looks ahead apart."""
    assert not peeks_somewhere("weighted", variant)


def top_of_stock(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    """Peeks: at the next card of the stock."""
    return rank(face(state.top[rules.first[0]])) % n


def seed_of_redeals(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    """Peeks: at what the next redeal will be."""
    return 0 if state.seed & ONE else n - 1


def key_of_position(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    """Peeks: the key depends on the order of the stock."""
    return 0 if position(state) & ONE else n - 1


def beneath(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    """Peeks: at the card under a pile's top, which may lie face down or not be looked at."""
    return rank(face(state.under[state.top[src(moves[0])]])) % n


def by_lot(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    """Honest: draws from its own stream."""
    return below(scratch.rng, n)


@pytest.mark.parametrize(
    ("choose", "variant"),
    [
        (top_of_stock, "napoleon_at_st_helena"),
        (top_of_stock, "la_croix_dhonneur"),
        (key_of_position, "napoleon_at_st_helena"),
        (seed_of_redeals, "la_belle_lucie"),
        (beneath, "rouge_et_noir"),
        (beneath, "la_nivernaise(flank_fill=line_only)"),
    ],
)
def test_a_peeking_policy_is_caught(choose: Any, variant: str) -> None:
    assert peeks_somewhere(compiled(choose), variant)


def test_chance_is_not_peeking() -> None:
    assert not peeks_somewhere(compiled(by_lot), "napoleon_at_st_helena")


def parted(here: Position) -> tuple[list[list[str]], list[str]]:
    """What is seen of every pile, bottom card first, `??` for each card that is not; and the unseen cards, sorted."""
    seen, unseen = [], []
    for pile in range(len(here.game.piles)):
        cards = here.cards(pile)
        n = len(cards) if here.game.rules.hidden[pile] else int(here.state.covered[pile])
        seen.append(["??"] * n + cards[n:])
        unseen += cards[:n]
    return seen, sorted(unseen)


@pytest.mark.parametrize("game", GAMES)
def test_a_permuted_position_looks_the_same_and_is_kept_right(game: str) -> None:
    changed = 0
    for step, here in enumerate(walk(sim.game(game).deal(seed=5), random.Random(game), STEPS)):
        there = unseen(here, step)
        assert parted(there) == parted(here)
        assert there.codes() == here.codes()
        assert int(position(there.state)) == recount.key(there)
        assert there.state.shown.tolist() == recount.shown(there)
        assert there.state.covered.tolist() == here.state.covered.tolist()
        assert there.state.seed != here.state.seed
        assert unseen(here, step).state.tobytes() == there.state.tobytes()
        changed += there.zones != here.zones
    assert changed > 10 or not parted(sim.game(game).deal(seed=5))[1]


def test_face_down_cards_of_the_tableau_are_dealt_anew_too() -> None:
    here = sim.game("rouge_et_noir").deal(seed=5)
    assert sum(pile.count("??") for pile in parted(here)[0]) == 28 + 67
    tableaux = {str(unseen(here, number).zones["tableau"]) for number in range(5)}
    assert len(tableaux) == 5
