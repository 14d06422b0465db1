"""The two files of a shard: their columns, what is kept of the moves, and that a file is whole or not there."""

import errno
import resource
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sim
from pipelines import shard, worker
from pipelines.database import open_sweeps
from pipelines.replay import decode, replay
from pipelines.sandbox import select
from sim.play import ENDINGS
from tests import splitmix
from tests.sweeping import drafts, files, manifest, patience, planned, played, read, rows

GAMES = sim.names()
SAMPLE = 0.01


@pytest.fixture(scope="module")
def all_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every game, with every move kept; some deals are won, some take back a redeal."""
    folder = tmp_path_factory.mktemp("all") / "games"
    played(folder, planned(*GAMES, traces="all", deals=60, first_seed=10**6))
    return folder


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same deals, with different shares of their moves kept."""
    root = tmp_path_factory.mktemp("kept")
    for traces in ("all", "none", "wins", f"sample:{SAMPLE}"):
        played(root / traces, planned(traces=traces, deals=2500, shard_moves=50_000))
    return {path.name: path for path in root.iterdir()}


def test_the_columns_of_both_files(all_games: Path) -> None:
    schemas = {kind: {str(pq.read_schema(all_games / path)) for path in files(all_games) if path.startswith(kind)}
               for kind in ("outcomes", "traces")}  # fmt: skip
    outcomes = (
        "seed: int64\nwon: bool\nending: dictionary<values=string, indices=int8, ordered=0>\ncards_home: uint8\n"
        "moves: uint16\nlegal_moves: uint32\ndecisions: uint16\nredeals: uint8\ntrace_hash: uint64"
    )
    traces = "seed: int64\ncodes: list<element: uint32 not null>\n  child 0, element: uint32 not null"
    assert schemas == {"outcomes": {outcomes}, "traces": {traces}}


def test_the_manifest_tells_what_is_in_the_files(all_games: Path) -> None:
    lines = manifest(all_games)
    listed = {file["path"]: file for line in lines for file in line["files"]}
    assert {path: file["sha256"] for path, file in listed.items()} == files(all_games)
    for path, file in listed.items():
        assert (file["rows"], file["bytes"]) == (
            pq.read_metadata(all_games / path).num_rows,
            (all_games / path).stat().st_size,
        )
    for line in lines:
        won = pq.read_table(all_games / line["files"][0]["path"], partitioning=None)["won"].to_pylist()
        assert (line["deals"], line["wins"]) == (len(won), sum(won)) == (60, sum(won))
    assert sum(line["wins"] for line in lines) > 0


def test_outcomes_agree_with_themselves(all_games: Path) -> None:
    found = rows(all_games, "outcomes")
    assert {out["ending"] for out in found} >= {"won", "stuck"}
    for out in found:
        assert out["ending"] in ENDINGS
        assert out["won"] == (out["ending"] == "won")
        assert out["decisions"] <= out["moves"] + 1
        assert out["legal_moves"] >= out["moves"] + out["decisions"]


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("game", GAMES)
def test_decode_gives_the_rows_of_the_view(all_games: Path, game: str, policy: str) -> None:
    sql = f"""select seed, step, kind, card, source, target, legal_moves
              from moves where game = '{game}' and policy = '{policy}' order by seed, step"""
    viewed = select(open_sweeps([all_games]), sql).to_pylist()
    played_game = sim.game(game)
    decoded = [
        {"seed": trace["seed"]} | step
        for trace in rows(all_games, "traces", game=game, policy=policy)
        for step in decode(played_game, trace["codes"])
    ]
    assert decoded == viewed
    assert len(viewed) > 60 * 4


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("game", GAMES)
def test_every_trace_replays_to_its_outcome(all_games: Path, game: str, policy: str) -> None:
    outcomes = {out["seed"]: out for out in rows(all_games, "outcomes", game=game, policy=policy)}
    traces = rows(all_games, "traces", game=game, policy=policy)
    assert [trace["seed"] for trace in traces] == list(outcomes) == list(range(10**6, 10**6 + 60))
    for trace in traces[:12]:
        assert_replays(sim.game(game).deal(trace["seed"]), trace["codes"], outcomes[trace["seed"]])


def assert_replays(position: sim.Position, codes: list[int], out: dict[str, Any]) -> None:
    """The moves are legal, the count of legal ones is that of the trace, and they end as the outcome says."""
    steps = list(replay(position, codes))
    assert [min(step.legal_moves, 255) for step in steps] == [code >> 24 for code in codes]
    assert out["moves"] == len(codes)
    assert (position.cards_home, position.won) == (out["cards_home"], out["won"])
    assert position.game.rules.redeals - position.redeals_left == out["redeals"]
    assert (not position.moves()) == (out["ending"] in ("won", "stuck"))


def test_a_trace_of_other_rules_does_not_replay(all_games: Path) -> None:
    trace = rows(all_games, "traces", game="la_belle_lucie", policy="greedy")[0]
    with pytest.raises(sim.errors.PatienceError, match="Move 0 of the trace is not legal here"):
        list(replay(sim.game("la_belle_lucie").deal(trace["seed"] + 1), trace["codes"]))


