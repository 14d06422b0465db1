"""How far is a sweep, and does anyone play it? Only read: sweep.json, the manifest, and the lock."""

import json
import shlex
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from pipelines.disk import appended
from pipelines.folder import Sweep, read_plan, wanted
from pipelines.manifest import UNREADABLE, Key, Shard
from pipelines.owner import held, owner
from pipelines.place import Place
from pipelines.statistics import wilson
from pipelines.tables import mark_fractions
from sim.errors import PatienceError

CELLS = pa.schema(
    dict.fromkeys(("game", "variant", "policy"), pa.string())
    | dict.fromkeys(("deals", "done", "left", "wins"), pa.int64())
    | dict.fromkeys(("win_rate", "win_low", "win_high"), pa.float64())
    | {"errors": pa.int64(), "cpu_seconds": pa.float64()}
)
SWEEPS = pa.schema(
    {"sweep": pa.string(), "state": pa.string(), "cells": pa.int64(), "deals": pa.int64(), "done": pa.int64()}
    | {"share": pa.float64(), "bytes": pa.int64(), "created": pa.string(), "folder": pa.string()}
)


def status(sweep: Sweep) -> pa.Table:
    """A row per cell: deals that there are to be, done and left, and its win rate so far."""
    shards: dict[Key, list[Shard]] = {key: [] for key in sweep.cells}
    for shard in sweep.shards:
        shards[shard.key].append(shard)
    deals = wanted(sweep.folder, sweep.settings)
    rows = [cell_row(cell, shards[key], deals[key]) for key, cell in sweep.cells.items()]
    found = pa.Table.from_pylist(rows, CELLS)
    return mark_fractions(found, ("win_rate", "win_low", "win_high"))


def cell_row(cell: dict[str, Any], shards: list[Shard], deals: int) -> dict[str, Any]:
    done, wins = sum(shard.deals for shard in shards), sum(shard.wins for shard in shards)
    low, high = wilson(wins, done)
    counts = {"deals": deals, "done": done, "left": deals - done, "wins": wins}
    rates = {"win_rate": wins / done if done else None, "win_low": low, "win_high": high}
    costs = {"errors": sum(s.fallen for s in shards), "cpu_seconds": sum(s.seconds for s in shards)}
    return {name: cell[name] for name in ("game", "variant", "policy")} | counts | rates | costs


def sentences(sweep: Sweep) -> Iterator[str]:
    """What a person wants to know besides: who plays it, what broke, how to go on."""
    asked, done = size(sweep)
    playing = held(sweep.folder)
    yield f"{sweep.folder}: {done:,} of {asked:,} deals are played."
    yield f"Played by {owner(sweep.folder)}." if playing else "Nobody plays it."
    yield from broken(sweep)
    if done < asked and not playing:
        yield f"Go on with: {shlex.join(['patience', *sweep.settings.get('arguments', [])])}"


def size(sweep: Sweep) -> tuple[int, int]:
    """Deals that there are to be, in all cells, and deals that are done."""
    return sum(wanted(sweep.folder, sweep.settings).values()), sum(shard.deals for shard in sweep.shards)


def broken(sweep: Sweep) -> Iterator[str]:
    """How many deals ended as an error, and the last that was noted."""
    fallen, path = sum(shard.fallen for shard in sweep.shards), sweep.folder / "failures.jsonl"
    if fallen:
        last = last_failure(path)
        yield f"{fallen:,} deals ended as an error{last and f', the last of them {last}'} ({path})."


def last_failure(path: Place) -> str:
    """The last whole line of failures.jsonl in words; empty if there is none that can be read."""
    text = appended(path).decode(errors="replace")
    try:
        last = json.loads(text[: text.rfind("\n") + 1].splitlines()[-1])
        return f"seed {last['seed']}: {last['reason']}"
    except UNREADABLE:
        return ""


def sweeps(root: Place) -> tuple[pa.Table, list[str]]:
    """A row per sweep below a folder, the oldest first; and what is wrong with those that cannot be read."""
    rows, faults = [], []
    found: list[Place] = [*root.glob("*/sweep.json")]
    for path in sorted(found, key=str):
        try:
            rows.append(sweep_row(read_plan(path.parent)))
        except PatienceError as error:
            rows.append({"sweep": path.parent.name, "state": "damaged", "folder": str(path.parent)})
            faults.append(str(error))
    return mark_fractions(pa.Table.from_pylist(sorted(rows, key=age), SWEEPS), ["share"]), faults


def age(row: dict[str, Any]) -> tuple[str, str]:
    return row.get("created", ""), row["sweep"]


def sweep_row(sweep: Sweep) -> dict[str, Any]:
    asked, done = size(sweep)
    state = "playing" if held(sweep.folder) else "finished" if done == asked else "unfinished"
    plan = {"cells": len(sweep.cells), "deals": asked, "created": sweep.settings.get("created", "")}
    progress = {"done": done, "share": done / asked if asked else 1.0}
    progress["bytes"] = sum(file.bytes for shard in sweep.shards for file in shard.files)
    return {"sweep": sweep.folder.name, "state": state, "folder": str(sweep.folder)} | plan | progress
