"""How the win rate follows an option whose values are numbers: a row per cell, each rate over all deals of its cell."""

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from pipelines.comparison import (
    COUNT,
    NUMBER,
    POLICY,
    TEXT,
    Cell,
    Row,
    chosen_cells,
    groups,
    ordered,
    refuse_unvaried,
)
from pipelines.tables import mark_fractions, only_needed_sweep
from sim.errors import PatienceError

SCHEMA = pa.schema(
    {"sweep": TEXT, "game": TEXT, "policy": TEXT, "variant": TEXT, "option": TEXT, "value": COUNT}
    | {"deals": COUNT, "wins": COUNT, "rate": NUMBER, "low": NUMBER, "high": NUMBER}
)


def curve(con: duckdb.DuckDBPyConnection, vary: Sequence[str], policies: Sequence[str] = ()) -> pa.Table:
    """The cells of each option in turn, in the order of its values, with Wilson's interval."""
    cells = chosen_cells(con, policies)
    refuse_unvaried(cells, vary)
    lines = [(option, line) for option in dict.fromkeys(vary) for line in lines_of(cells, option)]
    found = con.sql("select deals, wins, win_rate, win_low, win_high from measures").fetchall()
    rows = [row(option, cell, found[cell.number]) for option, line in lines for cell in line]
    return only_needed_sweep(con, mark_fractions(pa.Table.from_pylist(rows, SCHEMA), ("rate", "low", "high")))


def lines_of(cells: list[Cell], option: str) -> list[list[Cell]]:
    """The cells of each curve, from the least value to the greatest."""
    several = [group for group in groups(cells, option) if len(group) > 1]
    if option == POLICY or not all(ordered(group, option) for group in several):
        raise PatienceError(
            f"The values of {option} have no order, so there is no curve. Compare them without --curve."
        )
    return [sorted(group, key=lambda cell: int(cell.value(option))) for group in several]


def row(option: str, cell: Cell, numbers: tuple[float, ...]) -> Row:
    sweep, game, policy, variant = cell.rest(option)
    common = {"sweep": sweep, "game": game, "policy": policy, "variant": variant, "option": option}
    return common | {"value": cell.value(option)} | dict(zip(SCHEMA.names[6:], numbers, strict=True))
