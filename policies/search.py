"""Plays the best line that a search finds, up to the next card that nobody can see.

Positions met before are not entered again (64-bit keys), plays home are forced only where they are provably safe, and a
position is left where provably no more cards can come home than in the best line so far (`looking.most_home`). What
cannot be undone, and builds, are pursued first, the latest first; spaces are filled last of all. The line with the most
cards home is kept and played; then a card is turned, dealt, or the redeal taken, and the search begins anew. When
nothing improves and nothing is left to uncover, it resigns.
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
from sim.moves import BUILD, FILL, PLAY, REDEAL, dst, src, what
from sim.rules import TABLEAU
from sim.state import position

COST = "up to so many positions for each card that comes to light"

DEPTH = 400  # most moves of a line
LENGTH, PLAYED, OVER, LISTED = range(4)  # in memory: of the best line, whether it is the end, moves listed last
BEST, LINE, HEAD, TAIL = 4, 4 + DEPTH, 4 + 2 * DEPTH, 4 + 3 * DEPTH  # the line; the nodes
# that lead to the position at hand; the first and the last node that wait, by the moves before them not to be undone
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
    return {"copies": DEPTH + 1, "memory": 4 + 4 * DEPTH, "work": room(p.nodes) + 3 * (p.nodes + 1)}


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


@njit(inline=True)
def can_be_undone(rules, state, m):
    """Whether a single card moves in the tableau from where it could be built, or from a place of its own."""
    if what(m) != BUILD and what(m) != FILL:
        return False
    card = state.top[src(m)]
    return has(rules.onto[TABLEAU, face(card)], face(state.under[card]))


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
    memory[LISTED] = n


@njit(inline=True)
def parent(work, made, node):
    """The node before; a node has two words from `made` on: parent 32, move 32; next 32, depth 16, gain 16."""
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
def add(memory, work, made, node, before, m, depth, gain):
    """A new node waits: before the others, but behind them if it only fills a space and that can be undone."""
    work[made + 2 * node] = U(before) | U(m) << U(32)
    head, tail = memory[HEAD + gain], memory[TAIL + gain]
    _, gain_before = steps_to(work, made, before)
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


@njit
def go_to(game, rules, scratch, made, node, have):
    """Bring about the position of a node, from where its line parts from the one that stands up to level `have`."""
    memory, states, work = scratch.memory, scratch.states, scratch.work
    depth, _ = steps_to(work, made, node)
    level = depth
    while level and (level > have or memory[LINE + level] != node):
        memory[LINE + level] = node
        node = parent(work, made, node)
        level -= 1
    for k in range(level + 1, depth + 1):
        states[k] = states[k - 1]
        game.apply_move(rules, states[k], move_to(work, made, memory[LINE + k]))
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


@njit
def plan(game, rules, state, scratch):
    """Search; the best line stands in memory afterwards."""
    memory, states, work = scratch.memory, scratch.states, scratch.work
    nodes = np.int64(scratch.knobs[NODES])
    size = 1
    while size <= 2 * nodes:
        size *= 2
    made = size + nodes + 1
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
    for i in range(DEPTH):
        memory[HEAD + i] = 0
    seen, gain, have, cut, ends_in_sight = 1, 0, 0, False, True
    best_node = best_move = 0
    met(work, size, position(state) | U(1), 0)
    work[made] = work[made + 1] = U(0)
    node = 0
    there = states[DEPTH]
    while best >> 8 < ceiling:
        if seen > 1:
            while gain >= 0 and memory[HEAD + gain] == 0:
                gain -= 1
            if gain < 0:
                break
            node = pop_node(memory, work, made, gain)
        have = go_to(game, rules, scratch, made, node, have)
        if have + 2 >= DEPTH:
            cut = True
            continue
        list_moves(game, rules, scratch, have, safe)
        here, so_far = states[have], gain
        for i in range(memory[LISTED] - 1, -1, -1):
            m = scratch.moves[have, i]
            event = reveals(rules, here, m)
            if event and brings_home(m) == 0:
                continue
            quick = plain and not event and what(m) in (PLAY, BUILD, FILL)
            key = U(0)
            if quick:
                key = salt + hash_after(rules, here, m) | U(1)
                if met(work, size, key, seen):
                    continue
                seen += 1
            states[DEPTH] = here
            game.apply_move(rules, there, m)
            shown = event or revealed(rules, here, there)
            if shown:
                value = worth(here) + (brings_home(m) << 8)
            elif not quick or key != position(there) | U(1):
                plain = False
                if met(work, size, position(there) | U(1), seen):
                    continue
                seen += 1
                value = worth(there)
            else:
                value = worth(there)
            if value > best:
                best, ends_in_sight, best_node, best_move = value, not shown, node, m
            if not shown:
                later = so_far if can_be_undone(rules, here, m) else so_far + 1
                if not bounded or most_home(there, down, up, fill) > best >> 8:
                    add(memory, work, made, seen - 1, node, m, have + 1, later)
                    gain = max(gain, later)
            if seen >= nodes or best >> 8 >= ceiling:
                break
        if seen == 1 or seen >= nodes:
            break
    if best_move:
        keep(memory, work, made, best_node, best_move)
    memory[OVER] = ends_in_sight and not cut and seen < nodes
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
