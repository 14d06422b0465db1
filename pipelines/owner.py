"""Who plays a sweep: one process at a time.

On a disk the lock is `flock` on `.lock`, which ends with its process, however it ends, so it is never stale. Beside it
the owner leaves its name, which counts only while the lock is held.

In a bucket the owner's name is the lock: an object that its process writes again every BEAT seconds. One that is
younger than LEASE seconds is respected, unless it names a process of this machine that is no more. pyarrow has no
conditional PUT, so a process that has written its name waits, and goes on if its name is the one that stayed. That
keeps two commands apart; it is no proof: when a request was slow just then, or one was asleep for longer than a LEASE,
both may play. Even then no file is damaged and no deal counts twice, for both write the same bytes under the
same names; at worst a line of the manifest is lost, and the next run plays its shard again, or one's --out grows by
what the other did not ask for.
"""

import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import uuid4

from filelock import FileLock, Timeout

from pipelines.disk import alive, write_whole, writing
from pipelines.place import Place, Remote
from sim.errors import PatienceError

LOCK, OWNER = ".lock", ".owner.json"
PATIENCE = 1.0  # seconds; `held` takes the lock for less than a thousandth of one
BEAT, LEASE, SETTLE = 10.0, 60.0, 1.0  # seconds


class FolderInUse(PatienceError):
    """Another process plays this sweep."""

    exit_code = 73


@contextmanager
def owned(folder: Place) -> Iterator[None]:
    """The folder, locked for this process."""
    with leased(folder) if isinstance(folder, Remote) else locked(folder):
        yield


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """A folder of a disk."""
    lock = FileLock(folder / LOCK, timeout=PATIENCE)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
        except Timeout as error:
            raise in_use(folder) from error
    try:
        with writing(folder):
            write_whole(folder / OWNER, json.dumps(this_process()) + "\n")
        yield
    finally:
        (folder / OWNER).unlink(missing_ok=True)
        lock.release()


@contextmanager
def leased(folder: Remote) -> Iterator[None]:
    """A folder of a bucket."""
    name = this_process() | {"token": uuid4().hex}
    claim(folder, name)
    left = Event()
    beating = Thread(target=beat, args=(folder, name, left), daemon=True)
    beating.start()
    try:
        yield
    finally:
        left.set()
        beating.join()
        with suppress(PatienceError):  # a name that cannot be removed ends with its process, or its lease
            if said(folder) == name:
                (folder / OWNER).unlink(missing_ok=True)


def claim(folder: Remote, name: dict[str, str | int]) -> None:
    """Write the name and see whether it stays."""
    if name_counts(folder, server_time(folder)):
        raise in_use(folder)
    write_whole(folder / OWNER, json.dumps(name) + "\n")
    time.sleep(SETTLE)
    if said(folder) != name:
        raise in_use(folder)


def beat(folder: Remote, name: dict[str, str | int], left: Event) -> None:
    """Keep the name young, as long as it is there; a beat that does not reach the server is left out."""
    while not left.wait(BEAT):
        with suppress(PatienceError):
            if said(folder) == name:
                write_whole(folder / OWNER, json.dumps(name) + "\n")


def in_use(folder: Place) -> FolderInUse:
    reason = f"Another process plays the sweep in {folder}: {owner(folder)}."
    return FolderInUse(f"{reason} Wait for it, or choose another --out.")


def this_process() -> dict[str, str | int]:
    since = datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def said(folder: Place) -> Any:
    """The name that the owner left; None if there is none that can be read."""
    try:
        return json.loads((folder / OWNER).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def owner(folder: Place) -> str:
    """Who took the lock last, in words."""
    try:
        name = said(folder)
        return f"process {int(name['pid'])} on {name['host']}, since {name['since']}"
    except (ValueError, LookupError, TypeError):
        return "one that has just begun"


def held(folder: Place) -> bool:
    """Does a process hold the lock? Any reader may ask."""
    now = datetime.now(UTC)  # a reader may have no right to write, and so to ask for the server's time
    return name_counts(folder, now) if isinstance(folder, Remote) else lock_is_held(folder)


def name_counts(folder: Remote, now: datetime) -> bool:
    """Is the owner's name young, and not that of a process of this machine that is no more?"""
    written = (folder / OWNER).written()
    return written is not None and (now - written).total_seconds() < LEASE and not is_dead(said(folder))


def server_time(folder: Remote) -> datetime:
    """By the server's clock, for that of this machine may be wrong: when an object is written that is not kept."""
    probe = folder / f"{OWNER}.{uuid4().hex}"
    probe.write_bytes(b"")
    written = probe.written()
    probe.unlink()
    assert written
    return written


def is_dead(name: Any) -> bool:
    try:
        return bool(name["host"] == socket.gethostname() and not alive(int(name["pid"])))
    except (ValueError, LookupError, TypeError):
        return False


def lock_is_held(folder: Path) -> bool:
    """Asked of the lock itself."""
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
