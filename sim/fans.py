"""Packets of three cards that may be gathered, shuffled and dealt again, as in La Belle Lucie and the Houses."""

from collections.abc import Sequence

import numpy as np

from sim.bits import ONE, U
from sim.jit import njit
from sim.moves import REDEAL, move
from sim.rng import REDEAL as REDEAL_STREAM
from sim.rng import shuffle, stream
from sim.rules import TABLEAU
from sim.state import pop, push

HEIGHT = 3


def first_deal(sizes: Sequence[int], round_robin: bool) -> list[int]:
    """The packet of each card: packet after packet, or round by round, where short packets miss the first rounds."""
    if round_robin:
        return [packet for least in range(HEIGHT, 0, -1) for packet, size in enumerate(sizes) if size >= least]
    return [packet for packet, size in enumerate(sizes) for _ in range(size)]


@njit
def packet_of(i, n, round_robin):
    """The packet that gets the i-th of n cards: threes dealt together, or the full packets round by round."""
    full = n // HEIGHT
    return i % full if round_robin and i < full * HEIGHT else i // HEIGHT


@njit(inline=True)
def redeal_move(rules, moves, n, only_when_stuck):
    """Add the redeal; the caller has seen that one is left."""
    if n and only_when_stuck:
        return n
    moves[n] = move(REDEAL, rules.first[TABLEAU], rules.first[TABLEAU], 0, 0)
    return n + 1


@njit(allocates=True)
def redeal(rules, state, round_robin):
    """Gather the packets, shuffle, deal again; the places left over are gone."""
    cards = np.empty(rules.n_cards, np.uint8)
    n = gather(rules, state, cards)
    state.redeals_left -= 1
    shuffle(stream(state.seed, REDEAL_STREAM, U(rules.redeals - state.redeals_left)), cards, n)
    for i in range(n):
        push(rules, state, rules.first[TABLEAU] + packet_of(i, n, round_robin), cards[i])
    give_up_places(rules, state, (n + HEIGHT - 1) // HEIGHT)


@njit
def gather(rules, state, cards):
    """Take up all packets, left to right, each from the bottom up; the count of cards."""
    n = 0
    for pile in range(rules.first[TABLEAU], rules.end[TABLEAU]):
        height = state.height[pile]
        for i in range(height):
            cards[n + height - 1 - i] = pop(rules, state, pile)
        n += height
    return n


@njit
def give_up_places(rules, state, kept):
    """Places from number `kept` on are gone, and no vacancies."""
    state.gone = rules.end[TABLEAU] - rules.first[TABLEAU] - kept
    state.spaces[TABLEAU] = 0
    state.shown[TABLEAU, 0] &= ~ONE
