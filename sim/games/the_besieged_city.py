"""The Besieged City.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Besieged City".
Layout
    Two packs. Four rows of three cards are the reserve. Round it lie fourteen ramparts, one at each end of each row
    and of each column, dealt clockwise from the top left: over columns 1 to 3, right of rows 1 to 4, under columns 3
    to 1, left of rows 4 to 1. Four foundations; the other 78 cards are the stock.
Play
    Foundations are built in suit in the order A K 2 Q 3 J 4 T 5 9 6 8 7 7 8 6 9 5 T 4 J 3 Q 2 K A.
    The top card of a rampart may be played home, or built on another rampart: in suit, on the next card up or down, or
    on a neighbour in the order of the foundations (two cards that make 14 or 15). A card of the reserve may be built so
    on the four ramparts at the ends of its row and column, and goes nowhere else.
    A rampart that is empty takes a card of the line at whose end it lies, before anything else is done.
    A place of the reserve that is empty takes the top of the waste, or without a waste the next of the stock, within
    the step. Waste cards go nowhere else.
    Turn the stock card by card, once. A card that fits a foundation may be played there or laid on the waste, and
    nothing else is done meanwhile; any other card goes to the waste within the step.
    Once stock and waste are out, cards of the reserve may be transposed: two change places, or one goes to a vacant
    place.
End
    Won with four packets of 26; lost when no move is left.
Left open by the book, and read so
    Both directions may mix in a rampart: only the top card counts. Marriages do not go round, but king and ace make 14.
    A rampart whose line has no card stays vacant; should a transposition bring a card there, it is to be filled too.
    With one card for one such rampart that happens within the step. The two ends of a line are different places.
    Transposing is not bound to cards that cannot be transferred, and has no limit. Two cards of one face stay where
    they are: nothing would change.
    `order_links=sum14_only` leaves the links of the order that make 15, of which seven and eight marry anyway.
    `rampart_fill=optional`: vacant ramparts may wait, and still take cards of their own lines only.
    `turned_card=foundation_else_waste` plays a card that fits home within the step; with `stock_card_to_rampart` one
    that fits only ramparts still waits for a choice. It is never laid on a vacant rampart.
    `move_unit=sequence`: a run goes up by ones or down by ones, and its deepest card makes the link, which may be any.
    When a redeal is allowed, a step of its own turns the waste over, unshuffled, once the stock is out.
    The dossier's `usual_links`, `link_check` and `rampart_fill_empty_line` have one value each.
Version
    1: first.
"""

from dataclasses import dataclass, replace

import numpy as np

from sim.bits import ONE, U, has, lowest
from sim.builder import lay_out, open_faces, place_moves, run_moves
from sim.cards import SUITS, face, rank
from sim.fans import couples_of, wanted_plays
from sim.jit import njit
from sim.layout import FOUNDATION_SUITS, Piles, build, foundations
from sim.moves import BUILD, DEAL, EXCHANGE, REFILL, TURN, dst, move, src, what
from sim.options import option
from sim.packing import Packing, any_card
from sim.rules import INNER, RESERVE, STOCK, TABLEAU, WASTE
from sim.state import carry, swap
from sim.talon import WASTE_FIRST, apply_carry, fill_reserve, turn_moves

VERSION = 1
PACKS = 2
ROWS, COLUMNS, RAMPARTS = 4, 3, 14
STOCK_PILE, WASTE_PILE, TURNED_PILE, FIRST_RAMPART, FIRST_PLACE, END = 0, 5, 6, 7, 21, 33
FORCED, STAYING, TO_VACANT, HOME_AT_ONCE = range(4)
FLAGS = ("player_chooses_card_forced", "off", "free_rearrangement", "foundation_else_waste")
ORDER = (1, 13, 2, 12, 3, 11, 4, 10, 5, 9, 6, 8, 7, 7, 8, 6, 9, 5, 10, 4, 11, 3, 12, 2, 13, 1)
# [foundation, cards on it]: the face that comes next, as a set; none on a complete one
NEXT = np.array([[1 << (SUITS.index(s) << 4 | r) for r in ORDER] + [0] for s in FOUNDATION_SUITS], np.uint64)
# [place of the reserve]: the piles of the ramparts at the ends of its column c and its row r
AROUND = [(c, COLUMNS + r, RAMPARTS - ROWS - 1 - c, RAMPARTS - 1 - r) for r in range(ROWS) for c in range(COLUMNS)]
ENDS = np.array(AROUND, np.uint8) + np.uint8(FIRST_RAMPART)


