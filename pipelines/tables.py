"""Printing a table of results as text, CSV, JSON, Markdown or Parquet. Data goes to stdout, and nothing else does.

A column marked as a fraction is a percentage to a person (table, md) and a number from 0 to 1 to a program.
"""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite
from typing import Any, TextIO

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sim.errors import PatienceError, unknown

UNIT, FRACTION = b"unit", b"fraction"
WIDE = 100_000  # characters; rich would fit a table into 80 when stdout is not a terminal


def mark_fractions(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The table with these columns marked as fractions, in the metadata of their fields."""
    marked = [field.with_metadata({UNIT: FRACTION}) if field.name in names else field for field in table.schema]
    return table.cast(pa.schema(marked))


def only_needed_sweep(con: duckdb.DuckDBPyConnection, table: pa.Table) -> pa.Table:
    """The table without its column `sweep` when only one sweep is open."""
    one = con.table("sweeps").shape[0] == 1
    return table.drop_columns(["sweep"]) if one else table


def show(table: pa.Table, style: str = "table", out: TextIO | None = None) -> None:
    """Write the table to `out`, which is stdout unless given, in one of FORMATS."""
    if style not in FORMATS:
        raise unknown("format", style, FORMATS)
    FORMATS[style](table, out or sys.stdout)


def show_table(table: pa.Table, out: TextIO) -> None:
    """Aligned columns. A row wider than the terminal runs on: digits that are cut off mislead."""
    grid = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for field in table.schema:
        grid.add_column(Text(printable(field.name)), justify="right" if is_number(field) else "left", no_wrap=True)
    for texts in lines(table):
        grid.add_row(*map(Text, texts))
    Console(file=out, width=WIDE, force_jupyter=False).print(grid)  # lest a notebook shows it and `out` stays empty


def show_md(table: pa.Table, out: TextIO) -> None:
    """A table of GitHub's Markdown."""
    rules = ["---:" if is_number(field) else "---" for field in table.schema]
    names = [printable(name) for name in table.column_names]
    for texts in (names, rules, *lines(table)):
        out.write("| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |\n")


def show_csv(table: pa.Table, out: TextIO) -> None:
    """CSV with a header; empty for null, true and false, JSON for lists and structs."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.column_names)
    for row in rows(table):
        writer.writerow(["" if value is None else word(simple(value)) for value in row])


def show_json(table: pa.Table, out: TextIO) -> None:
    """An array with an object per row, one to a line."""
    refuse_equal_names(table)
    objects = (dict(zip(table.column_names, map(simple, row), strict=True)) for row in rows(table))
    out.write("[")
    for i, item in enumerate(objects):
        out.write((",\n " if i else "\n ") + json.dumps(item, allow_nan=False))
    out.write("\n]\n")


def show_parquet(table: pa.Table, out: TextIO) -> None:
    """The bytes of a Parquet file, which no terminal should get."""
    refuse_equal_names(table)
    if out.isatty():
        raise PatienceError(
            "Parquet is binary and stdout is a terminal. Redirect it: --format parquet > result.parquet."
        )
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    out.buffer.write(buffer.getvalue())
    out.flush()


FORMATS: dict[str, Callable[[pa.Table, TextIO], None]] = {
    "table": show_table, "csv": show_csv, "json": show_json, "md": show_md, "parquet": show_parquet,
}  # fmt: skip


def refuse_equal_names(table: pa.Table) -> None:
    """An object or a file that is read by name would lose one of two equal columns."""
    equal = sorted({name for name in table.column_names if table.column_names.count(name) > 1})
    if equal:
        raise PatienceError(f"Two columns are named {equal[0]!r}. Name them apart, `select a.{equal[0]} as first, …`.")


def rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """The rows as tuples of Python values."""
    for batch in table.to_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def lines(table: pa.Table) -> Iterator[list[str]]:
    """The rows as texts for a person."""
    fractions = [is_fraction(field) for field in table.schema]
    for row in rows(table):
        yield [spelled(value, fraction) for value, fraction in zip(row, fractions, strict=True)]


def is_fraction(field: pa.Field) -> bool:
    return bool((field.metadata or {}).get(UNIT) == FRACTION)


def is_number(field: pa.Field) -> bool:
    kind = field.type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def spelled(value: Any, fraction: bool) -> str:
    """A value for a person: two decimals of a percentage, three of other numbers, more digits if they are small."""
    if value is None:
        return "-"
    if fraction:
        return f"{100 * value:{'.2f' if value == 0 or abs(value) >= 1e-4 else '.1e'}} %"
    if isinstance(value, float):
        return f"{value:{'.3f' if value == 0 or abs(value) >= 1e-3 else '.1e'}}"
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "; ".join(" ".join(f"{name}={spelled(x, False)}" for name, x in item.items()) for item in value)
    return printable(word(simple(value)))


def word(plain: Any) -> str:
    """A text as it is, and any other value of JSON's types as JSON writes it."""
    return plain if isinstance(plain, str) else json.dumps(plain)


def printable(text: str) -> str:
    """The text with control characters escaped: a name must not steer a terminal or break a row."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def simple(value: Any) -> Any:
    """The value in JSON's types; a number that is not finite is null, as JSON has none."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): simple(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [simple(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
