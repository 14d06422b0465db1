"""The driver: plays deals of any game under any policy, and records outcomes and moves. It allocates nothing per deal.

A deal ends as
    WON       when the goal is home;
    STUCK     when there is no legal move;
    RESIGNED  when the policy gives -1;
    STALLED   after STALL_MOVES_PER_CARD moves per card of the deck without progress, or when one position is met again
              STALL_RETURNS times without progress (the one to meet is renewed after 1, 2, 4, 8, … idle moves);
    TOO_LONG  with more moves than the limit;
    ERROR     when the policy raises, gives an index that is not there, or changes the state it was shown.
Progress is a card more at home than ever before in the deal, a change of the stock, a redeal, or more spaces in the
tableau than at any time since the last progress.
"""

from enum import IntEnum

import numba
import numpy as np
from numba import types

from sim.bits import U, mix
from sim.cards import FACES
from sim.jit import njit
from sim.moves import MAX_MOVES, trace_code
from sim.records import structured
from sim.rng import DECK, POLICY, scale, shuffle, stream
from sim.roles import CHOOSE, Functions, functions_t, rules_t, scratch_t, state_t
from sim.rules import STOCK, TABLEAU
from sim.state import position

MOVE_LIMIT = 10_000
# High enough that a random player who could still get out is hardly ever stopped: of 20,000 random deals of La Belle
# Lucie with foundation_return, 4 and 8 stopped 635, these 28, five times as many moves and no count of returns 10.
STALL_MOVES_PER_CARD = 10
STALL_RETURNS = 24

WON, STUCK, RESIGNED, STALLED, TOO_LONG, ERROR = range(6)
ENDINGS = ("won", "stuck", "resigned", "stalled", "too_long", "error")
KEEP_NONE, KEEP_ALL, KEEP_WINS, KEEP_SAMPLE = range(4)


class Fault(IntEnum):
    """Why a deal ended as an ERROR."""

    NONE = 0
    INDEX = 1
    CHANGED = 2
    RAISED = 3


INDEX, CHANGED = int(Fault.INDEX), int(Fault.CHANGED)

OUTCOME = structured(
    [
        ("seed", np.uint64),
        ("trace_hash", np.uint64),  # over the codes of the moves
        ("legal_moves", np.uint32),  # summed over the positions in which the policy chose
        ("moves", np.uint16),
        ("decisions", np.uint16),  # positions with more than one legal move
        ("ending", np.uint8),
        ("fault", np.uint8),
        ("cards_home", np.uint8),
        ("redeals", np.uint8),  # redeals used
        ("kept", np.uint8),  # 1 when the moves stand in the block's codes
    ]
)
BLOCK = structured(
    [
        ("first_seed", np.uint64),
        ("policy_seed", np.uint64),
        ("at", np.int64),  # the deal that is being played, counted from the first
        ("end", np.int64),
        ("start", np.int64),  # where its codes begin
        ("used", np.int64),  # codes written
        ("move_limit", np.int64),
        ("keep", np.int64),  # which deals' moves to keep: one of KEEP_*
        ("sample", np.int64),  # KEEP_SAMPLE keeps so many deals of a million
        ("most_home", np.int64),  # the rest watches the progress of the deal
        ("stock", np.int64),
        ("redeals_left", np.int64),
        ("spaces", np.int64),
        ("idle", np.int64),  # moves since the last progress
        ("returns", np.int64),  # times that position `seen` was met again
        ("seen", np.uint64),  # renewed 1, 2, 4, 8, … moves after the last progress (Brent 1980)
    ]
)
IN_ORDER = np.array(FACES, np.uint8)


