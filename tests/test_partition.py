"""A node of a cluster no longer answers, and nobody is told: its shards are played once more, and not waited for.

Ray alone waits for ever for the task that is under way there, whose connection stays open. A cable that is pulled is
the real thing and wants rights that not every container has; a node all of whose processes are stopped is the same to
the others, and can be had everywhere.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from pipelines.database import open_sweeps
from pipelines.sandbox import select
from tests import cables
from tests.sweeping import (
    COMMAND,
    PLANNED,
    SMALL_SHARDS,
    cluster_of,
    ended,
    files,
    launched,
    manifest,
    planned,
    played,
    title_of,
    wait_for,
)  # fmt: skip

Processes = list[psutil.Process]
SOON = "from pipelines import stragglers; stragglers.PATIENCE, stragglers.TIMES = 2.0, 3; "  # seconds until it is late
MOVES = 30_000  # of a shard: so many shards that every node plays some
SWEEP = (sys.executable, "-P", "-c", SOON + SMALL_SHARDS, str(MOVES), *COMMAND)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed") / "sweep"
    played(folder, planned(**PLANNED, shard_moves=MOVES))
    return folder


def until_it_plays(
    process: subprocess.Popen[str], folder: Path, lost: Callable[[], Processes], other: Callable[[], Processes]
) -> None:
    """Wait until some shards are finished, and the node that will be lost is in the middle of one.

    The other one waits too, for it might have played all shards before.
    """
    wait_for(lambda: len(manifest(folder)) > 2, process)
    with paused(playing(other())):
        wait_for(lambda: playing(lost()), process)


def playing(processes: Processes) -> Processes:
    return [one for one in processes if title_of(one).startswith("ray::play_order")]


@contextmanager
def paused(processes: Processes) -> Iterator[None]:
    """They do nothing, and answer nobody, until the end; some may be gone before, or killed meanwhile."""

    def all_of_them(act: Callable[[psutil.Process], None]) -> None:
        for one in processes:
            with suppress(psutil.NoSuchProcess):
                act(one)

    all_of_them(psutil.Process.suspend)
    try:
        yield
    finally:
        all_of_them(psutil.Process.resume)


def assert_undisturbed(folder: Path, undisturbed: Path) -> None:
    """The same bytes, each shard noted once, every seed of every cell once."""
    sql = "select count(*) n, count(distinct seed) seeds, max(seed) high from outcomes group by game, variant, policy"
    cells = select(open_sweeps([folder]), sql).to_pylist()
    assert cells == [{"n": 24_000, "seeds": 24_000, "high": 23_999}] * 4
    assert len({line["shard"] for line in manifest(folder)}) == len(manifest(folder))
    assert files(folder) == files(undisturbed)


@pytest.mark.skipif(bool(cables.refusal()), reason=f"no network of its own can be made here: {cables.refusal()}")
def test_a_cable_is_pulled(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    with cables.two_machines() as (home, away):
        command = home.within(*SWEEP, "--out", folder, "--address", f"{cables.NET}.1:{cables.PORT}")
        process = launched(*command, env=cables.settings())
        until_it_plays(process, folder, away.processes, home.processes)
        away.cut()
        done = len(manifest(folder))
        ended(process, 0)
    assert done < len(manifest(folder))
    assert_undisturbed(folder, undisturbed)


def processes_of(node: Any) -> Processes:
    """All processes of a node: what Ray started for it, and what those did."""
    roots = [psutil.Process(info.process.pid) for infos in node.all_processes.values() for info in infos]
    return [process for root in roots for process in (root, *root.children(recursive=True))]


def test_a_node_is_stopped(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    with cluster_of(2) as cluster:
        [node] = cluster.worker_nodes
        process = launched(*SWEEP, "--out", folder, "--address", cluster.address)
        until_it_plays(process, folder, lambda: processes_of(node), lambda: processes_of(cluster.head_node))
        with paused(processes_of(node)):
            done = len(manifest(folder))
            ended(process, 0)
    assert done < len(manifest(folder))
    assert_undisturbed(folder, undisturbed)
