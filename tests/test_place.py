"""Sweeps in a bucket: the same bytes, tables and errors in sentences, on a real server on loopback."""

import json
import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
import time_machine
from fsspec.implementations.arrow import ArrowFSWrapper

from pipelines import disk, owner
from pipelines.comparison import comparison
from pipelines.database import open_sweeps
from pipelines.difficulty import difficulty
from pipelines.folder import read_sweep
from pipelines.manifest import listed
from pipelines.owner import FolderInUse, held, owned
from pipelines.place import Remote, located
from pipelines.plan import Sweep
from pipelines.sandbox import select
from pipelines.verify import verify
from sim.errors import PatienceError
from tests.buckets import ALONE, KEYS, files, free_port, make_bucket, refusing, remote, server, serving, url
from tests.calling import Call
from tests.sweeping import patience, planned, played, start, wait_for

COMMAND = ("sweep", "la_belle_lucie", "--vary", "redeals=0,2", "--deals", "1000", "--traces", "wins", "--quiet")
SERIAL = (*COMMAND, "--executor", "serial")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (KEYS | ALONE).items():
            patch.setenv(name, value)
        with serving() as port:
            make_bucket(port)
            yield port


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sweep on a disk."""
    folder = tmp_path_factory.mktemp("local") / "sweep"
    played(folder, small())
    return folder


@pytest.fixture(scope="module")
def stored(port: int) -> Remote:
    """The sweep in a bucket."""
    folder = remote(port, "stored/sweep")
    played(folder, small())
    return folder


def small() -> Sweep:
    """Four cells of several shards."""
    return planned(vary={"redeals": ["0", "2"]}, deals=1000, shard_moves=25_000, traces="wins")


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}


def test_same_bytes(local: Path, stored: Remote) -> None:
    """And nothing lies apart, in the bucket or in the temporary space, once the sweep is finished."""
    assert len(bytes_of(local)) > 12
    assert files(stored) == bytes_of(local)
    lines = (stored / "manifest.jsonl").read_text().splitlines()
    assert {json.loads(line)["shard"] for line in lines} == set(listed(local))
    other = {path.name for path in stored.rglob()} - {Path(name).name for name in files(stored)}
    assert other == {"sweep.json", "manifest.jsonl"}


def test_ray(port: int, local: Path) -> None:
    """Workers have the URL from their orders, and the keys from their surroundings: so Ray starts with the command."""
    folder = remote(port, "ray")
    out, _ = patience(*COMMAND, "--workers", "2", "--out", str(folder), shard_moves=25_000)
    assert "la_belle_lucie" in out
    assert files(folder) == bytes_of(local)


def test_tables(local: Path, stored: Remote) -> None:
    def found(con: duckdb.DuckDBPyConnection) -> list[Any]:
        sql = "select variant, policy, sum(moves), count(distinct seed) from outcomes group by all order by all"
        moves = "select kind, count(*) from moves group by all order by all"
        return [difficulty(con), comparison(con, ["redeals"]), select(con, sql), select(con, moves)]

    assert found(open_sweeps([stored])) == found(open_sweeps([local]))


def test_locked(local: Path, stored: Remote) -> None:
    """The database reads the objects that the manifest lists; it reads no other, and writes none."""
    con = open_sweeps([stored])
    [name] = con.sql("select min(path) from files").fetchall()[0]
    before = files(stored)
    for sql in (f"select * from '{name.rpartition('/')[0]}/x.parquet'", f"select * from '{local}/sweep.json'"):
        with pytest.raises(duckdb.PermissionException):
            con.sql(sql).fetchall()
    with pytest.raises(duckdb.Error):
        con.sql(f"copy (select 1) to '{name}'")
    assert files(stored) == before


def test_the_command(port: int, call: Call, stored: Remote, local: Path) -> None:
    """Every command that reads takes the URL, and says what it says of the folder."""
    for command in (["table"], ["compare", "--vary", "redeals"]):
        there, here = (call(*command, str(folder), "--format", "csv").out for folder in (stored, local))
        assert there == here
    assert "Nobody plays it." in call("status", str(stored)).err
    assert "nothing damaged" in call("verify", str(stored), "--sample", "2").err
    call("report", str(stored), "--format", "md", "--out", url(port, "reports/report.md"))
    assert remote(port, "reports/report.md").read_text().startswith("# ")
    assert str(stored) in call("sweeps", str(stored.parent), "--format", "csv").text


def test_a_killed_driver(port: int, local: Path) -> None:
    """kill -9 in the middle; the same command, at once, plays the rest, and no key is written anywhere."""
    folder = remote(port, "killed")
    process = start(*SERIAL, "--out", str(folder), shard_moves=25_000)
    wait_for(lambda: len(listed(folder)) >= 3, process)
    assert held(folder)
    process.kill()
    process.communicate()
    before = set(listed(folder))
    assert read_sweep(folder).shards
    assert not held(folder)
    out, err = patience(*SERIAL, "--out", str(folder), shard_moves=25_000)
    assert before < set(listed(folder)) == set(listed(local))
    assert files(folder) == bytes_of(local)
    texts = [out, err, *(path.read_text() for path in folder.rglob("*.json*"))]
    assert not [text for text in texts for key in KEYS.values() if key in text and key != KEYS["AWS_REGION"]]


def test_damage(port: int, local: Path) -> None:
    """A flipped bit and a lost object are named, and just their shards are played again."""
    folder = remote(port, "damage")
    played(folder, small())
    flipped, lost = (folder / name for name in sorted(files(folder))[:2])
    data = bytearray(flipped.read_bytes())
    data[len(data) // 2] ^= 1
    flipped.write_bytes(bytes(data))
    lost.unlink()
    found = {finding.where.rpartition("/")[2]: finding.fault for finding in verify(folder, sample=0).findings}
    assert found == {flipped.name: "holds other bytes than were written", lost.name: "is missing"}
    with pytest.raises(PatienceError, match=r"is damaged: .* is missing"):
        read_sweep(folder)
    played(folder, small())
    assert files(folder) == bytes_of(local)
    assert not verify(folder, sample=0).findings


def test_lines(port: int) -> None:
    """Lines that were added are read at once, in their order, and joined into one object; a crash within loses none."""
    path = remote(port, "lines") / "some.jsonl"
    assert disk.appended(path) == b""
    for number in range(3):
        disk.append(path, {"number": number})
    said = b"".join(json.dumps({"number": number}).encode() + b"\n" for number in range(3))
    assert disk.appended(path) == said
    assert not path.exists()
    path.write_bytes(said)  # and here it died: the parts are not removed
    disk.mend(path)
    assert disk.appended(path) == path.read_bytes() == said + said
    assert list(path.parent.rglob()) == [path]


def test_one_owner(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is kept young is respected; that of a dead process, or one that is old, is not."""
    monkeypatch.setattr(owner, "SETTLE", 0.0)
    folder = remote(port, "owner")
    with owned(folder):
        assert held(folder)
        with pytest.raises(FolderInUse, match=f"process {os.getpid()} on .*Wait for it"), owned(folder):
            pass
    assert not held(folder)
    (folder / owner.OWNER).write_bytes(json.dumps({"pid": 1, "host": "elsewhere", "since": "then"}).encode())
    with pytest.raises(FolderInUse, match="process 1 on elsewhere"), owned(folder):
        pass
    monkeypatch.setattr(owner, "LEASE", 0.0)
    with owned(folder):
        pass


