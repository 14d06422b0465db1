"""Plays the best line that a search finds, up to the next card that nobody can see.

Positions met before are not entered again (64-bit keys), plays home are forced only where they are provably safe, and a
position is left where provably no more cards can come home than in the best line so far (`looking.most_home`). What
cannot be undone, and builds, are pursued first, the latest first; spaces are filled last of all. The line with the most
cards home is kept and played; then a card is turned, dealt, or the redeal taken, and the search begins anew. When
nothing improves and nothing is left to uncover, it resigns.
"""

from dataclasses import dataclass

import numpy as np

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
    KEYS,
    IS_END,
    LENGTH,
    LIMIT,
    MADE,
    MEMORY,
    ORDER,
    OVER,
    PLAIN,
    PLAYED,
    REACHED,
    SAFE,
    SEEN,
    SHOWN,
    SIZE,
    WORTH,
    add,
    forget,
    go_to,
    keep,
    met,
    pop_node,
    work,
)
from policies.looking import brings_home, forced, revealed, reveals, safety, tops_only
from policies.ordering import can_be_undone, insert, rank_of
from policies.parameters import number
from policies.plain import (
    hash_change,
    in_the_open,
    is_plain,
    most_home,
    most_home_after,
    partners,
    worth_after,
)
from sim.bits import U
from sim.jit import njit
from sim.moves import REDEAL, what
from sim.rules import TABLEAU
from sim.state import position

COST = "up to so many positions for each card that comes to light"

MOST_SORTED = 64
NODES = 0  # knob


@dataclass(frozen=True)
class Parameters:
    """How much it may look at."""

    nodes: int = number(20_000, 1, 20_000_000, about="positions that it looks at for one line")


def room(nodes):
    """Words of the table of positions: a power of two, never more than half full."""
    size = 1
    while size <= 2 * nodes:
        size *= 2
    return size


room_for = njit(room)


def needs(p: Parameters) -> dict[str, int]:
    return {"copies": DEPTH + 1, "memory": MEMORY, "work": work(room(p.nodes), p.nodes)}


@njit(inline=True)
def worth(state):
    """Cards home first; then places that are free."""
    return np.int64(state.home) << 8 | np.int64(state.spaces[TABLEAU])


@njit(inline=True)
def list_moves(game, rules, scratch, here):
    """List the moves of a position; of one that can never be regretted, only that."""
    moves, memory = scratch.moves[0], scratch.memory
    n = game.legal_moves(rules, here, moves)
    i = forced(rules, here, moves, n, memory[SAFE])
    if i >= 0:
        moves[0], n = moves[i], 1
    return n


@njit
def look_up(rules, here, moves, n, plain, order, keys, table):
    """Put the moves in order, and note the keys of the positions that plain ones lead to.

    A word of the order has the rank, the move, and in 16 bits where its key stands; keys are odd, or 0 for other moves.
    All places of the table are read before any is compared: none then waits for another to come from memory.
    """
    read, base = U(0), position(here)
    for i in range(n):
        m = moves[i]
        keys[i] = base + hash_change(rules, here, m) | U(1) if plain and is_plain(m) else U(0)
        read |= table[keys[i] & U(len(table) - 1)]
        if n <= MOST_SORTED:
            insert(order, i, U(rank_of(rules, here, m)) << U(44) | U(m) << U(16) | U(i))
        else:
            order[i] = U(m) << U(16) | U(i)
    keys[n] = read  # or the compiler would leave the reading out


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


@njit(inline=True)
def is_new(scratch, key):
    """Whether a position that was reached was not met before; it is now."""
    memory = scratch.memory
    new = not met(scratch.work, memory[SIZE], key, memory[SEEN])
    memory[REACHED] += 1
    memory[SEEN] += new
    return new


@njit
def make(game, rules, scratch, here, m):
    """Make a move in states[DEPTH]; what that is worth, or -1 if it leads to a position that was met before."""
    there, event = scratch.states[DEPTH], reveals(rules, here, m)
    scratch.states[DEPTH] = here
    game.apply_move(rules, there, m)
    if event or revealed(rules, here, there):
        scratch.memory[SHOWN] = 1
        return worth(here) + (brings_home(m) << 8)
    return worth(there) if is_new(scratch, position(there) | U(1)) else -1


@njit(inline=True)
def look(game, rules, scratch, here, m, key):
    """What a move is worth, or -1 if it leads to a position that was met before; a plain one, with a key, is not made."""
    scratch.memory[SHOWN] = 0
    if key:
        return worth_after(here, m) if is_new(scratch, key) else -1
    if reveals(rules, here, m) and brings_home(m) == 0:
        return -1
    return make(game, rules, scratch, here, m)


@njit(inline=True)
def go_on(rules, scratch, here, node, m, plain, depth, so_far, bounds):
    """Let the position that a move leads to wait, unless nothing can be gained there."""
    memory = scratch.memory
    if memory[BOUNDED]:
        most = most_home_after(here, m, bounds) if plain else most_home(scratch.states[DEPTH], bounds)
        if most <= memory[WORTH] >> 8:
            return
    gain = so_far if can_be_undone(rules, here, m) else so_far + 1
    add(memory, scratch.work, memory[MADE], memory[SEEN] - 1, node, m, depth, gain, so_far)
    memory[GAIN] = max(memory[GAIN], gain)


@njit(inline=True)
def done(scratch):
    """Whether the line cannot be better, or enough was looked at."""
    memory = scratch.memory
    return memory[WORTH] >> 8 >= memory[CEILING] or memory[SEEN] >= memory[LIMIT]


@njit(inline=True)
def expand(game, rules, scratch, here, node, depth, bounds):
    """Try every move of the position of a node, which is at hand; the last first."""
    memory, work, so_far = scratch.memory, scratch.work, scratch.memory[GAIN]
    order, keys = work[len(work) + ORDER :], work[len(work) + KEYS :]
    n = list_moves(game, rules, scratch, here)
    look_up(rules, here, scratch.moves[0], n, memory[PLAIN], order, keys, work[: memory[SIZE]])
    for i in range(n - 1, -1, -1):
        m, key = np.int32(order[i] >> U(16) & U(0xFFFFFFF)), keys[order[i] & U(0xFFFF)]
        value = look(game, rules, scratch, here, m, key)
        if value > memory[WORTH]:
            memory[WORTH], memory[IS_END] = value, not memory[SHOWN]
            memory[BEST_NODE], memory[BEST_MOVE] = node, m
        if value >= 0 and not memory[SHOWN]:
            go_on(rules, scratch, here, node, m, key != U(0), depth + 1, so_far, bounds)
        if value >= 0 and done(scratch):
            break


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
