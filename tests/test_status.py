"""How far a sweep is, seen from another process while it runs and after it was killed."""

import fcntl
import json
import os
import signal
import socket
from pathlib import Path
from threading import Timer

import pytest

from pipelines.owner import held, owned
from pipelines.statistics import wilson
from pipelines.verify import verify
from tests.calling import Call
from tests.hand_made import lucie, write_sweep
from tests.sweeping import COMMAND, manifest, planned, played, start, wait_for

FALLS = "def choose(game, rules, state, moves, n, scratch):\n    return n if state.seed == 7 else 0\n"


def test_a_sweep_that_runs_and_is_killed(tmp_path: Path, call: Call) -> None:
    """The lock is never stale: who holds it no longer, holds it not."""
    folder = tmp_path / "results" / "s"
    process = start(*COMMAND, "--out", folder, "--executor", "serial")
    wait_for(lambda: len(manifest(folder)) > 2, process)
    os.kill(process.pid, signal.SIGSTOP)
    done = sum(line["deals"] for line in manifest(folder))
    said = call("status", folder, "--format", "json")
    rows = json.loads(said.out)
    assert [sum(row[name] for row in rows) for name in ("deals", "done", "left")] == [96_000, done, 96_000 - done]
    for row in rows:
        assert (row["win_low"], row["win_high"]) == pytest.approx(wilson(row["wins"], row["done"]))
    first, who = said.err.splitlines()
    assert first == f"{folder}: {done:,} of 96,000 deals are played."
    assert who.startswith(f"Played by process {process.pid} on {socket.gethostname()}, since 20")
    assert [row["state"] for row in json.loads(call("sweeps", tmp_path / "results", "--format", "json").out)] == [
        "playing"
    ]
    process.kill()
    process.communicate()
    said = call("status", folder, "--format", "json")
    assert said.err.splitlines()[1] == "Nobody plays it."
    assert said.err.splitlines()[2].startswith("Go on with: patience sweep la_belle_lucie --vary redeals=0,2")
    assert (folder / ".owner.json").exists()
    process = start(*COMMAND, "--out", folder, "--executor", "serial")
    wait_for(lambda: sum(line["deals"] for line in manifest(folder)) > done, process)
    process.kill()
    process.communicate()


def test_what_broke_is_told(tmp_path: Path, call: Call) -> None:
    (tmp_path / "falls.py").write_text(FALLS)
    played(tmp_path / "s", planned(players=[str(tmp_path / "falls.py")], deals=20))
    said = call("status", tmp_path / "s", "--format", "json")
    [row] = json.loads(said.out)
    assert (row["done"], row["errors"]) == (20, 1)
    assert "1 deals ended as an error, the last of them seed 7: it chose an index that is not in the list" in said.err
    assert "Go on" not in said.err
    (tmp_path / "s" / "failures.jsonl").write_text("nonsense\n")
    assert "1 deals ended as an error (" in call("status", tmp_path / "s").err


def test_all_sweeps(tmp_path: Path, call: Call) -> None:
    """Also those that nobody can read."""
    lucie(tmp_path / "half")
    write_sweep(tmp_path / "newer", [], [], schema=9)
    write_sweep(tmp_path / "empty", [], [], created="2025-01-01")
    (tmp_path / "no sweep").mkdir()
    said = call("sweeps", tmp_path, "--format", "json")
    rows = [(row["sweep"], row["state"], row["cells"], row["done"], row["share"]) for row in json.loads(said.out)]
    assert rows == [
        ("newer", "damaged", None, None, None), ("empty", "finished", 0, 0, 1.0), ("half", "unfinished", 5, 15, 0.3)
    ]  # fmt: skip
    assert "has schema 9; expected 1" in said.err


def test_no_sweeps(tmp_path: Path, call: Call) -> None:
    assert json.loads(call("sweeps", tmp_path / "nowhere", "--format", "json").out) == []
    assert "nowhere is no sweep" in call("status", tmp_path / "nowhere", code=2).err


def test_a_reader_does_not_keep_a_sweep_from_its_lock(tmp_path: Path) -> None:
    """`held` takes the lock for an instant: whoever begins a sweep in this instant waits for it to end."""
    reader = os.open(tmp_path / ".lock", os.O_RDONLY | os.O_CREAT)
    fcntl.flock(reader, fcntl.LOCK_SH)
    Timer(0.2, os.close, [reader]).start()
    with owned(tmp_path):
        assert held(tmp_path)
    assert not held(tmp_path)


def test_a_sweep_that_knows_enough_is_finished(tmp_path: Path, call: Call) -> None:
    """Its cells have no deals left, for `status`, `sweeps` and `verify`; what was added to it later counts."""
    sweep = planned(players=["greedy", "first"], deals=20_000, shard_moves=1, stop="precision=3")
    played(tmp_path / "s", sweep)
    rows = json.loads(call("status", tmp_path / "s", "--format", "json").out)
    assert all(0 < row["done"] == row["deals"] < 20_000 for row in rows)
    assert [row["state"] for row in json.loads(call("sweeps", tmp_path, "--format", "json").out)] == ["finished"]
    assert not verify(tmp_path / "s", 5).findings
    played(tmp_path / "s", planned(deals=20_000, shard_moves=1, stop="precision=3"))
    rows = json.loads(call("status", tmp_path / "s", "--format", "json").out)
    assert [(row["policy"], row["left"]) for row in rows] == [("greedy", 0), ("first", 0), ("random", 0)]
    assert not verify(tmp_path / "s", 5).findings
