"""The Blockade.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Blockade".
Layout
    Two packs. Rows of twelve cards are dealt one beneath the other, and so make twelve columns of cells; eight
    foundations; the rest is the stock. Up to nine rows are dealt, the ninth never whole.
Play
    Foundations are built up in suit from ace to king. In each column only the lowest cell that has a card is available:
    its upper card may be played home, or married to an available card of another column, down in suit. Married cards
    lie exactly over each other and occupy one cell. Vacant cells are refilled from the stock, higher rows first, each
    row from left to right, all in one step. When no cell is vacant another row may be dealt, which blocks the one
    before. No other card goes to a vacant cell; when the stock is out vacancies stay.
    While a row is dealt nothing but aces can be played, each as it appears: the deal stops at an ace, which is played
    or left; the next card falls in its place. An ace that is left waits until the row is complete.
End
    Won with all 104 cards home; lost when no move is left. There is no redeal.
Left open by the book, and read so
    The deal also stops at an ace that is the last of its row, or of the stock; the first row is dealt like the others.
    `ace_play_in_deal=forced`: such aces go home within the step. `ace_gap=left_till_row_complete`: the next card falls
    on the next cell, and the gap is a vacancy like others. An ace that refilling brings is an ordinary card.
    "Immediately refilled" is the bout's end, which the player chooses, since otherwise the blocked cards of higher rows
    would never be released; `refill_timing=after_each_move` takes it by the letter, within each step, and within the
    step that completes a row. `bout_ends=when_no_move` allows refilling and dealing only when there is no other move.
    `end_vacancy=any_card`: when the stock is out an available card, or with `move_unit=sequence` a run of one cell, may
    go to the highest vacant cell of another column. The cells that the last row has no cards for are no vacancies.
    A foundation card that may come back goes where an available card might go.
    `table=columns` is PySolFC's simplification: a row is dealt at one go, aces and all, on twelve columns, which only
    when empty are vacant; a run may be part of a column, and of several empty columns the first is filled.
    Preset `pysolfc` adds runs, foundation cards that come back, refilling at once, and `any_card`. That is PySolFC's
    Blockade, opening and moves, but for moves of whole columns to empty ones, which change nothing. It is near the book
    only while a row is alone: without cells a row buries the one before for good, and marriages lie in the way.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import ONE, U, has, lowest
from sim.builder import home_for, lay_out, run_length, space
from sim.cards import face, rank
from sim.fans import give_up_places, marriages, plays_of, wanted_home
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import BUILD, DEAL, FILL, PLAY, REFILL, RETURN, count, dst, move, src, what
from sim.options import choices, option
from sim.packing import ACE, any_card, down_in_suit, no_card
from sim.rules import FOUNDATION, STOCK, TABLEAU
from sim.state import carry, set_counter

VERSION = 1
PACKS = 2
COLUMNS, ROWS = 12, 9
STOCK_PILE, FIRST_CELL = 0, 9  # the foundations are piles 1 to 8
REFILL_AT_ONCE, WHEN_NO_MOVE, LEAVE_GAP, FORCED, ROW_ANY_TIME, _, _, _, IN_COLUMNS = range(9)  # not the first value
VACANT = 39_000  # behind the moves, while they are listed: the vacancies that cards may go to
BEGUN, ACE_WAITS = range(2)  # counters: cells that a row's card has fallen on; 1: the deal stops at an ace in the last


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and programs differ on."""

    refill_timing: str = option("after_the_bout", "after_each_move", about="when vacant cells are refilled")
    bout_ends: str = option("when_player_wants", "when_no_move", about="when to refill, or deal another row")
    ace_gap: str = option("next_card_at_once", "left_till_row_complete", about="the cell of an ace played in the deal")
    ace_play_in_deal: str = option("optional", "forced", about="may or must aces be played while a row is dealt?")
    row_needs_no_vacancy: bool = option(True, False, about="a row is dealt only when no cell is vacant")
    end_vacancy: str = option("closed", "any_card", about="what a vacant cell takes when the stock is out")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the table")
    table: str = option("cells", "columns", about="rows beneath rows, or cards dealt on twelve columns")


PRESETS = {
    "pysolfc": {
        "refill_timing": "after_each_move",
        "end_vacancy": "any_card",
        "move_unit": "sequence",
        "foundation_return": True,
        "table": "columns",
    }
}


def layout(o: Options) -> list[Piles]:
    free = o.end_vacancy == "any_card"
    zone, cells = ("tableau", COLUMNS) if o.table == "columns" else ("cells", COLUMNS * ROWS)
    lift = 13 if o.move_unit == "sequence" else 1
    return [
        Piles("stock", STOCK, hidden=True),
        *foundations(PACKS, lift=int(o.foundation_return), fills=free),
        Piles(zone, TABLEAU, cells, down_in_suit, any_card if free else no_card, lift, free, fixed=True),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), [], packs=PACKS)
    record.option[: IN_COLUMNS + 1] = choices(o)
    return record


@njit(inline=True)
def available(rules, state):
    """The faces of the available cards, a set for each pack: only the ace at which the deal stops, if it does."""
    first = second = U(0)
    ace, end = FIRST_CELL + state.counter[BEGUN] - 1, rules.n_piles - state.gone
    for cell in range(ace, ace + 1) if state.counter[ACE_WAITS] else range(end - COLUMNS, end):
        while cell >= FIRST_CELL + COLUMNS and state.top[cell] == 0:
            cell -= COLUMNS
        card = state.top[cell]
        first |= U(card < 64) << U(face(card))
        second |= U(card >> 6) << U(face(card))
    return first & ~ONE, second


