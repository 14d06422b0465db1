"""The Empress of India.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Empress of India".
Layout
    Four packs. The eight black aces and the eight red kings are foundations. One queen of clubs, the Empress, and the
    eight red knaves stand alone; the other seven black queens are thrown aside. The rest is turned card by card: red
    cards to the Army, two rows of twelve cells, black ones to the Navy, two more. Cards of a colour whose rows are full
    go to its waste. When all 48 cells are filled the deal is over, and the cards left are the stock.
Play
    Black foundations are built up in suit from ace to king, without queens; red ones down from king to ace, without
    knaves. A red and a black card go there at the same time, or none:
    1. an unpaired card of the Army and one of the Navy, or
    2. the two cards of a pair.
    3. An unpaired card may be paired: it is laid on any unpaired card of the other colour, where both stay.
    4. A vacancy is refilled at once with a card of its own colour, from the waste, without a waste from the stock.
    5. Turn the next card of the stock on to the waste of its colour. No redeal.
End
    Won after 88 joint plays, with all 192 cards of the foundations home; lost when no move is left.
Left open by the book, and read so
    Refilling is no step of its own. Vacancies are first filled from the wastes. Then cards are turned, each to a
    vacancy of its colour, else to its waste, until none is vacant or the stock is out, be it in vain; or, with
    `leave_vacant_until_it_comes`, the place stays vacant and takes the first card of its colour that the player turns.
    A pair lies where the covered card lay, which says with what colour its cell is refilled. It takes no third card.
    Cells of one row are alike: the first vacancy is filled first. Equal cards in two cells are two moves, equal
    foundations one. `only_when_stuck`: while two cards can be played no card is turned; a pairing does not count.
    A step that turns a card is named by the stock alone: nobody knows before which waste it is for.
    By default the cards under the top of a waste count as not seen (`deal_waste_visible`).
    The dossier's options with a single value are rules.
Version
    1: first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.bits import ONE, U, has, lowest
from sim.builder import home_for, open_faces, space
from sim.cards import FACES, RANKS, SUITS, face, suit
from sim.fans import couples_of
from sim.jit import njit
from sim.layout import FOUNDATION_SUITS, Piles, build
from sim.moves import BUILD, PAIR, TURN, dst, move, src, what
from sim.options import option
from sim.packing import red
from sim.rules import DESCENDING, FOUNDATION, INNER, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import carry, clear, cover, pop, push

VERSION = 1
PACKS = 4
CELLS = 24
STOCK_PILE, RED_WASTE, BLACK_WASTE, EMPRESS_PILE, GUARD_PILE, DISCARD_PILE = 0, 65, 66, 67, 68, 69
ARMY, NAVY = TABLEAU, INNER  # kinds
CLUBS = 0
VALUES = ("leave_vacant_until_it_comes", "only_when_stuck", "top_only")
LEAVE_VACANT, TURN_WHEN_STUCK, MASKED = range(len(VALUES))
ORDERS = ("A23456789TJK", "KQT98765432A")  # of a black foundation, of a red one
RED = U(0xFFFFFFFF00000000)  # the faces of hearts and diamonds
JACKS, QUEENS = (U(sum(1 << (suit << 4 | rank) for suit in range(4))) for rank in (11, 12))


@dataclass(frozen=True)
class Options:
    """What the book leaves open."""

    refill_from_stock: str = option(
        "turn_until_colour_comes", "leave_vacant_until_it_comes", about="how a vacancy is refilled without a waste"
    )
    stock_turn: str = option("when_wanted", "only_when_stuck", about="when a stock card may be turned")
    deal_waste_visible: str = option("top_only", "all", about="which cards of the two wastes are seen")


PRESETS: dict[str, dict[str, bool | int | str]] = {}


def step(card: int) -> int:
    """The place of a card in the order of its foundation; -1 for those omitted."""
    return ORDERS[red(card)].find(RANKS[(card & 15) - 1])


def next_in_suit(card: int, below: int) -> bool:
    """Up in suit, or down, without the omitted cards."""
    return card >> 4 == below >> 4 and step(card) - 1 == step(below) >= 0


def layout(o: Options) -> list[Piles]:
    suits = [(suit, DESCENDING if suit in "DH" else FOUNDATION) for suit in FOUNDATION_SUITS]
    kept: dict[str, Any] = {"packing": next_in_suit, "start": lambda face: step(face) == 0, "fixed": True}
    return [
        Piles("stock", STOCK, hidden=True),
        *[Piles("foundation", kind, PACKS, suit=SUITS.index(suit), **kept) for suit, kind in suits],
        Piles("army", ARMY, CELLS),
        Piles("navy", NAVY, CELLS),
        *[Piles(zone, WASTE, fixed=True) for zone in ("red_waste", "black_waste")],
        *[Piles(zone, RESERVE) for zone in ("empress", "guard", "discard")],
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), [], packs=PACKS, goal=192)
    record.supply[ARMY], record.supply[NAVY] = RED_WASTE, BLACK_WASTE
    record.step[list(FACES)] = [step(face) for face in FACES]
    record.option[: len(VALUES)] = [value in vars(o).values() for value in VALUES]
    return record


@njit
def place(rules, state, pile):
    """The top of a pile goes to a vacancy of its colour, else to its waste."""
    card = pop(rules, state, pile)
    row, waste = (ARMY, RED_WASTE) if has(RED, face(card)) else (NAVY, BLACK_WASTE)
    push(rules, state, space(rules, state, row) if state.spaces[row] else waste, card)


@njit
def refill(rules, state, turn):
    """Fill vacancies from the wastes; then, if so told, turn cards until none is left or the stock is out."""
    for row in (ARMY, NAVY):
        if state.spaces[row] and state.top[rules.supply[row]]:
            place(rules, state, rules.supply[row])
    while turn and (state.spaces[ARMY] or state.spaces[NAVY]) and state.top[STOCK_PILE]:
        place(rules, state, STOCK_PILE)
    if rules.option[MASKED]:
        for waste in (RED_WASTE, BLACK_WASTE):
            cover(state, waste, max(state.height[waste], np.uint8(1)) - np.uint8(1))


@njit
def play_home(rules, state, cell):
    """The cards of a cell go to their foundations."""
    while state.top[cell]:
        card = pop(rules, state, cell)
        push(rules, state, home_for(rules, state, card), card)


@njit
def set_apart(rules, state, card):
    """Lay a card that is not dealt in its place."""
    queen = EMPRESS_PILE if suit(card) == CLUBS and state.top[EMPRESS_PILE] == 0 else DISCARD_PILE
    apart = GUARD_PILE if has(RED, face(card)) else queen
    push(rules, state, apart if rules.step[face(card)] else home_for(rules, state, card), card)


@njit(inline=True)
def wanted(state):
    """The set of the faces that the foundations take."""
    up, down = open_faces(state, FOUNDATION), open_faces(state, DESCENDING)
    return (up & ~JACKS) << ONE | (up & JACKS) << U(2) | (down & ~QUEENS) >> ONE | (down & QUEENS) >> U(2)


@njit
def pair_plays(state, moves, n, row, upper, wants):
    """Add the pairs of a row of which both cards are wanted; the upper one is of the colour `upper`."""
    for pack in range(PACKS):
        hits = state.shown[row, pack] & upper & wants
        while hits != U(0):
            card = np.uint8(pack << 6 | lowest(hits))
            hits &= hits - ONE
            beneath = face(state.under[card])
            if has(wants, beneath):
                moves[n] = move(PAIR, state.where[card], state.where[card], beneath, 2)
                n += 1
    return n


@njit
def couples(state, moves, n, kind, members):
    """Add the joint plays (PAIR), or the pairings both ways (BUILD), of the unpaired cards with these faces."""
    for pack in range(PACKS):
        soldiers = state.shown[ARMY, pack] & RED & members
        while soldiers != U(0):
            soldier = np.uint8(pack << 6 | lowest(soldiers))
            soldiers &= soldiers - ONE
            for other in range(PACKS):
                sailors = state.shown[NAVY, other] & ~RED & members
                n = couples_of(state, moves, n, kind, soldier, sailors, other)
    return n


@njit
def deal(rules, state, deck):
    clear(rules, state)
    for card in deck:
        if rules.step[face(card)] <= 0:
            set_apart(rules, state, card)
    for card in deck[::-1]:
        if rules.step[face(card)] > 0:
            push(rules, state, STOCK_PILE, card)
    refill(rules, state, True)


@njit
def legal_moves(rules, state, moves):
    wants = wanted(state)
    n = pair_plays(state, moves, 0, ARMY, ~RED, wants)
    n = pair_plays(state, moves, n, NAVY, RED, wants)
    n = couples(state, moves, n, PAIR, wants)
    plays = n
    n = couples(state, moves, n, BUILD, ~ONE)
    if state.top[STOCK_PILE] and not (plays and rules.option[TURN_WHEN_STUCK]):
        moves[n] = move(TURN, STOCK_PILE, STOCK_PILE, 0, 1)
        n += 1
    return n


@njit
def apply_move(rules, state, m):
    if what(m) == TURN:
        place(rules, state, STOCK_PILE)
    elif what(m) == PAIR:
        play_home(rules, state, src(m))
        play_home(rules, state, dst(m))
    else:
        carry(rules, state, src(m), dst(m), 1)
    refill(rules, state, not rules.option[LEAVE_VACANT])
