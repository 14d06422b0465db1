"""Real processes are killed, stopped and doubled; the sweep ends with the bytes of the undisturbed one."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from pipelines.database import open_sweeps
from pipelines.manifest import read_manifest
from pipelines.sandbox import select
from tests.crashing import small
from tests.sweeping import (
    COMMAND,
    PLANNED,
    ROOT,
    cluster_of,
    drafts,
    ended,
    files,
    manifest,
    patience,
    planned,
    played,
    start,
    surroundings,
    wait_for,
    workers,
)  # fmt: skip

KILLS = ["ray"] * 2 + ["serial"] * 8


def lines(folder: Path) -> int:
    return len(manifest(folder))


def assert_complete(folder: Path, undisturbed: Path) -> None:
    """The same files, every seed of every cell once, nothing half done."""
    sql = """select count(*) as n, count(distinct seed) as seeds, min(seed) as low, max(seed) as high
             from outcomes group by game, variant, policy"""
    cells = select(open_sweeps([folder]), sql).to_pylist()
    assert [(cell["n"], cell["seeds"], cell["low"], cell["high"]) for cell in cells] == [
        (24_000, 24_000, 0, 23_999)
    ] * 4
    assert files(folder) == files(undisturbed)
    assert not drafts(folder)


def begin(folder: Path, shards: int, *more: str, **settings: Any) -> subprocess.Popen[str]:
    """A sweep on Ray that has finished so many shards more than before."""
    before = lines(folder)
    process = start(*COMMAND, "--out", folder, *more, **settings)
    wait_for(lambda: lines(folder) >= before + shards, process)
    return process


def gone(process: subprocess.Popen[str]) -> None:
    """Kill the driver, as a lack of memory would."""
    process.kill()
    process.communicate()


def test_killed_drivers(undisturbed: Path, tmp_path: Path) -> None:
    """kill -9 at ten moments that chance chooses; what is finished stays, and is not played again."""
    dice = random.Random()
    folder = tmp_path / "sweep"
    for executor in dice.sample(KILLS, len(KILLS)):
        process = begin(folder, dice.randrange(1, 3), "--executor", executor)
        time.sleep(dice.random() / 20)
        gone(process)
    before = manifest(folder)
    assert len(KILLS) <= len(before) < len(files(undisturbed)) / 2
    played(folder, planned(**PLANNED))
    assert manifest(folder)[: len(before)] == before
    assert len({line["shard"] for line in manifest(folder)}) == lines(folder)
    assert_complete(folder, undisturbed)


def test_killed_workers(undisturbed: Path, tmp_path: Path) -> None:
    """Ray plays their shards again; the sweep goes on as if nothing had been."""
    folder = tmp_path / "sweep"
    process = begin(folder, 3)
    for _ in range(2):
        found: list[psutil.Process] = []
        wait_for(lambda: found.extend(workers(process)) or found, process)  # noqa: B023
        found[0].kill()
    _, err = ended(process, 0)
    assert "failed" not in err
    assert_complete(folder, undisturbed)


@pytest.mark.parametrize(("number", "code", "group"), [(signal.SIGINT, 130, True), (signal.SIGTERM, 143, False)])
def test_stopped_drivers(undisturbed: Path, tmp_path: Path, number: int, code: int, group: bool) -> None:
    """Ctrl-C reaches every process of the terminal, `kill` the driver: both let the shards under way finish."""
    folder = tmp_path / "sweep"
    process = begin(folder, 3)
    (os.killpg if group else os.kill)(process.pid, number)
    out, err = ended(process, code)
    assert "Stopping: the shards under way are finished first." in err
    assert err.endswith("Not finished: run the same command again to go on.\n")
    assert (folder / "manifest.jsonl").read_bytes().endswith(b"\n")
    assert not drafts(folder)
    done = read_manifest(folder)
    assert 3 <= len(done) < len(files(undisturbed)) / 2
    assert sum(row["deals"] for row in json.loads(out)) == sum(shard.deals for shard in done)
    played(folder, planned(**PLANNED))
    assert_complete(folder, undisturbed)


ENDLESS = """
def choose(game, rules, state, moves, n, scratch):
    while state.seed >= 500:
        scratch.memory[0] += 1
    return 0
