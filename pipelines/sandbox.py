"""A user's own SQL on the views: one SELECT, which can neither change nor write anything.

DuckDB 2 takes `with x as (copy … to …) select 1` for a SELECT statement, so the kind of statement is not enough: the
parsed query is searched for every node that is more than a SELECT and for table functions that reach outside.
"""

import json
from collections.abc import Iterator
from threading import Timer
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.connection import lost
from sim.errors import PatienceError

NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
TABLE_FUNCTIONS = {"range", "generate_series", "unnest", "repeat", "json_each", "json_tree", "summary", "histogram"}
SECONDS, MOST = 600.0, 10**9  # what a query may take, and the bytes of its answer
ADVICE = "Ask with one SELECT on the views outcomes, moves and sweeps."


def select(con: duckdb.DuckDBPyConnection, sql: str, seconds: float = SECONDS, most: int = MOST) -> pa.Table:
    """The rows of a single SELECT, stopped after so many seconds, or when they come to more than `most` bytes."""
    refuse_more_than_select(con, sql)
    timer = Timer(seconds, con.interrupt)
    timer.start()
    try:
        return taken(con.sql(sql).to_arrow_reader(), most)
    except (duckdb.Error, pa.ArrowException, OSError) as error:  # an error among the rows comes through Arrow
        if "INTERRUPT" in str(error):
            reason = f"The query was stopped after {seconds:g} s. Ask for less, or allow more time with --seconds."
            raise PatienceError(reason) from error
        raise lost(error) or PatienceError(f"DuckDB refuses this query. {error}\n{ADVICE}") from error
    finally:
        timer.cancel()


def taken(reader: pa.RecordBatchReader, most: int) -> pa.Table:
    """All rows, unless they are too many to hold."""
    batches, size = [], 0
    for batch in reader:
        batches.append(batch)
        size += batch.nbytes
        if size > most:
            raise PatienceError(f"The answer has more than {most / 1e6:,.0f} MB. Aggregate it, or add a LIMIT.")
    return pa.Table.from_batches(batches, reader.schema)


def refuse_more_than_select(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    """An error unless the text is one SELECT statement and all parts of it only read."""
    try:
        statements = con.extract_statements(sql)
    except (duckdb.Error, TypeError) as error:  # a TypeError for what is no text, such as half of a character
        raise PatienceError(f"This is no SQL that DuckDB understands. {error}\n{ADVICE}") from error
    if len(statements) != 1:
        raise PatienceError(f"A query is one statement, and this text holds {len(statements)}. {ADVICE}")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise PatienceError(f"A query only reads, and this is a statement of kind {statements[0].type.name}. {ADVICE}")
    for node in nodes(parsed(con, sql)):
        refuse_node(node)


def parsed(con: duckdb.DuckDBPyConnection, sql: str) -> Any:
    """DuckDB's parse tree of the statement, as JSON."""
    [(text,)] = con.execute("select json_serialize_sql($sql::varchar)", {"sql": sql}).fetchall()
    tree = json.loads(text)
    if tree["error"]:
        raise PatienceError(f"This statement cannot be checked ({tree['error_message']}). {ADVICE}")
    return tree["statements"]


def nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of a JSON tree."""
    if isinstance(tree, dict):
        yield tree
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    for child in children:
        yield from nodes(child)


def refuse_node(node: dict[str, Any]) -> None:
    """An error for a part that writes (COPY, INSERT, DELETE in a WITH) or calls a table function not on the list."""
    kind = str(node.get("type", ""))
    if kind.endswith("_NODE") and kind not in NODES:
        raise PatienceError(f"A query only reads, and a part of this one is {kind.split('_')[0]}. {ADVICE}")
    name = node["function"].get("function_name", "") if kind == "TABLE_FUNCTION" else "range"
    if name not in TABLE_FUNCTIONS:
        raise PatienceError(f"The table function {name} is not open to queries. {ADVICE}")
