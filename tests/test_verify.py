"""What can happen to a sweep's files is named, file by file; the same sweep mends it, and only that."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.manifest import digest
from pipelines.plan import Sweep
from pipelines.verify import Finding, verify
from policies.loader import load
from tests.calling import Call
from tests.sweeping import files, flip_a_bit, manifest, planned, played

CELL = "game=la_belle_lucie/variant=default/policy=greedy"
DEALS = 300


def sweep(**settings: Any) -> Sweep:
    return planned(players=["greedy", "first"], deals=DEALS, shard_moves=1, **{"traces": "all"} | settings)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "Prüfung ♠ [1]"
    played(folder, sweep())
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy to harm; where the results stand does not matter."""
    return Path(shutil.copytree(whole, tmp_path / "moved" / "s"))


def name(kind: str, lo: int = 100) -> str:
    return f"{kind}/{CELL}/seed={lo:020}-{lo + 100:020}.parquet"


def found(folder: Path, state: str = "damaged", sample: int = 0) -> list[Finding]:
    """All findings, which must be of this state."""
    findings = verify(folder, sample).findings
    assert {finding.state for finding in findings} <= {state}
    return findings


def test_a_whole_sweep(whole: Path, call: Call) -> None:
    before = files(whole)
    said = call("verify", whole, "--sample", "1000", "--format", "csv")
    assert said.out == b"state,where,fault,advice\n"
    assert "12 files with 600 deals, of which 600 were played again, and 600 traces; nothing damaged." in said.err
    assert files(whole) == before


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garbage(path: Path) -> None:
    path.write_bytes(b"x" * path.stat().st_size)


@pytest.mark.parametrize("kind", ["outcomes", "traces"])
@pytest.mark.parametrize(
    ("harm", "fault"),
    [
        (Path.unlink, "is missing"),
        (cut, "bytes where"),
        (empty, "has 0 bytes where"),
        (garbage, "holds other bytes than were written"),
        (flip_a_bit, "holds other bytes than were written"),
    ],
)
def test_a_harmed_file_is_named_and_played_again(
    folder: Path, whole: Path, kind: str, harm: Callable[[Path], None], fault: str
) -> None:
    harm(folder / name(kind))
    [finding] = found(folder, sample=5)
    assert finding.where == name(kind)
    assert fault in finding.fault
    assert finding.advice == "Run the same sweep again: it plays this shard anew."
    played(folder, sweep())
    assert [line["shard"] for line in manifest(folder)[6:]] == [name(kind).partition("/")[2].removesuffix(".parquet")]
    assert files(folder) == files(whole)
    assert not found(folder, sample=5)


def test_the_command_names_it_and_says_so_by_its_exit_code(folder: Path, call: Call) -> None:
    flip_a_bit(folder / name("traces"))
    (folder / name("outcomes", 0)).unlink()
    (folder / "outcomes" / ".DS_Store").write_text("")
    said = call("verify", folder, "--format", "json", code=65)
    assert [(row["state"], row["where"]) for row in json.loads(said.out)] == [
        ("damaged", name("outcomes", 0)),
        ("damaged", name("traces")),
        ("foreign", "outcomes/.DS_Store"),
    ]
    assert said.err.endswith("2 damaged.\n")


def forge(folder: Path, kind: str, change: Callable[[pa.Table], pa.Table]) -> None:
    """Another file in the place of one, and a manifest that agrees with it."""
    path = folder / name(kind)
    pq.write_table(change(pq.read_table(path, partitioning=None)), path)
    lines = manifest(folder)
    for file in (file for line in lines for file in line["files"]):
        if file["path"] == name(kind):
            file |= {"bytes": path.stat().st_size, "sha256": digest(path)}
    write(folder, lines)


