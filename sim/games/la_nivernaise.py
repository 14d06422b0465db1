"""La Nivernaise, also known as Napoleon's Flank.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "La Nivernaise".
Layout
    Two packs. Two Flanks of four single cards, here a reserve of eight; the Line, six packets of four cards dealt
    together; eight foundations. The other 72 cards are the stock.
Play
    Four foundations are built up in suit from ace to king, four down in suit from king to ace. The cards of the Flanks
    and the upper cards of the Line may be played home. A vacant Flank may be filled with the upper card of a packet or
    with the next card of the stock. A packet of which the last card has left is replaced at once by four of the stock.
    When wanted, a round is dealt: four cards more on each packet, from left to right.
    One card at a time may pass from one foundation to the other of its suit.
    As many cards of each packet may be looked at as there are vacant Flanks; those beneath are hidden from policies.
    When the stock is out the Line may be taken up from left to right, turned, and dealt again, unshuffled, once.
End
    Won with all 104 cards home; lost when no move and no redeal is left.
Left open by the book, and read so
    The last round, like a packet that is replaced, is short when the stock runs out. A packet that is emptied later
    stays empty until the redeal, which includes its first round.
    The upper card of a packet is seen even if no Flank is vacant.
    Aces and kings do not pass between foundations. `exchange_base=true`: any card that fits does, also the first to
    open a foundation and the last to leave one.
    `gather`: the card that is dealt first; the other packets follow in turn, each from the bottom up.
    One vacant Flank, the first, stands for all.
    A foundation card that may come back goes to a vacant Flank.
    `arranged_deal` is PySolFC's way: if there is no ace or king among the first eight cards, the last one of the pack
    is dealt first.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import lay_out, space, withdraw
from sim.cards import face, rank
from sim.fans import plays, redeal_move
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import DEAL, FILL, REDEAL, RETURN, TRANSFER, dst, move, src, what
from sim.options import option
from sim.packing import ACE, KING
from sim.rules import RESERVE, STOCK, TABLEAU
from sim.state import carry, cover, lay, show, shut, take, turn_over

VERSION = 1
PACKS = 2
FLANKS, PACKETS, TOGETHER, FAMILY = 8, 6, 4, 13
STOCK_PILE, FIRST_FLANK, FIRST_PACKET, END = 0, 9, 17, 23
LAST_FIRST, EXCHANGE, EXCHANGE_BASE, STOCK_FILLS, SEEN, FLANK_TO_FLANK, COME_BACK, ARRANGED = range(8)
VIEWS = {"vacancies_deep": 0, "top_only": 1, "all": 104}  # cards of a packet that are seen; 0: as there are vacancies


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and programs differ on."""

    gather: str = option("packet1_bottom_first", "packet6_bottom_first", about="how the Line is taken up for a redeal")
    exchange: str = option("any_time_one_card", "off", about="a card may pass between the two foundations of its suit")
    exchange_base: bool = option(False, True, about="aces and kings may pass, too")
    flank_fill: str = option("stock_or_line_optional", "line_only", about="whose cards may fill a vacant Flank")
    redeals: int = option(1, 0, 2, 3, about="unshuffled redeals of the Line after the first deal")
    line_view: str = option("vacancies_deep", "top_only", "all", about="which cards of the Line a policy sees")
    flank_to_flank: bool = option(False, True, about="a card may move from Flank to Flank")
    foundation_return: bool = option(False, True, about="a foundation card may come back to a Flank")
    arranged_deal: bool = option(False, True, about="an ace or a king is among the Flanks at first")


PRESETS = {
    "pysolfc": {
        "exchange_base": True,
        "flank_fill": "line_only",
        "redeals": 2,
        "flank_to_flank": True,
        "foundation_return": True,
        "arranged_deal": True,
    }
}


def layout(o: Options) -> list[Piles]:
    return [
        Piles("stock", STOCK, hidden=True),
        *foundations(1, 1),
        Piles("reserve", RESERVE, FLANKS),
        Piles("tableau", TABLEAU, PACKETS, fixed=True),
    ]


