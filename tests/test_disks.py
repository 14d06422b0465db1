"""Disks that are full, read-only or gone; and surroundings that are not those of a developer's machine."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import disk, store
from pipelines.disk import CannotWrite
from pipelines.verify import verify
from tests.calling import Call
from tests.sweeping import SMALL_SHARDS, drafts, files, manifest, planned, played, surroundings

SWEEP = ("sweep", "la_belle_lucie", "--executor", "serial", "--policy", "greedy", "--traces", "all", "--deals", "3000")


class Mount:
    """A disk of its own, which is in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def option(self, text: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{text}", self.path], check=True)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Mount]:
    """One with room for 1.2 MB."""
    path = tmp_path / "small"
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1200k", "tmpfs", path], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"only who may mount a disk can fill a small one: {mounted.stderr.strip()}")
    yield Mount(path)
    subprocess.run(["umount", "-l", path], check=True)


def test_a_full_disk(small: Mount, tmp_path: Path, call: Call) -> None:
    """The sweep says so and stops; what is finished is whole; with more room the same command finishes."""
    played(tmp_path / "whole", planned(players=["greedy"], traces="all", deals=3000, shard_moves=1))
    (small.path / "ballast").write_bytes(b"x" * 900_000)
    sweep = planned(players=["greedy"], traces="all", deals=3000, shard_moves=1)
    folder = small.path / "t"
    with pytest.raises(CannotWrite, match=r"The disk of .* is full: [\d,]+ bytes are free\. Make room") as error:
        played(folder, sweep)
    assert error.value.exit_code == 74
    done = manifest(folder)
    assert 0 < len(done) < 30
    assert not drafts(folder)
    assert {finding.state for finding in verify(folder).findings} - {"foreign"} == {"unfinished"}
    small.option("size=10m")
    played(folder, sweep)
    assert manifest(folder)[: len(done)] == done
    assert files(folder) == files(tmp_path / "whole")


def test_a_disk_that_fills_between_a_shard_and_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the line is written: it is cut by the next run."""
    sweep = planned(players=["greedy"], deals=300, shard_moves=1)
    usual = disk.append

    def full(path: Path, line: dict[str, object]) -> None:
        if manifest(tmp_path / "s"):
            with path.open("a") as file:
                file.write('{"shard": "ga')
            raise OSError(28, os.strerror(28))
        usual(path, line)

    monkeypatch.setattr(store, "append", full)
    with pytest.raises(CannotWrite, match=r"cannot be written \(No space left on device\)\. Make room"):
        played(tmp_path / "s", sweep)
    monkeypatch.undo()
    played(tmp_path / "s", sweep)
    assert len(manifest(tmp_path / "s")) == 3
    assert not verify(tmp_path / "s").findings


def test_a_disk_that_is_read_only(small: Mount, call: Call) -> None:
    """Nothing is played; what is there is read."""
    folder = small.path / "s"
    call(*SWEEP, "--deals", "100", "--out", folder)
    table = call("table", folder).out
    small.option("ro")
    for out in (folder, small.path / "new"):
        said = call(*SWEEP, "--out", out, code=74)
        assert said.err.count("\n") == 1
        assert f"{out} cannot be written (Read-only file system)." in said.err
    assert call("table", folder).out == table
    assert "nothing damaged" in call("verify", folder).err
    assert "Nobody plays it." in call("status", folder).err


def run(*arguments: str | Path, folder: Path, env: dict[str, str], umask: int = -1) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-c", SMALL_SHARDS, "1", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=env, umask=umask, capture_output=True, text=True)


def test_surroundings_of_a_service(tmp_path: Path) -> None:
    """No HOME, no terminal, another Ray named, files for the owner only, closed stdin, a name that few expect."""
    env = {name: value for name, value in surroundings().items() if name not in ("HOME", "TERM", "USER", "LANG")}
    folder = tmp_path / "Läufe mit Leerzeichen" / "♠ e\u0301 (1)"
    ended = run(*SWEEP, "--deals", "100", "--out", folder, folder=tmp_path, env=env, umask=0o077)
    assert ended.returncode == 0, ended.stderr
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in folder.rglob("*") if path.is_file()} == {0}
    assert not verify(folder).findings


def test_a_terminal_that_knows_only_ascii(tmp_path: Path) -> None:
    env = surroundings(PYTHONIOENCODING="ascii", NO_COLOR="1")
    ended = run(*SWEEP, "--deals", "100", "--out", "♠", folder=tmp_path, env=env)
    assert (ended.returncode, "Finished: \\u2660" in ended.stderr) == (0, True), ended.stderr
    ended = run("query", "select '♠' as suit", "--sweep", "♠", "--format", "csv", folder=tmp_path, env=env)
    assert (ended.returncode, ended.stdout) == (0, "suit\n\\u2660\n"), ended.stderr


@pytest.mark.parametrize(
    ("command", "sentence"),
    [(("sweeps",), ""), (("status",), "There is no sweep in results."), (SWEEP, "cannot be written (No such file")],
)
def test_a_working_folder_that_is_gone(tmp_path: Path, command: tuple[str, ...], sentence: str) -> None:
    code = f"import os; os.chdir({str(tmp_path)!r}); os.rmdir({str(tmp_path)!r}); {SMALL_SHARDS}"
    argv = [sys.executable, "-P", "-c", code, "1", *command]
    ended = subprocess.run(argv, env=surroundings(), capture_output=True, text=True)
    assert "Traceback" not in ended.stderr
    assert sentence in ended.stderr
