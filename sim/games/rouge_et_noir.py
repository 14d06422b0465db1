"""Rouge et Noir.

Source
    Charles Jewell's game, as Wikipedia retells it.
Layout
    Two packs. Ten columns of 8, 7, 6, 5, 4, 3, 2, 1, 1 and no cards, only their top cards face up; four foundations,
    two black and two red; four places for discarded runs; the other 67 cards are the stock.
Play
    Foundations are built up by colour from ace to king, regardless of suit. Columns are built down in alternate
    colours; a run moves in part or in whole. An empty column takes only a king, or a run that a king heads. A bared
    face-down card is turned up at once. A run from king to ace that ends a column may be discarded as a whole.
    The stock is dealt a card on each column, empty ones too, from left to right; the seventh deal has seven cards.
End
    Won with 52 cards on the foundations and four runs discarded; lost when no move is left. There is no redeal.
Left open by the book, and read so
    Columns are dealt one after another. `dealing=by_rows` is PySolFC's way: the face-down cards row by row, then the
    top cards, each row from right to left.
    Deals fall on the columns from left to right, so no two columns are alike: every empty column is a target of its
    own, and a whole column that a king heads may move to one.
    The places of the foundations are black, red, red, black (clubs, diamonds, hearts, spades). Two foundations of one
    height and colour are one target: the first.
    `deal_on_empty=false` skips empty columns. `last_deal=not_dealt` wants a card for every column that would get one.
    `deal_when=only_when_no_moves` waits until nothing else, a discard included, is legal.
    `discard_run=forced` discards after every step, from left to right, while a place is left.
    `discard_limit=none` has four more places; a run there is out of play, and the game can no longer be won.
Version
    1: first.
"""

from dataclasses import dataclass, replace

import numpy as np

from sim.builder import building_moves, lay_out, run_length
from sim.cards import FACES, SUITS, face, rank
from sim.jit import njit
from sim.layout import FOUNDATION_SUITS, Piles, build
from sim.moves import FILL, PLAY, TURN, count, dst, move, src, what
from sim.options import option
from sim.packing import ACE, KING, ace, down_alternating, king, red, up_alternating, up_in_colour
from sim.rules import DESCENDING, FOUNDATION, RESERVE, STOCK, TABLEAU
from sim.state import card_at, carry, cover, turn_up

VERSION = 1
PACKS = 2
HEIGHTS = (8, 7, 6, 5, 4, 3, 2, 1, 1, 0)
COLUMNS, FULL_RUN, RUNS = 10, 13, 4
BLACK, RED = FOUNDATION, DESCENDING  # two kinds, so that a bare red place takes no black ace
STOCK_PILE, FIRST_FOUNDATION, FIRST_COLUMN, FIRST_DISCARD = 0, 1, 5, 15
DEAL_WHEN_STUCK, SKIP_EMPTY, WHOLE_DEALS, FORCED, WHOLE_COLUMN = range(5)


@dataclass(frozen=True)
class Options:
    """What the one short text leaves open, and what PySolFC does."""

    foundation_build: str = option("same_colour", "alternate_colour", about="which next card a foundation takes")
    foundation_aces: str = option("two_red_two_black", "one_of_each_suit", about="which aces open a foundation")
    deal_when: str = option("any_time", "only_when_no_moves", about="when stock cards may be dealt")
    deal_on_empty: bool = option(True, False, about="a deal falls on empty columns too")
    last_deal: str = option("partial_left_to_right", "not_dealt", about="a deal with too few cards for the columns")
    discard_run: str = option("when_wanted", "forced", about="may or must a complete run be discarded?")
    discard_from: str = option("end_of_any_column", "whole_column_only", about="where a complete run must lie")
    discard_limit: int | str = option(4, "none", about="runs that may be discarded; with five no deal is won")
    dealing: str = option("by_columns", "by_rows", about="deal column after column, or row after row")


PRESETS: dict[str, dict[str, bool | int | str]] = {
    "pysolfc": {
        "foundation_build": "alternate_colour",
        "foundation_aces": "one_of_each_suit",
        "dealing": "by_rows",
    }
}


def black_ace(card: int) -> bool:
    return ace(card) and not red(card)


def red_ace(card: int) -> bool:
    return ace(card) and red(card)


def layout(o: Options) -> list[Piles]:
    packing = up_in_colour if o.foundation_build == "same_colour" else up_alternating
    black = Piles("foundation", BLACK, 1, packing, black_ace, lift=0, fixed=True)
    both_red = replace(black, kind=RED, count=2, start=red_ace)
    return [
        Piles("stock", STOCK, hidden=True),
        *(black, both_red, black),
        Piles("tableau", TABLEAU, COLUMNS, down_alternating, king, FULL_RUN, fixed=True),
        replace(black, zone="discard", count=RUNS, fixed=False),
        *([Piles("discard", RESERVE, RUNS)] if o.discard_limit == "none" else []),
    ]


