"""Stock and waste: turn card by card, fill a space unseen, and turn the waste over where redeals are allowed."""

from typing import Any

from sim.builder import building_moves, space
from sim.jit import njit
from sim.layout import Piles, foundations
from sim.moves import FILL, REDEAL, TURN, count, dst, move, src, what
from sim.packing import any_card, down_in_suit
from sim.rules import STOCK, TABLEAU, WASTE
from sim.state import carry, turn_over

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