@pytest.mark.parametrize("days", [-1, 365])
def test_a_clock_that_is_wrong(port: int, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """Who plays is respected for a LEASE, and no longer, by the clock of the server."""
    monkeypatch.setattr(owner, "SETTLE", 0.0)
    folder = remote(port, f"clock{days}")
    (folder / owner.OWNER).write_bytes(json.dumps({"pid": 1, "host": "elsewhere", "since": "then"}).encode())
    with time_machine.travel(timedelta(days=days)):
        with pytest.raises(FolderInUse, match="process 1 on elsewhere"), owned(folder):
            pass
        monkeypatch.setattr(owner, "LEASE", 0.0)
        with owned(folder):
            pass
    assert list(folder.rglob()) == []


def test_the_last_name_stays(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that begin at once, the one whose name was written over does not play."""
    folder = remote(port, "at_once")
    other = json.dumps({"pid": 1, "host": "elsewhere", "since": "then"}).encode()
    monkeypatch.setattr(time, "sleep", lambda seconds: (folder / owner.OWNER).write_bytes(other))
    with pytest.raises(FolderInUse, match="elsewhere"), owned(folder):
        pass


def test_a_name_is_kept_young(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its object is written again and again, and is gone in the end."""
    monkeypatch.setattr(owner, "SETTLE", 0.0)
    monkeypatch.setattr(owner, "BEAT", 0.01)
    folder, beats = remote(port, "young"), []
    monkeypatch.setattr(owner, "write_whole", lambda path, text: (beats.append(text), disk.write_whole(path, text)))
    with owned(folder):
        while len(beats) < 4:
            time.sleep(0.01)
    assert len(set(beats)) == 1
    assert not (folder / owner.OWNER).exists()


def test_errors(port: int, call: Call, stored: Remote) -> None:
    """Each in one sentence, which says what to do and holds no key."""
    nobody = url(free_port(), "x")
    with refusing(port):
        keys = call("table", str(stored), code=74).err
        playing = call(*SERIAL, "--out", str(stored), code=74).err
    said = {
        "there is no such bucket. Make it": call(*SERIAL, "--out", url(port, "x", "no-bucket"), code=74).err,
        "the server refuses the keys. Set AWS_ACCESS_KEY_ID": keys,
        "the server refuses the keys. Set": playing,
        "no server answers. Look at": call("status", nobody, code=74).err,
        "Unexpected query parameter": call("table", f"{stored}&colour=red", code=74).err,
        "it has no sweep.json": call("table", url(port, "nothing"), code=2).err,
        "must not hold keys": call("table", "s3://AKIA:secret@results/x", code=2).err,
        "no place for results. Expected a folder's path, or s3://": call("table", "ftp://results/x", code=2).err,
    }
    for sentence, err in said.items():
        assert sentence in err
        assert err.startswith("patience: ")
        assert err.count("\n") == 1
        assert not [key for key in (*KEYS.values(), "secret@") if key in err]


def test_a_server_that_is_lost_in_the_middle(port: int, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some files of a query have been read when the server ends: one sentence, for every command that asks DuckDB."""
    usual, opened = ArrowFSWrapper._open, list[str]()
    for command in (["table"], ["query", "select sum(moves) from outcomes", "--sweep"]):
        opened.clear()
        own = free_port()
        with server(own) as process:
            make_bucket(own)
            folder = remote(own, "lost")
            played(folder, small())

            def open_until(self: ArrowFSWrapper, path: str, mode: str = "rb", *given: Any, **named: Any) -> Any:
                opened.append(path)
                if len(opened) == 4:
                    process.kill()
                    process.wait()
                return usual(self, path, mode, *given, **named)

            monkeypatch.setattr(ArrowFSWrapper, "_open", open_until)
            said = call(*command, str(folder), code=74)
        assert len(opened) >= 4
        assert said.out == b""
        assert said.err.startswith(
            "patience: The bucket results cannot be used: no server answers. Look at the network"
        )
        assert said.err.count("\n") == 1


def test_shards_that_cannot_be_sent(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such shards are failures that say why; the others are kept."""
    folder, usual = remote(port, "unsent"), Remote.upload
    sent = iter(range(3))

    def upload(self: Remote, draft: Path) -> None:
        if next(sent, None) is not None:
            return usual(self, draft)
        with refusing(port):
            usual(self, draft)

    monkeypatch.setattr(Remote, "upload", upload)
    report = played(folder, small())
    assert {"refuses the keys" in failure.reason for failure in report.failures} == {True}
    assert len(listed(folder)) == len(list(small().shards())) - len(report.failures) > 0


@pytest.mark.parametrize("text", ["s3://bucket/a/b", "s3://bucket", "s3://bucket/a?scheme=http", "results/x", "/a b/ü"])
def test_located(text: str) -> None:
    """A place reads as it was written."""
    assert str(located(text)) == text