"""


def test_a_second_interrupt_stops_at_once(tmp_path: Path) -> None:
    """The shards under way are not waited for: the policy never comes back from some of them."""
    policy = tmp_path / "endless.py"
    policy.write_text(ENDLESS)
    command = ("sweep", "la_belle_lucie", "--policy", policy, "--deals", "1000", "--out", tmp_path / "s")
    process = start(*command, shard_moves=1)
    wait_for(lambda: lines(tmp_path / "s") == 5, process)
    process.send_signal(signal.SIGINT)
    assert process.stderr
    assert any("Stopping" in line for line in iter(process.stderr.readline, ""))  # other lines may come before it
    process.send_signal(signal.SIGINT)
    _, err = ended(process, 130)
    assert "failed" not in err
    assert lines(tmp_path / "s") == 5


def test_a_driver_that_is_stopped_before_it_plays(tmp_path: Path) -> None:
    process = start(*COMMAND, "--out", tmp_path / "s")
    wait_for((tmp_path / "s" / "sweep.json").exists, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=100)
    assert process.returncode == 130, err


def test_ray_itself_is_lost(undisturbed: Path, tmp_path: Path) -> None:
    """The raylet of the only node is killed: said in a sentence, and the same sweep goes on."""
    soon = {"initial_delay_ms": "0", "period_ms": "500", "failure_threshold": "3"}  # 17 seconds pass by default
    watchful = surroundings(**{f"RAY_health_check_{name}": value for name, value in soon.items()})
    process = begin(tmp_path / "s", 3, env=watchful)
    [raylet] = [one for one in psutil.Process(process.pid).children(recursive=True) if one.name() == "raylet"]
    raylet.kill()
    out, err = ended(process, 75)
    assert out == ""
    assert re.search(r"^patience: Ray has died \(\w+\)\. Run the same command again to go on\.$", err, re.M)
    assert 3 <= lines(tmp_path / "s") < len(files(undisturbed)) / 2
    played(tmp_path / "s", planned(**PLANNED))
    assert_complete(tmp_path / "s", undisturbed)


def test_no_ray_at_an_address(tmp_path: Path) -> None:
    _, err = patience(*COMMAND, "--out", tmp_path / "s", "--address", "127.0.0.1:1", code=75)
    assert err.startswith("patience: No Ray answers at 127.0.0.1:1 (")
    assert err.count("\n") == 1


def test_two_processes_on_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    first = start(*COMMAND, "--out", folder, "--executor", "serial")
    wait_for(lambda: lines(folder), first)
    os.kill(first.pid, signal.SIGSTOP)
    out, err = patience(*COMMAND, "--out", folder, "--executor", "serial", code=73)
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"patience: Another process plays the sweep in {folder}: process {first.pid} on ")
    assert "Wait for it, or choose another --out." in err
    gone(first)
    patience("sweep", "la_belle_lucie", "--deals", "0", "--out", tmp_path / "other")
    _, err = patience(*COMMAND, "--traces", "all", "--out", folder, code=2)
    assert 'holds another sweep: traces was "sample:0.01" and is "all"' in err


def test_a_finished_sweep_is_only_printed(tmp_path: Path) -> None:
    command = ("sweep", "la_belle_lucie", "--deals", "300", "--format", "json", "--out", str(tmp_path / "s"))
    first, _ = patience(*command, "--executor", "serial")
    again, err = patience(*command, "--address", "127.0.0.1:1")  # where no Ray is
    assert again == first
    assert err == f"Finished: {tmp_path / 's'}\n"


def test_a_crash_at_every_step(tmp_path: Path) -> None:
    """Before each flush of a file or folder, each rename, each row group, and in each line of the manifest."""
    subprocess.run([sys.executable, "-m", "tests.crashing", tmp_path], check=True, cwd=ROOT, env=surroundings())
    whole = files(tmp_path / "0")
    crashed = sorted((path for path in tmp_path.iterdir() if path.name != "0"), key=lambda path: int(path.name))
    assert len(crashed) > 4 * 9
    assert [lines(folder) for folder in crashed[:-1]] == sorted(lines(folder) for folder in crashed[:-1])
    assert any(drafts(folder) for folder in crashed)
    sweep = small()
    for folder in crashed:
        played(folder, sweep)
        assert files(folder) == whole
        assert not drafts(folder)
        assert len(read_manifest(folder)) == 4


def test_nodes_are_lost(undisturbed: Path, tmp_path: Path) -> None:
    """The raylet of one is killed, with all of it another goes."""
    folder = tmp_path / "sweep"
    with cluster_of(3) as cluster:
        process = begin(folder, 3, "--address", cluster.address)
        first, second = cluster.worker_nodes
        first.kill_raylet(check_alive=False)
        wait_for(lambda: lines(folder) >= 8, process)
        cluster.remove_node(second, allow_graceful=False)
        ended(process, 0)
    assert_complete(folder, undisturbed)


def test_two_sweeps_at_once_have_a_ray_each(tmp_path: Path) -> None:
    """Neither joins, waits for or ends the other's."""
    small = ("sweep", "la_belle_lucie", "--deals", "300", "--workers", "1")
    both = [start(*small, "--policy", p, "--out", tmp_path / p, shard_moves=1) for p in ("greedy", "first")]
    for process in both:
        ended(process, 0)
    assert [lines(tmp_path / policy) for policy in ("greedy", "first")] == [3, 3]
