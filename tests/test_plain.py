"""What a search says of a plain move before it is made is so; and where more follows a move, the search notices."""

import random
from types import ModuleType

import numpy as np
import pytest

import sim
from policies.expanding import worth
from policies.frontier import ALL_NODES, ALL_REACHED, PLAIN
from policies.loader import load
from policies.plain import (
    hash_change,
    in_the_open,
    is_plain,
    most_home,
    most_home_after,
    partners,
    take_back,
    worth_after,
)
from sim.builder import home_for
from sim.door import Game
from sim.jit import njit
from sim.moves import dst, src
from sim.position import Position
from sim.rules import TABLEAU
from sim.state import carry
from sim.table import Table
from tests.exhaustive import Bounded, best

HILL = "house_on_the_hill(vacancy=any,foundation_exchange=true)"


@njit
def foreseen(rules, before, after, m):  # type: ignore[no-untyped-def]
    """Whether all that is said of a move before it comes true."""
    bounds = partners(rules)
    if rules.packs == 1 and most_home_after(before, m, bounds) != most_home(after, bounds):
        return False
    return before.hash + hash_change(rules, before, m) == after.hash and worth_after(before, m) == worth(after)


def same(here: Position, there: Position) -> bool:
    """Whether two positions are equal to the byte; `where` means something for cards on top only."""
    here, there = here.copy(), there.copy()
    for position in (here, there):
        hidden = np.setdiff1d(np.arange(256), position.state.top[position.state.top > 0])
        position.state.where[hidden] = 0
    return here.state.tobytes() == there.state.tobytes()


@pytest.mark.parametrize("variant", ["fortress", "la_belle_lucie(vacancy=king)", "house_in_the_wood", HILL])
def test_a_plain_move_is_foreseen_and_taken_back(variant: str) -> None:
    seen = 0
    for seed in range(6):
        here, dice = sim.game(variant).deal(seed=seed), random.Random(seed)
        assert in_the_open(here.game.rules, here.state)
        for _ in range(40):
            if here.over:
                break
            for move in here.moves():
                there = here.copy()
                there.play(move)
                if is_plain(move.code):
                    assert foreseen(here.game.rules, here.state, there.state, np.int32(move.code)), move
                    take_back(here.game.rules, there.state, move.code)
                    assert same(here, there), move
                    seen += 1
            here.play(dice.choice(here.moves()))
    assert seen > 20


@njit
def play_on(rules, state, m):  # type: ignore[no-untyped-def]
    """The move, and then every card that lies open and can go home."""
    carry(rules, state, src(m), dst(m), 1)
    pile = 0
    while pile < rules.n_piles:
        card = state.top[pile]
        home = home_for(rules, state, card) if card and rules.kind[pile] == TABLEAU else -1
        if home >= 0:
            carry(rules, state, pile, home, 1)
        pile = 0 if home >= 0 else pile + 1


def test_more_that_follows_a_move_is_noticed() -> None:
    """Fortress, but open cards go home by themselves: the search makes every move after all."""
    usual, player = sim.game("fortress(marriages=down)"), load("search")
    game = Game(ModuleType("sim.games.fortress"), usual.options)
    vars(game.module).update(vars(usual.module) | {"apply_move": play_on})
    table = Table(game, player.choose, scratch=player.scratch(game.title))
    noticed = 0
    for seed in range(12):
        try:
            most = best(game.deal(seed=seed), Bounded(2000))
        except OverflowError:
            continue
        (played,) = table.play(seed, seed + 1)
        assert played.outcomes["cards_home"].tolist() == [most], seed
        noticed += not table.scratch.memory[PLAIN]
    assert noticed > 3


def test_nodes_are_counted() -> None:
    game, player = sim.game("house_in_the_wood(redeals=0)"), load("search(nodes=50)")
    table = Table(game, player.choose, scratch=player.scratch(game.title), move_limit=1)
    list(table.play(1, 2))
    assert table.scratch.work[ALL_NODES] == 49  # and the position that it began with
    assert table.scratch.work[ALL_REACHED] > 49
