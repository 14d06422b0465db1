"""How hard each game, variant and policy is: one row per cell, with 95 % intervals."""

import duckdb
import pyarrow as pa

from pipelines.database import query
from pipelines.tables import mark_fractions, only_needed_sweep

FRACTIONS = ("win_rate", "win_low", "win_high", "share_stuck", "share_resigned", "share_stalled", "share_error")


def difficulty(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """The rows of table.sql in the order of the cells; a cell without finished deals has 0 deals and [0, 1]."""
    rows = con.sql(query("table")).to_arrow_table()
    return only_needed_sweep(con, mark_fractions(rows, FRACTIONS))