def rules(o: Options) -> np.record:
    columns = [column for column, height in enumerate(HEIGHTS) for _ in range(height)]
    rows = [column for last in (6, 5, 4, 3, 2, 1, 0, 8) for column in range(last, -1, -1)]
    order = columns if o.dealing == "by_columns" else rows
    record = build(layout(o), [FIRST_COLUMN + column for column in order], packs=PACKS)
    for card in FACES:
        own = o.foundation_aces == "one_of_each_suit" and ace(card)
        slot = FOUNDATION_SUITS.index(SUITS[card >> 4])
        record.home_first[card] = FIRST_FOUNDATION + slot * own
        record.home_end[card] = record.home_first[card] + 1 if own else FIRST_COLUMN
    record.option[DEAL_WHEN_STUCK] = o.deal_when == "only_when_no_moves"
    record.option[SKIP_EMPTY] = not o.deal_on_empty
    record.option[WHOLE_DEALS] = o.last_deal == "not_dealt"
    record.option[FORCED] = o.discard_run == "forced"
    record.option[WHOLE_COLUMN] = o.discard_from == "whole_column_only"
    return record


@njit
def king_fills(rules, state, moves, n):
    """Add the moves of kings, and of runs that a king heads, to every empty column."""
    for column in range(FIRST_COLUMN, FIRST_DISCARD):
        length = run_length(rules, state, column)
        head = card_at(state, column, length)
        for empty in range(FIRST_COLUMN, FIRST_DISCARD):
            if rank(head) == KING and state.height[empty] == 0:
                moves[n] = move(FILL, column, empty, face(head), length)
                n += 1
    return n


@njit
def complete(rules, state, pile):
    """Does a run that may be discarded end this column?"""
    if rank(state.top[pile]) != ACE or (rules.option[WHOLE_COLUMN] and state.height[pile] != FULL_RUN):
        return False
    return run_length(rules, state, pile) == FULL_RUN


@njit
def discard_place(rules, state):
    """The first place without a run, or -1."""
    for pile in range(FIRST_DISCARD, rules.n_piles):
        if state.height[pile] == 0:
            return pile
    return -1


@njit
def discards(rules, state, moves, n):
    """Add the discards of complete runs."""
    for column in range(FIRST_COLUMN, FIRST_DISCARD):
        if complete(rules, state, column) and discard_place(rules, state) >= 0:
            head = face(card_at(state, column, FULL_RUN))
            moves[n] = move(PLAY, column, discard_place(rules, state), head, FULL_RUN)
            n += 1
    return n


@njit
def may_deal(rules, state):
    """Is there a stock card for a column, or, where deals must be whole, for each?"""
    wanted = COLUMNS - rules.option[SKIP_EMPTY] * state.spaces[TABLEAU]
    return wanted and state.height[STOCK_PILE] >= (wanted if rules.option[WHOLE_DEALS] else 1)


@njit
def deal_round(rules, state):
    """A stock card for each column, from left to right, while there are any."""
    for column in range(FIRST_COLUMN, FIRST_DISCARD):
        skipped = rules.option[SKIP_EMPTY] and state.height[column] == 0
        if state.height[STOCK_PILE] and not skipped:
            carry(rules, state, STOCK_PILE, column, 1)


@njit
def take(rules, state, src, dst, n):
    """Carry cards off a column, and turn up the card beneath."""
    carry(rules, state, src, dst, n)
    turn_up(state, src)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    for column in range(FIRST_COLUMN, FIRST_DISCARD):
        if state.height[column] > 1:
            cover(state, column, state.height[column] - 1)


@njit
def legal_moves(rules, state, moves):
    n = building_moves(rules, state, moves, FIRST_COLUMN, FIRST_DISCARD)
    if state.spaces[TABLEAU]:
        n = king_fills(rules, state, moves, n)
    n = discards(rules, state, moves, n)
    if may_deal(rules, state) and (n == 0 or not rules.option[DEAL_WHEN_STUCK]):
        moves[n] = move(TURN, STOCK_PILE, FIRST_COLUMN, 0, 1)
        n += 1
    return n


@njit
def apply_move(rules, state, m):
    if what(m) == TURN:
        deal_round(rules, state)
    else:
        take(rules, state, src(m), dst(m), count(m))
    if rules.option[FORCED]:
        for column in range(FIRST_COLUMN, FIRST_DISCARD):
            while complete(rules, state, column) and discard_place(rules, state) >= 0:
                take(rules, state, column, discard_place(rules, state), FULL_RUN)
