"""A sweep's folder as it is read: what sweep.json says is to be played, and what the manifest says is finished."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipelines.manifest import UNREADABLE, Key, Shard, check, damaged, read_manifest
from pipelines.place import Place
from sim.errors import PatienceError

SCHEMA = 1
NEEDED = {"name": str, "cells": list, "first_seed": int, "deals": int, "traces": str, "engine": str}
NEEDED_OF_CELLS = ("game", "variant", "variant_slug", "policy", "policy_slug")


@dataclass(frozen=True)
class Sweep:
    """A sweep's folder, its sweep.json, and its finished shards in the order of their names."""

    folder: Place
    settings: dict[str, Any]
    shards: list[Shard]

    @property
    def name(self) -> str:
        return str(self.settings["name"])

    @cached_property
    def cells(self) -> dict[Key, dict[str, Any]]:
        """The cells of sweep.json by their slugs, in its order."""
        return described(self.settings)

    @cached_property
    def seconds(self) -> dict[Key, float]:
        """Seconds of CPU that the finished deals of each cell took."""
        total = dict.fromkeys(self.cells, 0.0)
        for shard in self.shards:
            total[shard.key] += shard.seconds
        return total


def read_sweep(folder: Place) -> Sweep:
    """A sweep and the shards that it has finished so far, whose files are there with their sizes."""
    sweep = read_plan(folder)
    with ThreadPoolExecutor() as pool:
        list(pool.map(check, sweep.shards))
    return sweep


def read_plan(folder: Place) -> Sweep:
    """A sweep and the shards that its manifest lists, whatever has become of their files."""
    folder = folder.resolve()
    sweep = Sweep(folder, read_settings(folder), read_manifest(folder))
    for shard in sweep.shards:
        if shard.key not in sweep.cells:
            raise damaged(folder, f"{shard.name} is of no cell of sweep.json")
    return sweep


def read_settings(folder: Place) -> dict[str, Any]:
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
    if lacking := ", ".join(lacks(settings)):
        raise PatienceError(
            f"{path} is damaged: it does not say {lacking}. Restore it, or run a sweep in a new folder."
        )
    return settings


def lacks(settings: dict[str, Any]) -> Iterator[str]:
    """What a sweep.json should say and does not."""
    yield from (name for name, kind in NEEDED.items() if not isinstance(settings.get(name), kind))
    for number, cell in enumerate(settings["cells"] if isinstance(settings.get("cells"), list) else []):
        named = cell if isinstance(cell, dict) else {}
        yield from (f"cells.{number}.{name}" for name in NEEDED_OF_CELLS if not isinstance(named.get(name), str))


def described(settings: dict[str, Any]) -> dict[Key, dict[str, Any]]:
    """The cells of a sweep.json by their slugs, in its order."""
    return {(c["game"], c["variant_slug"], c["policy_slug"]): c for c in settings["cells"]}


def wanted(folder: Place, settings: dict[str, Any]) -> dict[Key, int]:
    """How many deals of each cell there are to be: what was asked for, or where its stop rule knew enough."""
    deals = dict.fromkeys(described(settings), int(settings["deals"]))
    path = folder / "decisions.json"
    try:
        for decision in json.loads(path.read_text("utf-8")) if path.exists() else []:
            if decision["enough"]:
                deals |= {parts(cell): int(decision["deals"]) for cell in decision["cells"]}
    except UNREADABLE as error:
        raise PatienceError(f"{path} is damaged ({error}). Remove it: the same sweep decides anew.") from error
    return deals


def parts(cell: str) -> Key:
    """The slugs in the folder of a cell."""
    game, variant, policy = (part.partition("=")[2] for part in cell.split("/"))
    return game, variant, policy


def latest_sweep(root: Place) -> Place:
    """The folder of the sweep under `root` that was created last."""
    folders = [path.parent for path in root.glob("*/sweep.json")]
    if not folders:
        raise PatienceError(f"There is no sweep in {root}. Run `patience sweep` first, or name a sweep's folder.")
    return max(folders, key=lambda folder: (str(read_settings(folder).get("created", "")), folder.name))
