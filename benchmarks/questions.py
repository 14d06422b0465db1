"""How long the answers take: the difficulty table over 10^7 deals, and sums over 10^8 moves, on two cores.

`python -m benchmarks.questions FOLDER` from the root of the repository. The deals are not played but made up, with the
plan, the shards, the columns and the encodings of real sweeps, and stay in FOLDER for the next time.
"""

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

import sim
from pipelines import store
from pipelines.comparison import comparison
from pipelines.database import open_sweeps
from pipelines.deals_of import deals_of
from pipelines.difficulty import difficulty
from pipelines.luck import luck
from pipelines.measures import measures, survival
from pipelines.owner import owned
from pipelines.plan import Shard, Sweep, plan
from pipelines.shard import ENCODINGS, OUTCOMES, TRACES, Summary, parquet
from policies.loader import load
from sim.play import ENDINGS

BLOCK = 20_000  # deals of a row group
DEALS, TRACED = 10_000_000, 1_000_000
MOVES = 100  # of each deal that has a trace
KINDS_SQL = "select game, variant, policy, kind, count(*), avg(legal_moves) from moves group by all"
STEPS_SQL = "select variant, policy, step, avg(legal_moves), count(*) filter (kind = 'play') from moves group by all"


def outcomes(seeds: np.ndarray, dice: np.random.Generator, rate: float) -> pa.Table:
    """Outcomes of these deals as if a policy won them at this rate."""
    n = len(seeds)
    lost = dice.choice(np.arange(1, 5), n, p=[0.85, 0.05, 0.09, 0.01])
    ending = np.where(dice.random(n) < rate, 0, lost).astype(np.int8)
    moves = dice.integers(20, 300, n)
    named = pa.DictionaryArray.from_arrays(pa.array(ending), pa.array(ENDINGS))
    columns = {
        "seed": seeds, "won": ending == 0, "ending": named,
        "cards_home": np.where(ending == 0, 52, dice.binomial(51, 0.3, n)), "moves": moves,
        "legal_moves": moves * 4, "decisions": moves - dice.integers(0, 20, n), "redeals": dice.integers(0, 3, n),
        "trace_hash": dice.integers(0, 2**64, n, np.uint64),
    }  # fmt: skip
    return pa.table({field.name: pa.array(columns[field.name], field.type) for field in OUTCOMES}, schema=OUTCOMES)


def traces(seeds: np.ndarray, dice: np.random.Generator, piles: int) -> pa.Table:
    """As many moves of each deal, of any kind and between any piles."""
    n = len(seeds) * MOVES
    codes = dice.integers(0, 12, n) | dice.integers(0, piles, n) << 4 | dice.integers(0, piles, n) << 11
    codes |= dice.choice(np.array([f for f in range(64) if 1 <= f & 15 <= 13]), n) << 18 | dice.integers(1, 20, n) << 24
    ends = pa.array(np.arange(len(seeds) + 1, dtype=np.int32) * MOVES)
    lists = pa.ListArray.from_arrays(ends, pa.array(codes.astype(np.uint32)), type=TRACES.field("codes").type)
    return pa.table([pa.array(seeds), lists], schema=TRACES)


def make(folder: Path, sweep: Sweep) -> None:
    """Write the sweep that is not there yet, shard by shard."""
    with owned(folder):
        store.prepare(folder, sweep, [])
        done = store.finished(folder)
        for one in sweep.shards():
            if one.name not in done:
                store.note(folder, made(folder, sweep, one))


def made(folder: Path, sweep: Sweep, one: Shard) -> Summary:
    """The files of a shard, as `pipelines.shard.play_shard` would write them."""
    dice = np.random.default_rng([one.lo, *one.name.encode()])
    kinds = {"outcomes": OUTCOMES} | ({"traces": TRACES} if sweep.traces == "all" else {})
    listed, rate = [], dice.random()
    for kind, schema in kinds.items():
        with parquet(folder, f"{kind}/{one.name}.parquet", schema, ENCODINGS[kind]) as file:
            for lo in range(one.lo, one.hi, BLOCK):
                seeds = np.arange(lo, min(lo + BLOCK, one.hi))
                piles = len(sim.game(one.cell.game).piles)
                file.rows(outcomes(seeds, dice, rate) if kind == "outcomes" else traces(seeds, dice, piles))
        listed.append(file.listing)
    return Summary(one.name, listed, one.hi - one.lo, 0, 1.0)


def clocked(about: str, ask: Callable[[], pa.Table]) -> None:
    """Print the least wall and CPU seconds of three runs."""
    times = []
    for _ in range(3):
        wall, cpu = time.monotonic(), seconds()
        rows = ask().num_rows
        times.append((time.monotonic() - wall, seconds() - cpu))
    wall, cpu = (min(column) for column in zip(*times, strict=True))
    print(f"{about:60} {wall:6.2f} s wall {cpu:6.2f} s CPU {rows:8,} rows", flush=True)


def seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def opened(folder: Path) -> duckdb.DuckDBPyConnection:
    return open_sweeps([folder], threads=2)


def main(folder: str) -> None:
    players, games = [load("random"), load("first")], sim.names()
    cells = 2 * len(games)
    wide = plan(games, {}, players, deals=DEALS // cells, traces="none")
    deep = plan(["la_belle_lucie"], {"redeals": ["0", "2"]}, players, deals=TRACED // 4, traces="all")
    make(Path(folder) / "outcomes", wide)
    make(Path(folder) / "moves", deep)
    rows, moves = Path(folder) / "outcomes", Path(folder) / "moves"
    clocked(f"opening {rows}", lambda: opened(rows).table("sweeps").to_arrow_table())
    con, traced = opened(rows), opened(moves)
    clocked(f"difficulty table over {DEALS:,} deals", lambda: difficulty(con))
    clocked(f"every measure of {DEALS:,} deals", lambda: measures(con))
    clocked(f"survival of {DEALS:,} deals", lambda: survival(con))
    clocked(f"two policies compared on {DEALS:,} deals", lambda: comparison(con, ["policy"]))
    clocked(f"luck over {DEALS:,} deals", lambda: luck(con))
    clocked(f"lists of deals out of {DEALS:,}", lambda: deals_of(con))
    clocked(f"kinds of {TRACED * MOVES:,} moves", lambda: traced.sql(KINDS_SQL).to_arrow_table())
    clocked(f"steps of {TRACED * MOVES:,} moves", lambda: traced.sql(STEPS_SQL).to_arrow_table())


if __name__ == "__main__":
    main(sys.argv[1])
