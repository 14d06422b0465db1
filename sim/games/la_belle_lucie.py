"""La Belle Lucie.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "La Belle Lucie".
Layout
    One pack, all dealt face up: seventeen packets of three cards dealt together, and one of a single card. Four
    foundations.
Play
    Foundations are built up in suit from ace to king. The upper card of a packet may be played home, or built on the
    upper card of another packet, down in suit, one card at a time. An emptied packet is not filled.
    The packets may be gathered, shuffled and dealt again in threes, twice; the foundations stay.
End
    Won with all 52 cards home; lost when no move and no redeal is left.
Left open by the book, and read so
    Packets are gathered from left to right, each from the bottom up, before the shuffle. The last packet of a redeal
    has the one, two or three cards that remain; places without a packet are gone and not vacancies.
    `merci`: after the last deal, once, the card directly under an upper card (`merci_from=anywhere`: any card beneath
    it) may be drawn, to a foundation, on to the upper card of another packet, or to a vacancy that takes it; with
    `merci_from=anywhere_to_top` any card beneath is drawn out and laid on its own packet, and need not be played at
    once. This is not in Lady Cadogan.
    A foundation card that may come back goes where an upper card might go.
    `dealing=round_robin` is PySolFC's way: the first cards of all packets, then the second ones, then the third.
Version
    1: first.
    2: legal moves are listed in another order.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import home_moves, lay_out, place_moves
from sim.cards import face
from sim.fans import fans, packet_moves, packet_of, redeal, redeal_move
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import DRAW, REDEAL, card, count, dst, move, src, what
from sim.options import option
from sim.packing import down_in_suit
from sim.state import carry, pop, push, set_counter

VERSION = 2
PACKS = 1
PACKETS = 18
FIRST_PACKET = 5  # behind the stock, which is always empty, and the foundations
VACANCIES, REDEAL_WHEN_STUCK, ROUND_ROBIN, DRAWS, DEPTH, TO_TOP = range(6)
DRAWN = 0  # counter


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    vacancy: str = option("closed", "king", "any", about="which cards may fill an emptied packet")
    redeals: int = option(2, 0, 1, 3, about="shuffled redeals after the first deal")
    merci: int = option(0, 1, about="cards that may be drawn from under an upper card, after the last deal")
    merci_from: str = option(
        "under", "anywhere", "anywhere_to_top",
        about="draw the card directly under an upper card, or any beneath it, or lay that one on its own packet",
    )  # fmt: skip
    redeal_when: str = option("any_time", "only_when_stuck", about="when the packets may be gathered")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    dealing: str = option("together", "round_robin", about="deal the cards of a packet together, or round by round")


PRESETS = {"pysolfc": {"foundation_return": True, "dealing": "round_robin"}}


def layout(o: Options) -> list[Piles]:
    return fans(o, PACKETS, down_in_suit, foundations(PACKS, lift=int(o.foundation_return), fills=True))


def rules(o: Options) -> np.record:
    places = [FIRST_PACKET + packet_of(i, 52, o.dealing == "round_robin") for i in range(52)]
    record = build(layout(o), places, packs=PACKS, redeals=o.redeals)
    record.option[VACANCIES] = o.vacancy != "closed"
    record.option[REDEAL_WHEN_STUCK] = o.redeal_when == "only_when_stuck"
    record.option[ROUND_ROBIN] = o.dealing == "round_robin"
    record.option[DRAWS] = o.merci
    record.option[DEPTH] = 1 if o.merci_from == "under" else 52
    record.option[TO_TOP] = o.merci_from == "anywhere_to_top"
    return record


@njit
def draws(rules, state, moves, n):
    """Add the draws of the cards under the upper cards, as deep as may be reached."""
    for pile in range(FIRST_PACKET, rules.n_piles):
        under = state.top[pile]
        for _ in range(min(state.height[pile] - 1, rules.option[DEPTH])):
            under = state.under[under]
            if rules.option[TO_TOP]:
                moves[n] = move(DRAW, pile, pile, face(under), 1)
                n += 1
                continue
            n = home_moves(rules, state, moves, n, DRAW, pile, under)
            n = place_moves(rules, state, moves, n, DRAW, pile, under, 1)
    return n


@njit(allocates=True)
def draw(rules, state, m):
    """Lift the cards over the one that is drawn, and lay them back in their order."""
    over = np.empty(rules.n_cards, np.uint8)
    n = 0
    while face(state.top[src(m)]) != card(m):
        over[n] = pop(rules, state, src(m))
        n += 1
    drawn = pop(rules, state, src(m))
    for i in range(n - 1, -1, -1):
        push(rules, state, src(m), over[i])
    push(rules, state, dst(m), drawn)
    set_counter(state, DRAWN, state.counter[DRAWN] + 1)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    n = packet_moves(rules, state, moves, False, rules.option[VACANCIES])
    if state.redeals_left == 0 and state.counter[DRAWN] < rules.option[DRAWS]:
        n = draws(rules, state, moves, n)
    return redeal_move(rules, moves, n, rules.option[REDEAL_WHEN_STUCK]) if state.redeals_left else n


@njit(allocates=True)
def apply_move(rules, state, m):
    if what(m) == REDEAL:
        redeal(rules, state, rules.option[ROUND_ROBIN])
    elif what(m) == DRAW:
        draw(rules, state, m)
    else:
        carry(rules, state, src(m), dst(m), count(m))
