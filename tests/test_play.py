"""How deals end, and that nothing a policy does spoils the deals after it."""

from typing import Any

import numpy as np
import pytest

import sim
from sim import play
from sim.bits import ONE, U, lowest
from sim.moves import BUILD, card, what
from sim.play import STALL_MOVES_PER_CARD, STALL_RETURNS, Fault
from sim.rules import TABLEAU
from sim.state import pop
from tests.engine import Driver, compiled, deck_with

LUCIE, NAPOLEON = "la_belle_lucie", "napoleon_at_st_helena"
KINGS = "KD KD KH KH KC KC KS"
TOGGLES = ("9S", "9H", "9D", "9C", "5S")  # each may go to and fro between two tens, or sixes
TOGGLED = tuple(1 + "A23456789TJQK".index(name[0]) | "CSHD".index(name[1]) << 4 for name in TOGGLES)


def first_build(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    for i in range(n):
        if what(moves[i]) == BUILD:
            return i
    return -1


def gray_code(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    """Walk through all places of the toggled cards before any comes again."""
    scratch.memory[0] += 1
    wanted = TOGGLED[min(lowest(U(scratch.memory[0])), len(TOGGLED) - 1)]
    for i in range(n):
        if what(moves[i]) == BUILD and card(moves[i]) == wanted:
            return i
    return -1


def resigning(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    return -1 if n > 3 else 0


def too_high(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    return n if state.seed & ONE else 0


def too_low(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    return -2 if state.seed & ONE else 0


def reaching_out(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    return scratch.memory[1000 * n] if state.seed & ONE else 0


def raising(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    scratch.memory[0] += 1
    if state.seed & ONE and scratch.memory[0] == 3:
        raise ValueError("no idea")
    return 0


def changing(game: Any, rules: Any, state: Any, moves: Any, n: int, scratch: Any) -> int:
    if state.seed & ONE:
        pop(rules, state, rules.end[TABLEAU] - 1)
    return 0


def columns(tops: str, above: str = "") -> list[str]:
    """A deck of two packs whose ten columns end so; `above` are the cards that the row before ends with."""
    lying = above.split()
    return deck_with(f"..*{30 - len(lying)} {' '.join(lying)} {tops}", 2)


def test_endings_and_faults_have_names() -> None:
    assert len(play.ENDINGS) == 6
    assert play.ENDINGS[play.TOO_LONG] == "too_long"
    assert [fault.name for fault in Fault] == ["NONE", "INDEX", "CHANGED", "RAISED"]


def test_won_and_stuck_say_what_lies_on_the_table() -> None:
    played = Driver("la_croix_dhonneur", "greedy").play(200)
    assert set(played.endings) == {"won", "stuck"}
    for ending, out in zip(played.endings, played.outcomes, strict=True):
        assert (ending == "won") == (out["cards_home"] == 52)
        assert 0 < out["decisions"] <= out["moves"] <= out["legal_moves"]


def test_stalled_by_meeting_one_position_again_and_again() -> None:
    deck = columns(f"TS TS 9S {KINGS}")
    played = Driver(NAPOLEON, compiled(first_build)).play_decks([deck])
    assert played.endings == ["stalled"]
    assert 2 * STALL_RETURNS <= played.outcomes[0]["moves"] < 16 * STALL_RETURNS


def test_stalled_by_moves_without_progress() -> None:
    deck = columns("TS 9S TH 9H TD 9D TC 9C 6S 5S", above="KS TS KS TH KH TD KH TC KC 6S")
    opening = sim.game(NAPOLEON).deal(deck=deck).zones["tableau"]
    assert [column[-2:] for column in opening[1::2]] == [[low, top] for low, top in zip(
        ("TS", "TH", "TD", "TC", "6S"), TOGGLES, strict=True
    )]  # fmt: skip
    played = Driver(NAPOLEON, compiled(gray_code)).play_decks([deck])
    assert played.endings == ["stalled"]
    assert played.outcomes[0]["moves"] == STALL_MOVES_PER_CARD * 104


@pytest.mark.parametrize("limit", [1, 10])
def test_too_long(limit: int) -> None:
    played = Driver(NAPOLEON, "random", limit=limit).play(20)
    assert played.endings == ["too_long"] * 20
    assert played.outcomes["moves"].tolist() == [limit] * 20


def test_resigned() -> None:
    played = Driver(LUCIE, compiled(resigning)).play(20)
    assert set(played.endings) == {"resigned"}
    resigned_at_once = [sim.game(LUCIE).deal(seed=seed) for seed in range(20)]
    lists = [len(position.moves()) for position in resigned_at_once]
    for out, n in zip(played.outcomes, lists, strict=True):
        assert (out["moves"] == 0) == (n > 3)
        assert out["moves"] > 0 or (out["legal_moves"], out["decisions"]) == (n, 1)


@pytest.mark.parametrize(
    ("choose", "fault", "moves"),
    [
        (too_high, Fault.INDEX, 0),
        (too_low, Fault.INDEX, 0),
        (changing, Fault.CHANGED, 0),
        (reaching_out, Fault.RAISED, 0),
        (raising, Fault.RAISED, 2),
    ],
)
def test_errors_end_their_deal_only(choose: Any, fault: Fault, moves: int) -> None:
    """The deals of odd seeds go wrong, those of even ones are played as if nothing had happened."""
    played, good = Driver(LUCIE, compiled(choose)).play(30), Driver(LUCIE, "first").play(30)
    assert played.outcomes[::2].tolist() == good.outcomes[::2].tolist()
    assert [codes.tolist() for codes in played.codes[::2]] == [codes.tolist() for codes in good.codes[::2]]
    bad = played.outcomes[1::2]
    assert bad["seed"].tolist() == list(range(1, 30, 2))
    assert played.endings[1::2] == ["error"] * 15
    assert set(bad["fault"].tolist()) == {int(fault)}
    assert set(bad["moves"].tolist()) == {moves}
    assert [(fall.seed, fall.step) for fall in played.falls] == [(seed, moves) for seed in range(1, 30, 2)]
    assert all(fall.reason for fall in played.falls)


def test_what_a_policy_raised_is_told() -> None:
    assert Driver(LUCIE, compiled(raising)).play(2).falls[0].reason == "ValueError: no idea"
    assert Driver(LUCIE, compiled(reaching_out)).play(2).falls[0].reason.startswith("IndexError: ")


def test_a_good_policy_has_no_faults() -> None:
    played = Driver(LUCIE, "first").play(10)
    assert (played.falls, np.unique(played.outcomes["fault"]).tolist()) == ([], [0])
