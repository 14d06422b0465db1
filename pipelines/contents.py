"""Do the rows of a shard's files say what they must: each of its seeds once and in order, in the columns that were
written, and as many wins as the manifest counts?"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipelines.connection import lost
from pipelines.manifest import File, Shard
from pipelines.place import Place, opened
from pipelines.plan import trace_share
from pipelines.shard import OUTCOMES, TRACES

Fault = tuple[Place, str]


def read(file: File) -> pa.Table:
    """All rows of a file, in the order they stand in; the checksums of its pages are compared."""
    return pq.ParquetFile(opened(file.path), page_checksum_verification=True).read()


def faults(shard: Shard, traces: str) -> Iterator[Fault]:
    """What is wrong with the rows of a shard, whose sweep keeps such `traces`."""
    try:
        wrong = list(outcome_faults(shard, outcomes := read(shard.outcomes[0])))
        yield from ((shard.outcomes[0].path, fault) for fault in wrong)
        if bool(shard.traces) != (traces != "none"):
            fault = f"has {len(shard.traces)} files of traces beside it, and the sweep keeps traces={traces}"
            yield shard.outcomes[0].path, fault
        for file in [] if wrong else shard.traces:
            yield from ((file.path, fault) for fault in trace_faults(file, outcomes, trace_share(traces)[0]))
    except (pa.ArrowException, OSError) as error:
        if gone := lost(error):
            raise gone from error
        yield shard.outcomes[0].path, f"or its traces cannot be read ({error})"


def outcome_faults(shard: Shard, outcomes: pa.Table) -> Iterator[str]:
    """Columns, number of rows, seeds, and the counts of the manifest."""
    yield from shape_faults(shard.outcomes[0], outcomes, OUTCOMES)
    if outcomes.schema.equals(OUTCOMES):
        yield from seed_faults(outcomes["seed"].to_numpy(), np.arange(shard.first, shard.end))
        won = [pc.equal(outcomes["ending"], "won"), outcomes["won"]]
        if not won[0].equals(won[1]):
            yield "has deals whose columns won and ending disagree"
        counts = {
            "deals": outcomes.num_rows,
            "wins": total(won[1]),
            "fallen": total(pc.equal(outcomes["ending"], "error")),
        }
        for name, count in counts.items():
            if getattr(shard, name) != count:
                yield f"holds {count} {name} where the manifest counts {getattr(shard, name)}"


def total(true: pa.ChunkedArray) -> int:
    return int(pc.sum(true).as_py() or 0)


def trace_faults(file: File, outcomes: pa.Table, word: str) -> Iterator[str]:
    """Columns, rows, seeds that should be kept, and as many moves as the outcomes say."""
    traces = read(file)
    yield from shape_faults(file, traces, TRACES)
    if not traces.schema.equals(TRACES):
        return
    seeds = traces["seed"].to_numpy()
    if word in ("all", "wins"):
        kept = outcomes if word == "all" else outcomes.filter(outcomes["won"])
        yield from seed_faults(seeds, kept["seed"].to_numpy())
    elif not (np.diff(seeds) > 0).all():
        yield "holds seeds that do not rise"
    at = np.searchsorted(outcomes["seed"].to_numpy(), seeds)
    if (at >= outcomes.num_rows).any() or not np.array_equal(outcomes["seed"].to_numpy()[at], seeds):
        yield "holds seeds that have no outcome"
    elif not np.array_equal(pc.list_value_length(traces["codes"]).to_numpy(), outcomes["moves"].to_numpy()[at]):
        yield "holds traces with other numbers of moves than the outcomes"


def shape_faults(file: File, table: pa.Table, schema: pa.Schema) -> Iterator[str]:
    if not table.schema.equals(schema):
        yield f"has the columns {', '.join(map(describe, table.schema))}; expected {', '.join(map(describe, schema))}"
    if table.num_rows != file.rows:
        yield f"holds {table.num_rows} rows where the manifest counts {file.rows}"


def describe(field: pa.Field) -> str:
    return f"{field.name} {field.type}"


def seed_faults(seeds: NDArray[np.int64], expected: NDArray[np.int64]) -> Iterator[str]:
    """The first row whose seed is not the one that should stand there."""
    if not np.array_equal(seeds, expected):
        same = min(len(seeds), len(expected))
        differs = np.flatnonzero(seeds[:same] != expected[:same])
        row = int(differs[0]) if len(differs) else same
        is_, be = (int(array[row]) if row < len(array) else "no seed" for array in (seeds, expected))
        yield f"holds {is_} in row {row} where {be} belongs: its seeds are not each there once and in order"
