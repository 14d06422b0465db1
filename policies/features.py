"""What makes a move look good: a fixed list of features that every game serves through what it declares, each with a
weight. A move scores the sum, over its features, of the weight times what the feature counts.

`greedy` plays by the common weights, `weighted` by those of the game. Weights are whole numbers, so that sums are
exact, and the same on every machine. A feature whose common weight is 0 is there for games that can use it.
"""

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
from sim.rules import FOUNDATION, RESERVE, STOCK, TABLEAU, WASTE

FEATURES = {
    "safe_home": (2000, "a pair, or a card that nothing on the table can want to lie on, goes home"),
    "safe_rank": (-1, "… for each rank of the card"),
    "home": (1500, "another card goes home"),
    "home_rank": (0, "… for each rank of it"),
    "home_from_waste": (0, "a card goes home from the waste"),
    "home_beneath": (0, "a card goes home from the tableau: for each card beneath it"),
    "refill": (1400, "a card moves up into a place that is to be filled"),
    "refill_next_home": (50, "… and from there home"),
    "refill_rank": (-1, "… from the tableau: for each rank of it"),
    "refill_soon": (0, "… for one that goes home soon: 5 for the next but one of its foundation, down to 1"),
    "refill_from_waste": (0, "… from the waste"),
    "refill_from_stock": (10, "the stock fills places: its cards may cover others"),
    "uncover_home": (750, "the card beneath can go home at once"),
    "uncover_soon": (0, "the card beneath goes home soon: 5 for the next but one of its foundation, down to 1"),
    "uncover_movable": (0, "the card beneath can be built elsewhere"),
    "frees": (0, "for each card beneath that goes home sooner than the one that is lifted"),
    "turn_up": (300, "the card beneath lies face down, and is turned up"),
    "beneath": (16, "for each card beneath: a tall column hides more"),
    "empty_column": (200, "the last card of a column leaves it, where a space is of use"),
    "from_waste": (30, "a card leaves the waste"),
    "waste_uncovers": (0, "a card leaves the waste, and the card beneath can go home at once"),
    "in_order": (100, "the target is one run from its table end: nothing is buried"),
    "under_king": (180, "what is buried lies under a king, and waits anyway"),
    "bury": (20, "other cards are buried"),
    "bury_sooner": (0, "for each card of the target that goes home sooner than the one laid on it"),
    "target_height": (0, "for each card of the target"),
    "receives": (0, "an open card can be laid on the one that moves"),
    "build_rank": (0, "for each rank of a card that is built"),
    "let_in": (25, "cards share a place from now on, and a card that can go home takes the vacancy"),
    "hold_back": (-5, "… or none does"),
    "out_of_step": (-1, "… for each rank by which they, to go home together, are out of step"),
    "break_run": (-130, "the card lies well where it is"),
    "split_run": (-200, "… and could move together with what it lies on, or might go to and fro while a stock waits"),
    "spend_space": (-25, "a card fills a space"),
    "space_rank": (2, "… for each rank of it"),
    "space_soon": (0, "… for one that goes home soon: 5 for the next but one of its foundation, down to 1"),
    "dig_out": (400, "a card that is seen further down can go home when those over it are laid aside"),
    "dig_over": (-40, "… for each card over it"),
    "lay_aside": (-4500, "a card is laid aside in the reserve for nothing; 1 is added for each card of its pile"),
    "pair_beneath": (0, "two cards go home together: for each card beneath them"),
    "draw": (150, "for each card that is drawn out"),
    "turn": (0, "the stock is turned, or a row dealt"),
    "turn_waste": (0, "… for each card of the waste"),
    "unlock": (600, "a card goes from foundation to foundation, and one on the table can follow"),
    "transfer": (-100, "… or none can"),
    "exchange": (5, "cards are exchanged"),
    "come_back": (-3000, "a card comes back from its foundation"),
    "redeal": (-4000, "the cards are gathered and dealt anew"),
}
COMMON = tuple(weight for weight, _ in FEATURES.values())
(
    SAFE_HOME, SAFE_RANK, HOME, HOME_RANK, HOME_FROM_WASTE, HOME_BENEATH, REFILL_PLACE, REFILL_NEXT_HOME, REFILL_RANK,
    REFILL_SOON, REFILL_FROM_WASTE, REFILL_FROM_STOCK, UNCOVER_HOME, UNCOVER_SOON, UNCOVER_MOVABLE, FREES, TURN_UP, BENEATH, EMPTY_COLUMN, FROM_WASTE,
    WASTE_UNCOVERS, IN_ORDER, UNDER_KING, BURY, BURY_SOONER, TARGET_HEIGHT, RECEIVES, BUILD_RANK, LET_IN, HOLD_BACK,
    OUT_OF_STEP, BREAK_RUN, SPLIT_RUN, SPEND_SPACE, SPACE_RANK, SPACE_SOON, DIG_OUT, DIG_OVER, LAY_ASIDE, PAIR_BENEATH, DRAW_OUT, TURN_STOCK, TURN_WASTE,
    UNLOCK, TRANSFER_CARD, EXCHANGE_CARDS, COME_BACK, REDEAL_CARDS,
) = range(len(FEATURES))  # fmt: skip
REFUSE = -5000  # a move that takes back the one before, or one that scores no more, is not made
SOON, NEVER = 6, 255


