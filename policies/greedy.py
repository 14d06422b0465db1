"""The best-looking move by named, bounded bonuses; what a careful beginner does.

Home first, and first of all where nothing can be missed by it. Otherwise uncover what can go home, empty a column, keep
the waste small, and build where nothing is buried; turn the stock when only worse moves are left, and gather the cards
for a redeal last of all. It never takes back its own last move: when nothing else is left it resigns.
"""

import numpy as np

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

SAFE_HOME = 2000  # a pair, or a card that nothing on the table can want to lie on
HOME = 1500
REFILL_PLACE = 1400  # a card moves up into play …
NEXT_HOME = 50  # … and from there home
REFILL_FROM_STOCK = 10  # cards of the stock may cover others; still better than turning one
UNCOVER_HOME = 750  # the card beneath can go home at once
TURN_UP = 300  # the card beneath lies face down, and is turned up
PER_CARD_BENEATH = 16  # else: a tall column hides more
EMPTY_COLUMN = 200  # the last card of a column leaves it, where a space is of use
FROM_WASTE = 30
IN_ORDER = 100  # the target is one run from its table end: nothing is buried
UNDER_KING = 180  # what is buried lies under a king, and waits anyway
BURY = 20  # other cards are buried; still better than turning the stock
LET_IN = 25  # cards share a place from now on, and a card that can go home takes the vacancy …
HOLD_BACK = -5  # … or none does: rather turn the stock
OUT_OF_STEP = -1  # for each rank by which cards that share a place, to go home together, are out of step
BREAK_RUN = -130  # the card lies well where it is
SPLIT_RUN = -200  # … and could move together with the cards it lies on, or might go to and fro while a stock waits
SPEND_SPACE = -25  # a space is worth keeping …
SPACE_PER_RANK = 2  # … and least badly spent on a high card
DIG_OUT = 400  # a card that is seen further down can go home when those over it are laid aside …
PER_CARD_OVER = -40
LAY_ASIDE = -4500  # … or none can: the reserve is worth keeping till the last
DRAW_CARD = 150
TURN_CARD = 0
UNLOCK = 600  # a card goes from foundation to foundation, and one on the table can follow
TRANSFER_CARD = -100  # … or none can
EXCHANGE_CARDS = 5
COME_BACK = -3000
REDEAL_CARDS = -4000
UNDO = -5000


@njit(inline=True)
def face_up(state, pile):
    """How many cards of a pile are seen."""
    return np.int64(state.height[pile]) - np.int64(state.covered[pile])


@njit(inline=True)
def well_placed(rules, state, pile):
    """What building on this pile buries: nothing, cards under a king, or others."""
    card = state.top[pile]
    beneath = face_up(state, pile) - 1
    while beneath > 0 and has(rules.onto[TABLEAU, face(card)], face(state.under[card])):
        card = state.under[card]
        beneath -= 1
    if beneath == 0 and state.covered[pile] == 0:
        return IN_ORDER
    return UNDER_KING if rank(card) == 13 else BURY


@njit(inline=True)
def several(faces):
    return faces & (faces - ONE) != U(0)


@njit(inline=True)
def uncovering(rules, state, m):
    """The worth of taking cards off the tableau."""
    pile = src(m)
    lifted = state.top[pile]
    for _ in range(1, count(m)):
        lifted = state.under[lifted]
    beneath = state.under[lifted]
    if beneath == 0:
        return EMPTY_COLUMN if has(rules.onto[TABLEAU, face(lifted)], 0) else 0
    if face_up(state, pile) == count(m):
        return TURN_UP
    score = PER_CARD_BENEATH * (state.height[pile] - count(m))
    if home_for(rules, state, beneath) >= 0:
        score = UNCOVER_HOME
    takers = rules.onto[TABLEAU, face(lifted)]
    if has(takers, face(beneath)):
        roams = several(takers & ~ONE) and rules.hidden[rules.first[STOCK]]
        if (rules.lift[TABLEAU] > 1 or roams) and score < UNCOVER_HOME:
            return SPLIT_RUN
        score += BREAK_RUN
    return score


