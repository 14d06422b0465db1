"""Play a small sweep, and die at the n-th call that changes the disk; for every n, each time in a new folder.

`python -m tests.crashing FOLDER` is a process of its own, because it forks. It leaves the folders FOLDER/1,
FOLDER/2, …, each after a crash, and FOLDER/0, which nothing disturbed.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipelines import shard, store
from pipelines.plan import Sweep
from tests.sweeping import planned, played

DIED = 9


def small() -> Sweep:
    """Two policies, two shards each, some moves kept; `first` always finds the plan compiled."""
    return planned(players=["random", "first"], deals=200, shard_moves=1, traces="sample:0.1")


def crash_at(wanted: int) -> None:
    """From now on count the calls, and die before the one of this number; of a line to append, half is written."""
    calls = iter(range(1, wanted + 1))

    def dies(usual: Callable[..., Any], last_words: Callable[..., None]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if next(calls, wanted) == wanted:
                last_words(*given)
                os._exit(DIED)
            return usual(*given, **named)

        return call

    os.replace = dies(os.replace, nothing)
    os.fsync = dies(os.fsync, nothing)
    store.append = dies(store.append, half_a_line)
    shard.ParquetFile.rows = dies(shard.ParquetFile.rows, nothing)  # type: ignore[method-assign]


def nothing(*_: object) -> None:
    pass


def half_a_line(path: Path, line: dict[str, Any]) -> None:
    with path.open("a") as file:
        file.write(str(line).replace("'", '"')[:50])


def play_apart(folder: Path, sweep: Sweep, crash: int) -> int:
    """Play in a child, which dies at that call; its exit code."""
    child = os.fork()
    if child == 0:
        crash_at(crash)
        played(folder, sweep)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(root: Path) -> None:
    sweep, number = small(), 1
    played(root / "0", sweep)
    while play_apart(root / str(number), sweep, number) == DIED:
        number += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]))
