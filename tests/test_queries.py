"""The views, the difficulty table, comparisons and the sandbox, on a sweep of a few rows."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.comparison import comparison
from pipelines.database import open_sweeps
from pipelines.difficulty import difficulty
from pipelines.sandbox import select
from pipelines.statistics import mcnemar, paired_difference, wilson
from sim.cards import NAMES
from sim.errors import PatienceError
from tests.hand_made import cell, lucie, shard, write_sweep

ENDED = ("stuck", "resigned", "stalled", "too_long", "error")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sweep in a folder whose name would mislead a glob, an SQL text and a guess at partitions."""
    return lucie(tmp_path / "game=x" / "run=5" / "lucie's [1] sweep")


@pytest.fixture
def con(folder: Path) -> duckdb.DuckDBPyConnection:
    return open_sweeps([folder])


def ask(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in select(con, sql).to_pylist()]


def test_outcomes(con: duckdb.DuckDBPyConnection) -> None:
    rows = ask(con, "select * from outcomes where variant = 'redeals=1' and seed = 2")
    options = json.dumps({"redeals": 1, "vacancy": "closed", "merci": 0})
    identity = ("lucie's [1] sweep", "la_belle_lucie", "redeals=1", "greedy", options)
    assert rows == [(*identity, 2, False, "too_long", 20, 10, 30, 5, 1, 2**64 - 1)]
    assert ask(con, "select distinct policy from outcomes where options->>'redeals' = '2' order by 1") == [
        ("first",),
        ("greedy",),
    ]


def test_moves(con: duckdb.DuckDBPyConnection) -> None:
    sql = "select variant, seed, step, kind, card, source, target, legal_moves from moves order by step"
    assert ask(con, sql) == [
        ("redeals=0", 1, 0, "play", "AS", "tableau[1]", "foundation[1]", 4),
        ("redeals=0", 1, 1, "redeal", None, "foundation[0]", "foundation[0]", 1),
        ("redeals=0", 1, 2, "redeal", None, "foundation[0]", "foundation[0]", None),
    ]


def test_card_names_are_those_of_the_simulator(con: duckdb.DuckDBPyConnection) -> None:
    rows = ask(con, "select face, card_name(face) from range(64) as r(face) where card_name(face) is not null")
    assert dict(rows) == NAMES


def test_sweeps(con: duckdb.DuckDBPyConnection) -> None:
    assert ask(con, "from sweeps") == [("lucie's [1] sweep", "2026-01-01", 5, 10, 0, "splitmix", 0, "all", "e1", 5, 15)]


