"""The compiled games against the naive twins, step by step over random play: same table, same legal moves, same end.

The defaults, every value of every option alone, and random mixtures; on shuffled decks, where little can be played, and
on easy ones, where columns empty and deals are won. The twins' redeals are shuffled by the streams of `tests.splitmix`.
"""

import random
from math import inf

import pytest

import sim
from tests import splitmix
from tests.decks import ARRANGED
from tests.engine import GAMES, easy_deck, every_variant, mixed, option_values
from tests.referee import Step, Table
from tests.test_playthroughs import greedy_moves, seed_of
from tests.twins import TWINS

MIXTURES = 8
STEPS = 250
LONG = 1000  # legal moves of a position
LISTED = 20_000  # legal moves compared in a deal: positions of some games have very many
VARIANTS = every_variant()


def agree_over(table: Table, dice: random.Random, eager: float = 0.7, listed: float = LISTED) -> int:
    """Play on at random, to the end or for so many steps and listed moves; returns how many were played."""
    for played in range(STEPS):
        steps = table.agree()
        listed -= len(steps)
        if not steps or (listed < 0 and played > 2):
            return played
        table.play(pick(steps, dice, eager))
    return STEPS


def pick(steps: list[Step], dice: random.Random, eager: float = 0.7) -> Step:
    """A step at random; cards home so often, unless there is too much else, and turning and gathering less often."""
    home = [step for step in steps if step.kind in ("play", "pair")]
    lively = [step for step in steps if step.kind not in ("turn", "redeal")]
    luck = dice.random()
    return dice.choice(
        home if home and luck < eager and len(steps) < LONG else lively if lively and luck < 0.85 else steps
    )


def deals(variant: str, number: int = 0) -> list[Table]:
    """A shuffled deck and an easy one."""
    dice, game = random.Random(f"{variant} {number}" if number else variant), sim.game(variant)
    return [Table(variant, dice.randrange(2**63)), Table(variant, dice.randrange(2**63), easy_deck(game, dice))]


def won(game: str, seed: int) -> bool:
    """Whether a deal is won by one who brings home whatever he can."""
    dice = random.Random(f"{game} {seed}")
    table = Table(game, seed, easy_deck(sim.game(game), dice) if seed % 2 else None)
    agree_over(table, dice, eager=1, listed=inf)
    return table.compiled.won


def test_every_game_has_a_twin() -> None:
    assert sorted(TWINS) == GAMES


@pytest.mark.parametrize("game", GAMES)
def test_options_are_those_of_the_twin(game: str) -> None:
    assert option_values(game) == TWINS[game].OPTIONS


@pytest.mark.parametrize("variant", VARIANTS)
def test_same_game_as_the_twin(variant: str) -> None:
    dice, played = random.Random(variant), 0
    for number in range(8):  # deals of some games are short
        played += sum(agree_over(table, dice) for table in deals(variant, number))
        if played > 40:
            return
    pytest.fail(f"only {played} steps")


@pytest.mark.parametrize("number", range(MIXTURES))
@pytest.mark.parametrize("game", GAMES)
def test_same_game_under_mixed_options(game: str, number: int) -> None:
    dice = random.Random(f"{game} {number}")
    variant = mixed(game, dice)
    for table in deals(variant):
        agree_over(table, dice)


@pytest.mark.parametrize("game", GAMES)
def test_play_reaches_the_end(game: str) -> None:
    """Otherwise the tests above would never see a won deal. Where chance wins none, `greedy` shows one."""
    tries = 2 if game in ARRANGED else 200
    assert any(won(game, seed) for seed in range(tries)) or greedy_wins(Table(game, seed_of(game)))


def greedy_wins(table: Table) -> bool:
    """Play the deal as `greedy` does; whether it is won."""
    for text in list(greedy_moves(table.compiled.game.name, int(table.compiled.state.seed))):
        table.play(next(step for step in table.agree() if str(table.by_step[step]) == text))
    table.agree()
    return table.compiled.won


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
@pytest.mark.parametrize("game", GAMES)
def test_same_deck_from_the_seed(game: str, seed: int) -> None:
    table = Table(game, seed)
    table.agree_on_zones()
    other = Table(game, seed, splitmix.deck(seed ^ 1, sim.game(game).packs))
    assert other.compiled.zones != table.compiled.zones
