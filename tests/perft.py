"""Perft: all the sequences of so many moves from a position, counted by the compiled rules and by a twin."""

from typing import Any

import numpy as np
from numba import types

from sim.jit import njit
from sim.moves import MAX_MOVES
from sim.position import Position
from sim.roles import functions_t, rules_t, state_t
from sim.state import STATE, position
from tests.twins import Move, Twin, name

ROOM = 2_000_000  # most sequences of the last depth
PERFT = types.int64(*functions_t, rules_t, state_t[::1], types.int32[:, ::1], types.uint64[::1])


@njit(PERFT, allocates=True)
def sequences(deal, legal_moves, apply_move, rules, states, moves, keys):
    """Write the key of the position after every sequence of len(moves) moves from states[0]; returns their number."""
    depth, found, level = len(moves), 0, 0
    at, end = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    end[0] = legal_moves(rules, states[0], moves[0])
    while level >= 0:
        if at[level] == end[level]:
            level -= 1
            continue
        states[level + 1] = states[level]
        apply_move(rules, states[level + 1], moves[level, at[level]])
        at[level] += 1
        if level + 1 == depth:
            keys[found] = position(states[depth])
            found += 1
        elif states[level + 1].home != rules.goal:
            level += 1
            at[level], end[level] = 0, legal_moves(rules, states[level], moves[level])
    return found


def counts(start: Position, depth: int) -> tuple[int, int]:
    """The sequences of `depth` moves, and the different positions that they lead to."""
    states, moves = np.zeros(depth + 1, STATE), np.zeros((depth, MAX_MOVES), np.int32)
    states[0] = start.state
    keys = np.zeros(ROOM, np.uint64)
    found = sequences(*start.game.functions, start.game.rules, states, moves, keys)
    return found, len(np.unique(keys[:found]))


def twin_counts(start: Twin, depth: int) -> tuple[int, int]:
    """The same, by the twin."""
    ends: list[Any] = [start]
    for _ in range(depth):
        ends = [after(twin, move) for twin in ends for move in twin.moves()]
    return len(ends), len({told_apart(twin) for twin in ends})


def after(twin: Twin, move: Move) -> Twin:
    """The twin's position after a move."""
    other = twin.clone()
    other.perform(move)
    return other


def told_apart(twin: Twin) -> str:
    """What tells two positions apart: the order of piles that are alike does not."""
    zones = [sorted(piles) if zone in twin.ALIKE else piles for zone, piles in sorted(twin.zones().items())]
    hidden = [getattr(twin, name, None) for name in ("draws_left", "memory", "covered")]
    return str((zones, twin.redeals_left, hidden))


def divide(start: Position, depth: int) -> dict[str, int]:
    """The sequences of `depth` moves by their first move, as the compiled rules count them."""
    return {str(move): counts(played(start, move), depth - 1)[0] if depth > 1 else 1 for move in start.moves()}


def played(start: Position, move: Any) -> Position:
    """The position after a move."""
    there = start.copy()
    there.play(move)
    return there


def twin_divide(start: Twin, depth: int) -> dict[str, int]:
    """The same, by the twin."""
    named = {
        f"{move.kind} {' '.join(move.cards) or '-'} {name(move.source)} -> {name(move.target)}": move
        for move in start.moves()
    }
    return {text: twin_counts(after(start, move), depth - 1)[0] for text, move in named.items()}
