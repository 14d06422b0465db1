"""What lies on the table: one record of fixed shape for every game, copied whole (`copies[0] = state`).

Cards know the card beneath them. `push` and `pop` alone change a pile; they keep the index of the open cards and the
hash, and so must every function that adds a derived field. A pile may be shut, cards be laid on it and taken off it,
and then be shown. Cards of the tableau that lie face down, or may not be looked at, lie at the bottom of a pile;
`cover` alone says how many, and they are not moved while they lie so. Two positions that differ only in which of two
twin cards lies where, or in the order of interchangeable piles, have the same hash.
"""

import numpy as np

from sim.bits import GOLDEN, ONE, U, mix
from sim.cards import face
from sim.jit import njit
from sim.records import structured
from sim.rules import FOUNDATION, KINDS, MAX_PILES

MAX_COUNTERS = 8

STATE = structured(
    [
        ("hash", np.uint64),  # sum over the piles of the prefix of the top card
        ("seed", np.uint64),  # what shuffled redeals are drawn from; hidden from the player
        ("prefix", np.uint64, 256),  # [card]: hash of its pile from the table up to it
        (
            "shown",
            np.uint64,
            (len(KINDS), 4),
        ),  # [kind, pack]: set of the faces that lie on top; bit 0: there is a space
        ("under", np.uint8, 256),  # [card]: the card beneath, 0 for the table
        ("where", np.uint8, 256),  # [card on top]: its pile
        ("top", np.uint8, MAX_PILES),  # [pile]: its top card, 0 for none
        ("height", np.uint8, MAX_PILES),  # [pile]: its cards
        ("covered", np.uint8, MAX_PILES),  # [pile]: unseen cards at its bottom; set by `cover`
        ("spaces", np.uint8, len(KINDS)),  # [kind]: empty piles
        ("gone", np.uint8),  # places of the tableau, counted from the last, that are no longer in play
        ("home", np.int16),  # cards on foundations
        ("redeals_left", np.int16),
        ("counter", np.int16, MAX_COUNTERS),  # a game's own
    ]
)


@njit(inline=True)
def prefix(rules, state, pile):
    """Hash of the pile from the table up."""
    card = state.top[pile]
    return state.prefix[card] if card else rules.ground[pile]


@njit(inline=True)
def shut(rules, state, pile):
    """The top of this pile is about to change."""
    card, kind = state.top[pile], rules.kind[pile]
    state.hash -= prefix(rules, state, pile)
    if card or state.spaces[kind] == 1:
        state.shown[kind, card >> np.uint8(6)] &= ~(ONE << U(face(card)))
    if card == 0:
        state.spaces[kind] -= np.uint8(1)


@njit(inline=True)
def show(rules, state, pile):
    """The top of this pile has changed."""
    card, kind = state.top[pile], rules.kind[pile]
    state.hash += prefix(rules, state, pile)
    state.where[card] = pile
    state.shown[kind, card >> np.uint8(6)] |= ONE << U(face(card))
    if card == 0:
        state.spaces[kind] += np.uint8(1)


@njit(inline=True)
def lay(rules, state, pile, card):
    """Lay a card on a pile that is shut; several may follow before it is shown."""
    state.prefix[card] = mix(prefix(rules, state, pile) + U(face(card)) * GOLDEN)
    state.home += rules.kind[pile] >= FOUNDATION
    state.height[pile] += np.uint8(1)
    state.under[card] = state.top[pile]
    state.top[pile] = card


@njit(inline=True)
def take(rules, state, pile):
    """Take the top card off a pile that is shut and has one; several may follow before it is shown."""
    card = state.top[pile]
    state.home -= rules.kind[pile] >= FOUNDATION
    state.height[pile] -= np.uint8(1)
    state.top[pile] = state.under[card]
    return card


@njit(inline=True)
def push(rules, state, pile, card):
    """Lay a card on a pile."""
    shut(rules, state, pile)
    lay(rules, state, pile, card)
    show(rules, state, pile)


@njit(inline=True)
def pop(rules, state, pile):
    """Take the top card off a pile that has one."""
    shut(rules, state, pile)
    card = take(rules, state, pile)
    show(rules, state, pile)
    return card


