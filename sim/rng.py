"""Random streams: splitmix64, one word of state, keyed so that no stream depends on what another has drawn."""

import numpy as np

from sim.bits import GOLDEN, U, mix
from sim.jit import njit

DECK, REDEAL, POLICY = range(3)  # what a stream is for


@njit
def stream(seed, purpose, number):
    """The first state of the stream for (seed, purpose, number); seed and number are 64-bit words."""
    return mix(mix(mix(seed + GOLDEN) + U(purpose + 1) * GOLDEN) + number * GOLDEN)


@njit
def word(start, i):
    """The i-th word of a stream, i = 0, 1, 2, …"""
    return mix(start + U(i + 1) * GOLDEN)


@njit
def scale(bits, n):
    """An integer from 0 to n - 1, n < 2**31, from 64 random bits; none is favoured by more than n / 2**32."""
    return np.int64(((bits >> U(32)) * U(n)) >> U(32))


@njit
def shuffle(start, cards, n):
    """Shuffle cards[:n] in place with the stream that begins at `start` (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = scale(word(start, i), i + 1)
        cards[i], cards[j] = cards[j], cards[i]


@njit
def below(rng, n):
    """Draw an integer from 0 to n - 1 and move the stream on; `rng` is an array of one word."""
    rng[0] += GOLDEN
    return scale(mix(rng[0]), n)
