"""Files that outlive a crash: whole or not there, flushed to the disk, appended line by line."""

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sim.errors import PatienceError

FULL = 2**20  # bytes; a disk with fewer free ones has no room for a shard
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CannotWrite(PatienceError):
    """The results cannot be written; what is written is kept."""

    exit_code = 74


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Say in a sentence that the folder cannot be written, if it cannot."""
    try:
        yield
    except OSError as error:
        again = "run the same command again: nothing that is finished is lost"
        advice = f"Make room there and {again}. Or choose" if error.errno in NO_ROOM else "Choose"
        raise CannotWrite(f"{folder} cannot be written ({error.strerror}). {advice} another --out.") from error


def refuse_full(folder: Path) -> None:
    """An error when the disk is full: no further shard can be kept."""
    free = shutil.disk_usage(folder).free
    if free < FULL:
        raise CannotWrite(
            f"The disk of {folder} is full: {free:,} bytes are free. Make room there and run the same command again: "
            "nothing that is finished is lost."
        )


def write_whole(path: Path, text: str) -> None:
    """A file that is there with all of its text, or not at all."""
    draft = path.with_name(f".{path.name}.draft")
    draft.write_text(text, "utf-8")
    flush(draft)
    os.replace(draft, path)
    flush(path.parent)


def append(path: Path, line: dict[str, Any]) -> None:
    """Add a line, and have the disk keep it."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())


def cut_torn_line(path: Path) -> None:
    """A kill may have left half a line at the end of a file of lines."""
    data = path.read_bytes() if path.exists() else b""
    if data and not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)


def clear_drafts(folder: Path) -> None:
    """Remove the files that a killed worker did not finish."""
    for draft in folder.rglob(".*.draft"):
        draft.unlink(missing_ok=True)


def flush(path: Path) -> None:
    """Have the disk keep a file, or a folder's list of files."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
