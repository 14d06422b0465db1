"""Napoleon's Square, second form; near to Busy Aces.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), the last paragraph of "Napoleon's Square".
Layout
    Two packs. Twelve single cards form a square; eight foundations; the other 92 cards are the stock.
Play
    Foundations are built up in suit from ace to king. The upper card of a place of the square, or the top of the waste
    (the book's talon), may be played home or built on the upper card of a place, down in suit, one card at a time.
    A vacant place may be filled from the waste or, unseen, from the stock, and may stay empty.
    Turn the stock card by card on to the waste, once.
End
    Won with all 104 cards home; lost when no move is left. There is no redeal.
Left open by the book, and read so
    Cards of the square marry each other as in the first form, though the text only names the cards that are dealt;
    `square_marriages=false` keeps to the text. Only moves from square to square fall under it: a card of the square
    may still go home, or fill where it may, and a foundation card may come back.
    Vacancies are filled "in the usual manner", that of the first form. `vacancy_source=any_card` lets cards of the
    square fill as well, with `sequence` runs too.
    A foundation card that may come back goes where a card of the square might go.
    `turn_at_deal` and `fill_from_unturned_stock=false` are PySolFC's way.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import lay_out
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import BUILD, src, what
from sim.options import option
from sim.rules import TABLEAU
from sim.talon import FIRST_COLUMN, WASTE_PILE, apply_carry, column_moves, columns, turn_moves

VERSION = 1
PACKS = 2
PLACES = 12
BLIND_FILL, NO_SQUARE_MARRIAGES = range(2)


@dataclass(frozen=True)
class Options:
    """What the one short paragraph leaves open, and programs differ on."""

    square_marriages: bool = option(True, False, about="may cards of the square be built on each other?")
    vacancy_source: str = option("waste_or_stock", "any_card", about="whose cards may fill a vacant place")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    turn_at_deal: bool = option(False, True, about="the deal turns the first stock card")
    fill_from_unturned_stock: bool = option(True, False, about="the next stock card, unseen, may fill a vacant place")


PRESETS = {
    "pysolfc": {
        "vacancy_source": "any_card",
        "foundation_return": True,
        "turn_at_deal": True,
        "fill_from_unturned_stock": False,
    }
}


def layout(o: Options) -> list[Piles]:
    return columns(o, PLACES, free=o.vacancy_source == "any_card")


def rules(o: Options) -> np.record:
    square = list(range(FIRST_COLUMN, FIRST_COLUMN + PLACES))
    record = build(layout(o), square + [WASTE_PILE] * o.turn_at_deal, packs=PACKS)
    record.option[BLIND_FILL] = o.fill_from_unturned_stock
    record.option[NO_SQUARE_MARRIAGES] = not o.square_marriages
    return record


@njit
def without_square_marriages(rules, moves, n):
    """Strike out the moves from square to square that build."""
    kept = 0
    for i in range(n):
        if what(moves[i]) != BUILD or rules.kind[src(moves[i])] != TABLEAU:
            moves[kept] = moves[i]
            kept += 1
    return kept


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    n = column_moves(rules, state, moves, rules.option[BLIND_FILL])
    if rules.option[NO_SQUARE_MARRIAGES]:
        n = without_square_marriages(rules, moves, n)
    return turn_moves(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    apply_carry(rules, state, m)
