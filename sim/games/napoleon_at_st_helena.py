"""Napoleon at St Helena, also known as Forty Thieves.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "Napoleon at St. Helena".
Layout
    Two packs. Ten columns of four cards, dealt in rows from left to right, all open; eight foundations; the other
    64 cards are the stock.
Play
    Foundations are built up in suit from ace to king. The end card of a column, or the top of the waste, may be played
    home or built on the end card of a column, down in suit, one card at a time. An empty column takes any such card.
    Turn the stock card by card on to the waste, once.
End
    Won with all 104 cards home; lost when no move is left.
Left open by the book, and read so
    When redeals are allowed, a step of its own turns the waste over, unshuffled, once the stock is out.
    `stock_turn=only_when_stuck` binds that step as it binds the turning of a card.
    Two twin foundations of one suit, or two empty columns, are one target: the first.
    A foundation card that may come back goes where a card of the tableau might go.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import lay_out
from sim.jit import njit
from sim.layout import Piles, build
from sim.options import option
from sim.talon import FIRST_COLUMN, WASTE_PILE, apply_carry, column_moves, columns, turn_moves

VERSION = 1
PACKS = 2
COLUMNS, ROWS = 10, 4
BLIND_FILL, TURN_WHEN_STUCK = range(2)


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    vacancy_source: str = option("tableau_or_waste", "waste_only", about="whose cards may fill an empty column")
    fill_from_unturned_stock: bool = option(False, True, about="the next stock card, unseen, may fill an empty column")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    redeals: int = option(0, 1, 2, 3, about="times the waste is turned over into a new stock")
    stock_turn: str = option("when_wanted", "only_when_stuck", about="when a stock card may be turned")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    turn_at_deal: bool = option(False, True, about="the deal turns the first stock card")


PRESETS = {"pysolfc": {"foundation_return": True, "turn_at_deal": True}}


def layout(o: Options) -> list[Piles]:
    return columns(o, COLUMNS, free=o.vacancy_source == "tableau_or_waste")


def rules(o: Options) -> np.record:
    rows = [FIRST_COLUMN + column for _ in range(ROWS) for column in range(COLUMNS)]
    record = build(layout(o), rows + [WASTE_PILE] * o.turn_at_deal, packs=PACKS, redeals=o.redeals)
    record.option[BLIND_FILL] = o.fill_from_unturned_stock
    record.option[TURN_WHEN_STUCK] = o.stock_turn == "only_when_stuck"
    return record


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    n = column_moves(rules, state, moves, rules.option[BLIND_FILL])
    if n and rules.option[TURN_WHEN_STUCK]:
        return n
    return turn_moves(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    apply_carry(rules, state, m)
