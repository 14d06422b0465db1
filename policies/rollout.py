"""Tries each move by playing the deal on from it with another policy, many times, and takes the best on average.

For each round the unseen cards are dealt anew, the same way for every move, so it knows no more than a player and
compares like with like. After 4, 8, 16, … rounds the worse half of the moves is dropped, but never the one that the
base would make; another is made only if it gains more than that one by a standard error, or chance would choose.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from policies import parameters
from policies.restraint import KEPT, in_circles, remember
from sim.bits import GOLDEN, mix
from sim.hidden import permute_hidden
from sim.jit import njit
from sim.moves import REDEAL, what
from sim.roles import WORK, Scratch

COST = "for each legal move, up to n deals played on by the base"

base: Any = None  # the compiled `choose` of the policy that plays on
N, HORIZON, KNOBS = range(3)
OWN_COPIES = 2
CANDIDATES = 1000  # so many moves are tried, the first ones
INDEX, GAIN, SQUARES, ORDER = (KEPT + part * CANDIDATES for part in range(4))  # of each candidate its index in the list
# of moves, its cards home beyond those of the first over all rounds, the squares of that; those that are still tried
OWN_MEMORY = KEPT + 4 * CANDIDATES
FIRST_ROUNDS = 4


@dataclass(frozen=True)
class Parameters:
    """How much it tries."""

    base: str = parameters.base("greedy", about="the policy that plays on")
    n: int = parameters.number(16, 1, 10_000, about="rounds of play for a move")
    horizon: int = parameters.number(250, 1, 10_000, about="most moves of a round")


def effort(p: Parameters) -> float:
    return 30.0 * p.n


def needs(p: Parameters) -> dict[str, int]:
    """Its own part; what the base needs comes on top, the memory twice."""
    return {"copies": OWN_COPIES, "memory": OWN_MEMORY, "work": WORK}


@njit
def inner(scratch, in_round):
    """What the base writes on; it has one memory for the rounds, and one for what it would do itself."""
    half = (len(scratch.memory) - OWN_MEMORY) // 2
    memory = OWN_MEMORY + half * in_round
    return Scratch(
        scratch.states[OWN_COPIES:],
        scratch.moves[OWN_COPIES:],
        scratch.memory[memory : memory + half],
        scratch.rng,
        scratch.knobs[KNOBS:],
        scratch.work[WORK:],
    )


@njit
def play_on(game, rules, state, moves, scratch, horizon):
    """Let the base play until the end of this deal; the cards home then. What a redeal brings is chance."""
    scratch.memory[:] = 0
    for _ in range(horizon):
        n = game.legal_moves(rules, state, moves)
        i = base(game, rules, state, moves, n, scratch) if n else -1
        if i < 0 or what(moves[i]) == REDEAL:
            break
        game.apply_move(rules, state, moves[i])
        if state.home == rules.goal:
            break
    return np.int64(state.home)


@njit
def begin_round(rules, state, scratch):
    """The position as it may be: states[0]."""
    scratch.states[0] = state
    scratch.rng[0] += GOLDEN
    permute_hidden(rules, scratch.states[0], mix(scratch.rng[0]), scratch.work)


@njit
def keep_better_half(memory, alive):
    """Put the moves behind the first in order, best first (equals as they stood); how many of all are tried on."""
    for k in range(2, alive):
        i = memory[ORDER + k]
        while k > 1 and memory[GAIN + memory[ORDER + k - 1]] < memory[GAIN + i]:
            memory[ORDER + k] = memory[ORDER + k - 1]
            k -= 1
        memory[ORDER + k] = i
    return 1 + alive // 2


@njit
def best_of(memory, alive):
    """The move that gains most, if that is a standard error or more; else the first.

    With gains d of n rounds, (sum d)**2 >= sum d**2 says that their mean is no less than its standard error.
    """
    best, most = 0, 0
    for i in memory[ORDER + 1 : ORDER + alive]:
        gain = memory[GAIN + i]
        if gain > most and gain * gain >= memory[SQUARES + i]:
            best, most = i, gain
    return memory[INDEX + best]


@njit
def list_candidates(rules, state, moves, n, memory, favourite):
    """The move that the base would make, then the first others, if they do not lead round in circles; how many."""
    found = 0
    for k in range(-1, n):
        i = favourite if k < 0 else k
        new = i >= 0 and (k < 0 or i != favourite)
        if new and found < CANDIDATES and not in_circles(rules, state, moves[i], memory):
            memory[INDEX + found], memory[ORDER + found] = i, found
            memory[GAIN + found] = memory[SQUARES + found] = 0
            found += 1
    return found


@njit
def try_move(game, rules, scratch, m):
    """The cards home after a move in the position of this round, when the base plays on."""
    there = scratch.states[1]
    scratch.states[1] = scratch.states[0]
    game.apply_move(rules, there, m)
    most = 0 if what(m) == REDEAL else np.int64(scratch.knobs[HORIZON])
    return play_on(game, rules, there, scratch.moves[0], inner(scratch, 1), most)


@njit
def best_move(game, rules, state, moves, n, scratch, favourite):
    """The index of the move that brings most cards home; -1 if all lead round in circles."""
    memory = scratch.memory
    alive, until = list_candidates(rules, state, moves, n, memory, favourite), FIRST_ROUNDS
    for played in range(1, np.int64(scratch.knobs[N]) + 1):
        if alive < 2:
            break
        begin_round(rules, state, scratch)
        usual = try_move(game, rules, scratch, moves[memory[INDEX]])
        for i in memory[ORDER + 1 : ORDER + alive]:
            gain = try_move(game, rules, scratch, moves[memory[INDEX + i]]) - usual
            memory[GAIN + i] += gain
            memory[SQUARES + i] += gain * gain
        if played == until:
            alive, until = keep_better_half(memory, alive), 2 * until
    return best_of(memory, alive) if alive else -1


def choose(game, rules, state, moves, n, scratch):
    favourite = base(game, rules, state, moves, n, inner(scratch, 0))
    best = favourite if n == 1 else best_move(game, rules, state, moves, n, scratch, favourite)
    if best >= 0:
        remember(rules, state, moves[best], scratch.memory)
    return best