@njit(inline=True)
def face_up(state, pile):
    """How many cards of a pile are seen."""
    return int(state.height[pile]) - int(state.covered[pile])


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
    return weight * max(0, SOON - wait(rules, state, card)) if weight != 0 else weight


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
    card = state.top[pile]
    beneath = face_up(state, pile) - 1
    while beneath > 0 and has(rules.onto[TABLEAU, face(card)], face(state.under[card])):
        card = state.under[card]
        beneath -= 1
    if beneath == 0 and state.covered[pile] == 0:
        return w[IN_ORDER]
    return w[UNDER_KING] if rank(card) == 13 else w[BURY]


@njit(inline=True)
def baring(rules, state, card, n, than, w):
    """The worth of baring a card, the upper of n that are seen."""
    score = soon(rules, state, card, w[UNCOVER_SOON])
    if w[UNCOVER_MOVABLE] != 0 and rules.onto[TABLEAU, face(card)] & open_faces(state, TABLEAU) & ~ONE:
        score += w[UNCOVER_MOVABLE]
    if w[FREES] != 0:
        score += w[FREES] * sooner(rules, state, card, n, than)
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
        return w[EMPTY_COLUMN] if has(rules.onto[TABLEAU, face(lifted)], 0) else w[EMPTY_COLUMN] * 0
    if face_up(state, pile) == count(m):
        return w[TURN_UP]
    score = w[BENEATH] * (int(state.height[pile]) - count(m))
    goes_home = home_for(rules, state, beneath) >= 0
    if goes_home:
        score = w[UNCOVER_HOME]
    score += baring(rules, state, beneath, face_up(state, pile) - count(m), lifted, w)
    takers = rules.onto[TABLEAU, face(lifted)]
    if has(takers, face(beneath)):
        roams = several(takers & ~ONE) and rules.hidden[rules.first[STOCK]]
        if (rules.lift[TABLEAU] > 1 or roams) and not goes_home:
            return w[SPLIT_RUN]
        score += w[BREAK_RUN]
    return score


@njit(inline=True)
def joining(rules, state, m, w):
    """The worth of the pile that a card, or a run, is laid on."""
    target = dst(m)
    score = burying(rules, state, target, w) + w[BUILD_RANK] * int(rank(card(m)))
    score += w[TARGET_HEIGHT] * int(state.height[target])
    if w[BURY_SOONER] != 0 and rules.kind[target] == TABLEAU:
        score += w[BURY_SOONER] * sooner(rules, state, state.top[target], face_up(state, target), card(m))
    if w[RECEIVES] != 0 and received(rules, state, card(m)):
        score += w[RECEIVES]
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
        score = w[SPEND_SPACE] + w[SPACE_RANK] * int(rank(card(m))) + soon(rules, state, card(m), w[SPACE_SOON])
    else:
        score = joining(rules, state, m, w)
    if kind == TABLEAU:
        score += uncovering(rules, state, m, w)
    elif kind == WASTE:
        score += w[FROM_WASTE] + leaving_waste(rules, state, m, w)
    return score


@njit(inline=True)
def leaving_waste(rules, state, m, w):
    """The worth of the next card of the waste."""
    beneath = state.under[state.top[src(m)]]
    wanted = w[WASTE_UNCOVERS] != 0 and beneath and home_for(rules, state, beneath) >= 0
    return w[WASTE_UNCOVERS] * int(wanted)


