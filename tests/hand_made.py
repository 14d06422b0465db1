"""Sweeps of a few rows, written by hand as the workers would write them."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Line = dict[str, Any]
VALUES: dict[str, list[Any]] = {"redeals": [2, 0, 1, 3], "vacancy": ["closed", "king", "any"], "merci": [0, 1]}
KINDS, PILES = ["turn", "redeal", "play"], ["foundation[0]", "foundation[1]", "tableau[0]", "tableau[1]"]
OUTCOMES = pa.schema(
    {"seed": pa.int64(), "won": pa.bool_(), "ending": pa.dictionary(pa.int8(), pa.string()), "cards_home": pa.uint8()}
    | {"moves": pa.uint16(), "legal_moves": pa.uint32(), "decisions": pa.uint16(), "redeals": pa.uint8()}
    | {"trace_hash": pa.uint64()}
)
TRACES = pa.schema({"seed": pa.int64(), "codes": pa.list_(pa.uint32())})


def cell(variant: str = "default", policy: str = "greedy", game: str = "la_belle_lucie") -> dict[str, Any]:
    """A cell of sweep.json; the options are read off the canonical text."""
    chosen = dict(item.split("=") for item in variant.split(",") if variant != "default")
    options = {name: type(values[0])(chosen.get(name, values[0])) for name, values in VALUES.items()}
    slugs = {"variant_slug": variant.replace("=", "-").replace(",", "_"), "policy_slug": policy}
    return {"game": game, "variant": variant, "options": options, "policy": policy, "version": 1} | slugs


def write_sweep(folder: Path, cells: list[dict[str, Any]], lines: list[Line], **settings: Any) -> Path:
    """sweep.json and manifest.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    games = {c["game"] for c in cells}
    names = {"kinds": KINDS, "piles": dict.fromkeys(games, PILES), "option_values": dict.fromkeys(games, VALUES)}
    plan = {"first_seed": 0, "deals": 10, "shard_deals": 10, "traces": "all", "engine": "e1", "created": "2026-01-01"}
    plan |= {"deal_source": "splitmix", "policy_seed": 0}
    sweep = {"schema": 1, "name": folder.name, "cells": cells} | plan | names | settings
    (folder / "sweep.json").write_text(json.dumps(sweep))
    (folder / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def shard(
    folder: Path, of: dict[str, Any], endings: dict[int, str], traces: list[Line] | None = None, end: int = 10,
    home: int = 20, more: dict[int, Line] | None = None,
) -> Line:  # fmt: skip
    """A shard with a deal for each seed's ending: 10 moves, 30 legal moves, or `more` of a seed. Its manifest line."""
    row = {"cards_home": home, "moves": 10, "legal_moves": 30, "decisions": 5, "redeals": 1, "trace_hash": 2**64 - 1}
    rows = [{"seed": s, "won": e == "won", "ending": e} | row | (more or {}).get(s, {}) for s, e in endings.items()]
    slugs = f"game={of['game']}/variant={of['variant_slug']}/policy={of['policy_slug']}"
    name = f"{slugs}/seed={min(endings, default=0):019d}-{end:019d}"
    files = [parquet(folder, f"outcomes/{name}.parquet", rows, OUTCOMES)]
    if traces is not None:
        files.append(parquet(folder, f"traces/{name}.parquet", traces, TRACES))
    return {"shard": name, "files": files, "deals": len(rows), "wins": 0, "seconds": 0.1}


def parquet(folder: Path, name: str, rows: list[Line], schema: pa.Schema) -> Line:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema), path)
    return {"path": name, "rows": len(rows), "bytes": path.stat().st_size, "sha256": ""}


def code(kind: int, source: int, target: int, face: int, legal: int) -> int:
    return kind | source << 4 | target << 11 | face << 18 | legal << 24


def lucie(folder: Path) -> Path:
    """A sweep: redeals 0, 1 and 2 under greedy, 2 also under first; one cell is not begun."""
    zero, one, two = cell("redeals=0"), cell("redeals=1"), cell()
    first, waiting = cell(policy="first"), cell("merci=1,redeals=0")
    traces = [{"seed": 1, "codes": [code(2, 3, 1, 0x11, 4), code(1, 0, 0, 0, 1), code(1, 0, 0, 0, 255)]}]
    lines = [
        shard(folder, zero, {0: "won", 1: "stuck", 2: "stalled", 3: "resigned"}, traces),
        shard(folder, one, {0: "won", 1: "won", 2: "too_long", 3: "stuck"}),
        shard(folder, two, {0: "won", 1: "won"}, end=2),
        shard(folder, two, {2: "won", 3: "error", 4: "won"}, end=10),
        shard(folder, first, {0: "stuck", 1: "won"}),
    ]
    return write_sweep(folder, [zero, one, two, first, waiting], lines)
