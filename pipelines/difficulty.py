"""How hard each game, variant and policy is: one row per cell, the columns of `measures` that a reader wants first."""

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from pipelines.measures import DEFINITIONS, measures
from sim.errors import unknown

CELL = ("game", "variant", "policy")
SHOWN = (
    "deals", "wins", "win_rate", "win_low", "win_high", "mean_cards_home", "mean_moves", "mean_decisions",
    "mean_legal_moves", "share_stuck", "share_resigned", "share_stalled", "share_too_long", "share_error",
)  # fmt: skip
ALL = tuple(name for name in DEFINITIONS if name not in ("sweep", *CELL))


def difficulty(con: duckdb.DuckDBPyConnection, columns: Sequence[str] = SHOWN) -> pa.Table:
    """These measures of each cell, in the order of the cells."""
    for name in columns:
        if name not in ALL:
            raise unknown("measure", name, ALL)
    return measures(con, (*CELL, *dict.fromkeys(columns)))