def rules(o: Options) -> np.record:
    line = [FIRST_PACKET + i // TOGETHER for i in range(PACKETS * TOGETHER)]
    record = build(layout(o), [*range(FIRST_FLANK, FIRST_PACKET), *line], packs=PACKS, redeals=o.redeals)
    record.option[LAST_FIRST] = o.gather == "packet6_bottom_first"
    record.option[EXCHANGE] = o.exchange != "off"
    record.option[EXCHANGE_BASE] = o.exchange_base
    record.option[STOCK_FILLS] = o.flank_fill == "stock_or_line_optional"
    record.option[SEEN] = VIEWS[o.line_view]
    record.option[FLANK_TO_FLANK] = o.flank_to_flank
    record.option[COME_BACK] = o.foundation_return
    record.option[ARRANGED] = o.arranged_deal
    return record


@njit
def begins(card):
    """Whether a foundation begins with this card."""
    return rank(card) == ACE or rank(card) == KING


@njit
def arrange(deck):
    """If no ace or king is among the first eight cards, the last one of the deck becomes the first card."""
    last = 0
    for i in range(len(deck)):
        if begins(deck[i]):
            if i < FLANKS:
                return
            last = i
    withdraw(deck, 0, face(deck[last]), True)


@njit
def look(rules, state):
    """Cover the cards of the Line that may not be looked at."""
    seen = np.int64(rules.option[SEEN] or max(1, state.spaces[RESERVE]))
    for pile in range(FIRST_PACKET, END):
        unseen = max(0, np.int64(state.height[pile]) - seen)
        if state.covered[pile] != unseen:
            cover(state, pile, unseen)


@njit
def add_cards(rules, state, first, end):
    """Four cards of the stock on each of these packets, as far as they last."""
    shut(rules, state, STOCK_PILE)
    for pile in range(first, end):
        shut(rules, state, pile)
        for _ in range(TOGETHER):
            if state.top[STOCK_PILE]:
                lay(rules, state, pile, take(rules, state, STOCK_PILE))
        show(rules, state, pile)
    show(rules, state, STOCK_PILE)


@njit
def take_up(rules, state):
    """The Line becomes the stock again."""
    for i in range(PACKETS):
        pile = FIRST_PACKET + (i if rules.option[LAST_FIRST] else PACKETS - 1 - i)
        cover(state, pile, 0)
        turn_over(rules, state, pile, STOCK_PILE)
    state.redeals_left -= 1


@njit
def moves_to(state, moves, n, kind, first, end, flank):
    """Add the moves of the upper cards of the piles first .. end - 1 to a vacant Flank."""
    for pile in range(first, end):
        if state.top[pile]:
            moves[n] = move(kind, pile, flank, face(state.top[pile]), 1)
            n += 1
    return n


@njit
def flank_moves(rules, state, moves, n):
    """Add what may fill a vacant Flank: the upper cards of the Line, the next card of the stock, and by option more."""
    flank = space(rules, state, RESERVE)
    n = moves_to(state, moves, n, FILL, FIRST_PACKET, END, flank)
    if state.top[STOCK_PILE] and rules.option[STOCK_FILLS]:
        moves[n] = move(FILL, STOCK_PILE, flank, 0, 1)
        n += 1
    if rules.option[FLANK_TO_FLANK]:
        n = moves_to(state, moves, n, FILL, FIRST_FLANK, FIRST_PACKET, flank)
    if rules.option[COME_BACK]:
        n = moves_to(state, moves, n, RETURN, STOCK_PILE + 1, FIRST_FLANK, flank)
    return n


@njit
def exchanges(rules, state, moves, n):
    """Add the cards that may pass from one foundation to the other of their suit."""
    for up in range(STOCK_PILE + 1, FIRST_FLANK, 2):
        if state.height[up] + state.height[up + 1] == FAMILY:  # so that each can take the other's top card
            for pile, other in ((up, up + 1), (up + 1, up)):
                card = state.top[pile]
                if card and (rules.option[EXCHANGE_BASE] or not begins(card)):
                    moves[n] = move(TRANSFER, pile, other, face(card), 1)
                    n += 1
    return n


@njit
def deal(rules, state, deck):
    if rules.option[ARRANGED]:
        arrange(deck)
    lay_out(rules, state, deck)
    look(rules, state)


@njit
def legal_moves(rules, state, moves):
    n = plays(rules, state, moves, 0, RESERVE)
    n = plays(rules, state, moves, n, TABLEAU)
    if state.spaces[RESERVE]:
        n = flank_moves(rules, state, moves, n)
    if rules.option[EXCHANGE]:
        n = exchanges(rules, state, moves, n)
    if state.top[STOCK_PILE]:
        moves[n] = move(DEAL, STOCK_PILE, FIRST_PACKET, 0, TOGETHER)
        return n + 1
    return redeal_move(rules, moves, n, False) if state.redeals_left and state.spaces[TABLEAU] < PACKETS else n


@njit
def apply_move(rules, state, m):
    if what(m) == REDEAL:
        take_up(rules, state)
    if what(m) == REDEAL or what(m) == DEAL:
        add_cards(rules, state, FIRST_PACKET, END)
    else:
        carry(rules, state, src(m), dst(m), 1)
        if src(m) >= FIRST_PACKET and state.height[src(m)] == 0:
            add_cards(rules, state, src(m), src(m) + 1)
    look(rules, state)
