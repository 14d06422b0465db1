"""A picture of a ranking: a panel per game and variant, a dot per policy with the interval of its win rate.

A panel's scale is its own, from zero: rates of different games lie far apart. The same ranking gives the same bytes
under the same version of matplotlib, for nothing of the day or of a user's own settings enters the file.
"""

from itertools import groupby
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sim.errors import PatienceError, unknown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METADATA: dict[str, dict[str, Any]] = {".svg": {"Date": None, "Creator": None}, ".png": {"Software": None}}
SETTINGS = {"svg.hashsalt": "patience", "svg.fonttype": "none", "text.parse_math": False, "savefig.dpi": 150}
BLUE = "#0072B2"  # of Okabe and Ito's palette; a policy is told by its name, never by a colour alone
COLUMNS = 3
WIDTH, HEAD, LINE = 4.5, 0.9, 0.25  # inches: a panel's width, its title and scale, each policy


def check(path: Path) -> None:
    """An error if no plot can be written there; better said before hours of play than after."""
    if path.suffix not in METADATA:
        raise unknown("plot ending", path.suffix, METADATA)
    if not path.parent.is_dir():
        raise PatienceError(f"There is no folder {path.parent} for the plot {path.name}. Make it, or name another.")


def plot(ranking: pa.Table, path: Path) -> None:
    """Write the picture of `ranking.ranking`; the ending of the path says which kind."""
    from matplotlib import style
    from matplotlib.figure import Figure

    check(path)
    panels = [list(rows) for _, rows in groupby(ranking.to_pylist(), lambda row: (row["game"], row["variant"]))]
    columns = min(COLUMNS, len(panels))
    lines = ceil(len(panels) / columns)
    height = HEAD + LINE * max(map(len, panels))
    with style.context(["default", SETTINGS]):
        figure = Figure(figsize=(WIDTH * columns, height * lines), layout="constrained")
        grid = list(figure.subplots(lines, columns, squeeze=False).flat)
        for axes, rows in zip(grid, panels, strict=False):
            panel(axes, rows)
        for axes in grid[len(panels) :]:
            axes.remove()
        try:
            figure.savefig(path, metadata=METADATA[path.suffix])
        except OSError as error:
            raise PatienceError(f"The plot {path} cannot be written: {error}. Name another file.") from error


def panel(axes: "Axes", rows: list[dict[str, Any]]) -> None:
    """The policies of one game and variant, the best on top; one without finished deals has its name and no dot."""
    played = [(i, row) for i, row in enumerate(rows) if row["deals"]]
    for i, row in played:
        axes.hlines(i, 100 * row["win_low"], 100 * row["win_high"], color=BLUE)
        axes.plot(100 * row["win_rate"], i, "o", color=BLUE, clip_on=False)
    axes.set_yticks(range(len(rows)), [row["policy"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_xlabel("% of deals won, 95 % interval")
    axes.set_title(title(rows))


def title(rows: list[dict[str, Any]]) -> str:
    """The game, its variant unless that is the default, and the deals of each policy."""
    game, variant = rows[0]["game"], rows[0]["variant"]
    deals = [row["deals"] for row in rows]
    number = " to ".join(f"{n:,}" for n in sorted({min(deals), max(deals)}))
    return f"{game if variant == 'default' else f'{game}({variant})'}: {number} deals"
