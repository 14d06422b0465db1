"""What a running sweep tells a program: events, an object in JSON to a line, on stdout.

* `started`: sweep, cells (game, variant, policy), deals (of all cells), done (what an earlier run has played)
* `shard`: shard, deals, wins, errors, seconds (of CPU), done (of all cells)
* `broken`: a deal that its policy broke off, of the first few of each shard: shard, seed, step, reason
* `failed`: a shard that could not be played: shard, reason
* `ended`: folder, exit_code, finished (is all played?), cells (the difficulty table, an object per cell)

Each has `event` and `time` (UTC). There may be more events and more keys in a later version.
"""

import json
import sys
from datetime import UTC, datetime
from typing import Any, Self

import pyarrow as pa

from pipelines.progress import Watch
from pipelines.shard import Summary


def emit(event: str, **said: Any) -> None:
    """One event, at once."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    print(json.dumps({"event": event, "time": time} | said), flush=True, file=sys.stdout)


class Events(Watch):
    """Tells as events what the others say in words."""

    def __enter__(self) -> Self:
        cells = [dict(part.split("=", 1) for part in cell.split("/")) for cell in self.cells]
        emit("started", cells=cells, deals=self.total, done=self.before)
        return self

    def add(self, summary: Summary) -> None:
        super().add(summary)
        said = {"deals": summary.deals, "wins": summary.wins, "errors": summary.fallen, "seconds": summary.seconds}
        for fall in summary.falls:
            emit("broken", shard=summary.shard, **fall)
        emit("shard", shard=summary.shard, **said, done=self.deals.total())

    def failed(self, shard: str, reason: str) -> None:
        super().failed(shard, reason)
        emit("failed", shard=shard, reason=reason)


def ended(folder: str, exit_code: int, finished: bool, table: pa.Table) -> None:
    """The last event of a run."""
    emit("ended", folder=folder, exit_code=exit_code, finished=finished, cells=table.to_pylist())
