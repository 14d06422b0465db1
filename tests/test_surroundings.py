"""Started from a notebook, from cron, in a container of one core with little shared memory and few files."""

import json
import os
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from pipelines import machine
from pipelines.executors import Executor
from tests.sweeping import (
    SMALL_SHARDS,
    ended,
    files,
    launched,
    manifest,
    patience,
    planned,
    played,
    start,
    surroundings,
    title_of,
)

SWEEP = ("sweep", "la_belle_lucie", "--deals", "600", "--format", "json")
CELLS = """
import pipelines
from pipelines import executors, plan, run
from pathlib import Path
from policies.loader import load
plan.SHARD_MOVES = 1
sweep = plan.plan(["la_belle_lucie"], {}, [load("random"), load("greedy")], deals=600)
---
report = run.run(Path("sweep"), sweep, lambda: executors.Ray(workers=1), arguments=[])
print(report.finished)
---
pipelines.load("sweep").table("deals", "wins")
"""


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("usual") / "sweep"
    played(folder, planned(deals=600, shard_moves=1))
    return folder


def notebook(path: Path) -> None:
    """The cells, not yet run."""
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [code | {"id": str(i), "source": text.strip()} for i, text in enumerate(CELLS.split("---"))]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}
    path.write_text(json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))


def test_a_notebook(usual: Path, tmp_path: Path) -> None:
    """A Jupyter kernel runs its cells: a sweep on Ray, then its table, which is shown as HTML."""
    path = tmp_path / "patience.ipynb"
    notebook(path)
    command = [sys.executable, "-c", "from nbclient.cli import main; main()", "--inplace", "--timeout=200", path]
    done = subprocess.run(command, cwd=tmp_path, env=surroundings(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    outputs = [cell["outputs"] for cell in json.loads(path.read_text())["cells"]]
    assert outputs[0] == []
    said = {out["name"]: "".join(out["text"]) for out in outputs[1]}
    assert said["stdout"] == "True\n"
    assert "1,200 of 1,200 deals" in said["stderr"]
    [shown] = outputs[2]
    assert "<th>wins</th>" in "".join(shown["data"]["text/html"])
    assert "la_belle_lucie   default   greedy     600" in "".join(shown["data"]["text/plain"])
    assert files(tmp_path / "sweep") == files(usual)


def by_cron(*arguments: str | Path, home: Path, **settings: Any) -> subprocess.Popen[str]:
    """No terminal, no stdin, the variables that cron sets, and those that lead to this tree and its machine code."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LOGNAME": "patience", "SHELL": "/bin/sh"}
    env |= {name: value for name, value in surroundings().items() if name in ("PYTHONPATH", "PATIENCE_CACHE")}
    return start(*arguments, shard_moves=1, stdin=subprocess.DEVNULL, cwd="/", env=env, **settings)


def one_core() -> None:
    os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])


def one_core_and_few_files() -> None:
    one_core()
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


def listeners(process: subprocess.Popen[str]) -> set[tuple[str, str]]:
    """Program and address of whatever listens for others, among a process and all it starts, until it ends."""
    found = set()
    while process.poll() is None:
        with suppress(psutil.Error):
            one = psutil.Process(process.pid)
            for child in [one, *one.children(recursive=True)]:
                open_ = child.net_connections("inet")
                found |= {(child.name(), str(c.laddr.ip)) for c in open_ if c.status == psutil.CONN_LISTEN}
    return found


def test_cron_on_one_core_with_few_files(usual: Path, tmp_path: Path) -> None:
    """And what it starts listens to this machine alone."""
    process = by_cron(*SWEEP, "--out", tmp_path / "s", home=tmp_path, preexec_fn=one_core_and_few_files)
    found = listeners(process)
    assert {"gcs_server", "raylet"} <= {name for name, _ in found}
    assert {address for _, address in found} <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
    out, err = ended(process, 0)
    assert [row["deals"] for row in json.loads(out)] == [600, 600]
    assert err.splitlines()[-1] == f"Finished: {tmp_path / 's'}"
    assert files(tmp_path / "s") == files(usual)


def test_ray_starts_no_more_than_is_used(two_workers: Executor) -> None:
    """Each of these would be a second of CPU, and on some machines a server more."""
    titles = [title_of(one) for one in psutil.Process().children(recursive=True)]
    assert any("raylet" in title for title in titles)
    unused = ("dashboard.py", "monitor.py")  # the autoscaler's, and log_monitor.py
    assert not [title for title in titles if any(name in title for name in unused)]


SHARED = "mount -t tmpfs -o size=64m tmpfs /dev/shm"
APART = ["unshare", "--mount", "sh", "-c", f'{SHARED} && exec "$@"', "sh"]


def refusal() -> str:
    """Why /dev/shm cannot be made small for one process; empty if it can."""
    try:
        return subprocess.run([*APART, "true"], capture_output=True, text=True).stderr.strip()
    except FileNotFoundError as error:
        return str(error)


@pytest.mark.skipif(bool(refusal()), reason=f"only who may mount a disk can make /dev/shm small: {refusal()}")
def test_little_shared_memory(usual: Path, tmp_path: Path) -> None:
    """As containers have it by default. Ray asks for more, and puts its store elsewhere; little goes through it."""
    command = [*APART, sys.executable, "-P", "-c", SMALL_SHARDS, "1", *SWEEP, "--out", tmp_path / "s"]
    ended(launched(*command), 0)
    assert files(tmp_path / "s") == files(usual)


def test_the_cores_that_a_process_is_bound_to(tmp_path: Path) -> None:
    _, err = patience(*SWEEP, "--dry-run", "--out", tmp_path / "s", preexec_fn=one_core)
    assert " on 1 cores" in err
    assert not manifest(tmp_path / "s")


@pytest.mark.parametrize(
    ("groups", "cores", "memory"),
    [
        ({"cpu.max": "100000 100000\n", "memory.max": "67108864\n"}, 1, 2**26),
        ({"cpu.max": "250000 100000\n", "memory.max": "max\n"}, 3, 2**40),
        ({"cpu.max": "max 100000\n"}, 8, 2**40),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1, 2**40),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 8, 2**40),
        ({"memory/memory.limit_in_bytes": "67108864\n"}, 8, 2**26),
        ({}, 8, 2**40),
    ],
)
def test_limits_of_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, groups: dict[str, str], cores: int, memory: int
) -> None:
    """Of a machine with eight cores and a TiB, as Linux shows it by control groups of both versions."""
    for name, text in groups.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(machine, "GROUPS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)))
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 2**28, "SC_PAGE_SIZE": 2**12}.__getitem__)
    assert (machine.cores(), machine.memory()) == (cores, memory)
