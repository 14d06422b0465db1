"""Plays the best line that a search finds, up to the next card that nobody can see.

Positions met before are not entered again (64-bit keys), plays home are forced only where they are provably safe, and a
position is left where provably no more cards can come home than in the best line so far (`plain.most_home`). What
cannot be undone, and builds, are pursued first, the latest first; spaces are filled last of all. The line with the most
cards home is kept and played; then a card is turned, dealt, or the redeal taken, and the search begins anew. When
nothing improves and nothing is left to uncover, it resigns.

A node is a position that was not met before in the search. `nodes` limits, and benchmarks.nodes counts, these only:
not the moves that lead to a position that was met, which other programs count as well.
"""

from dataclasses import dataclass

import numpy as np

from policies.expanding import expand, worth
from policies.frontier import (
    ALL_NODES,
    ALL_REACHED,
    AT,
    BEST,
    BEST_MOVE,
    BEST_NODE,
    BOUNDED,
    CEILING,
    CUT,
    DEPTH,
    GAIN,
    HEAD,
    IS_END,
    LENGTH,
    LIMIT,
    MADE,
    MEMORY,
    OVER,
    PLAIN,
    PLAYED,
    REACHED,
    SAFE,
    SEEN,
    SIZE,
    WORTH,
    forget,
    go_to,
    keep,
    met,
    pop_node,
    words,
)
from policies.looking import reveals, safety, tops_only
from policies.parameters import number
from policies.plain import in_the_open, most_home, partners
from sim.bits import U
from sim.jit import njit
from sim.moves import REDEAL, what
from sim.state import position

COST = "up to so many positions for each card that comes to light"

NODES = 0  # knob


@dataclass(frozen=True)
class Parameters:
    """How much it may look at."""

    nodes: int = number(20_000, 1, 20_000_000, about="positions, each counted once, that it looks at for one line")


def room(nodes):
    """Words of the table of positions: a power of two, never more than half full."""
    size = 1
    while size <= 2 * nodes:
        size *= 2
    return size


room_for = njit(room)


def effort(p: Parameters) -> float:
    return 5 + p.nodes / 2000


def needs(p: Parameters) -> dict[str, int]:
    return {"copies": DEPTH + 1, "memory": MEMORY, "work": words(room(p.nodes), p.nodes)}


@njit
def prepare(game, rules, state, scratch, bounds, plain):
    """Clear the tables, and note what holds in this position and what its best line is so far: none."""
    memory, states, work = scratch.memory, scratch.states, scratch.work
    memory[:BEST] = memory[HEAD : HEAD + DEPTH] = 0
    memory[SIZE], memory[SEEN], memory[WORTH], memory[IS_END] = room_for(scratch.knobs[NODES]), 1, worth(state), 1
    memory[SAFE] = safety(game, rules, state, states[0], scratch.moves[0])
    memory[PLAIN] = plain
    if plain and memory[SAFE]:
        memory[BOUNDED] = tops_only(game, rules, state, states[0], scratch.moves[0])
    states[0] = state
    memory[CEILING] = most_home(state, bounds) if memory[BOUNDED] else rules.goal
    memory[LIMIT] = np.int64(scratch.knobs[NODES])
    memory[MADE] = memory[SIZE] + memory[LIMIT] + 1
    met(work, memory[SIZE], position(state) | U(1), 0)
    work[memory[MADE]] = work[memory[MADE] + 1] = U(0)


@njit
def next_node(memory, work, made):
    """The node to go on from, one with the most moves that cannot be undone; -1 when none waits."""
    if memory[SEEN] == 1:
        return 0
    while memory[GAIN] >= 0 and memory[HEAD + memory[GAIN]] == 0:
        memory[GAIN] -= 1
    return pop_node(memory, work, made, memory[GAIN]) if memory[GAIN] >= 0 else -1


@njit
def pursue(game, rules, state, scratch, plain):
    """Search; false when a move that was taken for a plain one was none, for more followed."""
    memory, work = scratch.memory, scratch.work
    have, bounds = 0, partners(rules)
    prepare(game, rules, state, scratch, bounds, plain)
    made = memory[MADE]
    while memory[WORTH] >> 8 < memory[CEILING]:
        node = next_node(memory, work, made)
        if node < 0:
            break
        have = go_to(game, rules, scratch, made, node, have)
        here = scratch.states[memory[AT]]
        if position(here) | U(1) != work[memory[SIZE] + node]:
            return False
        if have + 2 >= DEPTH:
            memory[CUT] = 1
            continue
        expand(game, rules, scratch, here, node, have, bounds)
        if memory[SEEN] == 1 or memory[SEEN] >= memory[LIMIT]:
            break
    return True


@njit
def plan(game, rules, state, scratch):
    """Search; the best line stands in memory afterwards."""
    memory, work = scratch.memory, scratch.work
    if not pursue(game, rules, state, scratch, in_the_open(rules, state)):
        forget(work, memory[SIZE], memory[SEEN])
        pursue(game, rules, state, scratch, False)
    if memory[BEST_MOVE]:
        keep(memory, work, memory[MADE], memory[BEST_NODE], memory[BEST_MOVE])
    memory[OVER] = memory[IS_END] and not memory[CUT] and memory[SEEN] < memory[LIMIT]
    forget(work, memory[SIZE], memory[SEEN])
    work[len(work) + ALL_REACHED] += U(memory[REACHED])
    work[len(work) + ALL_NODES] += U(memory[SEEN] - 1)


@njit
def uncover(rules, state, moves, n):
    """The first move that shows a card, a redeal last of all; -1 if there is none."""
    found = -1
    for i in range(n):
        if reveals(rules, state, moves[i]) and (found < 0 or what(moves[found]) == REDEAL):
            found = i
    return found


@njit
def next_of_line(memory, moves, n):
    """The index of the next move of the line, or -1."""
    for i in range(n):
        if moves[i] == memory[BEST + memory[PLAYED]]:
            memory[PLAYED] += 1
            return i
    return -1


def choose(game, rules, state, moves, n, scratch):
    memory = scratch.memory
    if memory[PLAYED] == memory[LENGTH] and not memory[OVER]:
        plan(game, rules, state, scratch)
    found = next_of_line(memory, moves, n) if memory[PLAYED] < memory[LENGTH] else -1
    if found >= 0:
        return found
    memory[OVER] = 0
    return uncover(rules, state, moves, n)