@dataclass(frozen=True)
class Options:
    """What the book leaves open."""

    order_links: str = option("sum14_or_sum15", "sum14_only", about="which neighbours in the foundations' order link")
    end_transpose: str = option("free_rearrangement", "swap_two", "off", about="moves within the reserve at the end")
    rampart_fill: str = option("player_chooses_card_forced", "optional", about="must a vacant rampart be filled?")
    stock_card_to_rampart: bool = option(False, True, about="a turned card may be built on a rampart")
    turned_card: str = option("choice", "foundation_else_waste", about="may a turned card that fits go to the waste?")
    redeals: int = option(0, 1, about="times the waste is turned over into a new stock")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")


PRESETS: dict[str, dict[str, bool | int | str]] = {}


def related(*sums: int, steps: tuple[int, ...] = ()) -> Packing:
    """Two cards of a suit whose ranks make one of these sums or differ by one of these steps."""
    return lambda card, below: card >> 4 == below >> 4 and (card - below in steps or (card & 15) + (below & 15) in sums)


def layout(o: Options) -> list[Piles]:
    links = related(14, 14 if o.order_links == "sum14_only" else 15, steps=(-1, 1))
    lift = 13 if o.move_unit == "sequence" else 1
    return [
        Piles("stock", STOCK, hidden=True),
        *[replace(row, packing=related(14, 15), full=len(ORDER)) for row in foundations(1)],
        Piles("waste", WASTE),
        Piles("turned", INNER, lift=int(o.stock_card_to_rampart)),  # else only played
        Piles("rampart", TABLEAU, RAMPARTS, links, any_card, lift, fixed=True),
        Piles("reserve", RESERVE, ROWS * COLUMNS, fills=True, fixed=True),
    ]


def rules(o: Options) -> np.record:
    places = range(FIRST_PLACE, END)
    record = build(layout(o), [*places, *range(FIRST_RAMPART, FIRST_PLACE)], packs=PACKS, redeals=o.redeals)
    record.option[: len(FLAGS)] = [flag in vars(o).values() for flag in FLAGS]
    return record


@njit(inline=True)
def wanted(state):
    """The set of the faces that the foundations take next: the number of cards on each says which."""
    height = state.height
    return NEXT[0, height[1]] | NEXT[1, height[2]] | NEXT[2, height[3]] | NEXT[3, height[4]]


@njit(inline=True)
def transfers(rules, state, moves, n):
    """Add the builds of a rampart on another; where one fits the other, the other fits it."""
    for pack in range(PACKS):
        cards = state.shown[TABLEAU, pack] & ~ONE
        while cards != U(0):
            card = np.uint8(pack << 6 | lowest(cards))
            cards &= cards - ONE
            for twin in range(pack, PACKS):
                others = cards if twin == pack else state.shown[TABLEAU, twin]
                n = couples_of(state, moves, n, BUILD, card, rules.onto[TABLEAU, face(card)] & others, twin)
    return n


@njit
def runs(rules, state, moves, n):
    """Add the builds of runs; they go on as they begin, by ones."""
    for rampart in range(FIRST_RAMPART, FIRST_PLACE):
        card = state.top[rampart]
        if abs(np.int64(rank(state.under[card])) - np.int64(rank(card))) == 1:
            n = run_moves(rules, state, moves, n, rampart)
    return n


