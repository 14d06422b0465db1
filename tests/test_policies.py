"""Policies that think: their ids and parameters, and that they find what there is to find."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numba import types

import sim
from policies import loader, parameters
from policies.loader import load
from policies.looking import UNDER_KING, builds_can_be_safe, buries, forced, plays_are_safe, safety, tops_only
from policies.restraint import KEPT, in_circles, remember
from sim.errors import PatienceError
from sim.jit import njit
from sim.moves import BUILD, TURN, dst
from sim.moves import move as coded
from sim.play import STALLED
from sim.position import Move, Position
from sim.roles import Functions, functions_t, moves_t, new_scratch, rules_t, state_t
from sim.rules import TABLEAU
from sim.table import Table
from tests.engine import easy_deck
from tests.exhaustive import Bounded, best

LUCIE = "la_belle_lucie(redeals=0)"


@njit(types.UniTuple(types.int64, 2)(*functions_t, rules_t, state_t, state_t, moves_t))
def look(deal, legal_moves, apply_move, rules, state, probe, moves):
    game = Functions(deal, legal_moves, apply_move)
    return safety(game, rules, state, probe, moves), int(tops_only(game, rules, state, probe, moves))


def looked(here: Position) -> tuple[int, int]:
    """What `safety` says of the position, and whether cards are drawn from the tops of piles alone."""
    scratch = new_scratch(copies=1)
    safe, tops = look(*here.game.functions, here.game.rules, here.state, scratch.states[0], scratch.moves[0])
    return int(safe), int(tops)


def cards_home(variant: str, policy: str, deals: int, first: int = 0) -> list[int]:
    """The cards home at the end of each deal."""
    player, game = load(policy), sim.game(variant)
    table = Table(game, player.choose, scratch=player.scratch(game.title))
    return [int(home) for piece in table.play(first, first + deals) for home in piece.outcomes["cards_home"]]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("search", "search"),
        ("search()", "search"),
        ("search(nodes=20000)", "search"),
        (" search ( nodes = 7 ) ", "search(nodes=7)"),
        ("rollout(n=2,base=search(nodes=7))", "rollout(base=search(nodes=7),n=2)"),
        ("rollout(base=rollout(base=first,n=1),horizon=9)", "rollout(base=rollout(base=first,n=1),horizon=9)"),
    ],
)
def test_ids_are_canonical(text: str, id: str) -> None:
    assert load(text).id == id
    assert load(id) == load(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search(nodes=0)", "nodes=0 is not possible: expected a whole number from 1 to"),
        ("search(nodes=many)", "nodes=many is not possible"),
        ("search(node=5)", "There is no parameter 'node'. Did you mean 'nodes'"),
        ("search(5)", "'5' says no value: expected parameter=value"),
        ("greedy(n=5)", "There is no parameter 'n' here"),
        ("search(nodes=5", "is not a policy: expected name"),
        ("rollout(base=gredy)", "There is no policy 'gredy'. Did you mean 'greedy'"),
        ("rollout(base=search(nodes=0))", "nodes=0 is not possible"),
    ],
)
def test_wrong_ids_are_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(PatienceError, match=message.replace("(", r"\(")):
        load(text)


def test_a_policy_travels_as_plain_values(tmp_path: Path) -> None:
    from dataclasses import asdict

    mine = tmp_path / "mine.py"
    mine.write_text("def choose(game, rules, state, moves, n, scratch):\n    return n - 1\n")
    policy = load(f"rollout(base={mine},n=1)")
    mine.unlink()
    assert policy.id == "rollout(base=mine,n=1)"
    assert loader.from_plain(asdict(policy)) == policy
    assert policy.digest != load("rollout(n=1)").digest


def test_digests_tell_bases_apart_and_not_numbers() -> None:
    ids = ("rollout", "rollout(n=1)", "rollout(base=first)", "rollout(base=random)", "search", "search(nodes=3)")
    digests = [load(id).digest for id in ids]
    assert (digests[0], digests[4]) == (digests[1], digests[5])
    assert len(set(digests)) == 4


def test_room_for_the_base_lies_behind_ones_own() -> None:
    outer, inner = load("rollout(base=search(nodes=50),n=3)"), load("search(nodes=50)")
    ours, theirs = outer.scratch("fan"), inner.scratch("fan")
    assert ours.knobs.tolist() == [3, 250, 50]
    assert len(ours.memory) - 2 * len(theirs.memory) == 4000 + KEPT
    assert len(ours.work) - len(theirs.work) == 1024


@pytest.mark.parametrize(
    ("variant", "deals", "least"),
    [(LUCIE, 20, 3), ("fortress", 60, 20), ("fortress(marriages=down)", 40, 20)],
)
def test_search_brings_home_as_many_as_can_be(variant: str, deals: int, least: int) -> None:
    """Without redeals, on deals small enough to be tried out move by move: nothing that is pruned would have helped."""
    found = 0
    for seed, home in enumerate(cards_home(variant, "search(nodes=200000)", deals)):
        try:
            most = best(sim.game(variant).deal(seed=seed), Bounded(800))
        except OverflowError:
            continue
        assert home == most, seed
        found += 1
    assert found >= least


def test_more_nodes_are_no_worse() -> None:
    few, many = (sum(cards_home("fortress", f"search(nodes={nodes})", 60)) for nodes in (5, 3000))
    assert few < many


@pytest.mark.parametrize(
    ("game", "base", "deals"),
    [("la_belle_lucie", "random", 60), ("la_belle_lucie", "greedy", 60), ("napoleon_at_st_helena", "weighted", 20)],
)
def test_rollouts_are_better_than_their_base(game: str, base: str, deals: int) -> None:
    """Also where the cards to come are unknown, and chance does more in a few rounds than most moves."""
    alone, tried = (sum(cards_home(game, p, deals)) for p in (base, f"rollout(base={base},n=5)"))
    assert alone < tried


def test_the_order_of_play_does_not_matter_to_thinkers() -> None:
    """A deal is played alike whatever was played before it: nothing is left over in scratch."""
    for policy in ("search(nodes=60)", "rollout(n=1,horizon=20)", "lookahead"):
        together = cards_home("napoleon_at_st_helena", policy, 4)
        assert together == [cards_home("napoleon_at_st_helena", policy, 1, seed)[0] for seed in range(4)]


@pytest.mark.parametrize(
    ("variant", "plays", "builds"),
    [
        ("la_belle_lucie", True, True),
        ("la_belle_lucie(vacancy=king)", True, False),
        ("la_belle_lucie(move_unit=sequence)", True, False),
        ("fortress", True, False),
        ("fortress(foundation_direction=down_wrapped)", False, False),
        ("the_flower_garden", False, False),
        ("house_in_the_wood", False, True),
        ("house_on_the_hill", False, False),
        ("napoleon_at_st_helena", False, False),
    ],
)
def test_where_moves_are_safe(variant: str, plays: bool, builds: bool) -> None:
    here = sim.game(variant).deal(seed=1)
    assert bool(plays_are_safe(here.game.rules, here.state)) == plays
    assert bool(builds_can_be_safe(here.game.rules)) == builds


@pytest.mark.parametrize(
    ("variant", "tops"), [(LUCIE, True), ("la_belle_lucie(merci=1,redeals=0)", False), ("fortress", True)]
)
def test_a_draw_from_under_a_card_is_noticed(variant: str, tops: bool) -> None:
    assert looked(sim.game(variant).deal(seed=1))[1] == tops


def never_regretted(here: Position) -> Iterator[tuple[Move, bool]]:
    """The moves that are called so, and whether each buries cards under a king."""
    (safe, _), rules, state = looked(here), here.game.rules, here.state
    for move in here.moves():
        if forced(rules, state, np.array([move.code]), 1, safe) == 0:
            yield move, move.kind == "build" and buries(rules, state, dst(move.code)) == UNDER_KING


@pytest.mark.parametrize("variant", [LUCIE, "la_belle_lucie(merci=1,redeals=0)"])
def test_safe_moves_lose_nothing(variant: str) -> None:
    """Where a move is called safe, the best that can be reached is as good with it as without."""
    checked: Counter[tuple[str, bool]] = Counter()
    for seed in range(10):
        dice = random.Random(seed)
        here = sim.game(variant).deal(seed=seed, deck=easy_deck(sim.game(variant), dice) if seed % 2 else None)
        for _ in range(12):
            safe = list(never_regretted(here))
            try:
                most = best(here, Bounded(150))
            except OverflowError:
                safe = []
            for move, under_king in safe:
                there = here.copy()
                there.play(move)
                assert best(there, set()) == most
                checked[move.kind, under_king] += 1
            if here.over:
                break
            here.play(dice.choice(here.moves()))
    assert checked["play", False] > 20
    assert checked["build", False] > 3
    assert (checked["build", True] > 3) == (variant == LUCIE)


def test_numbers_are_knobs_in_their_order() -> None:
    scratch = load("rollout(n=7,horizon=9)").scratch("fan")
    assert scratch.knobs.dtype == np.float64
    assert scratch.knobs.tolist() == [7, 9]
    assert parameters.canonical(load("rollout(n=7)").parameters) == "n=7"


@pytest.mark.parametrize("policy", ["greedy", "lookahead"])
def test_nobody_goes_round_in_circles(policy: str) -> None:
    """Half of the deals of Napoleon at St Helena once stalled: cards went to and fro while the stock waited."""
    player, game = load(policy), sim.game("napoleon_at_st_helena")
    table = Table(game, player.choose, scratch=player.scratch(game.title))
    endings = Counter(int(ending) for piece in table.play(0, 100) for ending in piece.outcomes["ending"])
    assert endings[STALLED] == 0


def test_a_card_is_laid_elsewhere_twice_until_something_happens() -> None:
    here = sim.game("napoleon_at_st_helena").deal(seed=0)
    rules, state = here.game.rules, here.state
    build, turn = (coded(kind, pile, pile + 1, 5, 1) for kind, pile in ((BUILD, int(rules.first[TABLEAU])), (TURN, 0)))
    memory = np.zeros(KEPT, np.int64)
    for times in range(2):
        assert not in_circles(rules, state, build, memory), times
        remember(rules, state, build, memory)
    assert in_circles(rules, state, build, memory)
    assert not in_circles(rules, state, turn, memory)
    remember(rules, state, turn, memory)
    assert not in_circles(rules, state, build, memory)
