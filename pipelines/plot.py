"""A picture of a ranking: for each game and variant its policies from best to worst, a dot each with its interval.

A panel's scale is its own, from zero: rates of different games lie far apart. The same ranking gives the same bytes
under the same versions of Altair and vl-convert, for nothing of the day or of a user's own settings enters the file.
"""

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sim.errors import PatienceError, unknown

if TYPE_CHECKING:
    from pipelines.charts import Chart

ENDINGS = (".svg", ".png")
COLUMNS = 3


def check(path: Path) -> None:
    """An error if no plot can be written there; better said before hours of play than after."""
    if path.suffix not in ENDINGS:
        raise unknown("plot ending", path.suffix, ENDINGS)
    if not path.parent.is_dir():
        raise PatienceError(f"There is no folder {path.parent} for the plot {path.name}. Make it, or name another.")


def plot(ranking: pa.Table, path: Path) -> None:
    """Write the picture of `ranking.ranking`; the ending of the path says which kind."""
    from pipelines import charts

    check(path)
    chart = picture(ranking)
    data = charts.png(chart) if path.suffix == ".png" else charts.svg(chart, "white").encode()
    try:
        path.write_bytes(data)
    except OSError as error:
        raise PatienceError(f"The plot {path} cannot be written: {error}. Name another file.") from error


def picture(ranking: pa.Table) -> "Chart":
    """A panel per game and variant; one policy without finished deals has its name and no dot."""
    import altair as alt

    from pipelines import charts

    groups = groupby(ranking.to_pylist(), lambda row: (row["game"], row["variant"]))
    panels = [charts.ranked(rows, title(rows)) for _, group in groups for rows in [list(map(worded, group))]]
    return alt.concat(*panels, columns=COLUMNS)


def worded(row: dict[str, Any]) -> dict[str, Any]:
    """The row, with its rate in words for who cannot see the dot."""
    from pipelines.charts import rate

    return row | {"words": f"{row['policy']}: {rate(row)} of {row['deals']:,} deals" if row["deals"] else row["policy"]}


def title(rows: list[dict[str, Any]]) -> str:
    """The game, its variant unless that is the default, and the deals of each policy."""
    game, variant = rows[0]["game"], rows[0]["variant"]
    deals = [row["deals"] for row in rows]
    number = " to ".join(f"{n:,}" for n in sorted({min(deals), max(deals)}))
    return f"{game if variant == 'default' else f'{game}({variant})'}: {number} deals"
