"""The folder of a sweep as it is written: sweep.json once, the manifest line by line, one owner at a time."""

import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from pipelines.extending import OLD, grown
from pipelines.folder import damaged, read_settings
from pipelines.plan import Sweep
from pipelines.shard import Summary, flush
from sim.errors import PatienceError

SWEEP, MANIFEST, FAILURES, LOCK = "sweep.json", "manifest.jsonl", "failures.jsonl", ".lock"
PACKAGES = ("patience", "numpy", "numba", "llvmlite", "pyarrow", "duckdb", "ray")


class FolderInUse(PatienceError):
    """Another process plays this sweep."""

    exit_code = 73


@contextmanager
def owned(folder: Path) -> Iterator[None]:
    """The folder, locked for this process; the lock ends with the process, however it ends."""
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise FolderInUse(
            f"Another process plays the sweep in {folder}. Wait for it, or choose another --out."
        ) from error
    except OSError as error:
        raise PatienceError(f"{folder} cannot be written ({error.strerror}). Choose another --out.") from error
    try:
        yield
    finally:
        lock.release()


def prepare(folder: Path, sweep: Sweep, arguments: list[str]) -> tuple[dict[str, Any], Sweep]:
    """Freeze the plan in sweep.json, or let the plan there grow; drop what a kill left half done.

    The content of sweep.json, and what is asked for, cut into shards as the folder is.
    """
    path = folder / SWEEP
    made = {"at": datetime.now(UTC).isoformat(timespec="microseconds"), "arguments": arguments}
    if path.exists():
        frozen = read_settings(folder)
        whole, sweep = grown(folder, frozen, sweep)
        if whole != OLD | frozen:
            write_whole(path, json.dumps(whole | {"extended": [*frozen.get("extended", []), made]}, indent=1) + "\n")
    else:
        about = {"name": folder.resolve().name, "created": made["at"]}
        whole = about | sweep.describe() | surroundings() | {"arguments": arguments}
        write_whole(path, json.dumps(whole, indent=1) + "\n")
    clear_drafts(folder)
    cut_torn_line(folder / MANIFEST)
    cut_torn_line(folder / FAILURES)
    return whole, sweep


def clear_drafts(folder: Path) -> None:
    """Remove the files that a killed worker did not finish."""
    for draft in folder.rglob(".*.draft"):
        draft.unlink(missing_ok=True)


def surroundings() -> dict[str, Any]:
    """Versions and machine: what a reader may want to know, and what does not change the results."""
    machine = {"system": platform.platform(), "processor": platform.processor(), "cores": os.cpu_count()}
    return {"versions": {"python": sys.version.split()[0]} | {p: version(p) for p in PACKAGES}, "machine": machine}


def write_whole(path: Path, text: str) -> None:
    """A file that is there with all of its text, or not at all."""
    draft = path.with_name(f".{path.name}.draft")
    draft.write_text(text, "utf-8")
    flush(draft)
    os.replace(draft, path)
    flush(path.parent)


def cut_torn_line(path: Path) -> None:
    """A kill may have left half a line at the end of a file of lines."""
    data = path.read_bytes() if path.exists() else b""
    if data and not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)


def append(path: Path, line: dict[str, Any]) -> None:
    """Add a line, and have the disk keep it."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())


def note(folder: Path, summary: Summary) -> None:
    """The shard is finished: its line in the manifest, and the deals that its policy broke off."""
    kept = {k: v for k, v in asdict(summary).items() if k != "falls"}
    for fall in summary.falls:
        append(folder / FAILURES, {"shard": summary.shard} | fall)
    append(folder / MANIFEST, kept)


def finished(folder: Path) -> dict[str, dict[str, Any]]:
    """The lines of the shards whose files are all there with their size; any other shard is to be played again."""
    path = folder / MANIFEST
    texts = path.read_text("utf-8", errors="replace").splitlines() if path.exists() else []
    found = {}
    for number, text in enumerate(texts, 1):
        try:
            line = json.loads(text)
            if all(whole(folder, file) for file in line["files"]):
                found[line["shard"]] = line
        except (ValueError, LookupError, TypeError) as error:
            raise damaged(folder, f"line {number} cannot be read ({error})") from error
    return found


def whole(folder: Path, file: dict[str, Any]) -> bool:
    path = folder / str(file["path"])
    return path.is_file() and path.stat().st_size == int(file["bytes"])
