"""What a policy may know of a move before it is made: what it would uncover, and what is safe."""

from sim.bits import ONE, U, has
from sim.cards import face, rank
from sim.jit import njit
from sim.moves import DEAL, PAIR, PLAY, REDEAL, TURN, count, src, what
from sim.rules import DESCENDING, FOUNDATION, STOCK, TABLEAU


@njit(inline=True)
def bares(state, pile, n):
    """Whether a card that is not seen comes to light when so many are taken off a pile."""
    return state.covered[pile] > 0 and state.height[pile] - state.covered[pile] == n


@njit(inline=True)
def reveals(rules, state, m):
    """Whether a move shows, or lays out, a card that is not seen yet: nobody can look beyond it."""
    kind, pile = what(m), src(m)
    if kind in (TURN, REDEAL, DEAL) or rules.hidden[pile]:
        return True
    return bares(state, pile, count(m)) or bares(state, rules.supply[rules.kind[pile]], 1)


@njit(inline=True)
def revealed(rules, before, after):
    """Whether a step that looked open has brought in cards of the stock, as a refill at once does."""
    stock = rules.first[STOCK]
    return before.height[stock] != after.height[stock] or before.redeals_left != after.redeals_left


@njit(inline=True)
def brings_home(m):
    """Cards that the move itself takes home."""
    return count(m) if what(m) == PLAY else 2 if what(m) == PAIR else 0


@njit
def plays_are_safe(rules, state):
    """Whether a play home can never be regretted, whatever the position: proven for one pack and one suit only.

    A card on its foundation is missed only by a card that could have been built on it. Where foundations go up from the
    ace in suit, and the tableau is built in suit, that is the next lower card, which is home already, or the next
    higher, which can then follow. With no stock nothing else depends on how many cards lie where.
    """
    if rules.packs != 1 or state.height[rules.first[STOCK]] or rules.end[DESCENDING]:
        return False
    for f in range(1, 64):
        next_up = ONE << U(f + 1)
        if rules.onto[FOUNDATION, f] & ~(ONE << U(f - 1)) and rank(f) > 1:
            return False
        if rank(f) and rules.onto[TABLEAU, f] & ~(ONE << U(f - 1) | next_up | ONE):
            return False
    return True


@njit
def builds_can_be_safe(rules):
    """Whether a build on a pile that is in order down to the table can never be regretted.

    Proven where plays are safe, for single cards that go down in suit, and empty places that stay empty: the card waits
    for the same card as before, so do those that it covers, and nothing else wants to lie there.
    """
    if rules.lift[TABLEAU] > 1:
        return False
    for f in range(1, 64):
        if rules.onto[TABLEAU, f] & ~(ONE << U(f + 1)):
            return False
    return True


@njit(inline=True)
def in_order(rules, state, pile):
    """Whether every card of a pile lies where it could be built."""
    card = state.top[pile]
    while state.under[card]:
        below = state.under[card]
        if not has(rules.onto[TABLEAU, face(card)], face(below)):
            return False
        card = below
    return True
