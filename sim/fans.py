"""Packets of three cards that may be gathered, shuffled and dealt again, as in La Belle Lucie and the Houses."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.bits import ONE, U, has, lowest
from sim.builder import home_moves, open_faces, return_moves, space
from sim.cards import face, rank
from sim.jit import njit
from sim.layout import Piles
from sim.moves import BUILD, FILL, PLAY, REDEAL, move
from sim.packing import Packing, any_card, king, no_card
from sim.rng import REDEAL as REDEAL_STREAM
from sim.rng import shuffle, stream
from sim.rules import DESCENDING, FOUNDATION, STOCK, TABLEAU
from sim.state import pop, push

HEIGHT = 3
ACES, KINGS = (U(sum(1 << (suit << 4 | rank) for suit in range(4))) for rank in (1, 13))

STARTS = {"closed": no_card, "king": king, "any": any_card}
HOUSES = {"two_packets_of_one": [3] * 34 + [1, 1], "one_packet_of_two": [3] * 34 + [2]}  # the packets of two packs


def fans(o: Any, count: int, packing: Packing, home: Sequence[Piles], *, fixed: bool = False) -> list[Piles]:
    """The layout of so many packets, behind the foundations and a stock; `o` has the options.

    The stock is empty after the deal. Cards come back to it, and are not seen, where packets have `fixed` places.
    """
    lift = 13 if o.move_unit == "sequence" else 1
    packets = Piles("tableau", TABLEAU, count, packing, STARTS[o.vacancy], lift, fills=True, fixed=fixed)
    return [Piles("stock", STOCK, hidden=fixed), *home, packets]


def first_deal(sizes: Sequence[int], round_robin: bool) -> list[int]:
    """The packet of each card: packet after packet, or round by round, where short packets miss the first rounds."""
    if round_robin:
        return [packet for least in range(HEIGHT, 0, -1) for packet, size in enumerate(sizes) if size >= least]
    return [packet for packet, size in enumerate(sizes) for _ in range(size)]


@njit
def packet_moves(rules, state, moves, both_ways, vacancies):
    """List the moves of packets built in suit, down or both ways; `vacancies`: whether they may be filled at all.

    The same moves as those of `builder.building_moves`, found by shifting the sets of open faces: many packets are
    open, and most of them have a move.
    """
    n = plays(rules, state, moves, 0, TABLEAU)
    for pack in range(rules.packs):
        for other in range(rules.packs):
            cards, below = state.shown[TABLEAU, pack] & ~ONE, state.shown[TABLEAU, other] & ~ONE
            n = marriages(state, moves, n, cards & below >> ONE, pack, other, 1)
            if both_ways:
                n = marriages(state, moves, n, cards & below << ONE, pack, other, -1)
    vacancy = vacancies and state.shown[TABLEAU, 0] & ONE != U(0)
    if vacancy:
        n = fills(rules, state, moves, n)
    if rules.lift[TABLEAU] > 1:
        runs = with_runs(rules, state)
        while runs != U(0):
            src = rules.first[TABLEAU] + lowest(runs)
            runs &= runs - ONE
            n = packet_runs(rules, state, moves, n, src, both_ways, vacancy)
    return return_moves(rules, state, moves, n) if rules.lift[FOUNDATION] else n


@njit(inline=True)
def wanted_home(state):
    """The set of the faces that foundations in suit, from the ace or from the king, want, and of some others."""
    up, down = open_faces(state, FOUNDATION), open_faces(state, DESCENDING)
    faces = up << ONE | down >> ONE
    if up & ONE:
        faces |= ACES
    if down & ONE:
        faces |= KINGS
    return faces


@njit(inline=True)
def plays(rules, state, moves, n, kind):
    """Add the plays of the upper cards of a kind of piles."""
    return wanted_plays(rules, state, moves, n, kind, wanted_home(state))


@njit(inline=True)
def wanted_plays(rules, state, moves, n, kind, wanted):
    """Add the plays of the upper cards of a kind of piles that have these faces."""
    for pack in range(rules.packs):
        n = plays_of(rules, state, moves, n, wanted & state.shown[kind, pack] & ~ONE, pack)
    return n


@njit(inline=True)
def plays_of(rules, state, moves, n, hits, pack):
    """Add the plays of these cards of one pack, which lie on top; not every face that is looked up is wanted."""
    while hits != U(0):
        card = np.uint8(pack << 6 | lowest(hits))
        hits &= hits - ONE
        n = home_moves(rules, state, moves, n, PLAY, state.where[card], card)
    return n


@njit(inline=True)
def couples_of(state, moves, n, kind, card, hits, pack):
    """Add the moves of a card on top to these cards of one pack, on top too; builds both ways."""
    pile = state.where[card]
    while hits != U(0):
        f = lowest(hits)
        hits &= hits - ONE
        other = state.where[pack << 6 | f]
        moves[n] = move(kind, pile, other, face(card), 1)
        n += 1
        if kind == BUILD:
            moves[n] = move(BUILD, other, pile, f, 1)
            n += 1
    return n


@njit(inline=True)
def marriages(state, moves, n, hits, pack, other, step):
    """Add the builds of the upper cards of one pack on those of another that are `step` ranks higher."""
    while hits != U(0):
        f = lowest(hits)
        hits &= hits - ONE
        moves[n] = move(BUILD, state.where[pack << 6 | f], state.where[(other << 6 | int(f)) + step], f, 1)
        n += 1
    return n


@njit(inline=True)
def with_runs(rules, state):
    """The set of the packets whose two upper cards are married."""
    found = U(0)
    for pile in range(rules.first[TABLEAU], rules.end[TABLEAU]):
        card = state.top[pile]
        below = rules.onto[TABLEAU, face(card)] & ~ONE
        found |= (below >> U(face(state.under[card])) & ONE) << U(pile - rules.first[TABLEAU])
    return found


@njit(inline=True)
def packet_runs(rules, state, moves, n, src, both_ways, vacancy):
    """Add the moves of the runs of two and more cards that end a packet; a run goes one way all along."""
    card = state.top[src]
    below = state.under[card]
    step = np.int64(rank(below)) - np.int64(rank(card))
    count = 2
    while has(rules.onto[TABLEAU, face(card)] & ~ONE, face(below)) and rank(below) == rank(card) + step:
        for pack in range(rules.packs):
            n = run_on(state, moves, n, src, face(below), count, pack, 1)
            if both_ways:
                n = run_on(state, moves, n, src, face(below), count, pack, -1)
        if vacancy and has(rules.onto[TABLEAU, face(below)], 0) and state.under[below]:
            moves[n] = move(FILL, src, space(rules, state, TABLEAU), face(below), count)
            n += 1
        card, below = below, state.under[below]
        count += 1
    return n


@njit(inline=True)
def run_on(state, moves, n, src, f, count, pack, step):
    """Add the build of a run on the card of its suit that is `step` ranks higher, if that lies open elsewhere."""
    target = int(f) + step
    dst = state.where[pack << 6 | target]
    moves[n] = move(BUILD, src, dst, f, count)
    return n + (has(state.shown[TABLEAU, pack] & ~ONE, target) & (dst != src))


@njit(inline=True)
def fills(rules, state, moves, n):
    """Add the moves of upper cards to a vacancy; it gains a single card nothing."""
    vacancy = space(rules, state, TABLEAU)
    for pile in range(rules.first[TABLEAU], rules.end[TABLEAU]):
        f = face(state.top[pile])
        if state.height[pile] > 1 and has(rules.onto[TABLEAU, f], 0):
            moves[n] = move(FILL, pile, vacancy, f, 1)
            n += 1
    return n


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
    """Places from number `kept` on are gone, and no vacancies; those before it are in play."""
    state.spaces[TABLEAU] += state.gone
    state.gone = rules.end[TABLEAU] - rules.first[TABLEAU] - kept
    state.spaces[TABLEAU] -= state.gone
    state.shown[TABLEAU, 0] = state.shown[TABLEAU, 0] & ~ONE | U(state.spaces[TABLEAU] != 0)
