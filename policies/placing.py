"""What it is worth, by the weights of its features, that cards move to a place of the tableau.

That is the worth of where they go, by what is buried there, and of where they come from, by what is bared.
"""

from policies import features as feature
from policies.looking import NOTHING, UNDER_KING, buries
from sim.bits import ONE, U, has, lowest
from sim.builder import home_for, open_faces
from sim.cards import face, rank
from sim.jit import njit
from sim.moves import FILL, card, count, dst, src, what
from sim.rules import FOUNDATION, STOCK, TABLEAU, WASTE
from sim.state import face_up

SOON, NEVER = 6, 255


@njit(inline=True)
def several(faces):
    return faces & (faces - ONE) != U(0)


@njit(inline=True)
def wait(rules, state, card):
    """How many cards a foundation still takes before this one; NEVER if none does, or nobody can say."""
    f, least = face(card), NEVER
    for pile in range(rules.home_first[f], rules.home_end[f]):
        before = int(rules.nth[rules.kind[pile] - FOUNDATION, f]) - 1 - int(state.height[pile])
        if 0 <= before < least:
            least = before
    return least


@njit(inline=True)
def soon(rules, state, card, weight):
    """The weight, so many times as the foundation's taking this card is near."""
    return weight * max(0, SOON - wait(rules, state, card)) if weight != 0 else 0


@njit(inline=True)
def sooner(rules, state, card, n, than):
    """How many of n cards, from this one down, go home sooner than another."""
    found, limit = 0, wait(rules, state, than)
    for _ in range(n):
        found += wait(rules, state, card) < limit
        card = state.under[card]
    return found


@njit(inline=True)
def burying(rules, state, pile, w):
    """The worth of building on this pile, by what that buries: nothing, cards under a king, or others."""
    buried = buries(rules, state, pile)
    if buried == NOTHING:
        return w[feature.IN_ORDER]
    return w[feature.UNDER_KING] if buried == UNDER_KING else w[feature.BURY]


@njit(inline=True)
def baring(rules, state, card, n, than, w):
    """The worth of baring a card, the upper of n that are seen."""
    score = soon(rules, state, card, w[feature.UNCOVER_SOON])
    if w[feature.UNCOVER_MOVABLE] != 0 and rules.onto[TABLEAU, face(card)] & open_faces(state, TABLEAU) & ~ONE:
        score += w[feature.UNCOVER_MOVABLE]
    if w[feature.FREES] != 0:
        score += w[feature.FREES] * sooner(rules, state, card, n, than)
    return score


@njit(inline=True)
def uncovering(rules, state, m, w):
    """The worth of taking cards off the tableau."""
    pile = src(m)
    lifted = state.top[pile]
    for _ in range(1, count(m)):
        lifted = state.under[lifted]
    beneath = state.under[lifted]
    if beneath == 0:
        return w[feature.EMPTY_COLUMN] if has(rules.onto[TABLEAU, face(lifted)], 0) else 0
    if face_up(state, pile) == count(m):
        return w[feature.TURN_UP]
    score = w[feature.BENEATH] * (int(state.height[pile]) - count(m))
    goes_home = home_for(rules, state, beneath) >= 0
    if goes_home:
        score = w[feature.UNCOVER_HOME]
    score += baring(rules, state, beneath, face_up(state, pile) - count(m), lifted, w)
    takers = rules.onto[TABLEAU, face(lifted)]
    if has(takers, face(beneath)):
        roams = several(takers & ~ONE) and rules.hidden[rules.first[STOCK]]
        if (rules.lift[TABLEAU] > 1 or roams) and not goes_home:
            return w[feature.SPLIT_RUN]
        score += w[feature.BREAK_RUN]
    return score


@njit(inline=True)
def joining(rules, state, m, w):
    """The worth of the pile that a card, or a run, is laid on."""
    target = dst(m)
    score = burying(rules, state, target, w) + w[feature.BUILD_RANK] * int(rank(card(m)))
    score += w[feature.TARGET_HEIGHT] * int(state.height[target])
    if w[feature.BURY_SOONER] != 0 and rules.kind[target] == TABLEAU:
        score += w[feature.BURY_SOONER] * sooner(rules, state, state.top[target], face_up(state, target), card(m))
    if w[feature.RECEIVES] != 0 and received(rules, state, card(m)):
        score += w[feature.RECEIVES]
    return score


@njit(inline=True)
def received(rules, state, f):
    """Whether an open card may be laid on this face."""
    available = (open_faces(state, TABLEAU) | open_faces(state, WASTE)) & ~ONE
    while available != U(0):
        if has(rules.onto[TABLEAU, lowest(available)], f):
            return True
        available &= available - ONE
    return False


@njit(inline=True)
def placing(rules, state, m, w):
    """The worth of where the cards go, and of where they come from."""
    kind = rules.kind[src(m)]
    if what(m) == FILL:
        score = (
            w[feature.SPEND_SPACE]
            + w[feature.SPACE_RANK] * int(rank(card(m)))
            + soon(rules, state, card(m), w[feature.SPACE_SOON])
        )
    else:
        score = joining(rules, state, m, w)
    if kind == TABLEAU:
        score += uncovering(rules, state, m, w)
    elif kind == WASTE:
        score += w[feature.FROM_WASTE] + leaving_waste(rules, state, m, w)
    return score


@njit(inline=True)
def leaving_waste(rules, state, m, w):
    """The worth of the next card of the waste."""
    beneath = state.under[state.top[src(m)]]
    wanted = w[feature.WASTE_UNCOVERS] != 0 and beneath and home_for(rules, state, beneath) >= 0
    return w[feature.WASTE_UNCOVERS] * int(wanted)
