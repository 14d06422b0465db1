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
from sim.builder import building_moves, home_for, home_moves, run_length, space
from sim.cards import FACE_OF, face, rank
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import BUILD, DEAL, FILL, PLAY, REFILL, count, dst, move, src, what
from sim.options import option
from sim.packing import ACE, KING, down_in_suit
from sim.rules import INNER, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import card_at, carry, clear, push, set_counter
from sim.talon import WASTE_FIRST, source, source_moves, supply, turn_moves

VERSION = 1
PACKS = 2
RAYS = 8
STOCK_PILE, WASTE_PILE, FIRST_OUTER, FIRST_INNER, FIRST_MIDDLE, SHAH_PILE, DISCARD_PILE = 0, 9, 10, 18, 26, 34, 35
REST, SOURCES, GRACE, ON_INNER, SHAH = range(5)
BARE = 0  # counter: circles that may lie bare: two or one while the others are dealt, none in a bout, all in between
NONE, DEALING, ALL = 0, (1, 2), 3


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
    inner_lift = lift if o.marry_during_deal else 0  # else only played
    return [
        Piles("stock", STOCK, hidden=True),
        *foundations(PACKS),
        Piles("waste", WASTE),
        Piles("outer", TABLEAU, RAYS, down_in_suit, lift=lift, fixed=True),
        *[Piles(zone, INNER, RAYS, down_in_suit, lift=inner_lift, fixed=True) for zone in ("inner", "middle")],
        Piles("shah", RESERVE),
        Piles("discard", RESERVE),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), [], packs=PACKS, goal=96)
    record.option[REST] = NONE if o.refill_timing == "at_once" else ALL
    record.option[SOURCES] = ("choice", "waste_first", "stock_first").index(o.refill_source)
    record.option[GRACE] = o.lane_grace == "any_third_circle_card"
    record.option[ON_INNER] = o.marriage_on_released_inner
    record.option[SHAH] = FACE_OF.get(o.shah, 0)  # 0: the last king of all
    return record


@njit(inline=True)
def released(state, pile):
    """Whether a place of the inner circles holds a card, and the next place of its ray does not."""
    outside = pile + RAYS if pile < FIRST_MIDDLE else pile - 2 * RAYS
    return state.top[pile] and not state.top[outside]


@njit
def inner_marriages(rules, state, moves, n, pile):
    """Add the marriages of a pile's top card, and of its runs, to released cards of the inner circles."""
    for length in range(1, run_length(rules, state, pile) + 1):
        card = card_at(state, pile, length)
        for other in range(FIRST_INNER, SHAH_PILE):
            if has(rules.onto[INNER, face(card)], face(state.top[other])) and released(state, other):
                moves[n] = move(BUILD, pile, other, face(card), length)
                n += 1
    return n


@njit(inline=True)
def released_moves(rules, state, moves, n):
    """Add the plays of released cards of the inner circles, and by option marriages of and to them."""
    for pile in range(FIRST_INNER, SHAH_PILE):
        if released(state, pile):
            n = home_moves(rules, state, moves, n, PLAY, pile, state.top[pile])
            if state.counter[BARE] in DEALING:
                n = inner_marriages(rules, state, moves, n, pile)
    if rules.option[ON_INNER]:
        for pile in range(WASTE_PILE, FIRST_INNER):
            n = inner_marriages(rules, state, moves, n, pile)
    return n


@njit(inline=True)
def first_space(rules, state):
    """The space that is filled first, if there is one: inner circles first."""
    return space(rules, state, INNER if state.spaces[INNER] else TABLEAU)


@njit(inline=True)
def empty_ray(rules, state):
    """Whether the deal is over and an inner place empty: no card leaves it before those outside it."""
    return state.spaces[INNER] and first_space(rules, state) < FIRST_MIDDLE and state.counter[BARE] not in DEALING


@njit(inline=True)
def due(rules, state):
    """Whether a space must be filled before anything else."""
    too_many = state.spaces[INNER] + state.spaces[TABLEAU] > RAYS * state.counter[BARE]
    return (too_many or empty_ray(rules, state)) and source(rules, state, rules.option[SOURCES]) >= 0


@njit(inline=True)
def fillings(rules, state, moves, n):
    """Add the cards that may fill the first space, in an empty ray by grace one of the outer circle."""
    kind, to = FILL if empty_ray(rules, state) else REFILL, first_space(rules, state)
    for pile in range(FIRST_OUTER, FIRST_INNER):
        if kind == FILL and rules.option[GRACE] and state.top[pile]:
            moves[n] = move(FILL, pile, to, face(state.top[pile]), 1)
            n += 1
    return source_moves(rules, state, moves, n, kind, to, rules.option[SOURCES])


@njit(inline=True)
def perform(rules, state, m):
    """Make one move; whether the next one, if there is no choice, follows within the step."""
    if what(m) == DEAL:
        set_counter(state, BARE, state.counter[BARE] - 1)
    else:
        carry(rules, state, src(m), dst(m), count(m))
    if what(m) == FILL:
        supply(rules, state, dst(m) + RAYS, WASTE_FIRST)
        supply(rules, state, dst(m) - RAYS, WASTE_FIRST)
    elif what(m) == REFILL and state.counter[BARE] == ALL:
        set_counter(state, BARE, NONE)
    must = due(rules, state)
    if not must and (state.counter[BARE] == NONE or state.top[STOCK_PILE] == 0):
        set_counter(state, BARE, rules.option[REST])
    return must or state.counter[BARE] in DEALING


@njit
def deal(rules, state, deck):
    clear(rules, state)
    for card in deck:
        if rank(card) == ACE:
            push(rules, state, home_for(rules, state, card), card)
        elif rank(card) == KING:
            reigns = face(card) == rules.option[SHAH] and state.top[SHAH_PILE] == 0
            push(rules, state, SHAH_PILE if reigns else DISCARD_PILE, card)
    for card in deck[::-1]:
        if ACE < rank(card) < KING:
            push(rules, state, STOCK_PILE, card)
    if state.top[SHAH_PILE] == 0:
        carry(rules, state, DISCARD_PILE, SHAH_PILE, 1)
    set_counter(state, BARE, 2)
    apply_move(rules, state, move(REFILL, STOCK_PILE, FIRST_INNER, 0, 1))


@njit
def legal_moves(rules, state, moves):
    if due(rules, state):
        return fillings(rules, state, moves, 0)
    n = building_moves(rules, state, moves, WASTE_PILE, FIRST_INNER)
    if state.spaces[TABLEAU] == 0:
        return turn_moves(rules, state, moves, n)
    n = released_moves(rules, state, moves, n)
    if state.counter[BARE] not in DEALING:
        return fillings(rules, state, moves, n)
    moves[n] = move(DEAL, STOCK_PILE, first_space(rules, state), 0, RAYS)
    return n + 1


@njit(allocates=True)
def apply_move(rules, state, m):
    if perform(rules, state, m):
        moves = np.empty(5 * RAYS, np.int32)  # of each ray two plays and two marriages, and the next circle
        while legal_moves(rules, state, moves) == 1 and perform(rules, state, moves[0]):
            pass
