"""Stock and waste: turn card by card, and turn the waste over where redeals are allowed."""

from sim.jit import njit
from sim.moves import REDEAL, TURN, count, dst, move, src, what
from sim.rules import STOCK, WASTE
from sim.state import carry, turn_over


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
