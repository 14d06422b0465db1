"""Every format, with the values that are awkward to print."""

import csv
import io
import json

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.tables import FORMATS, mark_fractions, show
from sim.errors import PatienceError

ROWS = mark_fractions(
    pa.table(
        {"name": ["a|b", 'x,"\x1b[2J', None], "deals": [5, None, 70]}
        | {"rate": [0.125, 0.0, 3e-6], "on": [True, False, None]}
    ),
    ["rate"],
)


def printed(table: pa.Table, style: str) -> str:
    out = io.StringIO()
    show(table, style, out)
    return out.getvalue()


def test_table_format() -> None:
    head, _, *body = printed(ROWS, "table").splitlines()
    assert head.split() == ["name", "deals", "rate", "on"]
    assert body[0].split() == ["a|b", "5", "12.50", "%", "true"]
    assert body[1].split() == ['x,"\\x1b[2J', "-", "0.00", "%", "false"]
    assert body[2].split() == ["-", "70", "3.0e-04", "%", "-"]
    assert {line.index("%") for line in body} == {body[0].index("%")}  # right aligned


def test_table_is_not_cut_at_80_columns() -> None:
    wide = pa.table({f"column_{i}": ["w" * 30] for i in range(12)})
    assert printed(wide, "table").count("w" * 30) == 12


def test_md_format() -> None:
    head, rule, first, *_ = printed(ROWS, "md").splitlines()
    assert (head, rule) == ("| name | deals | rate | on |", "| --- | ---: | ---: | --- |")
    assert first == "| a\\|b | 5 | 12.50 % | true |"


def test_csv_format() -> None:
    head, *body = csv.reader(io.StringIO(printed(ROWS, "csv")))
    assert head == ["name", "deals", "rate", "on"]
    assert body == [["a|b", "5", "0.125", "true"], ['x,"\x1b[2J', "", "0.0", "false"], ["", "70", "3e-06", ""]]


def test_json_format() -> None:
    assert json.loads(printed(ROWS, "json")) == ROWS.to_pylist()
    assert json.loads(printed(ROWS.slice(0, 0), "json")) == []


def test_parquet_format(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    show(ROWS, "parquet")
    assert pq.read_table(io.BytesIO(capfdbinary.readouterr().out)).to_pylist() == ROWS.to_pylist()


def test_parquet_is_not_for_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with pytest.raises(PatienceError, match="stdout is a terminal"):
        show(ROWS, "parquet", Terminal())


def test_unknown_format_and_equal_names() -> None:
    with pytest.raises(PatienceError, match="Did you mean 'json'"):
        show(ROWS, "jsn")
    with pytest.raises(PatienceError, match="Two columns are named 'a'"):
        printed(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), "json")


@pytest.mark.parametrize("style", sorted(set(FORMATS) - {"parquet"}))
def test_every_type_of_a_query_can_be_printed(style: str) -> None:
    sql = "select sum(i) as s, 1.5::decimal(9, 2) as d, date '2026-01-02' as t, [1, null] as l, {'a': 1} as o"
    relation = duckdb.connect().sql(f"{sql}, 'nan'::double as n from range(12) as r(i)")
    text = printed(relation.to_arrow_table(), style)
    assert all(part in text for part in ("66", "1.5", "2026-01-02", "[1, null]"))
