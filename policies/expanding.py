"""One step of a search: every move of a position is tried, the best one noted, and the new positions wait.

A plain move (`policies/plain.py`) is not made for it: the key that it leads to says whether that position is new.
"""

import numpy as np

from policies.frontier import (
    BEST_MOVE,
    BEST_NODE,
    BOUNDED,
    CEILING,
    DEPTH,
    GAIN,
    IS_END,
    KEYS,
    LIMIT,
    MADE,
    ORDER,
    PLAIN,
    REACHED,
    SAFE,
    SEEN,
    SHOWN,
    SIZE,
    WORTH,
    add,
    met,
)
from policies.looking import brings_home, forced, revealed, reveals
from policies.ordering import can_be_undone, insert, rank_of
from policies.plain import hash_change, is_plain, most_home, most_home_after, worth_after
from sim.bits import U
from sim.jit import njit
from sim.rules import TABLEAU
from sim.state import position

MOST_SORTED = 64


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
    """What a move is worth, or -1 if it leads to a position that was met before; one with a key is not made."""
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
