"""Moves of games that build foundations from the tableau and the waste; one table-driven engine for all of them."""

import numpy as np

from sim.bits import ONE, U, has, lowest
from sim.cards import face, rank
from sim.jit import njit
from sim.moves import BUILD, FILL, PLAY, RETURN, move
from sim.rules import DESCENDING, FOUNDATION, STOCK, TABLEAU
from sim.state import clear, face_up, lay, push, show, shut


@njit
def withdraw(deck, at, f, last_copy):
    """Bring the first card of this face, or the last, to place `at` of the deck; the others keep their order."""
    found = at
    for i in range(at, len(deck)):
        if face(deck[i]) == f:
            found = i
            if not last_copy:
                break
    card = deck[found]
    for i in range(found, at, -1):
        deck[i] = deck[i - 1]
    deck[at] = card


@njit
def lay_out(rules, state, deck):
    """Deal the deck as the layout says; what is left is the stock, its next card on top."""
    clear(rules, state)
    stock = rules.first[STOCK]
    for i in range(len(deck)):
        if rules.dealt_to[i] != stock:
            push(rules, state, rules.dealt_to[i], deck[i])
    shut(rules, state, stock)
    for i in range(len(deck) - 1, -1, -1):
        if rules.dealt_to[i] == stock:
            lay(rules, state, stock, deck[i])
    show(rules, state, stock)


@njit(inline=True)
def open_faces(state, kind):
    """The set of the faces that lie on top of the piles of a kind, whatever their pack."""
    shown = state.shown
    return shown[kind, 0] | shown[kind, 1] | shown[kind, 2] | shown[kind, 3]


@njit(inline=True)
def takes(rules, state, pile, f):
    """Whether a foundation takes a card of this face: it fits, and the foundation is not complete."""
    return has(rules.onto[rules.kind[pile], f], face(state.top[pile])) and state.height[pile] < rules.full[pile]


@njit(inline=True)
def home_for(rules, state, card):
    """The first foundation that takes this card, or -1."""
    f = face(card)
    for pile in range(rules.home_first[f], rules.home_end[f]):
        if takes(rules, state, pile, f):
            return np.int64(pile)
    return -1


@njit(inline=True)
def twins(rules, state, pile, other):
    """Two foundations of one suit, direction and height are alike: only the first counts."""
    return rules.kind[pile] == rules.kind[other] and state.height[pile] == state.height[other]


@njit(inline=True)
def home_moves(rules, state, moves, n, kind, src, card):
    """Add the foundations that take this card."""
    f = face(card)
    before = rules.home_end[f]  # the foundation before, if it takes the card
    for pile in range(rules.home_first[f], rules.home_end[f]):
        if takes(rules, state, pile, f):
            if before == rules.home_end[f] or not twins(rules, state, pile, before):
                moves[n] = move(kind, src, pile, f, 1)
                n += 1
            before = np.uint8(pile)
    return n


@njit
def space(rules, state, kind):
    """The lowest empty pile of a kind that has one: one space stands for all."""
    pile = rules.first[kind]
    while state.height[pile] > 0:
        pile += 1
    return pile


@njit(inline=True)
def place_moves(rules, state, moves, n, kind, src, card, count):
    """Add the places in the tableau for a run whose deepest card is `card`.

    `kind` is the kind of move, or BUILD for a build here and a fill there; a whole pile may not fill a space.
    """
    onto = rules.onto[TABLEAU, face(card)]
    if onto & open_faces(state, TABLEAU) == U(0):
        return n
    for pack in range(rules.packs):
        hits = onto & state.shown[TABLEAU, pack] & ~ONE
        while hits != U(0):
            dst = state.where[pack << 6 | lowest(hits)]
            hits &= hits - ONE
            if dst != src:
                moves[n] = move(kind, src, dst, face(card), count)
                n += 1
    whole_pile = rules.kind[src] == TABLEAU and state.height[src] == count
    if onto & state.shown[TABLEAU, 0] & ONE and rules.fills[rules.kind[src]] and not whole_pile:
        kind = FILL if kind == BUILD else kind
        moves[n] = move(kind, src, space(rules, state, TABLEAU), face(card), count)
        n += 1
    return n


@njit(inline=True)
def top_moves(rules, state, moves, n, src):
    """Add the moves of the top of a pile: home first."""
    card = state.top[src]
    n = home_moves(rules, state, moves, n, PLAY, src, card)
    return place_moves(rules, state, moves, n, BUILD, src, card, 1)


@njit
def run_length(rules, state, pile):
    """How many face-up cards at the top of a pile lie one on another as they may be built, and be lifted together."""
    kind, card = rules.kind[pile], state.top[pile]
    most = min(face_up(state, pile), rules.lift[kind])
    for length in range(1, most):
        if not has(rules.onto[kind, face(card)], face(state.under[card])):
            return length
        card = state.under[card]
    return most


@njit(inline=True)
def run_moves(rules, state, moves, n, src):
    """Add the moves of the runs of two and more face-up cards that end a pile; a run goes one way all along."""
    card = state.top[src]
    below = state.under[card]
    if not has(rules.onto[TABLEAU, face(card)], face(below)):
        return n
    step = np.int64(rank(below)) - np.int64(rank(card))
    for count in range(2, min(face_up(state, src), rules.lift[rules.kind[src]]) + 1):
        n = place_moves(rules, state, moves, n, BUILD, src, below, count)
        card, below = below, state.under[below]
        up = np.int64(rank(below)) - np.int64(rank(card))
        if up != step or not has(rules.onto[TABLEAU, face(card)], face(below)):
            break
    return n


@njit(inline=True)
def return_moves(rules, state, moves, n):
    """Add the moves of foundation cards that may come back."""
    first, end = rules.first[FOUNDATION], max(rules.end[FOUNDATION], rules.end[DESCENDING])
    for src in range(first, end):
        card = state.top[src]
        alike = src > first and card and face(state.top[src - 1]) == face(card) and twins(rules, state, src, src - 1)
        if card and not alike:
            n = place_moves(rules, state, moves, n, RETURN, src, card, 1)
    return n


@njit
def building_moves(rules, state, moves, first, end):
    """List the moves of the piles first .. end - 1, then those of foundation cards that may come back."""
    n = 0
    up, down, places = open_faces(state, FOUNDATION), open_faces(state, DESCENDING), open_faces(state, TABLEAU)
    for src in range(first, end):
        f = face(state.top[src])
        if rules.onto[FOUNDATION, f] & up | rules.onto[DESCENDING, f] & down | rules.onto[TABLEAU, f] & places:
            n = top_moves(rules, state, moves, n, src)
        if rules.lift[rules.kind[src]] > 1:
            n = run_moves(rules, state, moves, n, src)
    if rules.lift[FOUNDATION]:
        n = return_moves(rules, state, moves, n)
    return n
