"""What a policy may know of a move before it is made: what it would uncover, and what is safe."""

from sim.bits import ONE, U, has
from sim.cards import face, rank
from sim.jit import njit
from sim.moves import BUILD, DEAL, PAIR, PLAY, REDEAL, TURN, card, count, dst, src, what
from sim.rules import DESCENDING, FOUNDATION, STOCK, TABLEAU
from sim.state import MAX_COUNTERS, clear, face_up, push

UNSAFE, SAFE_PLAYS, SAFE_BUILDS, SAFE_UNDER_KINGS = range(4)  # what can never be regretted, and all before it
NOTHING, UNDER_KING, OTHERS = range(3)


@njit(inline=True)
def bares(state, pile, n):
    """Whether a card that is not seen comes to light when so many are taken off a pile."""
    return state.covered[pile] > 0 and face_up(state, pile) == n


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
    for the same card as before, so do those that it covers, and nothing else wants to lie there. So it is on a run that
    a king begins, whatever lies under him, for he goes home last of his suit; but not if cards can be drawn from under
    others.
    """
    if rules.lift[TABLEAU] > 1:
        return False
    for f in range(1, 64):
        if rules.onto[TABLEAU, f] & ~(ONE << U(f + 1)):
            return False
    return True


@njit(inline=True)
def buries(rules, state, pile):
    """What lies beneath the run that ends a pile: NOTHING, cards that wait for its king (UNDER_KING), or OTHERS."""
    card = state.top[pile]
    beneath = face_up(state, pile) - 1
    while beneath > 0 and has(rules.onto[TABLEAU, face(card)], face(state.under[card])):
        card = state.under[card]
        beneath -= 1
    if beneath == 0 and state.covered[pile] == 0:
        return NOTHING
    return UNDER_KING if rank(card) == 13 else OTHERS


@njit
def tops_only(game, rules, state, probe, moves):
    """Whether no card can be moved from under another here: asked of the game, with an ace under a king."""
    clear(rules, probe)
    probe.redeals_left = state.redeals_left
    for i in range(MAX_COUNTERS):
        probe.counter[i] = state.counter[i]
    push(rules, probe, rules.first[TABLEAU], 1)
    push(rules, probe, rules.first[TABLEAU], 13)
    for i in range(game.legal_moves(rules, probe, moves)):
        if what(moves[i]) != REDEAL and card(moves[i]) != 13:
            return False
    return True


@njit
def safety(game, rules, state, probe, moves):
    """What can never be regretted from here on, until cards are dealt anew; `probe` and `moves` are for our own use."""
    if not plays_are_safe(rules, state):
        return UNSAFE
    if not builds_can_be_safe(rules):
        return SAFE_PLAYS
    return SAFE_UNDER_KINGS if tops_only(game, rules, state, probe, moves) else SAFE_BUILDS


@njit
def forced(rules, state, moves, n, safe):
    """The index of a move that can never be regretted, a play first; -1 if there is none."""
    found = -1
    for i in range(n):
        if what(moves[i]) == PLAY and safe:
            return i
        if what(moves[i]) == BUILD and safe >= SAFE_BUILDS and found < 0:
            buried = buries(rules, state, dst(moves[i]))
            if buried == NOTHING or (buried == UNDER_KING and safe == SAFE_UNDER_KINGS):
                found = i
    return found
