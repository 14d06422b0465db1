"""What a sweep would take: its cells, what is done of them, and from a few deals of each how long the rest takes.

Nothing is written and no Ray is started. The rates are those of this machine at this moment.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from math import ceil
from time import thread_time

import pyarrow as pa
import pyarrow.parquet as pq

import sim
from pipelines import store
from pipelines.apart import allow, apart
from pipelines.disk import room
from pipelines.extending import grown
from pipelines.folder import read_settings
from pipelines.limits import USUAL
from pipelines.machine import cores
from pipelines.manifest import Shard, listed
from pipelines.place import Place
from pipelines.plan import Cell, Sweep, trace_share
from pipelines.shard import ENCODINGS, open_table, outcome_rows, trace_rows
from sim.table import Played

DEALS, SECONDS = 2000, 0.3  # played of each cell: about so many deals, or for so long
FEW = 20  # in the first block; each block plays as many as all before it, and as many more
PLAN = pa.schema(
    dict.fromkeys(("game", "variant", "policy"), pa.string())
    | dict.fromkeys(("deals", "done", "left", "shards_left"), pa.int64())
    | {"cpu_seconds": pa.float64(), "bytes": pa.int64()}
)


def estimate(folder: Place, sweep: Sweep) -> pa.Table:
    """A row per cell: what is done, and what is left, with its cost; an error if the folder holds another sweep."""
    done = dict.fromkeys((cell.key for cell in sweep.cells), 0)
    if (folder / store.SWEEP).exists():
        _, grown_sweep = grown(folder, read_settings(folder), sweep)
        sweep = replace(grown_sweep, deals=sweep.deals)
        for shard in finished(folder):
            cell, end = shard.name.rpartition("/")[0], min(shard.end, sweep.first_seed + sweep.deals)
            done[cell] = done.get(cell, 0) + max(0, end - shard.first)
    return pa.Table.from_pylist([row(sweep, cell, done[cell.key]) for cell in sweep.cells], PLAN)


def finished(folder: Place) -> Iterator[Shard]:
    """The shards that `patience sweep` would not play again."""
    return (shard for shard in listed(folder).values() if not store.fault(shard))


def row(sweep: Sweep, cell: Cell, done: int) -> dict[str, object]:
    """Cost and bytes are not known of a policy that comes to harm in its first deals."""
    game, left = sim.game(cell.game), sweep.deals - done
    shards, rates = ceil(left / cell.shard_deals), apart(lambda: calibrate(sweep, cell)) if left else (0.0, 0.0, 0)
    named: dict[str, object] = {"game": game.name, "variant": game.variant, "policy": cell.policy.id}
    named |= {"deals": sweep.deals, "done": done, "left": left, "shards_left": shards}
    if rates is None:
        return named
    seconds, per_deal, per_shard = rates
    return named | {"cpu_seconds": left * seconds, "bytes": round(left * per_deal + shards * per_shard)}


def calibrate(sweep: Sweep, cell: Cell) -> tuple[float, float, int]:
    """Seconds and bytes of a deal, and bytes of a shard without deals.

    The first deals of a cell are played, and written into memory as a worker would write them into files.
    """
    word, share = trace_share(sweep.traces)
    table = open_table(replace(sweep, traces="all" if word == "sample" else sweep.traces), cell)
    rows(table.play_block(sweep.first_seed, sweep.first_seed + 1))  # loads code, ours and the libraries'
    blocks, seed, seconds = [], sweep.first_seed, 0.0
    while seed < sweep.first_seed + min(DEALS, sweep.deals) and seconds < SECONDS:
        allow(USUAL.deal_seconds)
        start = thread_time()
        played = table.play_block(seed, min(2 * seed - sweep.first_seed + FEW, sweep.first_seed + sweep.deals))
        blocks.append(rows(played))
        seconds, seed = seconds + thread_time() - start, seed + len(played.outcomes)
    deals = seed - sweep.first_seed
    sizes = [weigh(kind, [block[kind] for block in blocks], deals) for kind in ("outcomes", "traces")]
    wanted = (1.0, 0.0 if word == "none" else share)
    per_deal = sum(size[0] * weight for size, weight in zip(sizes, wanted, strict=True))
    return seconds / deals, per_deal, sum(size[1] for size, weight in zip(sizes, wanted, strict=True) if weight)


def rows(played: Played) -> dict[str, pa.Table]:
    """The rows of a block; its codes are copied, for the next block is played into their place."""
    return {"outcomes": outcome_rows(played), "traces": trace_rows(replace(played, codes=played.codes.copy()))}


def weigh(kind: str, blocks: list[pa.Table], deals: int) -> tuple[float, int]:
    """Bytes of a deal's rows, and of a file without rows."""
    whole = pa.concat_tables(blocks).combine_chunks()
    empty = bytes_of(kind, whole.slice(0, 0))
    return (bytes_of(kind, whole) - empty) / deals, empty


def bytes_of(kind: str, table: pa.Table) -> int:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, write_page_checksum=True, **ENCODINGS[kind])
    return int(sink.getvalue().size)


def in_words(folder: Place, plan: pa.Table) -> str:
    """All cells together, and whether the disk has room for them."""
    deals, left, shards, seconds, size = (sum(filter(None, plan[name].to_pylist())) for name in TOTALS)
    free = room(folder)
    time = f"{duration(seconds)} of CPU, {duration(seconds / cores())} on {cores()} cores"
    where = "" if free is None else f" where {free / 1e6:,.0f} MB are free"
    notes = ["That is more than the disk has room for."] if free is not None and size > free else []
    if harmed := plan["bytes"].null_count:
        notes.append(f"{harmed} cells are not in these numbers: their policies came to harm in their first deals.")
    return (
        f"At most {left:,} of {deals:,} deals are left, in {shards:,} shards: about {time}, and {size / 1e6:,.1f} MB"
        f"{where}. {' '.join([*notes, f'{folder} is untouched.'])}"
    )


TOTALS = ("deals", "left", "shards_left", "cpu_seconds", "bytes")


def duration(seconds: float) -> str:
    return str(timedelta(seconds=ceil(seconds)))
