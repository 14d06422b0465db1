"""An in-memory DuckDB on the Parquet files of one or more sweeps, with the views `outcomes`, `moves` and `sweeps`,
and those of what is measured: `measures`, `endings`, `survival`.

Nothing is copied: the views read the files in place, and after the views are made the database can open those files
and no others. Files in buckets are read in place too, by way of `buckets`.
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pyarrow as pa

from pipelines.buckets import name, register
from pipelines.folder import Sweep, read_sweep
from pipelines.manifest import Key
from pipelines.place import Place
from sim.errors import PatienceError

QUERIES = Path(__file__).parent / "queries"
VIEWS = ("outcomes", "moves", "profile", "measures", "endings", "survival")  # in this order: some read others
NAMES = pa.list_(pa.string())
CELLS = pa.schema(
    {"cell": pa.int32(), "sweep": pa.string(), "game": pa.string(), "variant": pa.string(), "policy": pa.string()}
    | {
        "options": pa.string(),
        "defaults": pa.string(),
        "kinds": NAMES,
        "piles": NAMES,
        "code": pa.string(),
        "seconds": pa.float64(),
    }
)
FILES = pa.schema({"path": pa.string(), "cell": pa.int32()})
SWEEPS = pa.schema(
    {"name": pa.string(), "created": pa.string(), "cells": pa.int64(), "deals": pa.int64(), "first_seed": pa.int64()}
    | {"deal_source": pa.string(), "policy_seed": pa.int64(), "traces": pa.string(), "engine": pa.string()}
    | {"finished_shards": pa.int64(), "finished_deals": pa.int64()}
)


def query(name: str) -> str:
    """The text of queries/NAME.sql."""
    return (QUERIES / f"{name}.sql").read_text("utf-8")


def open_sweeps(folders: Sequence[Place], memory: str = "50%", threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """A locked database on these sweeps; `threads` is every core that DuckDB finds unless given."""
    sweeps = [read_sweep(folder) for folder in folders]
    refuse_equal_names(sweeps)
    con = duckdb.connect(config=configuration(memory, threads))
    register(con, [sweep.folder for sweep in sweeps])
    fill(con, sweeps)
    lock(con, [file.path for s in sweeps for shard in s.shards for file in shard.files])
    return con


def refuse_equal_names(sweeps: Sequence[Sweep]) -> None:
    """Two sweeps of one name could not be told apart in any table."""
    folders: dict[str, Place] = {}
    for sweep in sweeps:
        if sweep.name in folders:
            both = f"{folders[sweep.name]} and {sweep.folder}"
            raise PatienceError(f"{both} are both the sweep {sweep.name!r}. Open only one of them.")
        folders[sweep.name] = sweep.folder


def configuration(memory: str, threads: int | None) -> dict[str, Any]:
    """Settings of the connection: spill to a folder of our own, load no extension, see no Python variable."""
    settings: dict[str, Any] = {
        "memory_limit": memory,
        "temp_directory": str(Path(tempfile.gettempdir()) / f"patience-{uuid4().hex}"),
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    return settings | ({"threads": threads} if threads else {})


def fill(con: duckdb.DuckDBPyConnection, sweeps: Sequence[Sweep]) -> None:
    """The small tables cells, files and sweeps, and the views on the Parquet files."""
    cells = [(sweep, key) for sweep in sweeps for key in sweep.cells]
    numbers = {(sweep.name, key): i for i, (sweep, key) in enumerate(cells)}
    shards = [(shard, numbers[sweep.name, shard.key]) for sweep in sweeps for shard in sweep.shards]
    outcomes = [(name(file.path), cell) for shard, cell in shards for file in shard.outcomes]
    traces = [(name(file.path), cell) for shard, cell in shards for file in shard.traces]
    store(con, "cells", [cell_row(i, *cell) for i, cell in enumerate(cells)], CELLS)
    store(con, "files", [{"path": path, "cell": cell} for path, cell in outcomes + traces], FILES)
    store(con, "sweeps", [sweep_row(sweep) for sweep in sweeps], SWEEPS)
    con.execute(query("macros"))
    rows(con, "outcome", [path for path, _ in outcomes])
    rows(con, "trace", [path for path, _ in traces])
    for view in VIEWS:
        con.execute(query(view))


def store(con: duckdb.DuckDBPyConnection, table: str, values: list[dict[str, Any]], schema: pa.Schema) -> None:
    """A table of these rows."""
    con.register("given", pa.Table.from_pylist(values, schema))
    con.execute(f"create table {table} as from given")
    con.unregister("given")


def rows(con: duckdb.DuckDBPyConnection, kind: str, paths: list[str]) -> None:
    """The relation outcome_rows or trace_rows on these files; DuckDB cannot read an empty list of them."""
    con.execute(f"set variable {kind}_files = $paths", {"paths": paths})
    con.execute(query(f"{kind}_rows" if paths else f"no_{kind}_rows"))


def cell_row(number: int, sweep: Sweep, key: Key) -> dict[str, Any]:
    """A row of `cells`: what sweep.json says of the cell, the names behind its move codes, and what it cost."""
    cell, settings = sweep.cells[key], sweep.settings
    game = cell["game"]
    defaults = {option: values[0] for option, values in settings.get("option_values", {}).get(game, {}).items()}
    names = {"kinds": settings.get("kinds", []), "piles": settings.get("piles", {}).get(game, [])}
    texts = {"options": json.dumps(cell["options"]), "defaults": json.dumps(defaults)}
    texts["code"] = f"{cell['version']} {cell.get('policy_digest')}"  # changes with the game's rules and the policy
    named = {"cell": number, "sweep": sweep.name} | {k: cell[k] for k in ("game", "variant", "policy")}
    return named | texts | names | {"seconds": sweep.seconds[key]}


def sweep_row(sweep: Sweep) -> dict[str, Any]:
    """A row of `sweeps`: what was asked for, and how much of it is finished. `deals` is per cell."""
    named = ("name", "created", "deals", "first_seed", "deal_source", "policy_seed", "engine")
    said = {name: sweep.settings.get(name) for name in named}
    done = {"finished_shards": len(sweep.shards), "finished_deals": sum(shard.deals for shard in sweep.shards)}
    return said | {"cells": len(sweep.cells), "traces": str(sweep.settings.get("traces"))} | done


def lock(con: duckdb.DuckDBPyConnection, paths: Sequence[Place]) -> None:
    """From here on these files can be opened and no others, and no setting changes. The order matters."""
    con.execute("set allowed_paths = $paths", {"paths": [name(path) for path in paths]})
    con.execute("set enable_external_access = false")
    con.execute("set lock_configuration = true")
