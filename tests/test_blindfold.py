"""Honest policies: whatever lies where nobody can see it, the choice is the same."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numba import types
from numpy.typing import NDArray

import sim
from sim.bits import ONE, U
from sim.cards import face, rank
from sim.hidden import permute_hidden
from sim.jit import njit
from sim.moves import MAX_MOVES, src
from sim.position import Position
from sim.rng import POLICY, below, stream
from sim.roles import CHOOSE, Functions, Scratch, functions_t, moves_t, new_scratch, rules_t, scratch_t, state_t
from sim.state import position
from tests import recount
from tests.engine import GAMES, POLICIES, chooser, compiled, easy_deck, every_variant, walk

CHOICE = types.int64(*functions_t, types.FunctionType(CHOOSE), rules_t, state_t, moves_t, types.int64, scratch_t)
PERMUTED = 3
STEPS = 25


@njit(CHOICE)
def choice(deal, legal_moves, apply_move, choose, rules, state, moves, n, scratch):
    return choose(Functions(deal, legal_moves, apply_move), rules, state, moves, n, scratch)


def copied(scratch: Scratch) -> Scratch:
    """The same memory, apart."""
    return Scratch(*(part.copy() for part in scratch))


def legal(here: Position) -> tuple[NDArray[np.int32], int]:
    """The moves as a policy gets them, and their number."""
    moves = np.zeros(MAX_MOVES, np.int32)
    return moves, int(here.game.functions.legal_moves(here.game.rules, here.state, moves))


def chosen(choose: Any, here: Position, scratch: Scratch) -> int:
    """The index that a policy gives for a position."""
    return int(choice(*here.game.functions, choose, here.game.rules, here.state, *legal(here), scratch))


def unseen(here: Position, number: int) -> Position:
    """Another position that looks the same."""
    there = here.copy()
    permute_hidden(here.game.rules, there.state, U(stream(U(number), POLICY, U(0))))
    return there


def peeks(choose: Any, variant: str) -> bool:
    """Whether a choice anywhere along random play depends on what is hidden."""
    return any(differs(choose, here, scratch, step) for step, (here, scratch) in enumerate(looks(choose, variant)))


def differs(choose: Any, here: Position, scratch: Scratch, step: int) -> bool:
    """Whether the choice here is another one on a permuted position."""
    choices = [chosen(choose, unseen(here, PERMUTED * step + k), copied(scratch)) for k in range(PERMUTED)]
    return set(choices) != {chosen(choose, here, copied(scratch))}


def looks(choose: Any, variant: str) -> Iterator[tuple[Position, Scratch]]:
    """Positions along random play, and what the policy remembers there of the ones before."""
    dice, game = random.Random(variant), sim.game(variant)
    for deck in (None, easy_deck(game, dice)):
        scratch = new_scratch()
        scratch.rng[0] = dice.randrange(2**64)
        for here in walk(game.deal(seed=dice.randrange(2**63), deck=deck), dice, STEPS):
            if not here.over:
                yield here, scratch
                chosen(choose, here, scratch)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("variant", every_variant())
def test_policies_do_not_see_what_is_hidden(variant: str, policy: str) -> None:
    assert not peeks(chooser(policy), variant)


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
    """Peeks: at the face-down card that a move would turn up."""
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
    ],
)
def test_a_peeking_policy_is_caught(choose: Any, variant: str) -> None:
    assert peeks(compiled(choose), variant)


def test_chance_is_not_peeking() -> None:
    assert not peeks(compiled(by_lot), "napoleon_at_st_helena")


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