@njit
def open_deck(deck, seed):
    """The deck of a seed, in dealing order: the same for every variant and policy."""
    for i in range(len(deck)):
        deck[i] = IN_ORDER[i % 52] | (i // 52) << 6
    shuffle(stream(seed, DECK, U(0)), deck, len(deck))


@njit
def begin(game, rules, state, scratch, block, deck):
    """Deal."""
    seed = block.first_seed + U(block.at)
    state.seed = seed
    scratch.rng[0] = stream(seed, POLICY, block.policy_seed)
    scratch.memory[:] = 0
    game.deal(rules, state, deck)
    block.most_home = block.returns = 0
    block.start = block.used
    note_progress(rules, state, block)


@njit
def note_progress(rules, state, block):
    block.most_home = max(block.most_home, state.home)
    block.stock = state.height[rules.first[STOCK]]
    block.redeals_left = state.redeals_left
    block.spaces = state.spaces[TABLEAU]
    block.idle = block.returns = 0


@njit
def stalled(rules, state, block):
    """Take note of the position after a move; true when the deal has stalled."""
    if (
        state.home > block.most_home
        or state.height[rules.first[STOCK]] != block.stock
        or state.redeals_left != block.redeals_left
        or state.spaces[TABLEAU] > block.spaces
    ):
        note_progress(rules, state, block)
        return False
    block.idle += 1
    here = position(state)
    block.returns += here == block.seen
    if block.idle & (block.idle - 1) == 0:
        block.seen, block.returns = here, 0
    return block.returns == STALL_RETURNS or block.idle == STALL_MOVES_PER_CARD * np.int64(rules.n_cards)


@njit(inline=True)
def fingerprint(state):
    """Changes with whatever a policy could change of the position."""
    return state.hash ^ state.seed ^ U(state.home) << U(40) ^ U(state.redeals_left) << U(48)


@njit
def play_deal(game, choose, rules, state, scratch, block, out, moves, codes):
    """Play one deal to its end; returns how it ended."""
    while True:
        n = game.legal_moves(rules, state, moves)
        if n == 0:
            return STUCK
        before = fingerprint(state)
        i = choose(game, rules, state, moves, n, scratch)
        if i < -1 or i >= n or fingerprint(state) != before:
            out.fault = CHANGED if fingerprint(state) != before else INDEX
            return ERROR
        out.legal_moves += n
        out.decisions += n > 1
        if i == -1:
            return RESIGNED
        codes[block.used] = trace_code(moves[i], n)
        block.used += 1
        game.apply_move(rules, state, moves[i])
        if state.home == rules.goal:
            return WON
        if stalled(rules, state, block):
            return STALLED
        if block.used - block.start == block.move_limit:
            return TOO_LONG


@njit
def keeps(block, ending, seed):
    if block.keep == KEEP_SAMPLE:
        return scale(mix(seed), 1_000_000) < block.sample
    return block.keep == KEEP_ALL or (block.keep == KEEP_WINS and ending == WON)


@njit
def finish(rules, state, block, out, codes, ending):
    """Write down the outcome of the deal, and go on to the next."""
    out.seed = block.first_seed + U(block.at)
    out.ending, out.cards_home, out.redeals = ending, state.home, rules.redeals - state.redeals_left
    out.moves = block.used - block.start
    trace = U(0)
    for i in range(block.start, block.used):
        trace = (trace ^ U(codes[i])) * U(0x9E3779B97F4A7C15)
    out.trace_hash = mix(trace)
    out.kept = keeps(block, ending, out.seed)
    if not out.kept:
        block.used = block.start
    block.at += 1


block_t, outcome_t = numba.from_dtype(BLOCK), numba.from_dtype(OUTCOME)
PLAY = types.void(
    *functions_t,
    types.FunctionType(CHOOSE),
    rules_t,
    state_t,
    scratch_t,
    block_t,
    types.uint8[:, ::1],
    outcome_t[::1],
    types.uint32[::1],
)
FINISH = types.void(rules_t, state_t, block_t, outcome_t, types.uint32[::1], types.int64)


@njit(allocates=True)
def play_block(deal, legal_moves, apply_move, choose, rules, state, scratch, block, decks, outcomes, codes):
    """Play on from deal `block.at` until `block.end`, or until `codes` has no room for a deal of the full length.

    decks: uint8[deals, n_cards] in dealing order, or of no rows for the decks of the seeds. outcomes: OUTCOME[deals].
    codes: uint32, the trace codes of the kept deals, one after another.
    """
    game = Functions(deal, legal_moves, apply_move)
    moves = np.empty(MAX_MOVES, np.int32)
    deck = np.empty(rules.n_cards, np.uint8)
    while block.at < block.end and block.used + block.move_limit <= len(codes):
        if len(decks):
            deck[:] = decks[block.at]
        else:
            open_deck(deck, block.first_seed + U(block.at))
        begin(game, rules, state, scratch, block, deck)
        out = outcomes[block.at]
        ending = play_deal(game, choose, rules, state, scratch, block, out, moves, codes)
        finish(rules, state, block, out, codes, ending)


@njit
def close_deal(rules, state, block, out, codes, ending):
    """End the deal in which a policy raised."""
    finish(rules, state, block, out, codes, ending)
