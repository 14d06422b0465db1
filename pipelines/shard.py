"""Play one shard and write its files; this is what a worker does.

Outcomes and traces are written apart, each under a temporary name, flushed to disk, then renamed or, for a bucket, sent
whole: a file that has its name is whole. Nothing but small summaries goes back to the driver.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import sim
from pipelines.apart import allow, apart
from pipelines.disk import drafted, flush
from pipelines.limits import USUAL
from pipelines.manifest import digest
from pipelines.place import Place
from pipelines.plan import Cell, Shard, Sweep, trace_share
from sim.play import ENDINGS, OUTCOME, WON
from sim.table import Played, Table

OUTCOMES = pa.schema(
    {
        "seed": pa.int64(),
        "won": pa.bool_(),
        "ending": pa.dictionary(pa.int8(), pa.string()),
        "cards_home": pa.uint8(),
        "moves": pa.uint16(),
        "legal_moves": pa.uint32(),
        "decisions": pa.uint16(),
        "redeals": pa.uint8(),
        "trace_hash": pa.uint64(),
    }
)
TRACES = pa.schema({"seed": pa.int64(), "codes": pa.list_(pa.field("element", pa.uint32(), nullable=False))})
# Measured on both: splitting the bytes of the codes, at zstd's lowest level, is the fastest that is also small. Seeds
# follow each other and no hash comes twice: a dictionary of them costs a third of the bytes and half of the time.
PLAIN = ("seed", "trace_hash")
ENCODINGS: dict[str, dict[str, Any]] = {
    "outcomes": {
        "compression": "zstd", "compression_level": 1,
        "use_dictionary": [name for name in OUTCOMES.names if name not in PLAIN],
        "column_encoding": {"seed": "DELTA_BINARY_PACKED"},
    },
    "traces": {
        "compression": "zstd", "compression_level": 1, "use_dictionary": False,
        "column_encoding": {"seed": "DELTA_BINARY_PACKED", "codes.list.element": "BYTE_STREAM_SPLIT"},
    },
}  # fmt: skip


@dataclass
class Summary:
    """What the driver learns of a finished shard; all but `falls` is its line in the manifest."""

    shard: str
    files: list[dict[str, Any]]
    deals: int
    wins: int
    seconds: float  # of CPU, for playing and writing; the compiler's are not in it
    fallen: int = 0  # deals that the policy broke off
    falls: list[dict[str, Any]] = field(default_factory=list)  # the first few of them


KEPT_FALLS = 20


def play_shard(folder: Place, sweep: Sweep, shard: Shard, table: Table) -> Summary:
    """Play the deals of a shard at this table and write its files below `folder`."""
    start = time.thread_time()
    wins, falls = 0, []
    with ExitStack() as files:
        write = {
            kind: files.enter_context(parquet(folder, f"{kind}/{shard.name}.parquet", schema, ENCODINGS[kind]))
            for kind, schema in (("outcomes", OUTCOMES), ("traces", TRACES))
            if kind == "outcomes" or sweep.traces != "none"
        }
        for played in table.play(shard.lo, shard.hi):
            write["outcomes"].rows(outcome_rows(played))
            if "traces" in write:
                write["traces"].rows(trace_rows(played))
            wins += int((played.outcomes["ending"] == WON).sum())
            falls += [vars(fall) for fall in played.falls]
    listed = [file.listing for file in write.values()]
    seconds = round(time.thread_time() - start, 6)
    return Summary(shard.name, listed, shard.hi - shard.lo, wins, seconds, len(falls), falls[:KEPT_FALLS])


def open_table(sweep: Sweep, cell: Cell) -> Table:
    """The cell's game and policy, ready to play."""
    word, share = trace_share(sweep.traces)
    settings: dict[str, Any] = {"policy_seed": sweep.policy_seed, "source": sweep.source, "keep": word, "share": share}
    game = sim.game(cell.game)
    return Table(game, cell.policy.choose, scratch=cell.policy.scratch(game.title), **settings)


def mean_moves(cell: Cell, sweep: Sweep, deals: int) -> float | None:
    """Mean moves of the first deals of a cell; None if the policy comes to harm. Nothing is compiled for no deals."""
    if not deals:
        return 0.0
    table = open_table(replace(sweep, traces="none"), cell)
    mean: float | None = apart(lambda: sum(moves(table, sweep.first_seed + i) for i in range(deals)) / deals)
    return mean


def moves(table: Table, seed: int) -> int:
    """Moves of a deal, which has a usual deal's time."""
    allow(USUAL.deal_seconds)
    return int(table.play_block(seed, seed + 1).outcomes["moves"][0])


def outcome_rows(played: Played) -> pa.Table:
    """The outcomes of a block as they are stored."""
    out = played.outcomes
    columns = {name: np.ascontiguousarray(out[name]) for name in OUTCOMES.names if name in set(OUTCOME.names or ())}
    ending = pa.DictionaryArray.from_arrays(pa.array(columns.pop("ending").view(np.int8)), pa.array(ENDINGS))
    columns |= {"seed": columns["seed"].view(np.int64), "won": out["ending"] == WON}
    arrays = {name: pa.array(column) for name, column in columns.items()} | {"ending": ending}
    return pa.table([arrays[name] for name in OUTCOMES.names], schema=OUTCOMES)


def trace_rows(played: Played) -> pa.Table:
    """The kept moves of a block: a row per deal."""
    kept = played.outcomes[played.outcomes["kept"] == 1]
    ends = np.concatenate([[0], np.cumsum(kept["moves"], dtype=np.int32)]).astype(np.int32)
    codes = pa.ListArray.from_arrays(pa.array(ends), pa.array(played.codes), type=TRACES.field("codes").type)
    return pa.table([pa.array(kept["seed"].astype(np.int64)), codes], schema=TRACES)


class ParquetFile:
    """A Parquet file that is being written, a row group per block of deals."""

    def __init__(self, name: str, draft: Path, schema: pa.Schema, encoding: dict[str, Any]) -> None:
        self.name, self.draft, self.count = name, draft, 0
        self.writer = pq.ParquetWriter(draft, schema, write_page_checksum=True, **encoding)
        self.listing: dict[str, Any] = {}

    def rows(self, table: pa.Table) -> None:
        self.writer.write_table(table, row_group_size=max(1, table.num_rows))
        self.count += table.num_rows

    def close(self) -> None:
        """Finish the file, and note what the manifest keeps of it."""
        self.writer.close()
        flush(self.draft)
        size, sha = self.draft.stat().st_size, digest(self.draft)
        self.listing = {"path": self.name, "rows": self.count, "bytes": size, "sha256": sha}


@contextmanager
def parquet(folder: Place, name: str, schema: pa.Schema, encoding: dict[str, Any]) -> Iterator[ParquetFile]:
    """A Parquet file that appears under its name when it is complete, and not at all when writing fails."""
    with drafted(folder / name) as draft:
        file = ParquetFile(name, draft, schema, encoding)
        try:
            yield file
            file.close()
        finally:
            file.writer.is_open = False  # pyarrow would finish a file that failed once more, and fail in public
