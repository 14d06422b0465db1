"""What a player cannot see, dealt anew: another position that looks the same."""

import numpy as np

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


@njit(allocates=True)
def permute_hidden(rules, state, start):
    """Shuffle the cards that are not seen among themselves, and renew the seed, with the stream `start`."""
    cards, seen = np.empty(rules.n_cards, np.uint8), np.empty(rules.n_cards, np.uint8)
    below, above = np.zeros(rules.n_piles, np.int64), np.zeros(rules.n_piles, np.int64)
    covered = state.covered.copy()
    n = m = 0
    for pile in range(rules.n_piles):
        below[pile] = unseen(rules, state, pile)
        if below[pile]:
            above[pile] = state.height[pile] - below[pile]
            cover(state, pile, 0)
            m = lift(rules, state, pile, above[pile], seen, m)
            n = lift(rules, state, pile, below[pile], cards, n)
    shuffle(start, cards, n)
    m = 0
    for pile in range(rules.n_piles):
        for _ in range(below[pile]):
            n -= 1
            push(rules, state, pile, cards[n])
        m += above[pile]
        for i in range(above[pile]):
            push(rules, state, pile, seen[m - 1 - i])
        if covered[pile]:
            cover(state, pile, covered[pile])
    state.seed = word(start, 0)  # the shuffle draws the words from 1 on
