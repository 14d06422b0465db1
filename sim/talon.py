"""Stock and waste: turn card by card, fill a space or a place, and redeal the waste."""

from typing import Any

import numpy as np

from sim.bits import U
from sim.builder import building_moves, space
from sim.cards import face
from sim.jit import njit
from sim.layout import Piles, foundations
from sim.moves import FILL, REDEAL, TURN, count, dst, move, src, what
from sim.packing import any_card, down_in_suit
from sim.rng import REDEAL as REDEAL_STREAM
from sim.rng import shuffle, stream
from sim.rules import RESERVE, STOCK, TABLEAU, WASTE
from sim.state import carry, pop, push, turn_over

CHOICE, WASTE_FIRST, STOCK_FIRST, WASTE_ONLY = range(4)  # where the next card for a place comes from

WASTE_PILE, FIRST_COLUMN = 9, 10  # of `columns`: behind the stock and the foundations of two packs


def columns(o: Any, count: int, free: bool) -> list[Piles]:
    """The layout of so many columns of two packs, built down in suit, beside stock and waste.

    `o` has the options `move_unit` and `foundation_return`; `free`: cards other than the waste's may fill a space.
    """
    lift = 13 if o.move_unit == "sequence" else 1
    return [
        Piles("stock", STOCK, hidden=True),
        *foundations(2, lift=int(o.foundation_return), fills=free),
        Piles("waste", WASTE, fills=True),
        Piles("tableau", TABLEAU, count, down_in_suit, any_card, lift, free),
    ]


@njit(inline=True)
def column_moves(rules, state, moves, blind):
    """List the moves of waste and columns; `blind`: the next stock card may fill a space, unseen."""
    n = building_moves(rules, state, moves, WASTE_PILE, rules.n_piles)
    return blind_fill(rules, state, moves, n) if blind else n


@njit(inline=True)
def blind_fill(rules, state, moves, n):
    """Add the fill of a space of the tableau with the next stock card, unseen."""
    stock = rules.first[STOCK]
    if state.top[stock] and state.spaces[TABLEAU]:
        moves[n] = move(FILL, stock, space(rules, state, TABLEAU), 0, 1)
        return n + 1
    return n


@njit(inline=True)
def turn_moves(rules, state, moves, n):
    """Add the turn of the next stock card, or the redeal once the stock is out."""
    stock, waste = rules.first[STOCK], rules.first[WASTE]
    if state.top[stock]:
        moves[n] = move(TURN, stock, waste, 0, 1)
        return n + 1
    if state.redeals_left and state.top[waste]:
        moves[n] = move(REDEAL, waste, stock, 0, 0)
        return n + 1
    return n


@njit(inline=True)
def apply_carry(rules, state, m):
    """Carry out a move of cards, or a redeal that turns the waste over, unshuffled."""
    if what(m) == REDEAL:
        turn_over(rules, state, src(m), dst(m))
        state.redeals_left -= 1
    else:
        carry(rules, state, src(m), dst(m), count(m))


@njit(allocates=True)
def redeal_shuffled(rules, state):
    """The waste, shuffled, is the new stock."""
    stock, waste = rules.first[STOCK], rules.first[WASTE]
    cards = np.empty(rules.n_cards, np.uint8)
    n = np.int64(state.height[waste])
    for i in range(n - 1, -1, -1):
        cards[i] = pop(rules, state, waste)
    state.redeals_left -= 1
    shuffle(stream(state.seed, REDEAL_STREAM, U(rules.redeals - state.redeals_left)), cards, n)
    for i in range(n - 1, -1, -1):
        push(rules, state, stock, cards[i])


@njit(inline=True)
def chooses(rules, state, sources):
    """Whether waste and stock both have a card for a place."""
    return sources == CHOICE and state.top[rules.first[WASTE]] and state.top[rules.first[STOCK]]


@njit(inline=True)
def source(rules, state, sources):
    """The pile that the next card for a place comes from, the waste where there is a choice; -1 for none."""
    stock, waste = rules.first[STOCK], rules.first[WASTE]
    if state.top[waste] and (sources != STOCK_FIRST or state.top[stock] == 0):
        return np.int64(waste)
    return np.int64(stock) if state.top[stock] and sources != WASTE_ONLY else -1


@njit(inline=True)
def source_moves(rules, state, moves, n, kind, to, sources):
    """Add the fillings of a place; a card of the stock is not seen."""
    pile, stock = source(rules, state, sources), rules.first[STOCK]
    if pile < 0:
        return n
    moves[n] = move(kind, pile, to, 0 if pile == stock else face(state.top[pile]), 1)
    if chooses(rules, state, sources):
        n += 1
        moves[n] = move(kind, stock, to, 0, 1)
    return n + 1


@njit(inline=True)
def supply(rules, state, to, sources):
    """Fill a place; false where there is no card for it."""
    pile = source(rules, state, sources)
    if pile >= 0:
        carry(rules, state, pile, to, 1)
    return pile >= 0


@njit(inline=True)
def reserve_moves(rules, state, moves, n, kind, sources):
    """Add the fillings of an empty place of the reserve, if there is one."""
    if state.spaces[RESERVE] == 0:
        return n
    return source_moves(rules, state, moves, n, kind, space(rules, state, RESERVE), sources)


@njit(inline=True)
def fill_reserve(rules, state, sources):
    """Fill an empty place of the reserve; false where there is none, or no card, or a choice."""
    if state.spaces[RESERVE] == 0 or chooses(rules, state, sources):
        return False
    return supply(rules, state, space(rules, state, RESERVE), sources)
