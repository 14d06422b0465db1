"""Sets of up to 64 small numbers as the bits of one word, and the mixing of words."""

from typing import Any

import numba
import numpy as np
from numba.cpython.unsafe import numbers

from sim.jit import njit

U = np.uint64
ONE = U(1)
trailing_zeros: Any = numbers.trailing_zeros
GOLDEN = U(0x9E3779B97F4A7C15)

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    np.seterr(over="ignore")  # words wrap around, as they do when compiled

    def trailing_zeros(word):
        return U((int(word) & -int(word)).bit_length() - 1)


@njit(inline=True)
def lowest(word):
    """The smallest member of a set that is not empty."""
    return np.uint8(trailing_zeros(word))


@njit(inline=True)
def has(members, number):
    return members >> U(number) & ONE != U(0)


@njit(inline=True)
def size(members):
    """How many members a set has (the usual sums of bits in parallel)."""
    members -= members >> U(1) & U(0x5555555555555555)
    members = (members & U(0x3333333333333333)) + (members >> U(2) & U(0x3333333333333333))
    members = members + (members >> U(4)) & U(0x0F0F0F0F0F0F0F0F)
    return np.int64(members * U(0x0101010101010101) >> U(56))


@njit(inline=True)
def mix(word):
    """Scramble 64 bits; the finalizer of splitmix64 (Steele, Lea, Flood 2014)."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))
