"""The Fifteen.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Fifteen".
Layout
    Two packs, all dealt face up from left to right in rows of fifteen, each row partly covering the one before:
    fourteen columns of seven cards, and a last one of six. Eight foundations.
Play
    Four foundations are built up in suit from ace to king, four down in suit from king to ace. The lowest card of a
    column may be played home or married to the lowest card of another column, next higher or lower in suit, one card at
    a time. An empty column, a lane, takes any such card.
    The opening grace: when no foundation is begun and none can be, one ace and one king may be withdrawn from the sixth
    row; each place is filled at once by the card below that blocked it.
End
    Won with all 104 cards home; lost when no move is left. There is no redeal.
Left open by the book, and read so
    The grace is one move: an ace, a king, or one of each. It stands beside the marriages whenever it is due, and is
    taken once; with `grace_condition=before_any_move` only as the first move of all.
    A card of the sixth row must lie where it was dealt, never moved, under exactly one card.
    `grace_row=second_lowest_card`: whatever lies under the lowest card of a column, in any row.
    The dealt last card of the short column has nothing below it and is available. `short_column=not`: it can be married
    to, but moves, alone or in a run, only when a card that was laid on it has been taken off again, or by grace.
    A run that moves as one goes up or down all along.
    A foundation card that may come back goes where a column's lowest card might go; it is not played from one
    foundation on to another. When all have come back, no foundation is begun.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import building_moves, home_for, lay_out
from sim.cards import face, rank
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import DRAW, PLAY, count, dst, move, src, what
from sim.options import option
from sim.packing import ACE, KING, any_card, next_in_suit
from sim.rules import STOCK, TABLEAU
from sim.state import carry, pop, push, set_counter

VERSION = 1
PACKS = 2
COLUMNS, ROWS = 15, 6  # whole rows
FIRST_COLUMN, SHORT = 9, 23  # the stock, always empty, is pile 0; the foundations are piles 1 to 8
GRACE, BEFORE_ANY_MOVE, SECOND_LOWEST, HOLD = range(4)
BLOCKED, HELD = range(2)  # counters: columns, as bits, that the grace may still take from; is the short column held?


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and programs differ on."""

    opening_grace: str = option("one_ace_and_one_king", "off", about="cards to withdraw when no foundation can begin")
    grace_condition: str = option(
        "no_foundation_started_and_none_available", "before_any_move", about="until when the grace may be taken"
    )
    grace_row: str = option(
        "original_sixth_row_under_one_card", "second_lowest_card", about="which cards the grace may take"
    )
    short_column: str = option("sixth_row_card_available", "not", about="may the last column's lowest card move?")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")


PRESETS = {"pysolfc": {"opening_grace": "off", "foundation_return": True}}


def layout(o: Options) -> list[Piles]:
    lift = 13 if o.move_unit == "sequence" else 1
    return [
        Piles("stock", STOCK),
        *foundations(1, 1, lift=int(o.foundation_return), fills=True),
        Piles("tableau", TABLEAU, COLUMNS, next_in_suit, any_card, lift, fills=True),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), [FIRST_COLUMN + i % COLUMNS for i in range(52 * PACKS)], packs=PACKS)
    record.option[GRACE] = o.opening_grace != "off"
    record.option[BEFORE_ANY_MOVE] = o.grace_condition == "before_any_move"
    record.option[SECOND_LOWEST] = o.grace_row == "second_lowest_card"
    record.option[HOLD] = o.short_column == "not"
    return record


@njit
def begins(card):
    """Whether a foundation begins with this card."""
    return rank(card) == ACE or rank(card) == KING


@njit
def may_block(rules, state):
    """The columns, as bits, whose sixth-row card the grace might take."""
    columns = 0
    for pile in range(FIRST_COLUMN, SHORT + 1):
        sixth = state.top[pile] if pile == SHORT else state.under[state.top[pile]]
        if rules.option[SECOND_LOWEST] or begins(sixth):
            columns |= 1 << (pile - FIRST_COLUMN)
    return columns


@njit
def blocked(rules, state, pile):
    """The card of this column that the grace may take, or 0."""
    one_over = rules.option[SECOND_LOWEST] or state.height[pile] == ROWS + 1
    card = state.under[state.top[pile]]
    return card if one_over and state.counter[BLOCKED] >> (pile - FIRST_COLUMN) & 1 and begins(card) else np.uint8(0)


@njit
def graces(rules, state, moves, n):
    """Add the ways of the grace, unless a card can be played: first both an ace and a king, then either alone."""
    for i in range(n):
        if what(moves[i]) == PLAY:
            return n
    for pile in range(FIRST_COLUMN, SHORT + 1):
        card = blocked(rules, state, pile)
        for other in range(FIRST_COLUMN, SHORT + 1):
            if rank(card) == ACE and rank(blocked(rules, state, other)) == KING:
                moves[n] = move(DRAW, pile, other, face(card), 2)
                n += 1
    for pile in range(FIRST_COLUMN, SHORT + 1):
        card = blocked(rules, state, pile)
        if card:
            moves[n] = move(DRAW, pile, home_for(rules, state, card), face(card), 1)
            n += 1
    return n


@njit
def hold_back(state, moves, n):
    """Leave out the moves that take the dealt last card of the short column."""
    kept = 0
    for i in range(n):
        if src(moves[i]) != SHORT or count(moves[i]) <= state.height[SHORT] - ROWS:
            moves[kept] = moves[i]
            kept += 1
    return kept


@njit
def withdraw(rules, state, pile):
    """The card under the lowest one goes home; the lowest one takes its place."""
    lowest = pop(rules, state, pile)
    carry(rules, state, pile, home_for(rules, state, state.top[pile]), 1)
    push(rules, state, pile, lowest)


@njit
def remember(rules, state, m):
    """Note which cards of the sixth row the grace can no longer take, and whether the short column is held."""
    if what(m) == DRAW or rules.option[BEFORE_ANY_MOVE]:
        set_counter(state, BLOCKED, 0)
    elif src(m) >= FIRST_COLUMN and state.height[src(m)] < ROWS and not rules.option[SECOND_LOWEST]:
        set_counter(state, BLOCKED, state.counter[BLOCKED] & ~(1 << (src(m) - FIRST_COLUMN)))
    if (src(m) == SHORT or dst(m) == SHORT) and state.height[SHORT] <= ROWS:
        set_counter(state, HELD, 0)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    set_counter(state, HELD, rules.option[HOLD])
    if rules.option[GRACE]:
        set_counter(state, BLOCKED, may_block(rules, state))


@njit
def legal_moves(rules, state, moves):
    n = building_moves(rules, state, moves, FIRST_COLUMN, rules.n_piles)
    if state.counter[HELD]:
        n = hold_back(state, moves, n)
    return graces(rules, state, moves, n) if state.home == 0 and state.counter[BLOCKED] else n


@njit
def apply_move(rules, state, m):
    if what(m) == DRAW:
        withdraw(rules, state, src(m))
        if count(m) == 2:
            withdraw(rules, state, dst(m))
    else:
        carry(rules, state, src(m), dst(m), count(m))
    if state.counter[BLOCKED] or state.counter[HELD]:
        remember(rules, state, m)
