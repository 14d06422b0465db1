"""Which policy plays a game best: the policies of each game and variant, from best to worst, on the same deals.

The order is by win rate, then by mean cards home, then by name. Each policy is compared with the next one deal by deal:
`difference` is how many deals of the `pairs` it wins more, with the interval and the exact test of `statistics`.

`ms_per_deal` is the cost: milliseconds of CPU for a deal of any ending, the mean over the finished shards. It holds
dealing and playing, and packing, checksumming and writing the outcomes and kept traces; not compiling, nor the start of
workers. It is measured anew whenever a shard is played, so that it alone differs between runs of one plan.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.comparison import COUNT, NUMBER, POLICY, TEXT, Cell, counts, differences, read_cells
from pipelines.difficulty import difficulty
from pipelines.tables import mark_fractions, only_needed_sweep
from sim.errors import PatienceError

Row = dict[str, Any]
SHARES = ("share_stalled", "share_too_long", "share_error")
FRACTIONS = ("win_rate", "win_low", "win_high", "difference", "low", "high", *SHARES)
SCHEMA = pa.schema(
    {"sweep": TEXT, "game": TEXT, "variant": TEXT, "rank": COUNT, "policy": TEXT, "deals": COUNT, "wins": COUNT}
    | {"win_rate": NUMBER, "win_low": NUMBER, "win_high": NUMBER, "mean_cards_home": NUMBER}
    | {"difference": NUMBER, "low": NUMBER, "high": NUMBER, "pairs": COUNT, "mcnemar_p": NUMBER}
    | {"ms_per_deal": NUMBER, "share_stalled": NUMBER, "share_too_long": NUMBER}
    | {"share_error": NUMBER}
)


def ranking(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """A row per cell. The last policy has no difference; a cell without finished deals comes last, with no rank."""
    cells = read_cells(con)
    refuse_one(cell.policy for cell in cells)
    groups = ranked(cells, difficulty(con).to_pylist())
    compare_neighbours(con, groups)
    rows = [row for group in groups for row in group]
    return only_needed_sweep(con, mark_fractions(pa.Table.from_pylist(rows, SCHEMA), FRACTIONS))


def refuse_one(policies: Iterable[str]) -> None:
    """An error unless there are two policies."""
    names = sorted(set(policies))
    if len(names) < 2:
        only = f"only {names[0]}" if names else "none"
        raise PatienceError(f"A ranking needs two policies or more; here is {only}. Name each one with --policy.")


def ranked(cells: list[Cell], rows: list[Row]) -> list[list[Row]]:
    """The rows of `difficulty`, one a cell, by game and variant and there from best to worst, with rank and cost."""
    groups: dict[object, list[Row]] = defaultdict(list)
    for cell, row in zip(cells, rows, strict=True):
        cost = 1000 * cell.seconds / row["deals"] if row["deals"] else None
        groups[cell.rest(POLICY)].append(row | {"cell": cell, "sweep": cell.sweep, "ms_per_deal": cost})
    return [numbered(sorted(group, key=place)) for group in groups.values()]


def place(row: Row) -> tuple[float, float, str]:
    """What sorts better rows before worse ones."""
    rate, home = ((-1.0 if row[name] is None else row[name]) for name in ("win_rate", "mean_cards_home"))
    return -rate, -home, row["policy"]


def numbered(group: list[Row]) -> list[Row]:
    return [row | {"rank": i if row["deals"] else None} for i, row in enumerate(group, 1)]


def compare_neighbours(con: duckdb.DuckDBPyConnection, groups: list[list[Row]]) -> None:
    """Give each row what it wins more than the next one of its group."""
    duels = [duel for group in groups for duel in pairwise(group)]
    counted = counts(con, [(worse["cell"], better["cell"]) for better, worse in duels])
    for (better, _), numbers in zip(duels, counted, strict=True):
        better.update(differences(*numbers))
