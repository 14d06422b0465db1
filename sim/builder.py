"""Moves of games that build foundations from the tableau and the waste; one table-driven engine for all of them."""

from sim.bits import ONE, U, has, lowest
from sim.cards import face
from sim.jit import njit
from sim.moves import BUILD, FILL, PLAY, RETURN, move
from sim.rules import FOUNDATION, TABLEAU
from sim.state import clear, push


@njit
def lay_out(rules, state, deck):
    """Deal the deck as the layout says; what is left is the stock, its next card on top."""
    clear(rules, state)
    stock = rules.dealt_to[rules.n_cards - 1]
    for i in range(len(deck)):
        if rules.dealt_to[i] != stock:
            push(rules, state, rules.dealt_to[i], deck[i])
    for i in range(len(deck) - 1, -1, -1):
        if rules.dealt_to[i] == stock:
            push(rules, state, stock, deck[i])


@njit(inline=True)
def home_for(rules, state, card):
    """The first foundation that takes this card, or -1; twin foundations of one height are alike."""
    f = face(card)
    for pile in range(rules.home_first[f], rules.home_end[f]):
        if has(rules.onto[FOUNDATION, f], face(state.top[pile])):
            return pile
    return -1


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
def pile_moves(rules, state, moves, n, src):
    """Add the moves of the top of a pile, and of the runs that end there: home first."""
    card = state.top[src]
    home = home_for(rules, state, card)
    if home >= 0:
        moves[n] = move(PLAY, src, home, face(card), 1)
        n += 1
    n = place_moves(rules, state, moves, n, BUILD, src, card, 1)
    for count in range(2, min(state.height[src], rules.lift[rules.kind[src]]) + 1):
        below = state.under[card]
        if not has(rules.onto[TABLEAU, face(card)], face(below)):
            break
        card = below
        n = place_moves(rules, state, moves, n, BUILD, src, card, count)
    return n


@njit
def building_moves(rules, state, moves, first, end):
    """List the moves of the piles first .. end - 1, then those of foundation cards that may come back."""
    n = 0
    for src in range(first, end):
        if state.top[src]:
            n = pile_moves(rules, state, moves, n, src)
    if rules.lift[FOUNDATION]:
        for src in range(rules.first[FOUNDATION], rules.end[FOUNDATION]):
            if state.top[src]:
                n = place_moves(rules, state, moves, n, RETURN, src, state.top[src], 1)
    return n
