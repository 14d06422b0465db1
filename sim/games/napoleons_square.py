"""Napoleon's Square.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "Napoleon's Square".
Layout
    Two packs. Twelve packets of four cards dealt together, all open, form three sides of a square; eight foundations;
    the other 56 cards are the stock.
    Two kings of one suit, each over a smaller card of its suit, make success impossible: one of them is slipped
    underneath its packet, or the whole is dealt again (`blocked_kings`).
Play
    Foundations are built up in suit from ace to king. The upper card of a packet, or the top of the waste (the book's
    talon), may be played home or built on the upper card of a packet, down in suit, one card at a time.
    The place of a packet that is gone may be filled from the waste or, unseen, from the stock, and may stay empty.
    Turn the stock card by card on to the waste, once.
End
    Won with all 104 cards home; lost when no move is left.
Left open by the book, and read so
    Of blocking kings the first is slipped, packets in order and each from the bottom up, until none is left. In one
    packet both may lie over the same smaller card. `different_packets_only` asks for two packets.
    A deal taken up is the deck shuffled once more, as often as it takes; that is no redeal of the player's.
    `vacancy_source=any_card` lets cards of the square fill as well, with `sequence` runs too.
    When a redeal is allowed, a step of its own turns the waste over, unshuffled, once the stock is out.
    A foundation card that may come back goes where a card of the square might go.
    `dealing=round_robin`, `turn_at_deal` and `fill_from_unturned_stock=false` are PySolFC's way.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import U
from sim.builder import lay_out
from sim.cards import rank, suit
from sim.jit import njit
from sim.layout import Piles, build
from sim.options import option
from sim.packing import KING
from sim.rng import REDEAL, shuffle, stream
from sim.talon import FIRST_COLUMN, WASTE_PILE, apply_carry, column_moves, columns, turn_moves

VERSION = 1
PACKS = 2
PACKETS, HEIGHT = 12, 4
SQUARE = PACKETS * HEIGHT
BLIND_FILL, SLIP_ONE, DEAL_AGAIN, APART, ROUND_ROBIN = range(5)


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    blocked_kings: str = option("slip_one", "redeal", "ignore", about="what two kings that block their suit ask for")
    blocked_test: str = option(
        "each_king_over_a_lower_card_of_its_suit", "different_packets_only", about="when two kings block their suit"
    )
    vacancy_source: str = option("waste_or_stock", "any_card", about="whose cards may fill a vacant place")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    redeals: int = option(0, 1, about="times the waste is turned over into a new stock")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    dealing: str = option("together", "round_robin", about="deal the cards of a packet together, or round by round")
    turn_at_deal: bool = option(False, True, about="the deal turns the first stock card")
    fill_from_unturned_stock: bool = option(True, False, about="the next stock card, unseen, may fill a vacant place")


PRESETS = {
    "pysolfc": {
        "blocked_kings": "ignore",
        "vacancy_source": "any_card",
        "move_unit": "sequence",
        "foundation_return": True,
        "dealing": "round_robin",
        "turn_at_deal": True,
        "fill_from_unturned_stock": False,
    }
}


def layout(o: Options) -> list[Piles]:
    return columns(o, PACKETS, free=o.vacancy_source == "any_card")


def rules(o: Options) -> np.record:
    in_turn = o.dealing == "round_robin"
    square = [FIRST_COLUMN + (i % PACKETS if in_turn else i // HEIGHT) for i in range(SQUARE)]
    record = build(layout(o), square + [WASTE_PILE] * o.turn_at_deal, packs=PACKS, redeals=o.redeals)
    record.option[BLIND_FILL] = o.fill_from_unturned_stock
    record.option[SLIP_ONE] = o.blocked_kings == "slip_one"
    record.option[DEAL_AGAIN] = o.blocked_kings == "redeal"
    record.option[APART] = o.blocked_test == "different_packets_only"
    record.option[ROUND_ROBIN] = in_turn
    return record


@njit
def slot(rules, place):
    """Where in the deck a card of the square stands; places count packets in order, each from the bottom up."""
    return place % HEIGHT * PACKETS + place // HEIGHT if rules.option[ROUND_ROBIN] else place


@njit
def blocks(rules, deck, place):
    """Whether a king stands here over a smaller card of its suit."""
    king = deck[slot(rules, place)]
    if rank(king) != KING:
        return False
    for beneath in range(place - place % HEIGHT, place):
        card = deck[slot(rules, beneath)]
        if suit(card) == suit(king) and rank(card) < KING:
            return True
    return False


@njit
def blocking_king(rules, deck):
    """The place of the first king that blocks its suit together with a later one, or -1."""
    for place in range(SQUARE):
        if blocks(rules, deck, place):
            end_of_packet = place - place % HEIGHT + HEIGHT
            for other in range(end_of_packet if rules.option[APART] else place + 1, SQUARE):
                same_suit = suit(deck[slot(rules, other)]) == suit(deck[slot(rules, place)])
                if same_suit and blocks(rules, deck, other):
                    return place
    return -1


@njit
def slip(rules, deck, place):
    """Put a card underneath its packet."""
    card = deck[slot(rules, place)]
    while place % HEIGHT:
        deck[slot(rules, place)] = deck[slot(rules, place - 1)]
        place -= 1
    deck[slot(rules, place)] = card


@njit(allocates=True)
def deal(rules, state, deck):
    cards, again = deck.copy(), 0
    while rules.option[DEAL_AGAIN] and blocking_king(rules, cards) >= 0:
        again += 1
        shuffle(stream(state.seed, REDEAL, U(again)), cards, len(cards))
    while rules.option[SLIP_ONE] and blocking_king(rules, cards) >= 0:
        slip(rules, cards, blocking_king(rules, cards))
    lay_out(rules, state, cards)


@njit
def legal_moves(rules, state, moves):
    n = column_moves(rules, state, moves, rules.option[BLIND_FILL])
    return turn_moves(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    apply_carry(rules, state, m)
