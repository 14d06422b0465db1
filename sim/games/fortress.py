"""Fortress.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "Fortress".
Layout
    One pack, all dealt face up in two groups of five rows: six cards in the top row of each group and five in the
    others. A row has one outside end: the left one in the left-hand group, the right one in the right-hand group.
    Four foundations between the groups.
Play
    Foundations are built in suit from ace to king. The outside card of a row may be played home or married to the
    outside card of any other row, next higher or lower in suit, one card at a time. An empty row, a lane, takes any
    outside card.
End
    Won with all 52 cards home; lost when no move is left. There is no redeal.
Left open by the book, and read so
    "They ... are to descend in sequence to kings" is a misprint for ascend. Read to the letter it can only be
    `foundation_direction=down_wrapped`: ace, king, queen and so on to the two. Marriages never join ace and king.
    The book's picture is lost; which rows have six cards is `shape`. Rows 0 to 4 are the left-hand group. Cards are
    dealt from left to right, the top row of the left-hand group, that of the right-hand one, then the next rows: in the
    left-hand group the first card dealt to a row lies outside, and the last one at the inner end.
    `dealing=round_robin` is PySolFC's way: a card to each row in turn, the first ones at the inner ends of all rows.
    A run that moves as one goes up or down all along, in a way that `marriages` allows.
    A foundation card that may come back goes where an outside card might go.
    The dossier's `outer_end` has one value and is therefore a rule, not an option.
Version
    1: first.
"""

from dataclasses import dataclass, replace

import numpy as np

from sim.builder import building_moves
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import count, dst, src
from sim.options import option
from sim.packing import any_card, down_in_suit, next_in_suit, up_in_suit
from sim.rules import STOCK, TABLEAU
from sim.state import carry, clear, push

VERSION = 1
PACKS = 1
LINES = 5  # rows of a group
FIRST_ROW, FIRST_RIGHT = 5, 10  # the stock, always empty, is pile 0; the foundations are piles 1 to 4
INNER_FIRST = 0  # from this pile on, the first card dealt to a row lies at its inner end
SIZES = {"6_5_5_5_5_each": [6, 5, 5, 5, 5] * 2, "two_rows_of_six_first": [6, 6, 5, 5, 5, 5, 5, 5, 5, 5]}
MARRIAGES = {"up_and_down": next_in_suit, "down": down_in_suit}


@dataclass(frozen=True)
class Options:
    """What the book, its lost picture and a program differ on."""

    foundation_direction: str = option("up", "down_wrapped", about="the order in which a suit goes home, ace first")
    shape: str = option("6_5_5_5_5_each", "two_rows_of_six_first", about="which rows have six cards")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    marriages: str = option("up_and_down", "down", about="on which neighbour in suit a card may be laid")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    dealing: str = option("straight_across", "round_robin", about="deal row by row, or a card to each row in turn")


def down_from_ace(face: int, below: int) -> bool:
    """A king on an ace, and on from there."""
    return face >> 4 == below >> 4 and (face & 15) % 13 + 1 == below & 15


HOME = {"up": up_in_suit, "down_wrapped": down_from_ace}
PRESETS = {"pysolfc": {"shape": "two_rows_of_six_first", "foundation_return": True, "dealing": "round_robin"}}


def layout(o: Options) -> list[Piles]:
    lift = 13 if o.move_unit == "sequence" else 1
    home = foundations(PACKS, lift=int(o.foundation_return), fills=True)
    return [
        Piles("stock", STOCK),
        *(replace(row, packing=HOME[o.foundation_direction]) for row in home),
        Piles("tableau", TABLEAU, 2 * LINES, MARRIAGES[o.marriages], any_card, lift, fills=True),
    ]


def rows(o: Options) -> list[int]:
    """The row that each card of the deck is dealt to."""
    sizes = SIZES[o.shape]
    if o.dealing == "round_robin":
        return [row for card in range(max(sizes)) for row, size in enumerate(sizes) if card < size]
    return [row for line in range(LINES) for row in (line, LINES + line) for _ in range(sizes[row])]


def rules(o: Options) -> np.record:
    record = build(layout(o), [FIRST_ROW + row for row in rows(o)], packs=PACKS)
    record.option[INNER_FIRST] = FIRST_ROW if o.dealing == "round_robin" else FIRST_RIGHT
    return record


@njit
def deal(rules, state, deck):
    clear(rules, state)
    for i in range(len(deck)):
        if rules.dealt_to[i] >= rules.option[INNER_FIRST]:
            push(rules, state, rules.dealt_to[i], deck[i])
    for i in range(len(deck) - 1, -1, -1):
        if rules.dealt_to[i] < rules.option[INNER_FIRST]:
            push(rules, state, rules.dealt_to[i], deck[i])


@njit
def legal_moves(rules, state, moves):
    return building_moves(rules, state, moves, FIRST_ROW, rules.n_piles)


@njit
def apply_move(rules, state, m):
    carry(rules, state, src(m), dst(m), count(m))
