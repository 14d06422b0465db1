"""What a search keeps: the positions it has met, the nodes that wait, and the line to the one at hand.

All stands in the memory and the work of a policy. In work lie the table of keys, the keys in the order in which they
were met, the nodes, and what ORDER begins. A node has two words from `made` on: parent 32 bits, move 32; then next 32,
depth 16, gain 16. Nodes wait in lists, one for each number of moves before them that cannot be undone, `gain`.
"""

import numpy as np

from policies.plain import is_plain, take_back
from sim.bits import U
from sim.jit import njit
from sim.moves import BUILD, MAX_MOVES, what

DEPTH = 400  # most moves of a line
# In memory: of the best line, its moves, those that are played, whether all was searched; of the search that goes on
LENGTH, PLAYED, OVER, SIZE, SEEN, GAIN, WORTH, CEILING, BEST_NODE, BEST_MOVE, IS_END, SHOWN, CUT = range(13)
SAFE, PLAIN, BOUNDED = range(13, 16)  # what is safe, whether all lies in the open, whether `most_home` holds
# Where the position at hand stands in states; positions reached, met before or not; most nodes, and where they begin
AT, REACHED, LIMIT, MADE = range(16, 20)
FIRST = 20
# The best line; the nodes that lead to the position at hand, and their moves; the first and the last node that wait, by
# the moves before them that cannot be undone
BEST, LINE, MOVES, HEAD, TAIL = (FIRST + k * DEPTH for k in range(5))
MEMORY = TAIL + DEPTH
# At the end of work: the moves that are looked at, in order; their keys, and one word more; over all deals, the nodes,
# and those of them that were new positions
ORDER, KEYS, ALL_REACHED, ALL_NODES = -2 * MAX_MOVES - 3, -MAX_MOVES - 3, -2, -1


def words(size: int, nodes: int) -> int:
    """How much work there must be for a table of this size and so many nodes."""
    return size + 3 * (nodes + 1) - ORDER


@njit(inline=True)
def place(work, size, key):
    """Where the key is in the table, or the empty place where it belongs."""
    at = key & U(size - 1)
    while work[at] and work[at] != key:
        at = (at + U(1)) & U(size - 1)
    return at


@njit(inline=True)
def met(work, size, key, n):
    """Whether the key is in the table; it is put there, as the n-th, if not."""
    at = place(work, size, key)
    if work[at]:
        return True
    work[at] = work[size + n] = key
    return False


@njit
def forget(work, size, n):
    """Empty the table of its n keys, the last first, so that no way to an earlier one is broken."""
    if 8 * n > size:
        work[:size] = U(0)
        return
    for i in range(n - 1, -1, -1):
        work[place(work, size, work[size + i])] = U(0)


@njit(inline=True)
def parent(work, made, node):
    """The node before."""
    return np.int64(work[made + 2 * node] & U(0xFFFFFFFF))


@njit(inline=True)
def move_to(work, made, node):
    """The move that leads to a node."""
    return np.int32(work[made + 2 * node] >> U(32))


@njit(inline=True)
def steps_to(work, made, node):
    """Moves from the root, and those of them that cannot be undone."""
    word = work[made + 2 * node + 1]
    return np.int64(word >> U(32) & U(0xFFFF)), np.int64(word >> U(48))


@njit(inline=True)
def add(memory, work, made, node, before, m, depth, gain, gain_before):
    """A new node waits: before the others, but behind them if it only fills a space and that can be undone."""
    work[made + 2 * node] = U(before) | U(m) << U(32)
    head, tail = memory[HEAD + gain], memory[TAIL + gain]
    first = head == 0 or gain > gain_before or what(m) == BUILD
    work[made + 2 * node + 1] = U(head if first else 0) | U(depth) << U(32) | U(gain) << U(48)
    if first:
        memory[HEAD + gain] = node
    else:
        work[made + 2 * tail + 1] |= U(node)
    if head == 0 or not first:
        memory[TAIL + gain] = node


@njit(inline=True)
def pop_node(memory, work, made, gain):
    """The first node that waits, of those with so many moves not to be undone."""
    node = memory[HEAD + gain]
    memory[HEAD + gain] = np.int64(work[made + 2 * node + 1] & U(0xFFFFFFFF))
    work[made + 2 * node + 1] &= ~U(0xFFFFFFFF)
    return node


@njit(inline=True)
def forth(game, rules, scratch, m):
    """Make a move of the line, in a copy unless it can be taken back."""
    memory, states = scratch.memory, scratch.states
    if not (memory[PLAIN] and is_plain(m)):
        states[memory[AT] + 1] = states[memory[AT]]
        memory[AT] += 1
    game.apply_move(rules, states[memory[AT]], m)


@njit(inline=True)
def back(rules, scratch, m):
    """Undo a move of the line."""
    memory = scratch.memory
    if memory[PLAIN] and is_plain(m):
        take_back(rules, scratch.states[memory[AT]], m)
    else:
        memory[AT] -= 1


@njit(inline=True)
def go_to(game, rules, scratch, made, node, have):
    """Bring about the position of a node, from where its line parts from the one that stands up to level `have`."""
    memory, work = scratch.memory, scratch.work
    depth, _ = steps_to(work, made, node)
    level = depth
    while level and (level > have or memory[LINE + level] != node):
        memory[LINE + level] = node
        node = parent(work, made, node)
        level -= 1
    for k in range(have, level, -1):
        back(rules, scratch, np.int32(memory[MOVES + k]))
    for k in range(level + 1, depth + 1):
        memory[MOVES + k] = move_to(work, made, memory[LINE + k])
        forth(game, rules, scratch, np.int32(memory[MOVES + k]))
    return depth


@njit
def keep(memory, work, made, node, m):
    """The line to a node and one move more is the best so far."""
    depth, _ = steps_to(work, made, node)
    memory[LENGTH], memory[PLAYED] = depth + 1, 0
    memory[BEST + depth] = m
    while node:
        depth -= 1
        memory[BEST + depth] = move_to(work, made, node)
        node = parent(work, made, node)
