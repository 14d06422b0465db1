"""Structured types whose records have their fields as attributes, as compiled code sees them.

NumPy's own `np.record` looks a field up in Python, which takes four times as long: it shows wherever a position is
looked at, and where the rules are played without the compiler.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np


def structured(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The type of these fields, laid out as C does; what an array of it has at an index is such a record."""
    plain = np.dtype(list(fields), align=True)
    own: dict[str, Any] = {name: _attribute(name) for name in plain.names or ()}
    own |= {"__slots__": (), "__getattribute__": object.__getattribute__, "__setattr__": object.__setattr__}
    return np.dtype((type("Record", (np.record,), own), plain))


def _attribute(name: str) -> property:
    return property(lambda record: np.void.__getitem__(record, name), lambda record, value: _set(record, name, value))


_set = np.void.__setitem__
