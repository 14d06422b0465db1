"""The Shah.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Shah".
Layout
    Two packs. One king, the Shah, lies in the centre with the eight aces, the foundations, round it; the other seven
    kings are thrown aside. Three circles of eight cards, inner, middle and outer, make eight rays; the rest is the
    stock.
Play
    Foundations are built up in suit from ace to queen. The outermost card of each ray and the top of the waste may be
    played home; cards of the outer circle and the top of the waste may be married to cards of the outer circle, down in
    suit. Spaces are refilled from waste or stock, inner circles first, left to right, before the next stock card is
    turned on to the waste.
    Some moves exclude all others:
    1. The deal. A circle is dealt; while something in it can be played, the moves are those plays, each space filled
       from the stock at once, and the deal of the next circle, which blocks this one. When nothing can be played the
       next circle follows within the step. With the third circle the deal is over.
    2. A bout of refilling. Once begun, it goes on until all spaces are filled or waste and stock are out. While both
       have cards each space is a step, which chooses between them, and no other move is legal.
    3. An empty ray, while waste or stock has a card. Its inner place takes one card of the outer circle (the grace), or
       one from waste or stock, and no other move is legal; the two other places are filled within the step, from the
       waste, else the stock. Where there is only one way to do it, it happens within the step that emptied the ray.
End
    Won with eight queens round the Shah, 96 cards home; lost when no move is left. There is no redeal.
Left open by the book, and read so
    A bout with a single source, be it by `refill_source` or because the other is out, is one step.
    Once the stock is out, refilling from the waste and turning no longer compete: the bout is begun when wanted. With
    `refill_timing=at_once` a bout begins within the step that made a space, as long as waste or stock has a card.
    Once both are out, the grace is an ordinary move, of one card whatever `move_unit` says, to the first empty ray.
    `lane_grace=off`: the inner place of an empty ray is refilled like the others of it, but by `refill_source`.
    `marriage_on_released_inner`: on to released cards of both inner circles; what lies there is only played.
    `marry_during_deal`: within the circle last begun, which waits for marriages as it does for plays.
    Should the stock run out before the third circle is reached, the deal is over, and all released cards are available.
    The first king of hearts of the deck is the Shah, or with `any_king` the last king of all.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import has
from sim.builder import building_moves, home_for, home_moves, space
from sim.cards import face, rank
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import BUILD, DEAL, FILL, PLAY, REFILL, TURN, count, dst, move, src, what
from sim.options import option
from sim.packing import down_in_suit
from sim.rules import INNER, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import carry, clear, push, set_counter

VERSION = 1
PACKS = 2
RAYS = 8
STOCK_PILE, WASTE_PILE, FIRST_OUTER, FIRST_INNER, FIRST_MIDDLE, SHAH_PILE, DISCARD_PILE = 0, 9, 10, 18, 26, 34, 35
CIRCLES = (FIRST_INNER, FIRST_MIDDLE, FIRST_OUTER)
AT_ONCE, SOURCE, GRACE, ON_INNER, IN_DEAL, ANY_KING = range(6)
CHOICE, WASTE_FIRST, STOCK_FIRST = range(3)
STAGE = 0  # counter: the circle that is being dealt, or
PLAYING, REFILLING = 2, 3
ACE, KING, KING_OF_HEARTS = 1, 13, 2 << 4 | 13


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and a program's version."""

    refill_timing: str = option("before_next_stock_card", "at_once", about="when spaces are refilled")
    refill_source: str = option("choice", "waste_first", "stock_first", about="where the cards for spaces come from")
    lane_grace: str = option("any_third_circle_card", "off", about="what the inner place of an empty ray may take")
    marriage_on_released_inner: bool = option(False, True, about="released cards of the inner circles may be married")
    marry_during_deal: bool = option(False, True, about="the circle last dealt may marry within itself")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    shah: str = option("KH", "any_king", about="the king in the centre")


PRESETS: dict[str, dict[str, bool | int | str]] = {}


def layout(o: Options) -> list[Piles]:
    lift = 12 if o.move_unit == "sequence" else 1
    return [
        Piles("stock", STOCK, hidden=True),
        *foundations(PACKS),
        Piles("waste", WASTE),
        Piles("outer", TABLEAU, RAYS, down_in_suit, lift=lift, fixed=True),
        Piles("inner", INNER, RAYS, down_in_suit, lift=lift, fixed=True),
        Piles("middle", INNER, RAYS, down_in_suit, lift=lift, fixed=True),
        Piles("shah", RESERVE),
        Piles("discard", RESERVE),
    ]


