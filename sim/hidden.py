"""What a player cannot see, dealt anew: another position that looks the same."""

import numpy as np

from sim.bits import ONE, U, lowest
from sim.jit import njit
from sim.rng import shuffle, word
from sim.state import cover, pop, push


@njit
def unseen(rules, state, pile):
    """How many of a pile's cards, counted from the bottom, a player cannot see."""
    return np.int64(state.height[pile] if rules.hidden[pile] else state.covered[pile])


@njit
def lift(rules, state, pile, n, into, at):
    """Take n cards off a pile, into[at] being the top one; returns where the next ones go."""
    for i in range(n):
        into[at + i] = pop(rules, state, pile)
    return at + n


@njit
def lay(rules, state, pile, n, cards, at):
    """Lay n cards on a pile, cards[at - 1] first; returns where the next ones come from."""
    for i in range(n):
        push(rules, state, pile, np.uint8(cards[at - 1 - i]))
    return at - n


@njit
def in_order(cards, n):
    """Sort cards[:n], each there once."""
    first = second = third = fourth = U(0)  # the sets of those of each pack
    for i in range(n):
        bit = ONE << (cards[i] & U(63))
        pack = cards[i] >> U(6)
        first |= bit * U(pack == 0)
        second |= bit * U(pack == 1)
        third |= bit * U(pack == 2)
        fourth |= bit * U(pack == 3)
    at = 0
    for pack, members in enumerate((first, second, third, fourth)):
        while members != U(0):
            cards[at] = U(pack << 6) | U(lowest(members))
            members &= members - ONE
            at += 1


@njit
def permute_hidden(rules, state, start, work):
    """Shuffle the cards that are not seen among themselves, and renew the seed, with the stream `start`.

    work: uint64[WORK], overwritten.
    """
    piles, cards, seen = np.int64(rules.n_piles), np.int64(rules.n_cards), 2 * np.int64(rules.n_cards)
    covered, hidden = work[:piles], work[piles : piles + cards]
    shown = work[piles + cards : piles + seen]
    n = m = 0
    for pile in range(piles):
        covered[pile] = state.covered[pile]
        below = unseen(rules, state, pile)
        if below:
            cover(state, pile, 0)
            covered[pile] |= U(state.height[pile] - below) << U(16) | U(below) << U(32)
            m = lift(rules, state, pile, state.height[pile] - below, shown, m)
            n = lift(rules, state, pile, below, hidden, n)
    in_order(hidden, n)  # how they lay must not matter
    shuffle(start, hidden, n)
    for pile in range(piles - 1, -1, -1):
        n = lay(rules, state, pile, covered[pile] >> U(32), hidden, n)
        m = lay(rules, state, pile, covered[pile] >> U(16) & U(0xFFFF), shown, m)
        if covered[pile] & U(0xFFFF):
            cover(state, pile, covered[pile] & U(0xFFFF))
    state.seed = word(start, 0)  # the shuffle draws the words from 1 on