@njit(inline=True)
def line_moves(rules, state, moves, n, wanting):
    """Add the moves of the reserve to those ramparts at the ends of its lines whose top, 0 for none, is in a set."""
    for place in range(FIRST_PLACE, END):
        f = face(state.top[place])
        onto = rules.onto[TABLEAU, f] & wanting
        for i in range(4):
            rampart = ENDS[place - FIRST_PLACE, i]
            there = state.top[rampart]
            moves[U(n)] = move(BUILD if there else REFILL, place, rampart, f, 1)  # quicker, as it cannot be negative
            n += np.int64(has(onto, face(there)))
    return n


@njit
def transpositions(state, moves, n, to_vacant):
    """Add the exchanges of different cards of the reserve, or of a card and a vacancy."""
    for place in range(FIRST_PLACE, END):
        f = face(state.top[place])
        for other in range(place + 1, END):
            there = face(state.top[other])
            moves[U(n)] = move(EXCHANGE, place, other, f, 1) if f else move(EXCHANGE, other, place, there, 1)
            n += np.int64((f != there) & (to_vacant | ((f != 0) & (there != 0))))
    return n


@njit
def turned_moves(rules, state, moves):
    """List what may be done with the card that was turned."""
    card = state.top[TURNED_PILE]
    n = wanted_plays(rules, state, moves, 0, INNER, wanted(state))
    if rules.lift[INNER]:
        n = place_moves(rules, state, moves, n, BUILD, TURNED_PILE, card, 1)
    moves[n] = move(DEAL, TURNED_PILE, WASTE_PILE, face(card), 1)
    return n + 1


@njit
def turn(rules, state):
    """The next card of the stock goes where it must, or waits where there is a choice."""
    f = face(state.top[STOCK_PILE])
    home = has(wanted(state), f)
    fits = home or (rules.lift[INNER] and rules.onto[TABLEAU, f] & open_faces(state, TABLEAU) & ~ONE != U(0))
    to = rules.home_first[f] if home and rules.option[HOME_AT_ONCE] else TURNED_PILE if fits else WASTE_PILE
    carry(rules, state, STOCK_PILE, np.int64(to), 1)


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)


@njit
def legal_moves(rules, state, moves):
    if rules.option[FORCED] and state.spaces[TABLEAU]:
        n = line_moves(rules, state, moves, 0, ONE)
        if n:
            return n
    if state.top[TURNED_PILE]:
        return turned_moves(rules, state, moves)
    n = wanted_plays(rules, state, moves, 0, TABLEAU, wanted(state))
    n = transfers(rules, state, moves, n)
    if rules.lift[TABLEAU] > 1:
        n = runs(rules, state, moves, n)
    n = line_moves(rules, state, moves, n, ~U(0))
    if state.top[STOCK_PILE]:
        moves[n] = move(TURN, STOCK_PILE, TURNED_PILE, 0, 1)
        return n + 1
    if state.top[WASTE_PILE] == 0 and not rules.option[STAYING]:
        return transpositions(state, moves, n, rules.option[TO_VACANT] == 1)
    return turn_moves(rules, state, moves, n)


@njit
def fill_rampart(rules, state):
    """Where only one card may fill only one rampart, it does."""
    found = last = 0
    for at in range(ROWS * COLUMNS):
        for i in range(4):
            if state.top[FIRST_PLACE + at] and state.top[ENDS[at, i]] == 0:
                found, last = found + 1, 4 * at + i
    if found == 1:
        carry(rules, state, FIRST_PLACE + last // 4, np.int64(ENDS[last // 4, last % 4]), 1)


@njit
def apply_move(rules, state, m):
    if what(m) == TURN:
        turn(rules, state)
    elif what(m) == EXCHANGE:
        swap(rules, state, src(m), dst(m))
    else:
        apply_carry(rules, state, m)
    fill_reserve(rules, state, WASTE_FIRST)
    if rules.option[FORCED] and state.spaces[TABLEAU] and state.spaces[RESERVE]:
        fill_rampart(rules, state)