def rules(o: Options) -> np.record:
    circles = [first + ray for first in CIRCLES for ray in range(RAYS)]  # when nothing is played in between
    record = build(layout(o), circles, packs=PACKS, goal=96)
    record.option[AT_ONCE] = o.refill_timing == "at_once"
    record.option[SOURCE] = ("choice", "waste_first", "stock_first").index(o.refill_source)
    record.option[GRACE] = o.lane_grace == "any_third_circle_card"
    record.option[ON_INNER] = o.marriage_on_released_inner
    record.option[IN_DEAL] = o.marry_during_deal
    record.option[ANY_KING] = o.shah == "any_king"
    return record


@njit
def take_out(rules, state, deck):
    """Aces and kings to their places; the rest is the stock."""
    shah = -1
    for i in range(len(deck)):
        if rules.option[ANY_KING]:
            shah = i if rank(deck[i]) == KING else shah
        elif face(deck[i]) == KING_OF_HEARTS and shah < 0:
            shah = i
    for i in range(len(deck)):
        if rank(deck[i]) == KING:
            push(rules, state, SHAH_PILE if i == shah else DISCARD_PILE, deck[i])
        elif rank(deck[i]) == ACE:
            push(rules, state, home_for(rules, state, deck[i]), deck[i])
    for i in range(len(deck) - 1, -1, -1):
        if rank(deck[i]) != KING and rank(deck[i]) != ACE:
            push(rules, state, STOCK_PILE, deck[i])


@njit
def released(state, pile):
    """Whether a place of the inner circles holds a card, and nothing lies outside it on its ray."""
    ray = (pile - FIRST_INNER) % RAYS
    blocked = pile < FIRST_MIDDLE and state.top[FIRST_MIDDLE + ray]
    return state.top[pile] and not blocked and not state.top[FIRST_OUTER + ray]


@njit
def next_marriage(rules, state, pile, last):
    """The marriage of a pile's top card, or a run, to a released inner card that is listed after `last`; 0 for none."""
    card, height = state.top[pile], 1
    while card:
        for other in range(FIRST_INNER, SHAH_PILE):
            later = height > count(last) or (height == count(last) and other > dst(last))
            fits = other != pile and has(rules.onto[INNER, face(card)], face(state.top[other]))
            if later and fits and released(state, other):
                return move(BUILD, pile, other, face(card), height)
        below = state.under[card]
        in_run = rules.lift[rules.kind[pile]] > height and has(rules.onto[INNER, face(card)], face(below))
        card, height = below if in_run else np.uint8(0), height + 1
    return np.int32(0)


@njit
def inner_marriages(rules, state, moves, n, pile):
    """Add the marriages of a pile's top card and runs to released cards of the inner circles."""
    m = next_marriage(rules, state, pile, np.int32(0))
    while m:
        moves[n] = m
        n += 1
        m = next_marriage(rules, state, pile, m)
    return n


@njit
def released_moves(rules, state, moves, n):
    """Add the plays of released cards of the inner circles, and the marriages to them."""
    dealing = state.counter[STAGE] < PLAYING
    for pile in range(FIRST_INNER, SHAH_PILE):
        if released(state, pile):
            n = home_moves(rules, state, moves, n, PLAY, pile, state.top[pile])
            if dealing and rules.option[IN_DEAL]:
                n = inner_marriages(rules, state, moves, n, pile)
    if rules.option[ON_INNER]:
        for pile in range(WASTE_PILE, FIRST_INNER):
            n = inner_marriages(rules, state, moves, n, pile)
    return n


@njit
def can_use(rules, state):
    """Whether the circle that is being dealt has a play or a marriage."""
    for pile in range(FIRST_INNER, SHAH_PILE):
        if released(state, pile):
            if home_for(rules, state, state.top[pile]) >= 0:
                return True
            if rules.option[IN_DEAL] and next_marriage(rules, state, pile, np.int32(0)):
                return True
    return False


@njit
def source_moves(rules, state, moves, n, kind, to):
    """Add the cards for a space: the waste's top, or the next of the stock, which is not seen."""
    source, waste, stock = rules.option[SOURCE], state.top[WASTE_PILE], state.top[STOCK_PILE]
    if waste and (source != STOCK_FIRST or stock == 0):
        moves[n] = move(kind, WASTE_PILE, to, face(waste), 1)
        n += 1
    if stock and (source != WASTE_FIRST or waste == 0):
        moves[n] = move(kind, STOCK_PILE, to, 0, 1)
        n += 1
    return n


@njit
def grace_moves(rules, state, moves, n, to):
    """Add the cards of the outer circle, which the inner place of an empty ray may take."""
    for pile in range(FIRST_OUTER, FIRST_OUTER + RAYS):
        if rules.option[GRACE] and state.top[pile]:
            moves[n] = move(FILL, pile, to, face(state.top[pile]), 1)
            n += 1
    return n


@njit(inline=True)
def first_space(rules, state):
    """The space that is refilled first, inner circles first, or -1."""
    if state.spaces[INNER]:
        return np.int64(space(rules, state, INNER))
    return np.int64(space(rules, state, TABLEAU)) if state.spaces[TABLEAU] else -1


