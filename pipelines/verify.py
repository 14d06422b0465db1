"""Is every file of a sweep what was written, does every deal stand in it once, and is it played as it says?

Nothing is changed. What is damaged is named with what to do about it; `patience sweep` plays it again.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

import pyarrow as pa

from pipelines.audit import Audit, Count, share_out
from pipelines.contents import faults
from pipelines.disk import appended, is_part
from pipelines.folder import described, read_settings, wanted
from pipelines.manifest import UNREADABLE, Damaged, Key, Shard, manifest_lines, read_shard, unreadable
from pipelines.place import Place, inside
from policies.loader import Policy

DAMAGED, UNFINISHED, UNCHECKED, FOREIGN = STATES = ("damaged", "unfinished", "unchecked", "foreign")
AGAIN = "Run the same sweep again: it plays this shard anew."
GO_ON = "Run the same sweep again: it plays what is missing."
IGNORED = "It is ignored. Remove it if you do not know it."
OWN = {"sweep.json", "manifest.jsonl", "failures.jsonl", "decisions.json", ".lock", ".owner.json"}
OWN |= {"report.html", "report.md", "plots"}
SCHEMA = pa.schema({name: pa.string() for name in ("state", "where", "fault", "advice")})


@dataclass(frozen=True)
class Finding:
    """Something that a reader of the sweep should know: where it is, what is wrong, what to do."""

    state: str  # one of STATES
    where: str
    fault: str
    advice: str


@dataclass
class Verdict:
    """What was looked at, and what was found."""

    files: int = 0
    rows: int = 0
    count: Count = field(default_factory=Count)
    findings: list[Finding] = field(default_factory=list)

    @property
    def damaged(self) -> int:
        return sum(finding.state == DAMAGED for finding in self.findings)

    def table(self) -> pa.Table:
        """The findings, the worst first."""
        found = sorted(self.findings, key=lambda finding: STATES.index(finding.state))
        return pa.Table.from_pylist([asdict(finding) for finding in found], SCHEMA)


Numbered = tuple[int, Shard]  # the number of its line in the manifest


def verify(folder: Place, sample: int = 10, players: Sequence[Policy] = ()) -> Verdict:
    """Check all files, and play `sample` deals and traces of each cell again; `players` are policies not installed."""
    settings, verdict = read_settings(folder), Verdict()
    known = described(settings)
    lines, deals = list(read_lines(folder, known, verdict)), wanted(folder, settings)
    by_cell = {key: list(group) for key, group in groupby(sorted(lines, key=place), lambda line: line[1].key)}
    for key, cell in known.items():
        shards = by_cell.get(key, [])
        verdict.findings += coverage("/".join(key), [shard for _, shard in shards], settings, deals[key])
        verdict.findings += checked(folder, settings, shards, Audit(settings, cell, players, verdict.count), sample)
    files = [file for _, shard in lines for file in shard.files]
    verdict.files, verdict.rows = len(files), sum(shard.deals for _, shard in lines)
    verdict.findings += foreign(folder, {file.path for file in files})
    return verdict


def place(line: Numbered) -> tuple[Key, int]:
    return line[1].key, line[1].first


def read_lines(folder: Place, known: dict[Key, Any], verdict: Verdict) -> Iterator[Numbered]:
    """The shards of the manifest, each once; lines that cannot be right are findings."""
    found: dict[str, Numbered] = {}
    lines, torn = manifest_lines(folder), is_torn(folder)
    for number, text in enumerate(lines, 1):
        try:
            shard = read_line(folder, number, text)
            if shard.key not in known:
                raise Damaged("", f"{shard.name} is of no cell of sweep.json")
            found[shard.name] = (number, shard)
        except Damaged as error:
            where = f"manifest.jsonl line {number}"
            last = Finding(UNFINISHED, where, "is half a line, as a crash leaves it", "The next run drops it.")
            cut = torn and number == len(lines)
            verdict.findings.append(last if cut else Finding(DAMAGED, where, error.fault, remove(number)))
    yield from found.values()


def is_torn(folder: Place) -> bool:
    """Does the manifest end within a line?"""
    text = appended(folder / "manifest.jsonl")
    return bool(text) and not text.endswith(b"\n")


def read_line(folder: Place, number: int, text: str) -> Shard:
    try:
        return read_shard(folder, json.loads(text))
    except Damaged:
        raise
    except UNREADABLE as error:
        raise unreadable(folder, number, error) from error


def remove(number: int) -> str:
    return f"Remove line {number} of manifest.jsonl and run the same sweep again."


def coverage(cell: str, shards: list[Shard], settings: dict[str, Any], deals: int) -> Iterator[Finding]:
    """Deals that no shard holds, or two, or that are not of the sweep; the shards come in the order of their seeds."""
    first, last = settings["first_seed"], settings["first_seed"] + settings["deals"]
    at = first
    for shard in shards:
        if shard.first < at:
            fault = f"seeds {shard.first} to {min(at, shard.end) - 1} stand in another shard, or are not of the sweep"
            yield Finding(DAMAGED, shard.name, fault, "Remove its line of manifest.jsonl and run the same sweep again.")
        elif shard.first > at:
            yield Finding(UNFINISHED, cell, f"seeds {at} to {shard.first - 1} are not played", GO_ON)
        at = max(at, shard.end)
    if at > last:
        yield Finding(DAMAGED, cell, f"seeds {last} to {at - 1} are not of the sweep", "Restore sweep.json.")
    elif at < first + deals:
        yield Finding(UNFINISHED, cell, f"seeds {at} to {first + deals - 1} are not played", GO_ON)


def checked(
    folder: Place, settings: dict[str, Any], lines: list[Numbered], audit: Audit, sample: int
) -> Iterator[Finding]:
    """What is wrong in the files of a cell, and in the deals of it that are played again."""
    draws = share_out(sample, [shard.deals for _, shard in lines])
    for (number, shard), draw in zip(lines, draws, strict=True):
        bad = [Finding(DAMAGED, inside(f.path, folder), wrong, AGAIN) for f in shard.files if (wrong := f.deep_fault)]
        yield from bad
        if not bad:
            found = list(faults(shard, settings["traces"])) or list(audit.faults(shard, draw))
            yield from (Finding(DAMAGED, inside(path, folder), wrong, remove(number)) for path, wrong in found)
    yield from (Finding(UNCHECKED, audit.name, note.fault, note.advice) for note in audit.notes)


def foreign(folder: Place, listed: Iterable[Place]) -> Iterator[Finding]:
    """Files that are none of the sweep's; what a running sweep has not finished is no finding."""
    for path in sorted({*folder.rglob("*")} - {*listed}, key=str):
        name = inside(path, folder)
        own = name.partition("/")[0] in OWN or name.endswith(".draft") or is_part(path)
        if path.is_file() and not own:
            yield Finding(FOREIGN, name, "is not in the manifest", IGNORED)
