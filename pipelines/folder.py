"""What a sweep's folder says it has finished: sweep.json and the lines of manifest.jsonl, checked.

Only a file that the manifest lists is ever read, so half-written and foreign files in the folder do no harm.
"""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from sim.errors import PatienceError

SCHEMA = 1
SHARD = re.compile(r"game=([^/]+)/variant=([^/]+)/policy=([^/]+)/seed=(\d+)-(\d+)")
Key = tuple[str, str, str]  # the slugs of game, variant and policy


@dataclass(frozen=True)
class Shard:
    """The finished deals of one cell with seeds first <= seed < end, and the files that hold them."""

    name: str
    key: Key
    first: int
    end: int
    deals: int
    seconds: float  # of CPU
    outcomes: list[Path]
    traces: list[Path]


@dataclass(frozen=True)
class Sweep:
    """A sweep's folder, its sweep.json, and its finished shards in the order of their names."""

    folder: Path
    settings: dict[str, Any]
    shards: list[Shard]

    @property
    def name(self) -> str:
        return str(self.settings["name"])

    @cached_property
    def cells(self) -> dict[Key, dict[str, Any]]:
        """The cells of sweep.json by their slugs, in its order."""
        return {(c["game"], c["variant_slug"], c["policy_slug"]): c for c in self.settings["cells"]}

    @cached_property
    def seconds(self) -> dict[Key, float]:
        """Seconds of CPU that the finished deals of each cell took."""
        total = dict.fromkeys(self.cells, 0.0)
        for shard in self.shards:
            total[shard.key] += shard.seconds
        return total


def read_sweep(folder: Path) -> Sweep:
    """A sweep and the shards that it has finished so far."""
    folder = folder.resolve()
    sweep = Sweep(folder, read_settings(folder), read_manifest(folder))
    for shard in sweep.shards:
        if shard.key not in sweep.cells:
            raise damaged(folder, f"{shard.name} is of no cell of sweep.json")
    return sweep


def read_settings(folder: Path) -> dict[str, Any]:
    """The content of sweep.json, if it is of a schema that we know."""
    path = folder / "sweep.json"
    if not path.is_file():
        raise PatienceError(f"{folder} is no sweep: it has no sweep.json. Name a folder that `patience sweep` wrote.")
    try:
        settings: dict[str, Any] = json.loads(path.read_text("utf-8"))
        schema = settings["schema"]
    except (ValueError, LookupError, TypeError) as error:
        raise PatienceError(f"{path} is damaged ({error}). Restore it, or run a sweep in a new folder.") from error
    if schema != SCHEMA:
        raise PatienceError(f"{path} has schema {schema!r}; expected {SCHEMA}. Read it with the version that wrote it.")
    return settings


def read_manifest(folder: Path) -> list[Shard]:
    """The finished shards. A last line torn by a crash is not finished; a shard listed twice counts once."""
    path = folder / "manifest.jsonl"
    lines = path.read_text("utf-8", errors="replace").splitlines() if path.exists() else []
    shards: dict[str, Shard] = {}
    for i, line in enumerate(lines):
        try:
            shard = read_shard(folder, json.loads(line))
        except (json.JSONDecodeError, LookupError, TypeError) as error:
            if i == len(lines) - 1:
                break
            raise damaged(folder, f"line {i + 1} cannot be read ({error})") from error
        shards[shard.name] = shard
    return without_overlaps([shards[name] for name in sorted(shards)])


def read_shard(folder: Path, line: dict[str, Any]) -> Shard:
    """The shard that a line of the manifest describes."""
    name = line["shard"]
    match = SHARD.fullmatch(name)
    if not match:
        raise damaged(folder, f"{name!r} is no shard; expected game=…/variant=…/policy=…/seed=FIRST-END")
    game, variant, policy, first, end = match.groups()
    paths = {file["path"]: checked(folder, file["path"], file["bytes"], name) for file in line["files"]}
    outcomes, traces = ([p for name, p in paths.items() if name.startswith(kind)] for kind in ("outcomes/", "traces/"))
    key, seeds = (game, variant, policy), (int(first), int(end))
    return Shard(name, key, *seeds, line["deals"], line["seconds"], outcomes, traces)


def checked(folder: Path, name: str, size: int, shard: str) -> Path:
    """The file of that name, once it is known to lie inside the folder and to have its size."""
    path = folder / name
    if not path.resolve().is_relative_to(folder):
        raise damaged(folder, f"{name!r} lies outside the sweep's folder")
    found = path.stat().st_size if path.is_file() else None
    if found != size:
        state = "is missing" if found is None else f"has {found} bytes where {size} were written"
        raise PatienceError(
            f"Shard {shard} is damaged: {path} {state}. Run the same sweep again: it plays that shard anew."
        )
    return path


def damaged(folder: Path, fault: str) -> PatienceError:
    """The error for a manifest that says what cannot be right."""
    return PatienceError(f"{folder}/manifest.jsonl is damaged: {fault}. Remove that line and run the sweep again.")


def without_overlaps(shards: list[Shard]) -> list[Shard]:
    """The shards, if no deal is in two of them: such a deal would be counted twice."""
    for a, b in pairwise(sorted(shards, key=lambda shard: (shard.key, shard.first))):
        if a.key == b.key and b.first < a.end:
            raise PatienceError(f"Shards {a.name} and {b.name} hold the same deals. Remove the line of one of them.")
    return shards


def latest_sweep(root: Path) -> Path:
    """The folder of the sweep under `root` that was created last."""
    folders = [path.parent for path in root.glob("*/sweep.json")]
    if not folders:
        raise PatienceError(f"There is no sweep in {root}. Run `patience sweep` first, or name a sweep's folder.")
    return max(folders, key=lambda folder: (str(read_settings(folder).get("created", "")), folder.name))
