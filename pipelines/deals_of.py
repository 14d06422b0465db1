"""Deals that stand out, by what the policies of a sweep made of them: numbered deals for whoever wants a graded one.

The lists, each of one game and variant of one sweep and in a fixed order:

    won_by_all         every policy won it; by seed
    won_by_best_only   the best policy won it and no other did; by seed
    won_by_none        no policy won it; by seed
    closest            no policy won it; the most cards home first, then by seed
    shortest_won       the won play of fewest moves first, then by seed
    longest_won        the won play of most moves first, then by seed

The first four hold only deals that all policies of the sweep have played. The best policy is that of `patience rank`:
the highest win rate; of equals, more cards home on average, then the first by name. A play that was stopped or broken
off (stalled, too long, error) counts as not won and is shown as what it is. `number` is the place in the list. In
sweeps of PySolFC's deals `pysolfc_deal` is the number to type there; the variant's options say under which rules.
"""

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from pipelines.database import query
from pipelines.tables import only_needed_sweep
from sim.errors import PatienceError, unknown

LISTS = ("won_by_all", "won_by_best_only", "won_by_none", "closest", "shortest_won", "longest_won")


def deals_of(
    con: duckdb.DuckDBPyConnection, lists: Sequence[str] = LISTS, limit: int = 10,
    game: str | None = None, variant: str | None = None,
) -> pa.Table:  # fmt: skip
    """A row per list and deal, at most `limit` of each list; of all games and variants, or of those named."""
    for name in lists:
        if name not in LISTS:
            raise unknown("list of deals", name, LISTS)
    if limit < 1:
        raise PatienceError(f"A list of {limit} deals says nothing: expected a limit of 1 or more.")
    refuse_unknown(con, game, variant)
    given = {"lists": list(lists), "limit": limit, "game": game, "variant": variant}
    return without_empty(only_needed_sweep(con, con.sql(query("deals"), params=given).to_arrow_table()))


def waiting(con: duckdb.DuckDBPyConnection, game: str | None = None, variant: str | None = None) -> list[str]:
    """The cells without finished deals, "fan default search": no deal there was played by all policies."""
    cells = con.sql("select game, variant, policy from measures where deals = 0").fetchall()
    return [" ".join(cell) for cell in cells if game in (None, cell[0]) and variant in (None, cell[1])]


def refuse_unknown(con: duckdb.DuckDBPyConnection, game: str | None, variant: str | None) -> None:
    """An error for a game that the sweeps do not have, or a variant that they do not have of it."""
    cells = con.sql("select game, variant from cells group by all order by all").fetchall()
    if game and game not in (known := sorted({cell[0] for cell in cells})):
        raise unknown("game in these sweeps", game, known)
    if variant and variant not in (known := [cell[1] for cell in cells if game in (None, cell[0])]):
        raise PatienceError(
            f"These sweeps do not have the variant {variant!r}. Known: {', '.join(dict.fromkeys(known))}."
        )


def without_empty(table: pa.Table) -> pa.Table:
    """The table without PySolFC's numbers where there are none."""
    none = table["pysolfc_deal"].null_count == table.num_rows
    return table.drop_columns(["pysolfc_deal"]) if none else table
