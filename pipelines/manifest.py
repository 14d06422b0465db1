"""The lines of manifest.jsonl: the shards that are finished, and the files that hold them.

Only a file that the manifest lists is ever read, so half-written and foreign files in the folder do no harm.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pipelines.disk import appended
from pipelines.place import Place, Remote, pure
from sim.errors import PatienceError

KINDS = ("outcomes", "traces")
SLUG = r"([^/\x00-\x1f]+)"
SHARD = re.compile(rf"game={SLUG}/variant={SLUG}/policy={SLUG}/seed=([0-9]{{19,20}})-([0-9]{{19,20}})")
UNREADABLE = (ValueError, LookupError, TypeError, RecursionError)  # what a line of nonsense may raise
Key = tuple[str, str, str]  # the slugs of game, variant and policy


class Damaged(PatienceError):
    """A line of the manifest cannot be right; `fault` says why in a few words."""

    def __init__(self, text: str, fault: str) -> None:
        super().__init__(text)
        self.fault = fault


@dataclass(frozen=True)
class File:
    """A data file as the manifest lists it."""

    path: Place
    rows: int
    bytes: int
    sha256: str

    @property
    def fault(self) -> str | None:
        """What is wrong with the file's being there and its size, if anything is."""
        found = size(self.path)
        if found == self.bytes:
            return None
        return "is missing" if found is None else f"has {found} bytes where {self.bytes} were written"

    @property
    def deep_fault(self) -> str | None:
        """What is wrong with the file when every byte of it is read: bits that have flipped keep its size."""
        return self.fault or (None if digest(self.path) == self.sha256 else "holds other bytes than were written")


@dataclass(frozen=True)
class Shard:
    """The finished deals of one cell with seeds first <= seed < end, and the files that hold them."""

    name: str
    key: Key
    first: int
    end: int
    deals: int
    wins: int
    fallen: int  # deals that the policy broke off
    seconds: float  # of CPU
    outcomes: list[File]
    traces: list[File]

    @property
    def files(self) -> list[File]:
        return self.outcomes + self.traces


def read_manifest(folder: Place) -> list[Shard]:
    """The finished shards in the order of their names."""
    return without_overlaps([shard for _, shard in sorted(listed(folder).items())])


def check(shard: Shard) -> None:
    """An error unless the files of a finished shard are there with their sizes."""
    for file in shard.files:
        if file.fault:
            raise PatienceError(
                f"Shard {shard.name} is damaged: {file.path} {file.fault}. "
                "Run the same sweep again: it plays that shard anew."
            )


def listed(folder: Place) -> dict[str, Shard]:
    """The shards of the manifest by name, whatever has become of their files.

    A last line torn by a crash is not finished; a shard listed twice counts once.
    """
    shards: dict[str, Shard] = {}
    lines = manifest_lines(folder)
    for number, line in enumerate(lines, 1):
        try:
            shard = read_shard(folder, json.loads(line))
        except PatienceError:
            raise
        except UNREADABLE as error:
            if number == len(lines):
                break
            raise unreadable(folder, number, error) from error
        shards[shard.name] = shard
    return shards


def manifest_lines(folder: Place) -> list[str]:
    return appended(folder / "manifest.jsonl").decode(errors="replace").splitlines()


def read_shard(folder: Place, line: dict[str, Any]) -> Shard:
    """The shard that a line of the manifest describes; its files have the names that a worker gave them."""
    name = line["shard"]
    match = SHARD.fullmatch(name)
    if not match:
        raise damaged(folder, f"{name!r} is no shard; expected game=…/variant=…/policy=…/seed=FIRST-END")
    game, variant, policy, first, end = match.groups()
    if not int(first) < int(end) <= 2**63:
        raise damaged(folder, f"{name!r} has no seeds; expected FIRST < END <= 2**63")
    files = {kind: list(read_files(folder, line, kind)) for kind in KINDS}
    if sum(map(len, files.values())) != len(line["files"]) or [*map(len, files.values())] not in ([1, 0], [1, 1]):
        raise damaged(
            folder, f"{name!r} has other files than {' and '.join(f'{kind}/{name}.parquet' for kind in KINDS)}"
        )
    numbers = (int(line["deals"]), int(line["wins"]), int(line.get("fallen", 0)), float(line["seconds"]))
    return Shard(name, (game, variant, policy), int(first), int(end), *numbers, files["outcomes"], files["traces"])


def read_files(folder: Place, line: dict[str, Any], kind: str) -> Iterator[File]:
    """The files of one kind, which lie inside the folder: a link might lead out of it."""
    expected = f"{kind}/{line['shard']}.parquet"
    for file in line["files"]:
        if file["path"] == expected:
            path = folder / expected
            if not pure(path.resolve()).is_relative_to(pure(folder.resolve())):
                raise damaged(folder, f"{expected!r} lies outside the sweep's folder")
            yield File(path, int(file["rows"]), int(file["bytes"]), str(file["sha256"]))


def size(path: Place) -> int | None:
    """The bytes of a file, or None when there is no such file; no disk has one whose name is too long."""
    if isinstance(path, Remote):
        return path.size()
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None


def digest(path: Place) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unreadable(folder: Place, number: int, error: BaseException) -> Damaged:
    return damaged(folder, f"line {number} cannot be read ({error})")


def damaged(folder: Place, fault: str) -> Damaged:
    """The error for a manifest that says what cannot be right."""
    return Damaged(f"{folder}/manifest.jsonl is damaged: {fault}. Remove that line and run the sweep again.", fault)


def without_overlaps(shards: list[Shard]) -> list[Shard]:
    """The shards, if no deal is in two of them: such a deal would be counted twice."""
    for a, b in pairwise(sorted(shards, key=lambda shard: (shard.key, shard.first))):
        if a.key == b.key and b.first < a.end:
            raise PatienceError(f"Shards {a.name} and {b.name} hold the same deals. Remove the line of one of them.")
    return shards
