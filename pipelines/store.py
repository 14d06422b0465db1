"""The folder of a sweep as it is written: sweep.json once, the manifest line by line."""

import json
import os
import platform
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from pipelines.disk import append, clear_drafts, mend, write_whole, writing
from pipelines.extending import OLD, grown
from pipelines.folder import read_settings
from pipelines.manifest import UNREADABLE, Shard, manifest_lines, read_shard, unreadable
from pipelines.place import Place
from pipelines.plan import Sweep
from pipelines.progress import say
from pipelines.shard import Summary
from sim.errors import PatienceError

SWEEP, MANIFEST, FAILURES = "sweep.json", "manifest.jsonl", "failures.jsonl"
PACKAGES = ("patience", "numpy", "numba", "llvmlite", "pyarrow", "duckdb", "ray")


def prepare(folder: Place, sweep: Sweep, arguments: list[str]) -> tuple[dict[str, Any], Sweep]:
    """Freeze the plan in sweep.json, or let the plan there grow; drop what a kill left half done.

    The content of sweep.json, and what is asked for, cut into shards as the folder is.
    """
    path = folder / SWEEP
    made = {"at": datetime.now(UTC).isoformat(timespec="microseconds"), "arguments": arguments}
    with writing(folder):
        if path.exists():
            frozen = read_settings(folder)
            whole, sweep = grown(folder, frozen, sweep)
            if whole != OLD | frozen:
                write_whole(
                    path, json.dumps(whole | {"extended": [*frozen.get("extended", []), made]}, indent=1) + "\n"
                )
        else:
            about = {"name": folder.resolve().name, "created": made["at"]}
            whole = about | sweep.describe() | surroundings() | {"arguments": arguments}
            write_whole(path, json.dumps(whole, indent=1) + "\n")
    close(folder)
    return whole, sweep


def surroundings() -> dict[str, Any]:
    """Versions and machine: what a reader may want to know, and what does not change the results."""
    machine = {"system": platform.platform(), "processor": platform.processor(), "cores": os.cpu_count()}
    return {"versions": {"python": sys.version.split()[0]} | {p: version(p) for p in PACKAGES}, "machine": machine}


def note(folder: Place, summary: Summary) -> None:
    """The shard is finished: its line in the manifest, and the deals that its policy broke off."""
    kept = {k: v for k, v in asdict(summary).items() if k != "falls"}
    with writing(folder):
        for fall in summary.falls:
            append(folder / FAILURES, {"shard": summary.shard} | fall)
        append(folder / MANIFEST, kept)


def close(folder: Place) -> None:
    """Before and after a run: nothing half done, no half lines, no lines apart."""
    with writing(folder):
        clear_drafts(folder)  # after it too: a worker of a killed run may have begun one after this run had begun
        mend(folder / MANIFEST)
        mend(folder / FAILURES)


def finished(folder: Place) -> dict[str, dict[str, Any]]:
    """The lines of the shards whose files hold the very bytes that were written; the others are to be played again."""
    lines = [parsed(folder, number, text) for number, text in enumerate(manifest_lines(folder), 1)]
    found = {shard.name: (shard, line) for shard, line in lines}
    with ThreadPoolExecutor() as pool:
        faults = dict(zip(found, pool.map(fault, [shard for shard, _ in found.values()]), strict=True))
    for wrong in filter(None, faults.values()):
        say(f"{wrong}: its shard is played again.")
    return {name: line for name, (_, line) in found.items() if not faults[name]}


def parsed(folder: Place, number: int, text: str) -> tuple[Shard, dict[str, Any]]:
    """A line of the manifest, read and as it is."""
    try:
        line: dict[str, Any] = json.loads(text)
        return read_shard(folder, line), line
    except PatienceError:
        raise
    except UNREADABLE as error:
        raise unreadable(folder, number, error) from error


def fault(shard: Shard) -> str | None:
    """What is wrong with a finished shard's files, if anything is; every byte is read."""
    return next((f"{file.path} {wrong}" for file in shard.files if (wrong := file.deep_fault)), None)