@njit
def note_vacancies(rules, state, moves):
    """Note behind the moves the highest vacancy of each column, in columns the first of all; return their number."""
    n, end = 0, FIRST_CELL + state.counter[BEGUN]
    for column in range(COLUMNS):
        cell = FIRST_CELL + column
        while cell < end and state.top[cell]:
            cell += COLUMNS
        moves[VACANT + n] = cell
        n += cell < end
    return min(n, 1) if rules.option[IN_COLUMNS] else n


@njit(inline=True)
def targets(state, moves, n, kind, src, card, n_cards, free, vacant):
    """Add the available cards, and vacancies of other columns, that may take a run whose deepest card it is."""
    for pack in range(PACKS):
        if has(free[pack], face(card) + 1):
            moves[n] = move(kind, src, state.where[pack << 6 | face(card) + 1], face(card), n_cards)
            n += 1
    for cell in moves[VACANT : VACANT + vacant]:
        moves[n] = move(FILL if kind == BUILD else kind, src, cell, face(card), n_cards)
        n += kind == RETURN or (cell - np.int64(src)) % COLUMNS != 0
    return n


@njit
def run_moves(rules, state, moves, n, src, free, vacant):
    """Add the fills of the upper card of a cell, and the marriages and fills of the runs that end the cell."""
    card, married = state.top[src], (U(0), U(0))  # the marriages of the upper card are listed before
    for n_cards in range(1, run_length(rules, state, src) + 1):
        vacant *= n_cards < state.height[src] or not rules.option[IN_COLUMNS]
        n = targets(state, moves, n, BUILD, src, card, n_cards, married, vacant)
        card, married = state.under[card], free
    return n


@njit
def card_moves(rules, state, moves):
    """List the moves of available cards, then those of foundation cards that may come back."""
    n, vacant, free, wanted = 0, 0, available(rules, state), wanted_home(state)
    if rules.fills[TABLEAU] and not (state.top[STOCK_PILE] or state.counter[ACE_WAITS]):
        vacant = note_vacancies(rules, state, moves)
    for pack in range(PACKS):
        n = plays_of(rules, state, moves, n, wanted & free[pack], pack)
        for other in range(PACKS):
            n = marriages(state, moves, n, free[pack] & free[other] >> ONE, pack, other, 1)
        cards = free[pack] if vacant or rules.lift[TABLEAU] > 1 else U(0)
        while cards != U(0):
            cell = state.where[pack << 6 | lowest(cards)]
            cards &= cards - ONE
            if vacant or state.height[cell] > 1:
                n = run_moves(rules, state, moves, n, cell, free, vacant)
    for pile in range(1, FIRST_CELL if rules.lift[FOUNDATION] else 1):
        card = state.top[pile]
        if card and (pile % 2 or face(state.top[pile - 1]) != face(card)):  # of two that are alike the first
            n = targets(state, moves, n, RETURN, pile, card, 1, free, vacant)
    return n


@njit
def deal_row(rules, state, cell):
    """Cards fall on this cell and the next ones until the row is complete, or the deal stops at an ace."""
    while cell < rules.n_piles - state.gone and state.top[STOCK_PILE] and not state.counter[ACE_WAITS]:
        carry(rules, state, STOCK_PILE, cell, 1)
        set_counter(state, BEGUN, max(np.int64(state.counter[BEGUN]), cell + 1 - FIRST_CELL))
        if rank(state.top[cell]) == ACE and not rules.option[IN_COLUMNS]:
            if rules.option[FORCED]:
                carry(rules, state, cell, home_for(rules, state, state.top[cell]), 1)
            set_counter(state, ACE_WAITS, state.top[cell] != 0)
        cell += state.top[cell] != 0 or rules.option[LEAVE_GAP]


@njit
def legal_moves(rules, state, moves):
    n, ace = card_moves(rules, state, moves), state.counter[ACE_WAITS]
    if not ace:
        if state.top[STOCK_PILE] == 0 or (n and rules.option[WHEN_NO_MOVE]):
            return n
        if state.spaces[TABLEAU]:
            moves[n] = move(REFILL, STOCK_PILE, space(rules, state, TABLEAU), 0, 0)
            n += 1
            if not rules.option[ROW_ANY_TIME]:
                return n
    next_cell = (state.counter[BEGUN] - ace) % (rules.n_piles - FIRST_CELL)  # in columns always the first
    moves[n] = move(DEAL, STOCK_PILE, FIRST_CELL + next_cell, 0, 1)
    return n + 1


@njit
def apply_move(rules, state, m):
    ace = np.int64(state.counter[ACE_WAITS])
    set_counter(state, ACE_WAITS, 0)
    if what(m) == DEAL:  # the cells of the row come into play
        give_up_places(rules, state, ((dst(m) - FIRST_CELL) // COLUMNS + 1) * COLUMNS)
    else:
        carry(rules, state, src(m), dst(m), count(m))  # of a refill nothing
    if ace or what(m) == DEAL:
        deal_row(rules, state, src(m) + rules.option[LEAVE_GAP] if what(m) == PLAY else dst(m) + ace)
    refills = what(m) == REFILL or (rules.option[REFILL_AT_ONCE] and not state.counter[ACE_WAITS])
    while refills and state.spaces[TABLEAU] and state.top[STOCK_PILE]:  # higher rows first
        carry(rules, state, STOCK_PILE, space(rules, state, TABLEAU), 1)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    apply_move(rules, state, move(DEAL, STOCK_PILE, FIRST_CELL, 0, 1))
