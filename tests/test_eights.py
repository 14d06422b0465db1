"""Lists of moves written eight at a time."""

import numpy as np

from sim.eights import spread
from sim.jit import njit


@njit
def listed(moves, n, members, step, code):
    return spread(moves, n, members, step, code)


def test_every_set_of_eight_is_listed_in_order() -> None:
    for members in range(256):
        moves = np.full(20, -1, np.int32)
        wanted = [7 + 1000 * number for number in range(8) if members >> number & 1]
        assert listed(moves, 5, members, 1000, 7) == 5 + len(wanted)
        assert moves[5 : 5 + len(wanted)].tolist() == wanted
        assert set(moves[:5].tolist()) | set(moves[13:].tolist()) == {-1}