@njit(inline=True)
def shift(rules, state, src, dst):
    """The top card of one pile goes to another one: what pop and push do, with each word read and written once."""
    card, onto = state.top[src], state.top[dst]
    below, a, b = state.under[card], rules.kind[src], rules.kind[dst]
    state.hash -= state.prefix[card] + prefix(rules, state, dst)
    lay(rules, state, dst, card)
    state.top[src] = below
    state.height[src] -= np.uint8(1)
    state.home -= a >= FOUNDATION
    state.hash += state.prefix[card] + prefix(rules, state, src)
    state.shown[a, card >> np.uint8(6)] &= ~(ONE << U(face(card)))
    state.shown[a, below >> np.uint8(6)] |= ONE << U(face(below))
    state.spaces[a] += np.uint8(below == 0)
    if onto or state.spaces[b] == 1:
        state.shown[b, onto >> np.uint8(6)] &= ~(ONE << U(face(onto)))
    state.spaces[b] -= np.uint8(onto == 0)
    state.shown[b, card >> np.uint8(6)] |= ONE << U(face(card))
    state.where[below] = src
    state.where[card] = dst


@njit
def carry(rules, state, src, dst, n):
    """Move the n top cards as they lie."""
    if n == 1 and src != dst:
        shift(rules, state, src, dst)
        return
    held = np.uint8(0)  # a chain of the lifted cards, linked through `under`
    for _ in range(n):
        card = pop(rules, state, src)
        state.under[card] = held
        held = card
    for _ in range(n):
        card = held
        held = state.under[card]
        push(rules, state, dst, card)


@njit
def swap(rules, state, a, b):
    """The top cards of two piles change places; one of the piles may have none."""
    card, other = state.top[a], state.top[b]
    if card:
        pop(rules, state, a)
    if other:
        pop(rules, state, b)
        push(rules, state, a, other)
    if card:
        push(rules, state, b, card)


@njit
def turn_over(rules, state, src, dst):
    """Move all cards one by one, so that they end in reverse order."""
    shut(rules, state, src)
    shut(rules, state, dst)
    while state.top[src]:
        lay(rules, state, dst, take(rules, state, src))
    show(rules, state, src)
    show(rules, state, dst)


@njit(inline=True)
def face_up(state, pile):
    """How many cards of a pile are seen."""
    return np.int64(state.height[pile]) - np.int64(state.covered[pile])


@njit
def bottom(state, pile):
    """The lowest card of a pile that has one."""
    card = state.top[pile]
    while state.under[card]:
        card = state.under[card]
    return card


@njit
def card_at(state, pile, n):
    """The n-th card of a pile from its top."""
    card = state.top[pile]
    for _ in range(n - 1):
        card = state.under[card]
    return card


@njit
def cover(state, pile, n):
    """The n lowest cards of a pile are not seen, the others are."""
    state.hash -= covering(state, pile)
    state.covered[pile] = n
    state.hash += covering(state, pile)


@njit
def covering(state, pile):
    """What the unseen cards of a pile add to the hash."""
    if state.covered[pile] == 0:
        return U(0)
    card = card_at(state, pile, state.height[pile] - state.covered[pile] + 1)
    return mix(state.prefix[card] + GOLDEN)


@njit
def turn_up(state, pile):
    """A bared card is turned face up."""
    if state.covered[pile] and state.covered[pile] == state.height[pile]:
        cover(state, pile, state.covered[pile] - 1)


@njit(inline=True)
def set_counter(state, i, value):
    """Set one of the game's own counters."""
    state.hash += U(value - state.counter[i]) * mix(U(i + 1) * GOLDEN)
    state.counter[i] = value


@njit
def clear(rules, state):
    """An empty table."""
    state.hash = U(0)
    state.shown[:] = U(0)
    state.top[:] = 0
    state.height[:] = 0
    state.spaces[:] = 0
    state.counter[:] = 0
    state.covered[:] = 0
    state.gone = state.home = 0
    state.redeals_left = rules.redeals
    for pile in range(rules.n_piles):
        show(rules, state, pile)


@njit(inline=True)
def position(state):
    """64-bit key of the position: piles, the game's own counters, redeals left and places gone."""
    return state.hash + mix(U(state.redeals_left + 1) * GOLDEN + U(state.gone))
