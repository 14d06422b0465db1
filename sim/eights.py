"""Moves that differ by a number below eight are listed eight at a time, as one vector.

A loop over them takes three times as long: the compiler does not make vectors of such short loops.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sim.bits import U, size
from sim.jit import njit

MEMBERS = [[number for number in range(8) if members >> number & 1] for members in range(256)]
BYTES = np.array([sum(number << 8 * i for i, number in enumerate(members)) for members in MEMBERS], np.uint64)
EIGHT = ir.VectorType(ir.IntType(32), 8)


def of_eight(typing: Any, moves: Any, n: Any, numbers: Any, step: Any, code: Any) -> tuple[Any, Any]:
    """The type of `write`, and what makes its machine code."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        moves, n, numbers, step, code = values
        to = builder.gep(context.make_array(signature.args[0])(context, builder, moves).data, [n])
        factors = builder.zext(builder.bitcast(numbers, ir.VectorType(ir.IntType(8), 8)), EIGHT)
        eight = builder.add(builder.mul(factors, repeated(builder, step)), repeated(builder, code))
        builder.store(eight, builder.bitcast(to, EIGHT.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(moves, types.int64, types.uint64, types.int32, types.int32), generate


def repeated(builder: Any, value: Any) -> Any:
    """One value eight times."""
    nothing = ir.Constant(EIGHT, ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(EIGHT, [0] * 8))


write: Any = intrinsic(of_eight)

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def write(moves, n, numbers, step, code):
        moves[n : n + 8] = code + step * np.frombuffer(numbers.tobytes(), np.uint8).astype(np.int32)


@njit(inline=True)
def spread(moves, n, members, step, code):
    """Add code + step * number for each member of a set of numbers below 8 to moves[:n]; returns the new n.

    All of moves[n : n + 8] is written, without a check that it is there: that is up to the caller.
    """
    write(moves, n, BYTES[members], step, code)
    return n + size(U(members))