def test_wilson_in_sql_is_that_of_python(con: duckdb.DuckDBPyConnection) -> None:
    for k, n in ((0, 0), (0, 5), (5, 5), (81, 263), (10**8 // 3, 10**8), (4 * 10**9, 9 * 10**9)):
        [bounds] = ask(con, f"select wilson_low({k}, {n}), wilson_high({k}, {n})")
        assert n == 0 or bounds == pytest.approx(wilson(k, n), abs=1e-14)


def test_difficulty(con: duckdb.DuckDBPyConnection) -> None:
    rows = {(row["variant"], row["policy"]): row for row in difficulty(con).to_pylist()}
    zero, two, waiting = rows["redeals=0", "greedy"], rows["default", "greedy"], rows["merci=1,redeals=0", "greedy"]
    assert next(iter(rows)) == ("redeals=0", "greedy")
    assert "sweep" not in zero
    assert (zero["deals"], zero["wins"], zero["win_rate"]) == (4, 1, 0.25)
    assert (zero["win_low"], zero["win_high"]) == pytest.approx(wilson(1, 4))
    assert [zero[f"share_{ending}"] for ending in ENDED] == [0.25, 0.25, 0.25, 0.0, 0.0]
    assert zero["mean_legal_moves"] == 120 / 41  # four deals of ten moves, and the position that was resigned
    assert (two["deals"], two["win_rate"], two["share_error"], two["mean_moves"]) == (5, 0.8, 0.2, 10.0)
    assert (waiting["deals"], waiting["win_rate"], waiting["win_low"], waiting["win_high"]) == (0, None, 0.0, 1.0)


def test_comparison_of_numbers_is_with_the_one_before(con: duckdb.DuckDBPyConnection) -> None:
    first, second = comparison(con, ["redeals"]).to_pylist()
    assert [(row["from"], row["to"]) for row in (first, second)] == [("0", "1"), ("1", "2")]
    assert {k: first[k] for k in ("game", "policy", "variant", "option")} == {
        "game": "la_belle_lucie", "policy": "greedy", "variant": "default", "option": "redeals",
    }  # fmt: skip
    assert (first["pairs"], first["unpaired_seeds"], first["gained"], first["lost"], first["undecided"]) == (
        4,
        0,
        1,
        0,
        1,
    )
    assert (second["pairs"], second["unpaired_seeds"], second["undecided"], second["failed"]) == (4, 1, 1, 1)
    assert (first["rate_from"], first["rate_to"], first["difference"]) == (0.25, 0.5, 0.25)
    assert (first["low"], first["high"]) == paired_difference(1, 1, 0, 2)
    assert first["unpaired_low"] <= first["low"]
    assert first["high"] <= first["unpaired_high"]
    assert first["mcnemar_p"] == mcnemar(1, 0)


def test_comparison_of_policies_and_of_cells_without_deals(con: duckdb.DuckDBPyConnection) -> None:
    [row] = comparison(con, ["policy"]).to_pylist()
    assert (row["policy"], row["variant"], row["from"], row["to"]) == (None, "default", "greedy", "first")
    assert (row["pairs"], row["unpaired_seeds"], row["lost"], row["difference"]) == (2, 3, 1, -0.5)
    [row] = comparison(con, ["merci"]).to_pylist()
    assert (row["variant"], row["pairs"], row["unpaired_seeds"], row["difference"]) == ("redeals=0", 0, 4, None)
    assert (row["low"], row["high"], row["mcnemar_p"], row["holm_p"]) == (-1.0, 1.0, None, None)


def test_comparison_of_names_is_with_the_default(tmp_path: Path) -> None:
    cells = [cell("vacancy=any"), cell("vacancy=king"), cell()]
    con = open_sweeps([write_sweep(tmp_path / "v", cells, [])])
    rows = comparison(con, ["vacancy"]).to_pylist()
    assert [(row["from"], row["to"]) for row in rows] == [("closed", "any"), ("closed", "king")]


def test_comparison_names_what_is_varied(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(PatienceError, match=r"'redeal'\. Did you mean 'redeals'\? Known: policy, merci, redeals\."):
        comparison(con, ["redeal"])
    with pytest.raises(PatienceError, match="Nothing is varied"):
        comparison(open_sweeps([write_sweep(tmp_path / "one", [cell()], [])]), ["redeals"])


def test_a_sweep_without_shards_has_empty_views(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    empty = open_sweeps([write_sweep(tmp_path / "empty", [cell()], [])])
    for view in ("outcomes", "moves", "sweeps"):
        columns = [[row[0] for row in ask(one, f"describe {view}")] for one in (empty, con)]
        assert columns[0] == columns[1] != []
    assert ask(empty, "select (select count(*) from outcomes), (select count(*) from moves)") == [(0, 0)]
    assert difficulty(empty).to_pylist()[0]["deals"] == 0


def test_two_sweeps_are_kept_apart(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_sweep(other, [cell()], [shard(other, cell(), {0: "stuck"})])
    con = open_sweeps([folder, other])
    rows = [(row["sweep"], row["deals"]) for row in difficulty(con).to_pylist() if row["variant"] == "default"]
    assert rows == [(folder.name, 5), (folder.name, 2), ("other", 1)]
    assert {row["sweep"] for row in comparison(con, ["redeals"]).to_pylist()} == {folder.name}
    with pytest.raises(PatienceError, match="both the sweep 'other'"):
        open_sweeps([other, other])


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("copy outcomes to '{to}'", "statement of kind COPY"),
        ("with x as (copy outcomes to '{to}') select 1", "a part of this one is COPY"),
        ("with x as (delete from cells returning *) select * from x", "a part of this one is DELETE"),
        ("select * from query('with x as (copy outcomes to ''{to}'') select 1')", "table function query"),
        ("select (select count(*) from read_csv('/etc/passwd'))", "table function read_csv"),
        ("from enable_logging(storage := 'file', storage_path := '{to}')", "table function enable_logging"),
        ("from '/etc/passwd'", "does not exist"),
        ("from folder", "does not exist"),
        ("attach '{to}'", "kind ATTACH"),
        ("install httpfs", "kind LOAD"),
        ("set threads = 1", "kind SET"),
        ("pragma version", "kind PRAGMA"),
        ("create table t (a integer)", "kind CREATE"),
        ("insert into cells from cells", "kind INSERT"),
        ("drop view outcomes", "kind DROP"),
        ("explain select 1", "kind EXPLAIN"),
        ("select 1; select 2", "this text holds 2"),
        ("export database '{to}'", "kind (EXPORT|COPY)"),
        ("load 'httpfs'", "kind LOAD"),
        ("call pragma_version()", "kind CALL"),
        ("checkpoint", "kind (CALL|CHECKPOINT)"),
        ("select * from read_parquet('/etc/passwd')", "table function read_parquet"),
        ("select * from read_text('/etc/passwd')", "table function read_text"),
        ("select * from glob('/etc/*')", "table function glob"),
        ("select * from parquet_metadata('{to}')", "table function parquet_metadata"),
        ("select * from duckdb_settings()", "table function duckdb_settings"),
        ("select getenv('HOME')", "getenv"),
        ("from '{to}.parquet'", "Cannot access file"),
        ("from 'https://example.org/x.parquet'", "Cannot access file"),
        ("", "this text holds 0"),
        ("selec 1", "no SQL that DuckDB understands"),
        ("select win from outcomes", "(?i)win.*won"),
    ],
)
def test_sandbox_refuses(con: duckdb.DuckDBPyConnection, tmp_path: Path, sql: str, message: str) -> None:
    with pytest.raises(PatienceError, match=f"(?s){message}.*Ask with one SELECT") as error:
        select(con, sql.format(to=tmp_path / "stolen"))
    assert error.value.__class__ is PatienceError
    assert not (tmp_path / "stolen").exists()


def test_the_database_itself_is_locked(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """What would hold if a statement slipped through the check of its text."""
    listed = str(next((folder / "outcomes").rglob("*.parquet"))).replace("'", "''")
    for sql in (
        "from '/etc/passwd'",
        f"copy outcomes to '{listed}'",
        "set enable_external_access = true",
        "attach 'x.db'",
    ):
        with pytest.raises(duckdb.Error, match=r"disabled|locked|exist|Cannot"):
            con.execute(sql)


def test_a_long_query_is_stopped(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(PatienceError, match=r"stopped after 0\.2 s"):
        select(con, "select count(*) from range(1000000000000) as r(i) where hash(i) = 7", seconds=0.2)


def test_an_answer_that_no_memory_holds_is_not_begun_to_be_held(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(PatienceError, match=r"more than 1 MB\. Aggregate it, or add a LIMIT"):
        select(con, "select i from range(1000000000000) as r(i)", most=10**6)


def test_a_long_answer_is_stopped(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(PatienceError, match=r"stopped after 0\.2 s"):
        select(con, "select i from range(1000000000000) as r(i) where hash(i) % 100000 = 7", seconds=0.2)


def test_an_error_among_the_rows(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(PatienceError, match=r"(?s)DuckDB refuses this query\. .*Ask with one SELECT"):
        select(con, "select (i || 'x')::integer from range(1000000) as r(i) where i > 900000")
