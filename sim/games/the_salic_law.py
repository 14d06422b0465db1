"""The Salic Law.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Salic Law".
Layout
    Two packs. One king is withdrawn and begins a row of eight king packets; above it are places for eight foundations,
    and above these for the eight queens. The other 103 cards are the stock.
Play
    Deal the stock card by card on the last king laid; a king begins the next packet to the right, an ace goes at once
    to the foundations, a queen at once to the row of queens. Each card is a step.
    Foundations are built up from ace to jack, regardless of suit. Between any two cards of the deal, and after it, the
    upper card of every packet may be played there. After the deal the upper card of a packet may also be laid on a
    king that is bare, one card at a time. Kings and queens never move.
End
    Won with eight jacks on the foundations, 88 cards, even if kings or queens are still to be dealt; lost when no move
    is left. There is no redeal.
Left open by the book, and read so
    Every bare king is a target of its own. A lone card does not pass from a king to its twin, where nothing would
    change.
    `king_space=once_per_king`: each king takes one card from the player in the whole game; dealt cards do not count.
    `king_space_during_deal=true`: the king that is dealt on is a space too while it is bare.
    `turned_card_direct` is the same either way: the card that was dealt is the upper card of its packet.
    `first_king=nearest_top` is the king that would be dealt first; `random` draws one with the seed of the deal.
    Foundations that take a card are of one height, and the first is taken. `foundation_opens=with_its_king` is
    PySolFC's way: the foundations stand above the kings, and one whose king is not out yet keeps its ace bare.
    PySolFC also withdraws the king nearest the bottom of the pack, and the queens beforehand.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import U
from sim.builder import home_for, space
from sim.cards import face, rank
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import DEAL, FILL, PLAY, dst, move, src, what
from sim.options import option
from sim.packing import ACE, KING, ace, up
from sim.rng import REDEAL, shuffle, stream
from sim.rules import FOUNDATION, RESERVE, STOCK, TABLEAU
from sim.state import carry, clear, pop, push, set_counter

VERSION = 1
PACKS = 2
KINGS, KNAVE, QUEEN = 8, 11, 12
STOCK_PILE, FIRST_PACKET, FIRST_QUEEN = 0, 9, 17
ONCE, DURING_DEAL, LAST_KING, RANDOM_KING, SET_ASIDE, UNDER_KINGS = range(6)
USED = 0  # counter: the kings that the player has laid a card on, as bits, where that may be done once


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    king_space: str = option("one_at_a_time", "once_per_king", about="how often a card may be laid on a bare king")
    king_space_during_deal: bool = option(False, True, about="cards may be laid on bare kings during the deal too")
    turned_card_direct: bool = option(True, False, about="a dealt card is played without landing: the same game")
    first_king: str = option("nearest_top", "random", "nearest_bottom", about="which king of the pack is withdrawn")
    queens: str = option("as_they_appear", "removed_first", about="when the queens are set aside")
    foundation_opens: str = option("with_its_ace", "with_its_king", about="from when a foundation takes twos")


PRESETS = {
    "pysolfc": {
        "king_space_during_deal": True,
        "first_king": "nearest_bottom",
        "queens": "removed_first",
        "foundation_opens": "with_its_king",
    }
}


def layout(o: Options) -> list[Piles]:
    return [
        Piles("stock", STOCK, hidden=True),
        Piles("foundation", FOUNDATION, KINGS, up, ace, lift=0, full=KNAVE),
        Piles("tableau", TABLEAU, KINGS, fixed=True),  # not alike: one of them is dealt on
        Piles("queens", RESERVE, KINGS),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), [], packs=PACKS, goal=KINGS * KNAVE)
    record.option[ONCE] = o.king_space == "once_per_king"
    record.option[DURING_DEAL] = o.king_space_during_deal
    record.option[LAST_KING] = o.first_king == "nearest_bottom"
    record.option[RANDOM_KING] = o.first_king == "random"
    record.option[SET_ASIDE] = QUEEN if o.queens == "removed_first" else 0
    record.option[UNDER_KINGS] = o.foundation_opens == "with_its_king"
    return record


@njit(allocates=True)
def withdrawn(rules, state, deck):
    """Where in the deck the king lies that begins the first packet."""
    kings = np.flatnonzero((deck & 15) == KING)
    if rules.option[RANDOM_KING]:
        shuffle(stream(state.seed, REDEAL, U(0)), kings, KINGS)  # there are no redeals that could want this stream
    return kings[KINGS - 1 if rules.option[LAST_KING] else 0]


@njit(inline=True)
def last_packet(state):
    """The packet of the last king that was laid."""
    return FIRST_QUEEN - 1 - np.int64(state.spaces[TABLEAU])


@njit
def deal_card(rules, state, card):
    """A card to the last packet, or where its rank says."""
    if ACE < rank(card) < QUEEN:
        push(rules, state, last_packet(state), card)
    else:
        row = FOUNDATION if rank(card) == ACE else RESERVE if rank(card) == QUEEN else TABLEAU
        push(rules, state, space(rules, state, row), card)


@njit
def plays(rules, state, moves):
    """List the plays of upper cards."""
    n, open_end = 0, FIRST_PACKET - np.int64(rules.option[UNDER_KINGS] * state.spaces[TABLEAU])
    for packet in range(FIRST_PACKET, last_packet(state) + 1):
        home = home_for(rules, state, state.top[packet])
        if 0 <= home < open_end:
            moves[n] = move(PLAY, packet, home, face(state.top[packet]), 1)
            n += 1
    return n


@njit
def fills(rules, state, moves, n):
    """Add the moves of upper cards to bare kings, but not of a lone card to a twin king where nothing would change."""
    dealt_on = last_packet(state) if state.top[STOCK_PILE] else np.int64(0)
    for king in range(FIRST_PACKET, FIRST_QUEEN):
        if state.height[king] != 1 or state.counter[USED] >> (king - FIRST_PACKET) & 1:
            continue
        for packet in range(FIRST_PACKET, FIRST_QUEEN):
            card = state.top[packet]
            on_twin = face(state.under[card]) == face(state.top[king]) and not rules.option[ONCE]
            if state.height[packet] > 1 and (not on_twin or dealt_on in (packet, king)):
                moves[n] = move(FILL, packet, king, face(card), 1)
                n += 1
    return n


@njit
def deal(rules, state, deck):
    clear(rules, state)
    first = withdrawn(rules, state, deck)
    push(rules, state, FIRST_PACKET, deck[first])
    for i in range(len(deck)):
        if rank(deck[i]) == rules.option[SET_ASIDE]:
            deal_card(rules, state, deck[i])
    for i in range(len(deck) - 1, -1, -1):
        if i != first and rank(deck[i]) != rules.option[SET_ASIDE]:
            push(rules, state, STOCK_PILE, deck[i])


@njit
def legal_moves(rules, state, moves):
    n = plays(rules, state, moves)
    if state.top[STOCK_PILE] == 0 or rules.option[DURING_DEAL]:
        n = fills(rules, state, moves, n)
    if state.top[STOCK_PILE]:
        moves[n] = move(DEAL, STOCK_PILE, last_packet(state), 0, 1)
        n += 1
    return n


@njit
def apply_move(rules, state, m):
    if what(m) == DEAL:
        deal_card(rules, state, pop(rules, state, STOCK_PILE))
    else:
        carry(rules, state, src(m), dst(m), 1)
    if what(m) == FILL and rules.option[ONCE]:
        set_counter(state, USED, state.counter[USED] | 1 << (dst(m) - FIRST_PACKET))