@njit(inline=True)
def laying_aside(rules, state, m, w):
    """The worth of a card's going to the reserve: what can follow it home."""
    card = state.top[src(m)]
    for over in range(1, face_up(state, src(m))):
        card = state.under[card]
        if home_for(rules, state, card) >= 0:
            return w[DIG_OUT] + w[DIG_OVER] * over
    return w[LAY_ASIDE] + int(state.height[src(m)])


@njit(inline=True)
def sharing(rules, state, m, w):
    """The worth of two cards in one place, and of the card that takes the vacancy."""
    entering = state.top[rules.supply[rules.kind[src(m)]]]
    wanted = entering and home_for(rules, state, entering) >= 0
    apart = abs(int(rules.step[card(m)]) - int(rules.step[face(state.top[dst(m)])]))
    return (w[LET_IN] if wanted else w[HOLD_BACK]) + w[OUT_OF_STEP] * apart


@njit(inline=True)
def going_home(rules, state, m, w):
    """Safe when no other foundation of the suit waits for lower cards; aces and twos always are."""
    f, kind = card(m), rules.kind[src(m)]
    score = w[HOME_FROM_WASTE] * int(kind == WASTE)
    if kind == TABLEAU:
        score += w[HOME_BENEATH] * (int(state.height[src(m)]) - 1)
    for pile in range(rules.home_first[f], rules.home_end[f]):
        if state.height[pile] < state.height[dst(m)] and rank(f) > 2:
            return score + w[HOME] + w[HOME_RANK] * int(rank(f))
    return score + w[SAFE_HOME] + w[SAFE_RANK] * int(rank(f))


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
        return w[REFILL_FROM_STOCK]
    next_home = int(home_for(rules, state, state.top[src(m)]) >= 0)
    score = w[REFILL_PLACE] + w[REFILL_NEXT_HOME] * next_home + soon(rules, state, card(m), w[REFILL_SOON])
    score += w[REFILL_FROM_WASTE] * int(kind == WASTE)
    return score + w[REFILL_RANK] * int(rank(card(m))) if kind == TABLEAU else score


@njit(inline=True)
def score(rules, state, m, last, w):
    """The score of a move by weights w, in the order of FEATURES; `last` is the policy's move before."""
    kind = what(m)
    if kind == PLAY:
        return going_home(rules, state, m, w)
    if kind in (TURN, DEAL):
        return w[TURN_STOCK] + w[TURN_WASTE] * int(state.height[rules.first[WASTE]] if rules.end[WASTE] else 0)
    if kind == REDEAL:
        return w[REDEAL_CARDS]  # not a way back, even straight after the last turn
    if kind == BUILD and rules.supply[rules.kind[src(m)]]:
        return sharing(rules, state, m, w)
    if src(m) == dst(last) and dst(m) == src(last) and what(last) != REDEAL:
        return w[0] * 0 + REFUSE
    if kind in (FILL, RETURN) and rules.kind[dst(m)] == RESERVE and rules.kind[src(m)] not in (STOCK, WASTE):
        return laying_aside(rules, state, m, w) if rules.kind[src(m)] == TABLEAU else w[0] * 0 + REFUSE
    if kind == FILL and rules.kind[src(m)] == TABLEAU and count(m) == state.height[src(m)]:
        return w[0] * 0 + REFUSE  # a whole column from space to space
    if kind == PAIR:
        return w[SAFE_HOME] + w[PAIR_BENEATH] * (int(state.height[src(m)]) + int(state.height[dst(m)]) - 2)
    if kind == TRANSFER:
        return w[UNLOCK] if unlocks(rules, state, m) else w[TRANSFER_CARD]
    if kind == EXCHANGE:
        return w[EXCHANGE_CARDS]
    if kind == REFILL:
        return refilling(rules, state, m, w)
    if kind == DRAW:
        return w[DRAW_OUT] * count(m)
    return placing(rules, state, m, w) + (w[COME_BACK] if kind == RETURN else w[COME_BACK] * 0)


@njit(inline=True)
def best_move(rules, state, moves, n, memory, w):
    """The index of the move with the highest score, of equals the first; -1 when all are refused.

    memory[0] is the move before, and becomes this one.
    """
    best, highest = -1, w[0] * 0 + REFUSE
    for i in range(n):
        worth = score(rules, state, moves[i], memory[0], w)
        if worth > highest:
            best, highest = i, worth
    if best >= 0:
        memory[0] = moves[best]
    return best
