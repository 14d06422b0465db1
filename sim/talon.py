"""Stock and waste: turn card by card, fill a space unseen, and turn the waste over where redeals are allowed."""

from sim.builder import space
from sim.jit import njit
from sim.moves import FILL, REDEAL, TURN, count, dst, move, src, what
from sim.rules import STOCK, TABLEAU, WASTE
from sim.state import carry, turn_over


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
