"""Exchanges of two couples of places, a with b and c with d: tens of thousands in one position, so the list is fast.

A couple is two places that change cards. Two places of one line whose cards make a pair are *fellows*; a place is
*near* those in line with it that are no fellows. A couple produces a pair with a *third* place that is near the one and
a fellow of the other. So an exchange produces a pair if a third place of one couple is not in the other couple, or if
places of both couples make a pair afterwards. For a, b and each c the d of which this is true are found as one set, for
all c at once: the loop over c is made of vectors, as it has 24 steps, no branch, and 32 bits in each word. Then eight d
are listed at once. What is done for each couple is inlined, because calls would take a fifth of the time.
"""

import numpy as np

from sim.bits import U
from sim.eights import spread
from sim.jit import njit
from sim.moves import EXCHANGE, MAX_MOVES, couple, move
from sim.records import structured

FIRST, END = 2, 27  # the places are piles that `couple` can name
EIGHTS = tuple(range(FIRST + 1, END, 8))  # d of these: `couple(c, d + i)` is `couple(c, d) + STEP * i` for i < 8
STEP = 1 << 18
NOTES = [  # sets of places, of which the first five are for the game to note
    ("with_rank", np.int32, 15),  # [rank]: those of its cards
    ("fellows", np.int32, END),  # [place]: those that make a pair with it, in line with it or not
    ("near", np.int32, END),  # [place]
    ("mates", np.int32, END),  # [place]: the higher ones with which it may be a couple
    ("alike", np.int32, END),  # [place]: those with an equal card; an exchange of two such couples is none
    ("once", np.int32, END),  # [place]: those that have, as a couple with it, a third place,
    ("twice", np.int32, END),  # two of them,
    ("thrice", np.int32, END),  # or three
    ("second", np.int32, END),  # [c]: the d
    ("eights", np.int32, END),  # [place]: no set, but how many eights have this or a lower place as c: a place c, and
    ("c", np.int32, 3 * END),  # [eight]: places d … d + 7 with mates of c among them, in the order of the list
    ("d", np.int32, 3 * END),
    ("code", np.int32, 3 * END),  # of c and d
    ("is_near", np.int32, (END, END)),  # [place, place]: no set, but -1 where the one is near the other, else 0
    ("is_fellow", np.int32, (END, END)),  # likewise
]
NOTE = structured(NOTES)
# The notes are behind the list while it is made, from 38,041 on: it has at most 37,950 exchanges, and ten lines of five
# places have at most 64 pairs (two ranks make six in a line; eight sevens, four more at most).
BEHIND = MAX_MOVES - NOTE.itemsize // 4


@njit(inline=True)
def notes_behind(moves):
    """The notes, of the last position at first."""
    return moves[BEHIND:MAX_MOVES].view(NOTE)[0]


@njit
def note_lines(notes):
    """Note place by place which are near and which are fellows."""
    for a in range(FIRST, END):
        near, fellows = notes.near[a], notes.fellows[a]
        for b in range(FIRST, END):
            notes.is_near[a, b], notes.is_fellow[a, b] = -(near >> b & 1), -(fellows >> b & 1)


@njit(inline=True)
def joined(is_near, is_fellow, near, fellows):
    """Given if c is near a place, or its fellow: the fellows of another one, or those near it, with which c pairs."""
    return np.int32(is_near & fellows | is_fellow & near)


@njit
def note_thirds(notes):
    """Note which couples have how many third places."""
    notes.once[:] = notes.twice[:] = notes.thrice[:] = 0
    for third in range(FIRST, END):
        near, fellows = notes.near[third], notes.fellows[third]
        for c in range(FIRST, END):
            new = joined(notes.is_near[third, c], notes.is_fellow[third, c], near, fellows)
            notes.thrice[c] |= notes.twice[c] & new
            notes.twice[c] |= notes.once[c] & new
            notes.once[c] |= new


@njit
def note_eights(notes):
    """Note the eights of second couples."""
    n = 0
    for c in range(FIRST, END):
        for d in EIGHTS:
            if notes.mates[c] >> d & 255:
                notes.c[n], notes.d[n], notes.code[n] = c, d, couple(c, d)
                n += 1
        notes.eights[c] = n


@njit
def note_couples(notes):
    """Note what follows from that which the game has noted."""
    note_lines(notes)
    note_thirds(notes)
    note_eights(notes)


@njit(inline=True)
def thirds(notes, a, b):
    """The third places of a couple."""
    return notes.near[a] & notes.fellows[b] | notes.near[b] & notes.fellows[a]


@njit(inline=True)
def left_by(members):
    """The places without which a set still has a member: all if it has two, none if it has none."""
    return np.int32(-1 if members & members - 1 else ~members if members else 0)


@njit(inline=True)
def note_second(notes, a, b, found):
    """Note the second couples that may go with a and b, of which `found` are the third places."""
    near_a, near_b, fellows_a, fellows_b = notes.near[a], notes.near[b], notes.fellows[a], notes.fellows[b]
    alike = np.int32(-(notes.alike[a] >> b & 1))
    by_d, by_c_d = left_by(found), left_by(found & found - 1)  # without a third place that is c, or lower: d is neither
    for c in range(FIRST, END - 1):
        na, nb, fa, fb = notes.is_near[a, c], notes.is_near[b, c], notes.is_fellow[a, c], notes.is_fellow[b, c]
        with_a, with_b = joined(na, fa, near_a, fellows_a), joined(nb, fb, near_b, fellows_b)
        stays = np.int32(notes.thrice[c] | notes.twice[c] & ~(with_a & with_b) | notes.once[c] & ~(with_a | with_b))
        across = joined(na, fa, near_b, fellows_b) | joined(nb, fb, near_a, fellows_a)
        is_third = np.int32(na & fb | nb & fa)
        does = stays | across | is_third & by_c_d | ~is_third & by_d
        notes.second[c] = notes.mates[c] & ~(1 << b) & ~(alike & notes.alike[c]) & does
    notes.second[b] = 0


@njit(inline=True)
def double_exchanges(moves, notes, n, a, b, found):
    """Add the exchanges of the couple a, b and one of places above a."""
    note_second(notes, a, b, found)
    code = move(EXCHANGE, a, b, 0, 2)
    for i in range(U(notes.eights[a]), U(notes.eights[END - 1])):
        second = notes.second[U(notes.c[i])] >> notes.d[i] & 255
        n = spread(moves, n, second, STEP, code | notes.code[i])
    assert n + 8 <= BEHIND  # so the next couple, which has less than 300, stays within `moves`
    return n
