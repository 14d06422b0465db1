"""Tries each move by playing the deal on from it with another policy, many times, and takes the best on average.

For each round the unseen cards are dealt anew, the same way for every move, so it knows no more than a player and
compares like with like. After 4, 8, 16, … rounds the worse half of the moves is dropped.
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
ORDER, TOTAL = KEPT, KEPT + CANDIDATES  # moves that are still tried; cards home over all rounds
OWN_MEMORY = TOTAL + CANDIDATES
FIRST_ROUNDS = 4


@dataclass(frozen=True)
class Parameters:
    """How much it tries."""

    base: str = parameters.base("greedy", about="the policy that plays on")
    n: int = parameters.number(16, 1, 10_000, about="rounds of play for a move")
    horizon: int = parameters.number(250, 1, 10_000, about="most moves of a round")


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
    """Put the moves that are still tried in order, best first (of equals the first listed); how many stay."""
    for k in range(1, alive):
        i = memory[ORDER + k]
        while k and memory[TOTAL + memory[ORDER + k - 1]] < memory[TOTAL + i]:
            memory[ORDER + k] = memory[ORDER + k - 1]
            k -= 1
        memory[ORDER + k] = i
    return (alive + 1) // 2


@njit
def best_of(memory, alive, favourite):
    """The move with most cards home; of equals the one that the base would make, else the first."""
    best = memory[ORDER]
    for k in range(alive):
        i = memory[ORDER + k]
        more = memory[TOTAL + i] - memory[TOTAL + best]
        if more > 0 or (more == 0 and i == favourite):
            best = i
    return best


@njit
def list_candidates(rules, state, moves, n, memory):
    """The first moves that do not lead round in circles; how many they are."""
    found = 0
    for i in range(n):
        if found < CANDIDATES and not in_circles(rules, state, moves[i], memory):
            memory[ORDER + found], memory[TOTAL + found] = i, 0
            found += 1
    return found


@njit
def best_move(game, rules, state, moves, n, scratch, favourite):
    """The index of the move that brings most cards home; -1 if all lead round in circles."""
    memory, there = scratch.memory, scratch.states[1]
    alive, rounds, until = list_candidates(rules, state, moves, n, memory), np.int64(scratch.knobs[N]), FIRST_ROUNDS
    if alive == 0:
        return -1
    for played in range(rounds):
        if alive == 1:
            break
        begin_round(rules, state, scratch)
        for k in range(alive):
            i = memory[ORDER + k]
            scratch.states[1] = scratch.states[0]
            game.apply_move(rules, there, moves[i])
            rest = inner(scratch, 1)
            most = 0 if what(moves[i]) == REDEAL else np.int64(scratch.knobs[HORIZON])
            memory[TOTAL + i] += play_on(game, rules, there, scratch.moves[0], rest, most)
        if played + 1 == until:
            alive, until = keep_better_half(memory, alive), 2 * until
    return best_of(memory, alive, favourite)


def choose(game, rules, state, moves, n, scratch):
    favourite = base(game, rules, state, moves, n, inner(scratch, 0))
    best = favourite if n == 1 else best_move(game, rules, state, moves, n, scratch, favourite)
    if best >= 0:
        remember(rules, state, moves[best], scratch.memory)
    return best
