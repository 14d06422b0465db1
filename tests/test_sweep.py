"""The bytes of a sweep follow from its plan: not from who plays it, in what order, or how often it is begun."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import sim
from pipelines import run, worker
from pipelines.executors import Executor, Serial
from pipelines.owner import FolderInUse, owned
from pipelines.plan import Shard
from sim.deals import MAX_SEED
from sim.errors import PatienceError
from tests.sweeping import COMMAND, PLANNED, files, flip_a_bit, manifest, patience, planned, played, read, rows

SMALL: dict[str, Any] = {"deals": 1000, "shard_moves": 20_000, "traces": "sample:0.1"}


def test_two_workers_of_ray_write_the_same_bytes(undisturbed: Path, tmp_path: Path, two_workers: Executor) -> None:
    assert played(tmp_path / "ray", planned(**PLANNED), lambda: two_workers) == run.Report()
    assert len(files(undisturbed)) > 60
    assert files(tmp_path / "ray") == files(undisturbed)
    assert by_name(tmp_path / "ray") == by_name(undisturbed)


def by_name(folder: Path) -> list[dict[str, Any]]:
    """The manifest without its order and times."""
    return sorted(({k: v for k, v in line.items() if k != "seconds"} for line in manifest(folder)), key=str)


def test_one_worker_of_ray_writes_the_same_bytes(undisturbed: Path, tmp_path: Path) -> None:
    out, err = patience(*COMMAND, "--workers", "1", "--out", tmp_path / "one")
    assert files(tmp_path / "one") == files(undisturbed)
    assert [row["deals"] for row in json.loads(out)] == [24_000] * 4
    assert "96,000 of 96,000 deals" in err
    assert err.endswith(f"Finished: {tmp_path / 'one'}\n")


class Backwards(Serial):
    """Plays the shards from the last to the first."""

    def play(self, folder: Path, sweep: Any, shards: Any, stop: Any) -> Any:
        return super().play(folder, sweep, iter(list(shards)[::-1]), stop)


def test_the_order_does_not_matter(tmp_path: Path) -> None:
    sweep = planned(**SMALL)
    played(tmp_path / "a", sweep)
    played(tmp_path / "b", sweep, Backwards)
    assert by_name(tmp_path / "a") == by_name(tmp_path / "b")
    assert manifest(tmp_path / "a") != manifest(tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")


@pytest.mark.parametrize("game", ["la_belle_lucie", "la_croix_dhonneur", "napoleon_at_st_helena"])
def test_how_seeds_are_cut_does_not_matter(game: str, tmp_path: Path) -> None:
    """Shards of another size hold the same rows; so do two sweeps that begin at other seeds."""
    tables = []
    for moves in (1, 10**9):
        played(tmp_path / f"{moves}", planned(game, shard_moves=moves, deals=550, traces="all"))
        tables.append([read(tmp_path / f"{moves}", kind, policy="random") for kind in ("outcomes", "traces")])
    assert len(files(tmp_path / "1")) == 6 * len(files(tmp_path / f"{10**9}"))
    assert all(one.equals(other) for one, other in zip(*tables, strict=True))
    played(tmp_path / "late", planned(game, first_seed=300, deals=250))
    assert read(tmp_path / "late", "outcomes", policy="random").equals(tables[0][0].slice(300))


def test_variants_and_policies_play_the_same_deals(tmp_path: Path) -> None:
    """With no redeal used, a variant that allows fewer goes the same way; the deck is that of the seed."""
    played(tmp_path / "s", planned(players=["first"], vary={"redeals": ["0", "2"]}, deals=300, traces="all"))
    zero, two = (rows(tmp_path / "s", "traces", variant=variant) for variant in ("redeals-0", "default"))
    for short, long in zip(zero, two, strict=True):
        assert plain_moves(short) == plain_moves(long)[: len(short["codes"])] != []


def plain_moves(trace: dict[str, Any]) -> list[int]:
    """The codes without the number of legal moves, of which a redeal is one."""
    return [code & 0xFFFFFF for code in trace["codes"]]


def test_the_policy_seed_changes_random_choices_and_no_deal(tmp_path: Path) -> None:
    for seed in (0, 1):
        played(tmp_path / f"{seed}", planned(deals=200, policy_seed=seed))
    random, greedy = (
        [read(tmp_path / f"{seed}", "outcomes", policy=p) for seed in (0, 1)] for p in ("random", "greedy")
    )
    assert greedy[0].equals(greedy[1])
    assert not random[0].equals(random[1])


def test_deals_of_pysolfc(tmp_path: Path, two_workers: Executor) -> None:
    sweep = planned(
        "la_belle_lucie(pysolfc)", source="pysol", first_seed=31_900, deals=200, shard_moves=1, traces="all"
    )
    played(tmp_path / "serial", sweep)
    played(tmp_path / "ray", sweep, lambda: two_workers)
    assert files(tmp_path / "serial") == files(tmp_path / "ray")
    played(tmp_path / "own", planned("la_belle_lucie(pysolfc)", first_seed=31_900, deals=200))
    ours, theirs = (read(tmp_path / name, "outcomes", policy="random") for name in ("own", "serial"))
    assert ours["seed"].equals(theirs["seed"])
    assert not ours.equals(theirs)


def test_the_last_seed_of_all(tmp_path: Path) -> None:
    played(tmp_path / "end", planned(first_seed=MAX_SEED - 2, deals=3, traces="all", players=["greedy"]))
    assert read(tmp_path / "end", "outcomes")["seed"].to_pylist() == [MAX_SEED - 2, MAX_SEED - 1, MAX_SEED]
    assert read(tmp_path / "end", "traces")["seed"].to_pylist() == [MAX_SEED - 2, MAX_SEED - 1, MAX_SEED]


@pytest.mark.parametrize("deals", [0, 1])
def test_sweeps_of_few_deals(deals: int, tmp_path: Path) -> None:
    out, err = patience(
        "sweep", "all", "--deals", str(deals), "--executor", "serial", "--format", "json", "--out", tmp_path / "s"
    )
    table = json.loads(out)
    assert [row["deals"] for row in table] == [deals] * 2 * len(sim.names())
    assert len(manifest(tmp_path / "s")) == 2 * len(sim.names()) * deals
    assert f"Finished: {tmp_path / 's'}" in err
    assert deals or {(row["win_low"], row["win_high"]) for row in table} == {(0.0, 1.0)}


class Never:
    """An executor that must not be opened."""

    def __init__(self) -> None:
        raise AssertionError("there was something left to play")


def test_a_finished_sweep_is_not_played_again(tmp_path: Path) -> None:
    sweep = planned(**SMALL)
    played(tmp_path / "s", sweep)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.suffix != ".lock"}
    assert played(tmp_path / "s", sweep, Never) == run.Report()
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.suffix != ".lock"}
    assert {path: time for path, time in after.items() if path.is_file()} == {
        p: t for p, t in before.items() if p.is_file()
    }


def test_only_what_is_missing_is_played(tmp_path: Path) -> None:
    """A file that is gone, one that is cut short, one with a flipped bit, and one of the two files of a shard."""
    sweep = planned(**SMALL)
    played(tmp_path / "s", sweep)
    whole, lines = files(tmp_path / "s"), manifest(tmp_path / "s")
    harmed = [
        next(iter(whole)),
        list(whole)[5],
        [path for path in whole if path.startswith("traces")][2],
        list(whole)[-1],
    ]
    (tmp_path / "s" / harmed[0]).unlink()
    (tmp_path / "s" / harmed[1]).write_bytes((tmp_path / "s" / harmed[1]).read_bytes()[:-1])
    (tmp_path / "s" / harmed[2]).unlink()
    flip_a_bit(tmp_path / "s" / harmed[3])
    played(tmp_path / "s", sweep)
    again = [line["shard"] for line in manifest(tmp_path / "s")[len(lines) :]]
    assert sorted(again) == sorted(path.partition("/")[2].removesuffix(".parquet") for path in harmed)
    assert files(tmp_path / "s") == whole
    assert seeds_once(tmp_path / "s", 2 * 1000)


def seeds_once(folder: Path, deals: int) -> bool:
    """Does a query find every deal of every cell, each once?"""
    from pipelines.database import open_sweeps
    from pipelines.sandbox import select

    sql = "select count(*) as n, count(distinct (game, variant, policy, seed)) as different from outcomes"
    return select(open_sweeps([folder]), sql).to_pylist() == [{"n": deals, "different": deals}]


@pytest.mark.parametrize("torn", ['{"shard": "game=', "{", "x", "\0\0\0"])
def test_a_torn_line_is_cut(tmp_path: Path, torn: str) -> None:
    sweep = planned(**SMALL)
    played(tmp_path / "s", sweep)
    text = (tmp_path / "s" / "manifest.jsonl").read_text()
    (tmp_path / "s" / "manifest.jsonl").write_text(text[: text.rindex("{")] + torn)
    (tmp_path / "s" / "failures.jsonl").write_text("{}\n" + torn)
    played(tmp_path / "s", sweep)
    assert [line | {"seconds": 0} for line in manifest(tmp_path / "s")] == [
        json.loads(line) | {"seconds": 0} for line in text.splitlines()
    ]
    assert (tmp_path / "s" / "failures.jsonl").read_text() == "{}\n"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("manifest.jsonl", "nonsense\n", "line 1 cannot be read"),
        ("manifest.jsonl", '{"shard": "s"}\n', "'s' is no shard"),
        ("manifest.jsonl", "[]\n", "line 1 cannot be read"),
        ("sweep.json", "{", "is damaged"),
        ("sweep.json", '{"schema": 2}', "has schema 2; expected 1"),
    ],
)
def test_what_is_damaged_is_said(tmp_path: Path, file: str, text: str, message: str) -> None:
    sweep = planned(**SMALL)
    played(tmp_path / "s", sweep)
    (tmp_path / "s" / file).write_text(text)
    with pytest.raises(PatienceError, match=message):
        played(tmp_path / "s", sweep, Never)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"first_seed": 1}, "first_seed was 0 and is 1"),
        ({"traces": "all"}, 'traces was "sample:0.1" and is "all"'),
        ({"policy_seed": 3, "deals": 7}, "another sweep: policy_seed was 0 and is 3. "),
        ({"stop": "precision=1"}, 'stop was "" and is "precision=1"'),
    ],
)
def test_a_folder_of_another_sweep_is_refused(tmp_path: Path, other: dict[str, Any], message: str) -> None:
    played(tmp_path / "s", planned(**SMALL))
    before = files(tmp_path / "s")
    with pytest.raises(PatienceError, match="holds another sweep: ") as error:
        played(tmp_path / "s", planned(**SMALL | other), Never)
    assert message in str(error.value)
    assert "Choose another --out" in str(error.value)
    assert files(tmp_path / "s") == before


def test_another_engine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(tmp_path / "s", planned(**SMALL))
    monkeypatch.setattr("sim.jit.DIGEST", "0123456789ab")
    with pytest.raises(PatienceError, match=r'engine was "[0-9a-f]{12}" and is "0123456789ab"'):
        played(tmp_path / "s", planned(**SMALL), Never)


def test_foreign_files_do_not_matter(tmp_path: Path) -> None:
    sweep = planned(**SMALL)
    played(tmp_path / "s", sweep)
    listed = tmp_path / "s" / next(iter(files(tmp_path / "s")))
    listed.with_name(f".{listed.name}.4711.draft").write_text("half")
    listed.with_name(".DS_Store").write_text("")
    listed.with_name("seed=5-6.parquet").write_text("nonsense")
    played(tmp_path / "s", sweep)
    assert not list(tmp_path.rglob("*.draft"))
    assert listed.with_name(".DS_Store").exists()
    assert seeds_once(tmp_path / "s", 2 * 1000)


def test_a_folder_that_cannot_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(PatienceError, match=r"cannot be written .*Choose another --out"):
            played(folder, planned(**SMALL), Never)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with (
        owned(tmp_path),
        pytest.raises(FolderInUse, match=f"Another process plays the sweep .*process {os.getpid()} on"),
    ):
        played(tmp_path, planned(**SMALL), Never)
    played(tmp_path, planned(deals=0))


class Failing:
    """Says of every other shard that it could not be played."""

    def play(self, folder: Path, sweep: Any, shards: Any, stop: Any) -> Any:
        for number, shard in enumerate(shards):
            if stop():
                return
            played = worker.play_order(worker.order(folder, sweep, shard))
            yield worker.Failure(shard.name, "it was not to be") if number % 2 else played

    def close(self) -> None:
        pass


@pytest.mark.parametrize("on_error", ["continue", "stop"])
def test_shards_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str], on_error: str) -> None:
    """They are named, the others are played, and the next run plays them."""
    sweep = planned(**SMALL)
    names = [shard.name for shard in sweep.shards()]
    report = played(tmp_path / "s", sweep, Failing, on_error)
    failed = names[1::2] if on_error == "continue" else names[1:2]
    assert [failure.shard for failure in report.failures] == failed
    assert [f"Shard {name} failed: it was not to be" for name in failed] == capsys.readouterr().err.splitlines()
    assert len(manifest(tmp_path / "s")) == (len(names[::2]) if on_error == "continue" else 1)
    played(tmp_path / "s", sweep)
    assert sorted(line["shard"] for line in manifest(tmp_path / "s")) == sorted(names)


def test_shards_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    """Ray holds a few in flight, however many there are."""
    taken: list[Shard] = []

    def counted(shards: Any) -> Any:
        for shard in shards:
            taken.append(shard)
            yield shard

    class Counting(Serial):
        def play(self, folder: Path, sweep: Any, shards: Any, stop: Any) -> Any:
            for number, result in enumerate(super().play(folder, sweep, counted(shards), stop), 1):
                assert len(taken) == number
                yield result

    played(tmp_path / "s", planned(**SMALL), Counting)
    assert len(taken) == len(manifest(tmp_path / "s")) > 5
