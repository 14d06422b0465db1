"""What a player cannot see, dealt anew: another position that looks the same."""

import numpy as np

from sim.jit import njit
from sim.rng import shuffle, word
from sim.state import pop, push


@njit(allocates=True)
def permute_hidden(rules, state, start):
    """Shuffle the cards of all hidden piles among themselves, and renew the seed, with the stream `start`."""
    cards = np.empty(rules.n_cards, np.uint8)
    heights = np.empty(rules.n_piles, np.uint8)
    n = 0
    for pile in range(rules.n_piles):
        heights[pile] = state.height[pile] if rules.hidden[pile] else 0
        for _ in range(heights[pile]):
            cards[n] = pop(rules, state, pile)
            n += 1
    shuffle(start, cards, n)
    for pile in range(rules.n_piles):
        for _ in range(heights[pile]):
            n -= 1
            push(rules, state, pile, cards[n])
    state.seed = word(start, 0)  # the shuffle draws the words from 1 on