def test_outcomes_do_not_depend_on_what_is_kept(kept: dict[str, Path]) -> None:
    for policy in ("random", "greedy"):
        tables = [read(folder, "outcomes", policy=policy) for folder in kept.values()]
        assert [len(table) for table in tables] == [2500] * 4
        assert all(table.equals(tables[0]) for table in tables)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_which_moves_are_kept(kept: dict[str, Path], policy: str) -> None:
    assert not (kept["none"] / "traces").exists()
    every = {trace["seed"]: trace["codes"] for trace in rows(kept["all"], "traces", policy=policy)}
    outcomes = rows(kept["all"], "outcomes", policy=policy)
    won = [out["seed"] for out in outcomes if out["won"]]
    drawn = [seed for seed in range(2500) if (splitmix.mix(seed) >> 32) * 1_000_000 >> 32 < SAMPLE * 1_000_000]
    assert list(every) == list(range(2500))
    assert 15 < len(drawn) < 40
    for traces, seeds in (("wins", won), (f"sample:{SAMPLE}", drawn)):
        assert rows(kept[traces], "traces", policy=policy) == [{"seed": seed, "codes": every[seed]} for seed in seeds]


def test_wins_are_among_what_is_kept(kept: dict[str, Path]) -> None:
    assert len(rows(kept["wins"], "traces", policy="greedy")) > 50


def test_samples_grow(tmp_path: Path) -> None:
    """A larger share holds the smaller one, and the ends are none and all."""
    seeds = []
    for share in (0, 0.1, 0.5, 1):
        played(tmp_path / f"{share}", planned(players=["random"], traces=f"sample:{share}", deals=300))
        seeds.append({trace["seed"] for trace in rows(tmp_path / f"{share}", "traces")})
    assert seeds[0] == set() < seeds[1] < seeds[2] < seeds[3] == set(range(300))


@pytest.mark.parametrize("kind", ["outcomes", "traces"])
@pytest.mark.parametrize("step", ["rows", "close"])
def test_a_disk_that_is_full_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, step: str
) -> None:
    """The first shard that comes to this step fails; the others, and the next run, are not affected."""
    usual, failed = getattr(shard.ParquetFile, step), []

    def full(file: shard.ParquetFile, *table: Any) -> None:
        if file.name.startswith(kind) and not failed:
            failed.append(file.name.removeprefix(f"{kind}/").removesuffix(".parquet"))
            usual(file, *table)
            raise OSError(errno.ENOSPC, "No space left on device")
        usual(file, *table)

    sweep = planned(deals=1000, shard_moves=20_000, traces="all")
    with monkeypatch.context() as patched:
        patched.setattr(shard.ParquetFile, step, full)
        report = played(tmp_path / "full", sweep)
    assert [failure.shard for failure in report.failures] == failed
    assert report.failures[0].reason == "[Errno 28] No space left on device"
    assert not drafts(tmp_path)
    assert failed[0] not in {line["shard"] for line in manifest(tmp_path / "full")}
    assert len(manifest(tmp_path / "full")) == len(list(sweep.shards())) - 1
    assert not played(tmp_path / "full", sweep).failures
    played(tmp_path / "usual", sweep)
    assert files(tmp_path / "full") == files(tmp_path / "usual")


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    """A limit of the system on the size of a file: the shards that fit are kept, the others are named."""
    command = ("sweep", "la_belle_lucie", "--policy", "greedy", "--deals", "3000", "--executor", "serial")
    command += ("--traces", "all", "--out", str(tmp_path / "sweep"))
    _, err = patience(*command, code=3, preexec_fn=short_files_only)
    assert "Shard game=la_belle_lucie/variant=default/policy=greedy/seed=" in err
    assert "File too large" in err
    assert "Not finished: run the same command again to go on." in err
    assert not drafts(tmp_path)
    assert not manifest(tmp_path / "sweep")
    out, _ = patience(*command, "--format", "csv")
    assert ",3000," in out
    assert len(manifest(tmp_path / "sweep")) == len(list(planned(players=["greedy"], deals=3000).shards())) > 1
    assert not drafts(tmp_path)


def short_files_only() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, resource.RLIM_INFINITY))


def test_an_error_that_cannot_be_pickled_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever is raised, a worker answers with words."""

    class Odd(BaseException):
        def __reduce__(self) -> str:
            raise TypeError

    def odd(*_: object) -> None:
        raise Odd("what now")

    monkeypatch.setattr(worker, "play_shard", odd)
    sweep = planned(deals=1, players=["first"])
    failure = worker.play_order(worker.order(tmp_path, sweep, next(sweep.shards())))
    assert isinstance(failure, worker.Failure)
    assert failure.reason.startswith("Odd: what now\nTraceback")


def test_an_order_is_plain_and_complete(tmp_path: Path) -> None:
    """What goes to a worker: no code and no objects of ours, and the same shard comes out of it."""
    sweep = planned(deals=500, vary={"redeals": ["0", "1"]}, traces="all", policy_seed=5, shard_moves=1)
    for part in list(sweep.shards())[:6]:
        given = worker.order(tmp_path, sweep, part)
        assert plain(given)
        again = worker.restore(given["sweep"])
        assert (again.cells, again.policy_seed, again.traces) == ((part.cell,), 5, "all")


def plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and plain(item) for key, item in value.items())
    if isinstance(value, (tuple, list)):
        return all(map(plain, value))
    return type(value) in (str, int, float, bool, type(None))
