"""What the tests of sweeps share: small plans with small shards, the command in a process of its own, its files."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from pipelines import plan, run
from pipelines.executors import Executor, Serial
from pipelines.plan import Sweep
from policies.loader import load

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = Path(sys.executable).with_name("patience")
SMALL_SHARDS = (
    "import sys; from pipelines import plan; plan.SHARD_MOVES = int(sys.argv.pop(1)); "
    "from pipelines.cli import main; main()"
)
SHARD_MOVES = 100_000  # a twentieth of a second of play
# Fifty-odd shards: long enough to be disturbed in the middle. PLANNED and COMMAND say the same.
PLANNED: dict[str, Any] = {"vary": {"redeals": ["0", "2"]}, "deals": 24_000}
COMMAND = ("sweep", "la_belle_lucie", "--vary", "redeals=0,2", "--deals", "24_000", "--format", "json")


def planned(
    *games: str, players: Sequence[str] = ("random", "greedy"), vary: dict[str, list[str]] | None = None,
    shard_moves: int = SHARD_MOVES, **settings: Any,
) -> Sweep:  # fmt: skip
    """A plan whose shards have about so many moves."""
    usual = plan.SHARD_MOVES
    plan.SHARD_MOVES = shard_moves
    try:
        return plan.plan(games or ("la_belle_lucie",), vary or {}, [load(name) for name in players], **settings)
    finally:
        plan.SHARD_MOVES = usual


def played(
    folder: Path, sweep: Sweep, executor: Callable[[], Executor] = Serial, on_error: str = "continue"
) -> run.Report:
    """Run the sweep in this process."""
    return run.run(folder, sweep, executor, arguments=[], on_error=on_error, quiet=True)


def surroundings(**more: str) -> dict[str, str]:
    """Variables of a process that plays the code of this tree; a cluster that happens to be near is not joined."""
    path = os.pathsep.join([str(ROOT), *filter(None, [more.pop("path", ""), os.environ.get("PYTHONPATH", "")])])
    return os.environ | {"PYTHONPATH": path, "RAY_ADDRESS": "127.0.0.1:1"} | more


def start(*arguments: str | Path, shard_moves: int = SHARD_MOVES, **settings: Any) -> subprocess.Popen[str]:
    """`patience` with small shards, in a process and a group of its own."""
    return launched(sys.executable, "-P", "-c", SMALL_SHARDS, shard_moves, *arguments, **settings)


def launched(*command: str | Path | int, **settings: Any) -> subprocess.Popen[str]:
    """A command in a process and a group of its own, which says what it says to us."""
    usual: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": surroundings()}
    return subprocess.Popen([*map(str, command)], **usual | {"start_new_session": True} | settings)


def ended(process: subprocess.Popen[str], code: int) -> tuple[str, str]:
    """What the process said on stdout and stderr, once it has ended with this code."""
    try:
        out, err = process.communicate(timeout=200)
    finally:
        process.kill()
    assert process.returncode == code, err
    assert "Traceback" not in err
    return out, err


def patience(*arguments: str | Path, code: int = 0, **settings: Any) -> tuple[str, str]:
    """The command to its end: stdout and stderr."""
    return ended(start(*arguments, **settings), code)


def wait_for(true: Callable[[], object], process: subprocess.Popen[Any], seconds: float = 100) -> None:
    """Wait until it is true, while the process runs; a process that keeps us waiting is killed."""
    end = time.monotonic() + seconds
    while not true():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise AssertionError(f"waited in vain: {process.communicate()}")
        time.sleep(0.02)


@contextmanager
def cluster_of(nodes: int) -> Iterator[Any]:
    """Ray's own cluster for tests: a head and other nodes, one core each."""
    from ray._private.services import node_ip_address_from_perspective as own_address
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # The address is said, for a Ray that this process has on loopback would lend its own.
    small = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "node_ip_address": own_address()}
    cluster = Cluster(initialize_head=True, head_node_args=small | {"include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**small)
        yield cluster
    finally:
        cluster.shutdown()


def manifest(folder: Path) -> list[dict[str, Any]]:
    """The whole lines of the manifest."""
    path = folder / "manifest.jsonl"
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def files(folder: Path) -> dict[str, str]:
    """The sha256 of every data file."""
    paths = sorted(path for path in folder.rglob("*.parquet") if not path.name.startswith("."))
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def flip_a_bit(path: Path) -> None:
    """In the middle of the file, where its data are; its size stays."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def drafts(folder: Path) -> list[Path]:
    """Files that were begun and are not finished."""
    return list(folder.rglob("*.draft"))


def read(folder: Path, kind: str, **partition: str) -> pa.Table:
    """All rows of one kind of a cell, by seed; the cells of a sweep are told apart by `game`, `variant`, `policy`."""
    wanted = {f"{name}={value}" for name, value in partition.items()}
    paths = [path for path in sorted((folder / kind).rglob("seed=*.parquet")) if wanted <= set(path.parts)]
    assert paths
    return pa.concat_tables([pq.read_table(path, partitioning=None) for path in paths])


def rows(folder: Path, kind: str, **partition: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(folder, kind, **partition).to_pylist()
    return found


def workers(process: subprocess.Popen[str], title: str = "ray::play_order") -> list[psutil.Process]:
    """The Ray workers below this driver that play a shard."""
    below = psutil.Process(process.pid).children(recursive=True)
    return [child for child in below if title_of(child).startswith(title)]


def title_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