def write(folder: Path, lines: list[dict[str, Any]]) -> None:
    (folder / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def changed(column: str, row: int, value: object) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        rows[row][column] = value
        return pa.Table.from_pylist(rows, table.schema)

    return change


@pytest.mark.parametrize(
    ("kind", "change", "fault"),
    [
        ("outcomes", changed("seed", 7, 106), "holds 106 in row 7 where 107 belongs"),
        ("outcomes", lambda t: t.slice(1), "holds 101 in row 0 where 100 belongs"),
        ("outcomes", lambda t: t.slice(0, 99), "holds no seed in row 99 where 199 belongs"),
        ("outcomes", lambda t: t.take([1, 0, *range(2, 100)]), "holds 101 in row 0 where 100 belongs"),
        ("outcomes", lambda t: t.drop_columns(["moves"]), "has the columns seed int64, won bool"),
        ("outcomes", changed("ending", 7, "error"), "holds 1 fallen where the manifest counts 0"),
        ("outcomes", changed("won", 7, None), "won and ending disagree"),
        ("outcomes", changed("cards_home", 7, 51), "seed 107 was played otherwise: cards_home is 51 and should be "),
        ("outcomes", changed("trace_hash", 7, 1), "seed 107 was played otherwise: trace_hash is 1 and should be "),
        ("traces", lambda t: t.slice(0, 99), "holds no seed in row 99 where 199 belongs"),
        ("traces", changed("codes", 7, []), "holds traces with other numbers of moves than the outcomes"),
        ("traces", lambda t: t.cast(pa.schema({"seed": pa.int32(), "codes": t.schema.field("codes").type})), "int32"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_right(
    folder: Path, whole: Path, kind: str, change: Callable[[pa.Table], pa.Table], fault: str
) -> None:
    """The bytes are those of the manifest; its line must go, which the advice says."""
    forge(folder, kind, change)
    findings = found(folder, sample=DEALS if "otherwise" in fault else 0)
    assert any(fault in finding.fault for finding in findings), findings
    assert {finding.where for finding in findings} <= {name("outcomes"), name("traces")}
    [advice] = {finding.advice for finding in findings}
    number = int(advice.removeprefix("Remove line ").partition(" ")[0])
    write(folder, [line for at, line in enumerate(manifest(folder), 1) if at != number])
    played(folder, sweep())
    assert files(folder) == files(whole)


def test_a_trace_that_is_not_legal(folder: Path) -> None:
    """Of one deal's trace the first move is another's: no count and no seed betrays it."""

    def swap(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        other = next(row for row in rows if row["codes"][0] != rows[7]["codes"][0])
        rows[7]["codes"][0] = other["codes"][0] ^ 1 << 18
        return pa.Table.from_pylist(rows, table.schema)

    forge(folder, "traces", swap)
    [finding] = found(folder, sample=DEALS)
    assert finding.where == name("traces")
    assert "seed 107 was played otherwise: moves is" in finding.fault
    assert "Move 0 of the trace is not legal here" in finding.fault


def edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    lines = manifest(folder)
    change(next(line for line in lines if line["files"][0]["path"] == name("outcomes")))
    write(folder, lines)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda line: line.update(wins=line["wins"] + 1), " wins where the manifest counts "),
        (lambda line: line.update(deals=99), "holds 100 deals where the manifest counts 99"),
        (lambda line: line["files"].pop(), "has 0 files of traces beside it, and the sweep keeps traces=all"),
        (lambda line: line["files"][0].update(path="../secret"), "has other files than outcomes/game="),
        (lambda line: line.update(shard="x"), "'x' is no shard"),
        (lambda line: line.pop("seconds"), "cannot be read ('seconds')"),
    ],
)
def test_a_manifest_that_was_edited(folder: Path, change: Callable[[dict[str, Any]], None], fault: str) -> None:
    edit(folder, change)
    findings = [finding for finding in verify(folder, 0).findings if finding.state == "damaged"]
    assert any(fault in finding.fault for finding in findings), findings
    assert all(finding.advice.startswith("Remove line ") for finding in findings)


def test_seeds_that_are_missing_or_twice(folder: Path) -> None:
    lines = manifest(folder)
    write(folder, [line for line in lines if line["files"][0]["path"] != name("outcomes")])
    states = {finding.state: finding for finding in verify(folder, 0).findings}
    assert states["unfinished"].fault == "seeds 100 to 199 are not played"
    assert set(states) == {"unfinished", "foreign"}
    text = json.dumps(next(line for line in lines if line["files"][0]["path"] == name("outcomes")))
    twice = json.loads(text.replace(f"seed={100:020}", f"seed={99:020}"))
    write(folder, [*lines, twice])
    faults = [finding.fault for finding in verify(folder, 0).findings]
    assert "seeds 100 to 199 stand in another shard, or are not of the sweep" in faults
    settings = json.loads((folder / "sweep.json").read_text())
    (folder / "sweep.json").write_text(json.dumps(settings | {"deals": 250}))
    write(folder, lines)
    assert [finding.fault for finding in found(folder)] == ["seeds 250 to 299 are not of the sweep"] * 2


def test_what_cannot_be_played_again_is_said(folder: Path, tmp_path: Path) -> None:
    settings = json.loads((folder / "sweep.json").read_text())
    first, second = settings["cells"]
    first["policy_digest"] = "0123456789ab"
    second["version"] += 1
    (folder / "sweep.json").write_text(json.dumps(settings | {"engine": "e1"}))
    faults = [finding.fault for finding in found(folder, "unchecked", sample=2)]
    assert [fault.partition(" ")[2].partition(" ")[0] for fault in faults] == ["policy", "rules"]


def test_a_policy_of_a_file_is_named_again(tmp_path: Path, call: Call) -> None:
    path = tmp_path / "last.py"
    path.write_text("def choose(game, rules, state, moves, n, scratch):\n    return n - 1\n")
    played(tmp_path / "s", planned(players=[str(path)], deals=50, traces="sample:0.5"))
    [finding] = found(tmp_path / "s", "unchecked", sample=5)
    assert (finding.fault, finding.advice) == ("its policy is not installed", "Name its file: --policy FILE.")
    assert verify(tmp_path / "s", 50, [load(str(path))]).count.deals == 50
    path.write_text("def choose(game, rules, state, moves, n, scratch):\n    return 0\n")
    said = call("verify", tmp_path / "s", "--policy", path, "--format", "csv")
    assert "its policy was " in said.text


def test_a_sweep_that_is_not_begun_or_just_killed(tmp_path: Path) -> None:
    played(tmp_path / "s", planned(deals=0))
    assert not found(tmp_path / "s")
    settings = json.loads((tmp_path / "s" / "sweep.json").read_text())
    (tmp_path / "s" / "sweep.json").write_text(json.dumps(settings | {"deals": 10}))
    (tmp_path / "s" / ".x.draft").write_text("")
    (tmp_path / "s" / "manifest.jsonl").write_text('{"shard": "game=')
    torn, *missing = [finding.fault for finding in found(tmp_path / "s", "unfinished")]
    assert torn == "is half a line, as a crash leaves it"
    assert missing == ["seeds 0 to 9 are not played"] * 2
