"""Who plays a sweep: one process at a time, by a lock that ends with its process, however it ends.

The lock is `flock` on `.lock`, so it is never stale. Beside it the owner leaves its name, which counts only while the
lock is held.
"""

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from pipelines.disk import write_whole, writing
from sim.errors import PatienceError

LOCK, OWNER = ".lock", ".owner.json"
PATIENCE = 1.0  # seconds; `held` takes the lock for less than a thousandth of one


class FolderInUse(PatienceError):
    """Another process plays this sweep."""

    exit_code = 73


@contextmanager
def owned(folder: Path) -> Iterator[None]:
    """The folder, locked for this process."""
    lock = FileLock(folder / LOCK, timeout=PATIENCE)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
        except Timeout as error:
            reason = f"Another process plays the sweep in {folder}: {owner(folder)}."
            raise FolderInUse(f"{reason} Wait for it, or choose another --out.") from error
    try:
        with writing(folder):
            write_whole(folder / OWNER, json.dumps(this_process()) + "\n")
        yield
    finally:
        (folder / OWNER).unlink(missing_ok=True)
        lock.release()


def this_process() -> dict[str, str | int]:
    since = datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def owner(folder: Path) -> str:
    """Who took the lock last, in words."""
    try:
        said = json.loads((folder / OWNER).read_text("utf-8"))
        return f"process {int(said['pid'])} on {said['host']}, since {said['since']}"
    except (OSError, ValueError, LookupError, TypeError):
        return "one that has just begun"


def held(folder: Path) -> bool:
    """Does a process hold the lock? Asked of the lock itself, which any reader may."""
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
