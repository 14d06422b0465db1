"""The score of a move by the weights of its features; `policies.features` says what they are.

Everything is told by what a game declares: the kinds of its piles and moves, and what may lie on what.
"""

from policies import features as feature
from policies.placing import placing, soon
from policies.restraint import LAST, in_circles, remember
from sim.bits import ONE, U, has, lowest
from sim.builder import home_for, open_faces
from sim.cards import face, rank
from sim.jit import njit
from sim.moves import (
    BUILD,
    DEAL,
    DRAW,
    EXCHANGE,
    FILL,
    PAIR,
    PLAY,
    REDEAL,
    REFILL,
    RETURN,
    TRANSFER,
    TURN,
    card,
    count,
    dst,
    src,
    what,
)
from sim.rules import RESERVE, STOCK, TABLEAU, WASTE
from sim.state import face_up

REFUSE = -5000  # a move that takes back the one before, or one that scores no more, is not made


@njit(inline=True)
def laying_aside(rules, state, m, w):
    """The worth of a card's going to the reserve: what can follow it home."""
    card = state.top[src(m)]
    for over in range(1, face_up(state, src(m))):
        card = state.under[card]
        if home_for(rules, state, card) >= 0:
            return w[feature.DIG_OUT] + w[feature.DIG_OVER] * over
    return w[feature.LAY_ASIDE] + int(state.height[src(m)])


@njit(inline=True)
def sharing(rules, state, m, w):
    """The worth of two cards in one place, and of the card that takes the vacancy."""
    entering = state.top[rules.supply[rules.kind[src(m)]]]
    wanted = entering and home_for(rules, state, entering) >= 0
    apart = abs(int(rules.step[card(m)]) - int(rules.step[face(state.top[dst(m)])]))
    return (w[feature.LET_IN] if wanted else w[feature.HOLD_BACK]) + w[feature.OUT_OF_STEP] * apart


@njit(inline=True)
def going_home(rules, state, m, w):
    """Safe when no other foundation of the suit waits for lower cards; aces and twos always are."""
    f, kind = card(m), rules.kind[src(m)]
    score = w[feature.HOME_FROM_WASTE] * int(kind == WASTE)
    if kind == TABLEAU:
        score += w[feature.HOME_BENEATH] * (int(state.height[src(m)]) - 1)
    for pile in range(rules.home_first[f], rules.home_end[f]):
        if state.height[pile] < state.height[dst(m)] and rank(f) > 2:
            return score + w[feature.HOME] + w[feature.HOME_RANK] * int(rank(f))
    return score + w[feature.SAFE_HOME] + w[feature.SAFE_RANK] * int(rank(f))


@njit(inline=True)
def unlocks(rules, state, m):
    """Whether a card on the table fits what a card between two foundations leaves, or itself."""
    available = open_faces(state, TABLEAU) | open_faces(state, RESERVE) | open_faces(state, WASTE)
    available &= ~ONE
    left = face(state.under[state.top[src(m)]])
    while available != U(0):
        f = lowest(available)
        available &= available - ONE
        if has(rules.onto[rules.kind[dst(m)], f], card(m)) or has(rules.onto[rules.kind[src(m)], f], left):
            return True
    return False


@njit(inline=True)
def refilling(rules, state, m, w):
    """The worth of filling a place: first with a card that can go home next; of the tableau's, with a low one."""
    kind = rules.kind[src(m)]
    if kind == STOCK:
        return w[feature.REFILL_FROM_STOCK]
    next_home = int(home_for(rules, state, state.top[src(m)]) >= 0)
    score = (
        w[feature.REFILL]
        + w[feature.REFILL_NEXT_HOME] * next_home
        + soon(rules, state, card(m), w[feature.REFILL_SOON])
    )
    score += w[feature.REFILL_FROM_WASTE] * int(kind == WASTE)
    return score + w[feature.REFILL_RANK] * int(rank(card(m))) if kind == TABLEAU else score


@njit(inline=True)
def score(rules, state, m, last, w):
    """The score of a move by weights w, in the order of FEATURES; `last` is the policy's move before."""
    kind = what(m)
    if kind == PLAY:
        return going_home(rules, state, m, w)
    if kind in (TURN, DEAL):
        return w[feature.TURN] + w[feature.TURN_WASTE] * int(
            state.height[rules.first[WASTE]] if rules.end[WASTE] else 0
        )
    if kind == REDEAL:
        return w[feature.REDEAL]  # not a way back, even straight after the last turn
    if kind == BUILD and rules.supply[rules.kind[src(m)]]:
        return sharing(rules, state, m, w)
    if src(m) == dst(last) and dst(m) == src(last) and what(last) != REDEAL:
        return REFUSE
    if kind in (FILL, RETURN) and rules.kind[dst(m)] == RESERVE and rules.kind[src(m)] not in (STOCK, WASTE):
        return laying_aside(rules, state, m, w) if rules.kind[src(m)] == TABLEAU else REFUSE
    if kind == FILL and rules.kind[src(m)] == TABLEAU and count(m) == state.height[src(m)]:
        return REFUSE  # a whole column from space to space
    if kind == PAIR:
        return w[feature.SAFE_HOME] + w[feature.PAIR_BENEATH] * (
            int(state.height[src(m)]) + int(state.height[dst(m)]) - 2
        )
    if kind == TRANSFER:
        return w[feature.UNLOCK] if unlocks(rules, state, m) else w[feature.TRANSFER]
    if kind == EXCHANGE:
        return w[feature.EXCHANGE]
    if kind == REFILL:
        return refilling(rules, state, m, w)
    if kind == DRAW:
        return w[feature.DRAW] * count(m)
    return placing(rules, state, m, w) + (w[feature.COME_BACK] if kind == RETURN else 0)


@njit(inline=True)
def best_move(rules, state, moves, n, memory, w):
    """The index of the move with the highest score, of equals the first; -1 when all are refused.

    What was done before stands in memory, and this move will: `policies.restraint`.
    """
    best, highest = -1, REFUSE
    for i in range(n):
        worth = score(rules, state, moves[i], memory[LAST], w)
        if worth > highest and not in_circles(rules, state, moves[i], memory):
            best, highest = i, worth
    if best >= 0:
        remember(rules, state, moves[best], memory)
    return best