@njit(inline=True)
def first_lane(rules, state):
    """The inner place of the first empty ray, or -1: no card leaves the inner circle before those outside it."""
    to = first_space(rules, state)
    return to if FIRST_INNER <= to < FIRST_MIDDLE else -1


@njit(inline=True)
def supplied(state):
    """Whether waste or stock has a card."""
    return state.top[WASTE_PILE] or state.top[STOCK_PILE]


@njit
def chooses(rules, state):
    """Whether there are two sources for a space."""
    return rules.option[SOURCE] == CHOICE and state.top[WASTE_PILE] and state.top[STOCK_PILE]


@njit
def next_source(rules, state):
    """The source of the next card for a space where there is no choice."""
    stock_first = rules.option[SOURCE] == STOCK_FIRST and state.top[STOCK_PILE]
    return STOCK_PILE if stock_first or state.top[WASTE_PILE] == 0 else WASTE_PILE


@njit
def fill_circle(rules, state, first):
    """Cards of the stock to the empty places of a circle."""
    for pile in range(first, first + RAYS):
        if state.top[pile] == 0 and state.top[STOCK_PILE]:
            carry(rules, state, STOCK_PILE, pile, 1)


@njit
def go_on_dealing(rules, state):
    """Fill the spaces of the circle, and deal the next one when nothing can be done in this one."""
    while state.counter[STAGE] < PLAYING:
        fill_circle(rules, state, CIRCLES[state.counter[STAGE]])
        if state.top[STOCK_PILE] == 0:
            set_counter(state, STAGE, PLAYING)
        elif can_use(rules, state):
            return
        else:
            next_circle(rules, state)


@njit
def next_circle(rules, state):
    """Begin the next circle; with the third the deal is over."""
    set_counter(state, STAGE, state.counter[STAGE] + 1)
    if state.counter[STAGE] == PLAYING:
        fill_circle(rules, state, FIRST_OUTER)


@njit
def complete_ray(rules, state, inner):
    """The two other places of a ray that was empty are filled, from the waste if it has a card."""
    for first in (FIRST_MIDDLE, FIRST_OUTER):
        if supplied(state):
            source = WASTE_PILE if state.top[WASTE_PILE] else STOCK_PILE
            carry(rules, state, source, first + inner - FIRST_INNER, 1)


@njit
def attend_to_lane(rules, state):
    """Make up an empty ray if there is only one way to do it; false while it waits for a choice."""
    to = first_lane(rules, state)
    if to < 0 or not supplied(state):
        return True
    if chooses(rules, state) or (rules.option[GRACE] and state.spaces[TABLEAU] < RAYS):
        return False
    carry(rules, state, next_source(rules, state), to, 1)
    complete_ray(rules, state, to)
    return True


@njit
def go_on_refilling(rules, state):
    """Fill the spaces until there is a choice between two sources."""
    while first_space(rules, state) >= 0 and supplied(state):
        if chooses(rules, state):
            set_counter(state, STAGE, REFILLING)
            return
        carry(rules, state, next_source(rules, state), first_space(rules, state), 1)
    set_counter(state, STAGE, PLAYING)


@njit
def deal(rules, state, deck):
    clear(rules, state)
    take_out(rules, state, deck)
    go_on_dealing(rules, state)


@njit
def legal_moves(rules, state, moves):
    stage, to = state.counter[STAGE], first_space(rules, state)
    if stage == REFILLING:
        return source_moves(rules, state, moves, 0, REFILL, to)
    lane = first_lane(rules, state)
    if lane >= 0 and supplied(state):
        return source_moves(rules, state, moves, grace_moves(rules, state, moves, 0, lane), FILL, lane)
    n = building_moves(rules, state, moves, WASTE_PILE, FIRST_INNER)
    if state.spaces[TABLEAU]:
        n = released_moves(rules, state, moves, n)
    if stage < PLAYING:
        moves[n] = move(DEAL, STOCK_PILE, CIRCLES[stage + 1], 0, RAYS)
        return n + 1
    if to >= 0:
        n = source_moves(rules, state, moves, n, REFILL, to)
    elif state.top[STOCK_PILE]:
        moves[n] = move(TURN, STOCK_PILE, WASTE_PILE, 0, 1)
        n += 1
    return grace_moves(rules, state, moves, n, lane) if lane >= 0 else n


@njit
def apply_move(rules, state, m):
    if what(m) == DEAL:
        next_circle(rules, state)
    else:
        carry(rules, state, src(m), dst(m), count(m))
    if state.counter[STAGE] < PLAYING:
        go_on_dealing(rules, state)
        return
    if what(m) == FILL:
        complete_ray(rules, state, dst(m))
    if attend_to_lane(rules, state):
        begins = rules.option[AT_ONCE] and first_space(rules, state) >= 0
        if begins or what(m) == REFILL:
            go_on_refilling(rules, state)