@njit(inline=True)
def placing(rules, state, m):
    """The worth of where the cards go, and of where they come from."""
    kind = rules.kind[src(m)]
    score = 0
    if what(m) == FILL:
        score += SPEND_SPACE + SPACE_PER_RANK * rank(card(m))
    else:
        score += well_placed(rules, state, dst(m))
    if kind == TABLEAU:
        score += uncovering(rules, state, m)
    elif kind == WASTE:
        score += FROM_WASTE
    return score


@njit(inline=True)
def laying_aside(rules, state, m):
    """The worth of a card's going to the reserve: what can follow it home."""
    card = state.top[src(m)]
    for over in range(1, face_up(state, src(m))):
        card = state.under[card]
        if home_for(rules, state, card) >= 0:
            return DIG_OUT + PER_CARD_OVER * over
    return LAY_ASIDE + np.int64(state.height[src(m)])


@njit(inline=True)
def sharing(rules, state, m):
    """The worth of two cards in one place, and of the card that takes the vacancy."""
    entering = state.top[rules.supply[rules.kind[src(m)]]]
    wanted = entering and home_for(rules, state, entering) >= 0
    apart = abs(rules.step[card(m)] - rules.step[face(state.top[dst(m)])])
    return (LET_IN if wanted else HOLD_BACK) + OUT_OF_STEP * apart


@njit(inline=True)
def going_home(rules, state, m):
    """Safe when no other foundation of the suit waits for lower cards; aces and twos always are."""
    f = card(m)
    for pile in range(rules.home_first[f], rules.home_end[f]):
        if state.height[pile] < state.height[dst(m)] and rank(f) > 2:
            return HOME
    return SAFE_HOME - rank(f)


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
def refilling(rules, state, m):
    """The worth of filling a place: first with a card that can go home next; of the tableau's, with a low one."""
    kind = rules.kind[src(m)]
    if kind == STOCK:
        return REFILL_FROM_STOCK
    score = REFILL_PLACE + (NEXT_HOME if home_for(rules, state, state.top[src(m)]) >= 0 else 0)
    return score - np.int64(rank(card(m))) if kind == TABLEAU else score


@njit(inline=True)
def value(rules, state, m, last):
    """The score of a move; `last` is the policy's move before."""
    kind = what(m)
    if kind == PLAY:
        return going_home(rules, state, m)
    if kind in (TURN, DEAL):
        return TURN_CARD
    if kind == REDEAL:
        return REDEAL_CARDS  # not a way back, even straight after the last turn
    if kind == BUILD and rules.supply[rules.kind[src(m)]]:
        return sharing(rules, state, m)
    if src(m) == dst(last) and dst(m) == src(last) and what(last) != REDEAL:
        return UNDO
    if kind in (FILL, RETURN) and rules.kind[dst(m)] == RESERVE and rules.kind[src(m)] not in (STOCK, WASTE):
        return laying_aside(rules, state, m) if rules.kind[src(m)] == TABLEAU else UNDO
    if kind == FILL and rules.kind[src(m)] == TABLEAU and count(m) == state.height[src(m)]:
        return UNDO  # a whole column from space to space
    if kind == PAIR:
        return SAFE_HOME
    if kind == TRANSFER:
        return UNLOCK if unlocks(rules, state, m) else TRANSFER_CARD
    if kind == EXCHANGE:
        return EXCHANGE_CARDS
    if kind == REFILL:
        return refilling(rules, state, m)
    if kind == DRAW:
        return DRAW_CARD * count(m)
    return placing(rules, state, m) + (COME_BACK if kind == RETURN else 0)


def choose(game, rules, state, moves, n, scratch):
    best, highest = -1, UNDO
    last = scratch.memory[0]
    for i in range(n):
        score = value(rules, state, moves[i], last)
        if score > highest:
            best, highest = i, score
    if best >= 0:
        scratch.memory[0] = moves[best]
    return best
