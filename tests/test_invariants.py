"""What holds of every game in every position, and of every deal that is played to its end."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import sim
from sim.bits import U
from sim.cards import full_deck
from sim.layout import Piles
from sim.moves import MOST_LEGAL, TRACE_BITS
from sim.position import Position
from sim.state import clear, cover, position, push, set_counter
from tests import digests, recount
from tests.engine import GAMES, POLICIES, THINKERS, Driver, easy_deck, every_variant, flat, mixed, walk

VARIANTS = every_variant()
PLAYOUTS = 1000


def positions(variant: str, steps: int = 30, number: int = 0) -> Iterator[Position]:
    """Positions along random play, on a shuffled deck and on an easy one; others for another number."""
    dice, game = random.Random(f"{variant} {number}" if number else variant), sim.game(variant)
    yield from walk(game.deal(seed=dice.randrange(2**63)), dice, steps)
    yield from walk(game.deal(seed=1, deck=easy_deck(game, dice)), dice, steps)


def mixtures() -> list[str]:
    """A few variants of each game with every option drawn at random."""
    dice = random.Random("mixtures")
    return [mixed(game, dice) for game in GAMES for _ in range(3)]


@pytest.mark.parametrize("variant", [*VARIANTS, *mixtures()])
def test_what_is_kept_is_what_is_counted_afresh(variant: str) -> None:
    for here in positions(variant):
        state, chains = here.state, recount.chains(here)
        assert sorted(flat(chains)) == sorted(full_deck(here.game.packs))
        assert [int(height) for height in state.height[: len(chains)]] == [len(cards) for cards in chains]
        assert all(int(state.where[cards[-1]]) == pile for pile, cards in enumerate(chains) if cards)
        assert state.shown.tolist() == recount.shown(here), here
        assert state.spaces.tolist() == recount.spaces(here), here
        assert here.cards_home == recount.home(here)
        assert int(position(state)) == recount.key(here), here


@pytest.mark.parametrize("variant", [*VARIANTS, *mixtures()])
def test_every_legal_move_is_listed_once_can_be_made_and_changes_the_position(variant: str) -> None:
    for here in positions(variant, 12):
        moves, before = here.codes(), (told_apart(here), here.state.tobytes())
        assert len(set(moves)) == len(moves)
        assert here.over == (here.won or not moves)
        for move in moves[:: 1 + len(moves) // 12]:  # all of a few, some of many
            there = here.copy()
            there.play(move)
            assert told_apart(there) != before[0], here.read(move)
            assert sorted(flat(recount.chains(there))) == sorted(full_deck(here.game.packs)), here.read(move)
        assert before == (told_apart(here), here.state.tobytes())


def told_apart(here: Position) -> tuple[object, ...]:
    """What a player sees of a position: the table, the redeals, and what a game counts."""
    return here.zones, here.redeals_left, here.state.counter.tolist()


def laid_anew(here: Position, order: list[int], swapped: int) -> Position:
    """The same cards in the piles `order`, and with the twin cards exchanged whose packs differ in these bits."""
    there = here.copy()
    clear(here.game.rules, there.state)
    there.state.redeals_left, there.state.gone = here.state.redeals_left, here.state.gone
    for i, value in enumerate(here.state.counter):
        set_counter(there.state, i, int(value))
    for old, (pile, cards) in enumerate(zip(order, recount.chains(here), strict=True)):
        for card in cards:
            push(here.game.rules, there.state, pile, np.uint8(card ^ swapped))
        cover(there.state, pile, here.state.covered[old])
    return there


@pytest.mark.parametrize("game", GAMES)
def test_twins_and_the_order_of_interchangeable_piles_do_not_matter(game: str) -> None:
    dice = random.Random(game)
    for here in positions(game, 60):
        order = list(range(len(here.game.piles)))
        for row, first in rows(here):
            alike = list(range(first, first + row.count))
            if not row.fixed:
                order[first : first + row.count] = dice.sample(alike, row.count)
        there = laid_anew(here, order, swapped=here.game.packs - 1 << 6)
        assert (hash(there), there) == (hash(here), here)


@pytest.mark.parametrize("game", GAMES)
def test_which_cards_lie_where_does_matter(game: str) -> None:
    """Two cards of different faces exchanged, or the cards of two places that are not alike."""
    keys: dict[int, tuple[str, int, str, bytes]] = {}
    for number in range(20):  # deals of some games are short
        for here in positions(game, 60, number):
            zones = {zone: piles if zone in fixed_zones(here) else sorted(piles) for zone, piles in here.zones.items()}
            told_apart = (str(zones), here.redeals_left, str(here.state.counter), here.state.covered.tobytes())
            assert keys.setdefault(int(position(here.state)), told_apart) == told_apart
        if len(keys) > 40:
            return
    pytest.fail(f"only {len(keys)} positions")


def rows(here: Position) -> Iterator[tuple[Piles, int]]:
    """The rows of the layout, each with the number of its first pile."""
    first = 0
    for row in here.game.layout:
        yield row, first
        first += row.count


def fixed_zones(here: Position) -> set[str]:
    """The zones in which it matters which place a card lies in."""
    return {row.zone for row, _ in rows(here) if row.fixed}


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_is_independent(game: str) -> None:
    here = sim.game(game).deal(seed=3)
    there = here.copy()
    assert (there, hash(there), there.zones) == (here, hash(here), here.zones)
    zones = here.zones
    for _ in range(5):
        if not there.over:
            there.play(there.moves()[0])
    assert here.zones == zones != there.zones
    assert here != there


@pytest.mark.parametrize("game", GAMES)
def test_a_thousand_random_playouts_end_by_themselves(game: str) -> None:
    endings = Counter(Driver(game, "random").play(PLAYOUTS).endings)
    assert endings.total() == PLAYOUTS
    assert set(endings) <= {"won", "stuck", "stalled"}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_deals_end_by_themselves_under_every_option(variant: str, policy: str) -> None:
    endings = Counter(Driver(variant, policy).play(50).endings)
    assert set(endings) <= {"won", "stuck", "stalled", "resigned"}


@pytest.mark.parametrize("policy", THINKERS)
@pytest.mark.parametrize("game", GAMES)
def test_deals_of_thinkers_end_by_themselves(game: str, policy: str) -> None:
    endings = Counter(Driver(game, policy).play(2).endings)
    assert set(endings) <= {"won", "stuck", "stalled", "resigned"}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", GAMES)
def test_pieces_do_not_matter(game: str, policy: str) -> None:
    driver = Driver(game, policy, policy_seed=9, limit=400)
    whole = driver.play(40, first=100)
    for first, room in ((100, 400), (100, 1500)):
        pieces = driver.play(40, first=first, room=room)
        assert whole.outcomes.tolist() == pieces.outcomes.tolist()
        assert [codes.tolist() for codes in whole.codes] == [codes.tolist() for codes in pieces.codes]
    late = driver.play(10, first=130)
    assert whole.outcomes[30:].tolist() == late.outcomes.tolist()
    assert len({int(out) for out in whole.outcomes["trace_hash"]}) > 10


@pytest.mark.parametrize("game", GAMES)
def test_traces_replay_to_the_same_end(game: str) -> None:
    played = Driver(game, "random").play(20, first=7)
    for seed, (out, codes) in enumerate(zip(played.outcomes, played.codes, strict=True), 7):
        here = sim.game(game).deal(seed=seed)
        for code in codes:
            moves = here.codes()
            legal = [move for move in moves if (move ^ int(code)) & TRACE_BITS == 0]
            assert (len(legal), min(len(moves), MOST_LEGAL)) == (1, int(code) >> 24)
            here.play(legal[0])
        assert (here.cards_home, here.won) == (int(out["cards_home"]), int(out["ending"]) == 0)
        assert here.game.rules.redeals - here.redeals_left == int(out["redeals"])


def test_policy_seeds_are_different_streams() -> None:
    traces = [Driver(GAMES[0], "random", policy_seed=seed).play(5).outcomes["trace_hash"].tolist() for seed in (0, 1)]
    assert traces[0] != traces[1]


def test_the_compiler_changes_nothing() -> None:
    command = [sys.executable, "-m", "tests.digests"]
    plain = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.splitlines() == digests.lines()


def test_the_digests_see_a_difference() -> None:
    one, two = (Driver(GAMES[0], "random").play(2, first=first).outcomes.tolist() for first in (0, 1))
    assert one != two
    assert digests.digest(GAMES[0], "random", 1) != digests.digest(GAMES[0], "random", 2)


def test_mixing_agrees_with_the_plain_one() -> None:
    from sim.bits import mix
    from tests import splitmix

    words = [random.Random(0).randrange(2**64) for _ in range(50)]
    assert [int(mix(U(word))) for word in words] == [splitmix.mix(word) for word in words]
