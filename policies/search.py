"""Plays the best line that a depth-first search finds, up to the next card that nobody can see.

Every open move is tried, positions met before are not entered again (64-bit keys), plays home are forced only where
they are provably safe. The line with the most cards home is kept and played; then a card is turned, dealt, or the
redeal taken, and the search begins anew. When nothing improves and nothing is left to uncover, it resigns.
"""

from dataclasses import dataclass

import numpy as np

from policies.looking import (
    brings_home,
    builds_can_be_safe,
    hash_after,
    in_order,
    in_the_open,
    most_home,
    partners,
    plays_are_safe,
    revealed,
    reveals,
    tops_only,
)
from policies.parameters import number
from sim.bits import U, has
from sim.cards import face
from sim.jit import njit
from sim.moves import BUILD, FILL, PLAY, REDEAL, count, dst, src, what
from sim.rules import TABLEAU
from sim.state import position

DEPTH = 400  # most moves of a line
LENGTH, PLAYED, OVER = 0, 1, 2  # of the best line, in memory; then the line itself, and the one that is being tried
BEST, LINE, AT, LISTED = 3, 3 + DEPTH, 3 + 2 * DEPTH, 3 + 3 * DEPTH
MOST_SORTED = 64
NODES = 0  # knob


@dataclass(frozen=True)
class Parameters:
    """How much it may look at."""

    nodes: int = number(20_000, 1, 20_000_000, about="positions that it looks at for one line")


def room(nodes: int) -> int:
    """Words of the table of positions: a power of two, never more than half full."""
    return 1 << (2 * nodes).bit_length()


def needs(p: Parameters) -> dict[str, int]:
    return {"copies": DEPTH + 1, "memory": 3 + 4 * DEPTH, "work": room(p.nodes) + p.nodes + 1}


@njit
def met(work, size, key, n):
    """Whether the key is in the table; it is put there, as the n-th, if not."""
    at = key & U(size - 1)
    while work[at]:
        if work[at] == key:
            return True
        at = (at + U(1)) & U(size - 1)
    work[at] = key
    work[size + n] = at
    return False


@njit
def forget(work, size, n):
    """Empty the table of its n keys."""
    for i in range(n):
        work[work[size + i]] = U(0)


@njit(inline=True)
def worth(state):
    """Cards home first; then places that are free."""
    return np.int64(state.home) << 8 | np.int64(state.spaces[TABLEAU])


@njit
def forced(rules, state, moves, n, safe):
    """The index of a move that can never be regretted, a play first, or -1; safe: 1 plays, 2 builds as well."""
    found = -1
    for i in range(n):
        if what(moves[i]) == PLAY and safe:
            return i
        if what(moves[i]) == BUILD and safe == 2 and found < 0 and in_order(rules, state, dst(moves[i])):
            found = i
    return found


@njit(inline=True)
def rank_of(rules, state, m):
    """How late a move is tried, from 0 to 7: what opens cards comes first, what takes sequences apart last."""
    kind, card = what(m), state.top[src(m)]
    below = state.under[card]
    if kind == PLAY:
        return 0
    if kind != BUILD and kind != FILL:
        return 7
    if below == 0:
        return 1
    married = has(rules.onto[TABLEAU, face(card)], face(below))
    if kind == FILL:
        return 6 if married else 4
    return 5 if married else 2 if state.height[src(m)] <= 3 else 3


@njit
def sort(rules, state, moves, n):
    """Put the moves in the order in which they are tried."""
    for i in range(n):
        m = np.int32(rank_of(rules, state, moves[i]) << 28 | moves[i])
        j = i
        while j > 0 and moves[j - 1] > m:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = m
    for i in range(n):
        moves[i] &= 0xFFFFFFF


@njit
def list_moves(game, rules, scratch, level, safe):
    """List the moves of a level; of one that can never be regretted, only that."""
    moves, memory = scratch.moves[level], scratch.memory
    n = game.legal_moves(rules, scratch.states[level], moves)
    i = forced(rules, scratch.states[level], moves, n, safe)
    if i >= 0:
        moves[0], n = moves[i], 1
    elif n <= MOST_SORTED:
        sort(rules, scratch.states[level], moves, n)
    memory[AT + level], memory[LISTED + level] = 0, n


@njit
def keep(memory, length):
    """The line that is being tried, up to here, is the best so far."""
    for i in range(length):
        memory[BEST + i] = memory[LINE + i]
    memory[LENGTH], memory[PLAYED] = length, 0


@njit
def plan(game, rules, state, scratch):
    """Search; the best line stands in memory afterwards."""
    memory, states, work = scratch.memory, scratch.states, scratch.work
    nodes = np.int64(scratch.knobs[NODES])
    size = 1
    while size <= 2 * nodes:
        size *= 2
    memory[LENGTH] = memory[PLAYED] = 0
    best, safe = worth(state), 0
    if plays_are_safe(rules, state):
        safe = 2 if builds_can_be_safe(rules) else 1
    plain = in_the_open(rules, state)
    bounded = plain and safe > 0 and tops_only(game, rules, state, states[0], scratch.moves[0])
    down, up, fill = partners(rules)
    states[0] = state
    salt = position(state) - state.hash
    ceiling = np.int64(rules.goal)
    if bounded:
        ceiling = most_home(state, down, up, fill)
    seen, level, ends_in_sight = 1, 0, True
    met(work, size, position(state) | U(1), 0)
    list_moves(game, rules, scratch, 0, safe)
    while level >= 0 and seen < nodes and best >> 8 < ceiling:
        i = memory[AT + level]
        if i == memory[LISTED + level]:
            level -= 1
            continue
        memory[AT + level] += 1
        m = scratch.moves[level, i]
        here = states[level]
        event = reveals(rules, here, m)
        if event and brings_home(m) == 0:
            continue
        quick = plain and not event and count(m) == 1
        key = U(0)
        if quick:
            key = salt + hash_after(rules, here, m) | U(1)
            if met(work, size, key, seen):
                continue
            seen += 1
        memory[LINE + level] = m
        there = states[level + 1]
        states[level + 1] = here
        game.apply_move(rules, there, m)
        shown = event or revealed(rules, here, there)
        if quick and key == position(there) | U(1):
            value = worth(there)
        elif shown:
            plain = False
            value = worth(here) + (brings_home(m) << 8)
        elif met(work, size, position(there) | U(1), seen):
            continue
        else:
            plain = False
            value = worth(there)
            seen += 1
        if value > best:
            best = value
            keep(memory, level + 1)
            ends_in_sight = not shown
        if shown or level + 2 >= DEPTH:
            continue
        if bounded and most_home(there, down, up, fill) <= best >> 8:
            continue
        level += 1
        list_moves(game, rules, scratch, level, safe)
    memory[OVER] = ends_in_sight and seen < nodes
    forget(work, size, seen)


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
