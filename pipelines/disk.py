"""Files that outlive a crash: whole or not there, flushed to the disk, appended line by line; in a bucket as well.

An object in a bucket cannot be appended to. A line that is added there is an object of its own below `NAME.parts/`, and
the next run joins them to one object under NAME before it plays, and again at its end, so that a finished sweep has the
same files there as on a disk. The other way, one object written anew for every line, would send n² bytes for n shards.
A crash between joining and removing leaves lines twice, which count once.
"""

import errno
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from pipelines.place import Place, Remote
from sim.errors import PatienceError

FULL = 2**20  # bytes; a disk with fewer free ones has no room for a shard
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
PARTS = ".parts"
READERS = 16  # requests at once


class CannotWrite(PatienceError):
    """The results cannot be written; what is written is kept."""

    exit_code = 74


@contextmanager
def writing(folder: Place) -> Iterator[None]:
    """Say in a sentence that the folder cannot be written, if it cannot."""
    try:
        yield
    except OSError as error:
        again = "run the same command again: nothing that is finished is lost"
        advice = f"Make room there and {again}. Or choose" if error.errno in NO_ROOM else "Choose"
        raise CannotWrite(f"{folder} cannot be written ({error.strerror}). {advice} another --out.") from error


def room(folder: Place) -> int | None:
    """Free bytes of the disk on which a folder is or would be; None of a bucket, which says nothing of it."""
    if isinstance(folder, Remote):
        return None
    return shutil.disk_usage(next(path for path in [folder, *folder.resolve().parents] if path.exists())).free


def refuse_full(folder: Place) -> None:
    """An error when the disk is full, or the bucket out of reach: no further shard can be kept."""
    if isinstance(folder, Remote):
        folder.info()
    elif (free := shutil.disk_usage(folder).free) < FULL:
        raise CannotWrite(
            f"The disk of {folder} is full: {free:,} bytes are free. Make room there and run the same command again: "
            "nothing that is finished is lost."
        )


def write_whole(path: Place, text: str) -> None:
    """A file that is there with all of its text, or not at all."""
    if isinstance(path, Remote):
        return path.write_bytes(text.encode())
    draft = path.with_name(f".{path.name}.draft")
    draft.write_text(text, "utf-8")
    flush(draft)
    publish(draft, path)


@contextmanager
def drafted(path: Place) -> Iterator[Path]:
    """A file of this machine to write into; it appears under its name when it is complete, and not when that fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.gettempdir()) if isinstance(path, Remote) else path.parent
    word = f"patience-{uuid4().hex}" if isinstance(path, Remote) else f".{path.name}"
    draft = folder / f"{word}.{os.getpid()}.draft"
    try:
        yield draft
        publish(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def publish(draft: Path, path: Place) -> None:
    """Give a finished file its name."""
    if isinstance(path, Remote):
        return path.upload(draft)
    os.replace(draft, path)
    flush(path.parent)


def append(path: Place, line: dict[str, Any]) -> None:
    """Add a line, and have the disk keep it."""
    text = json.dumps(line) + "\n"
    if isinstance(path, Remote):  # parts sort by the time at which they were added
        return (parts(path) / f"{time.time_ns():020}-{uuid4().hex}.jsonl").write_bytes(text.encode())
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def parts(path: Remote) -> Remote:
    """The folder of the lines that are not yet joined."""
    return path.parent / f"{path.name}{PARTS}"


def is_part(path: Place) -> bool:
    """Is it a line that is not yet joined?"""
    return isinstance(path, Remote) and path.parent.name.endswith(PARTS)


def appended(path: Place) -> bytes:
    """All that was appended to a file; nothing if there is no file.

    Parts are read before the file: what a run joins and removes meanwhile stands in it by then.
    """
    added = read_parts(list(parts(path).rglob())) if isinstance(path, Remote) else b""
    return (path.read_bytes() if path.exists() else b"") + added


def read_parts(paths: list[Remote]) -> bytes:
    with ThreadPoolExecutor(READERS) as pool:
        return b"".join(pool.map(read_part, paths))


def read_part(path: Remote) -> bytes:
    """A part, or nothing if it has been joined and removed."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def mend(path: Place) -> None:
    """Whole lines, in one file: a kill may have left half a line at the end of it, a run in a bucket lines apart."""
    if isinstance(path, Remote):
        return join(path)
    if path.exists() and path.stat().st_size:
        with path.open("r+b") as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.seek(0)
                file.truncate(file.read().rfind(b"\n") + 1)


def join(path: Remote) -> None:
    """One object of all the lines."""
    added = list(parts(path).rglob())
    if added:
        path.write_bytes((path.read_bytes() if path.exists() else b"") + read_parts(added))
        with ThreadPoolExecutor(READERS) as pool:
            list(pool.map(lambda part: part.unlink(missing_ok=True), added))


def clear_drafts(folder: Place) -> None:
    """Remove the files that a killed worker did not finish; those for a bucket lie in the temporary space."""
    if isinstance(folder, Remote):
        return clear_temporary()
    for draft in folder.rglob(".*.draft"):
        draft.unlink(missing_ok=True)


def clear_temporary() -> None:
    """Drafts of processes that are no more."""
    for draft in Path(tempfile.gettempdir()).glob("patience-*.draft"):
        if not alive(int(draft.suffixes[-2][1:])):
            with suppress(OSError):  # another user's
                draft.unlink(missing_ok=True)


def alive(pid: int) -> bool:
    """Is there such a process on this machine?"""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def flush(path: Path) -> None:
    """Have the disk keep a file, or a folder's list of files."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
