"""La Croix d'Honneur.

Source
    Nouveau recueil de patiences (Paris: Watilliaux, 1885), as Wikipedia retells it.
Layout
    One pack. Eight cards make an inner circle, eight more an outer one, each behind an inner card; 36 are the stock.
Play
    Cards go out in pairs of one rank. A card that leaves the inner circle is replaced at once by the card behind it;
    the outer circle is never refilled, and its cards cannot be paired where they lie.
    1. While the stock lasts: turn its next card on to the waste, or pair the top of the waste with an inner card.
    2. Then, while the waste lasts: pair its top with an inner card, or put it in an empty place of the inner circle.
    3. Then: pair inner cards with each other.
End
    Won with all 52 cards discarded; lost when no move is left. There is no redeal.
Left open by the book, and read so
    "Not all however" of the waste cards fill spaces: filling is the player's choice, or forced (`stage2_fill`).
    Forced filling happens inside the step, lowest place first, before any pairing.
    Only a place with no card behind it is open to the waste, so that all open places are alike: the first is filled.
    The dossier's `fill_before_outer_gone` has one value and is therefore a rule, not an option.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import lay_out
from sim.cards import face, rank
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import FILL, PAIR, REFILL, TURN, dst, move, src, what
from sim.options import option
from sim.packing import same_rank
from sim.rules import FOUNDATION, INNER, RESERVE, STOCK, WASTE
from sim.state import bottom, carry

VERSION = 1
PACKS = 1
RAYS = 8
STOCK_PILE, WASTE_PILE, DISCARD_PILE, FIRST_INNER, FIRST_OUTER = 0, 1, 2, 3, 11
EARLY_PAIRS, FORCED_FILL, FILL_FROM_BOTTOM, TURN_WHEN_NO_PAIR, OPTIONAL_REFILL = range(5)


@dataclass(frozen=True)
class Options:
    """What the one short text leaves open."""

    stage1_pairs: str = option(
        "waste_with_inner", "also_inner_inner", about="may inner cards pair while the stock lasts?"
    )
    stage2_fill: str = option("optional", "forced", about="must the waste fill open places of the inner circle?")
    stage2_fill_from: str = option("waste_top", "waste_bottom", about="the end of the waste that fills open places")
    stage_1_turn: str = option("when_wanted", "only_when_no_pair", about="when a stock card may be turned")
    outer_refill: str = option("automatic", "optional", about="does an outer card move in at once or when wanted?")


PRESETS: dict[str, dict[str, bool | int | str]] = {}


def layout(o: Options) -> list[Piles]:
    return [
        Piles("stock", STOCK, hidden=True),
        Piles("waste", WASTE),
        Piles("discard", FOUNDATION),
        Piles("inner", INNER, RAYS, same_rank, fixed=True),
        Piles("outer", RESERVE, RAYS, fixed=True),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), range(FIRST_INNER, FIRST_OUTER + RAYS), packs=PACKS)
    record.option[EARLY_PAIRS] = o.stage1_pairs == "also_inner_inner"
    record.option[FORCED_FILL] = o.stage2_fill == "forced"
    record.option[FILL_FROM_BOTTOM] = o.stage2_fill_from == "waste_bottom"
    record.option[TURN_WHEN_NO_PAIR] = o.stage_1_turn == "only_when_no_pair"
    record.option[OPTIONAL_REFILL] = o.outer_refill == "optional"
    return record


@njit
def pairs_with(state, moves, n, pile, first, end):
    """Add the pairs of the top of a pile with the inner cards first .. end - 1."""
    card = state.top[pile]
    for inner in range(first, end):
        if card and state.top[inner] and rank(state.top[inner]) == rank(card):
            moves[n] = move(PAIR, pile, inner, face(card), 1)
            n += 1
    return n


@njit
def pairs(rules, state, moves):
    """List the pairs of the waste, and those within the inner circle where the stage allows them."""
    n = pairs_with(state, moves, 0, WASTE_PILE, FIRST_INNER, FIRST_OUTER)
    stage3 = state.top[STOCK_PILE] == 0 and state.top[WASTE_PILE] == 0
    if stage3 or (rules.option[EARLY_PAIRS] and state.top[STOCK_PILE]):
        for inner in range(FIRST_INNER, FIRST_OUTER):
            n = pairs_with(state, moves, n, inner, inner + 1, FIRST_OUTER)
    return n


@njit
def open_place(state):
    """The first place of the inner circle with no card in it or behind it, or -1."""
    for ray in range(RAYS):
        if state.top[FIRST_INNER + ray] == 0 and state.top[FIRST_OUTER + ray] == 0:
            return FIRST_INNER + ray
    return -1


@njit
def fill(rules, state, inner):
    """A waste card goes to an open place."""
    if rules.option[FILL_FROM_BOTTOM]:
        above = state.height[WASTE_PILE] - 1
        carry(rules, state, WASTE_PILE, STOCK_PILE, above)
        carry(rules, state, WASTE_PILE, inner, 1)
        carry(rules, state, STOCK_PILE, WASTE_PILE, above)
    else:
        carry(rules, state, WASTE_PILE, inner, 1)


@njit
def discard(rules, state, pile):
    """A card of a pair goes out, and the card behind it moves in."""
    carry(rules, state, pile, DISCARD_PILE, 1)
    outer = pile - FIRST_INNER + FIRST_OUTER
    if pile >= FIRST_INNER and state.top[outer] and not rules.option[OPTIONAL_REFILL]:
        carry(rules, state, outer, pile, 1)


@njit
def refills(state, moves, n):
    """Add the moves of outer cards to the empty places before them."""
    for ray in range(RAYS):
        card = state.top[FIRST_OUTER + ray]
        if card and state.top[FIRST_INNER + ray] == 0:
            moves[n] = move(REFILL, FIRST_OUTER + ray, FIRST_INNER + ray, face(card), 1)
            n += 1
    return n


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    n = pairs(rules, state, moves)
    if state.top[STOCK_PILE]:
        if n == 0 or not rules.option[TURN_WHEN_NO_PAIR]:
            moves[n] = move(TURN, STOCK_PILE, WASTE_PILE, 0, 1)
            n += 1
    elif state.top[WASTE_PILE] and open_place(state) >= 0:
        card = bottom(state, WASTE_PILE) if rules.option[FILL_FROM_BOTTOM] else state.top[WASTE_PILE]
        moves[n] = move(FILL, WASTE_PILE, open_place(state), face(card), 1)
        n += 1
    if rules.option[OPTIONAL_REFILL]:
        n = refills(state, moves, n)
    return n


@njit
def apply_move(rules, state, m):
    if what(m) == PAIR:
        discard(rules, state, src(m))
        discard(rules, state, dst(m))
    elif what(m) == FILL:
        fill(rules, state, dst(m))
    else:
        carry(rules, state, src(m), dst(m), 1)
    if rules.option[FORCED_FILL] and state.top[STOCK_PILE] == 0:
        while state.top[WASTE_PILE] and open_place(state) >= 0:
            fill(rules, state, open_place(state))
