"""The door for Python: sweeps as DuckDB relations, and every table of the command as Arrow, pandas or Polars.

found = pipelines.load("results/x")          # or several folders
found.table().df()                           # pandas; .pl() Polars; .arrow the pyarrow.Table
found.compare("redeals")
found.outcomes.filter("won").aggregate("game, count(*)")
found.sql("select ending, count(*) from outcomes group by all")
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pipelines import comparison, curve, deals_of, difficulty, luck, measures, players, ranking, sandbox, tables
from pipelines.database import open_sweeps
from pipelines.place import located
from sim.errors import PatienceError

SHOWN = 40  # rows of an answer that a notebook shows


@dataclass(frozen=True, repr=False)
class Answer:
    """A table: `arrow` as it is, `df()` for pandas, `pl()` for Polars. Rates are fractions of 1, shown as per cent."""

    arrow: pa.Table

    def df(self) -> Any:
        """A pandas.DataFrame."""
        needed("pandas")
        return self.arrow.to_pandas()

    def pl(self) -> Any:
        """A polars.DataFrame."""
        return needed("polars").from_arrow(self.arrow)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Whatever reads Arrow reads an answer: `pyarrow.table(answer)`, `polars.DataFrame(answer)`."""
        return self.arrow.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self.arrow.num_rows)

    def __repr__(self) -> str:
        out = StringIO()
        tables.show(self.arrow.slice(0, SHOWN), "table", out)
        return out.getvalue() + self._rest()

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.arrow.column_names)
        lines = islice(tables.lines(self.arrow), SHOWN)
        body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in line)}</tr>" for line in lines)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{self._rest()}"

    def _rest(self) -> str:
        return f"{SHOWN} of {len(self):,} rows" if len(self) > SHOWN else ""


@dataclass(frozen=True, repr=False)
class Loaded:
    """Sweeps that are open for reading. `connection` can open their files and no others."""

    connection: duckdb.DuckDBPyConnection

    @property
    def outcomes(self) -> duckdb.DuckDBPyRelation:
        """A row per deal, game, variant and policy."""
        return self.connection.table("outcomes")

    @property
    def moves(self) -> duckdb.DuckDBPyRelation:
        """A row per move of the deals whose traces were kept."""
        return self.connection.table("moves")

    @property
    def sweeps(self) -> duckdb.DuckDBPyRelation:
        """A row per sweep: what was asked for, and how much of it is finished."""
        return self.connection.table("sweeps")

    def table(self, *columns: str) -> Answer:
        """How hard each cell is: these measures, or those that `patience table` shows."""
        return Answer(difficulty.difficulty(self.connection, columns or difficulty.SHOWN))

    def measures(self) -> Answer:
        """Every measure of each cell; `pipelines.measures.DEFINITIONS` says what they are."""
        return Answer(measures.measures(self.connection))

    def endings(self) -> Answer:
        """How deals end."""
        return Answer(measures.endings(self.connection))

    def survival(self) -> Answer:
        """When deals die."""
        return Answer(measures.survival(self.connection))

    def luck(self) -> Answer:
        """Luck, skill and a grade of each game and variant."""
        return Answer(luck.luck(self.connection))

    def players(self) -> Answer:
        """Each policy over all sweeps, and how far winning lies in the deal."""
        return Answer(players.players(self.connection))

    def compare(self, *vary: str, policies: Sequence[str] = ()) -> Answer:
        """What these options change, or the policy if none is named, deal by deal."""
        return Answer(comparison.comparison(self.connection, vary or (comparison.POLICY,), policies))

    def curve(self, *vary: str, policies: Sequence[str] = ()) -> Answer:
        """The win rate at each value of these options, whose values are numbers."""
        return Answer(curve.curve(self.connection, vary, policies))

    def ranking(self) -> Answer:
        """The policies of each game and variant, from best to worst."""
        return Answer(ranking.ranking(self.connection))

    def seeds(self, *lists: str, limit: int = 10, game: str | None = None, variant: str | None = None) -> Answer:
        """Deals that stand out; `pipelines.deals_of` says what the lists are."""
        return Answer(deals_of.deals_of(self.connection, lists or deals_of.LISTS, limit, game, variant))

    def sql(self, text: str) -> Answer:
        """The rows of one SELECT on outcomes, moves and sweeps, or on measures, endings and survival."""
        return Answer(sandbox.select(self.connection, text))

    def __repr__(self) -> str:
        return repr(Answer(self.sweeps.to_arrow_table()))

    def _repr_html_(self) -> str:
        return Answer(self.sweeps.to_arrow_table())._repr_html_()


def open_folders(folders: Sequence[str | Path]) -> Loaded:
    """The sweeps in these folders."""
    if not folders:
        raise PatienceError("Nothing to load: name the folder of a sweep, such as load('results/x').")
    return Loaded(open_sweeps([located(folder) for folder in folders]))


def needed(package: str) -> Any:
    """The package, or a sentence that it is missing."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise PatienceError(f"{package} is not installed. `pip install {package}`, or take .arrow.") from error
