"""What a sweep's folder is trusted with, and what it is not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.database import open_sweeps
from pipelines.folder import latest_sweep, read_sweep
from sim.errors import PatienceError
from tests.hand_made import Line, cell, lucie, shard, write_sweep


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lucie(tmp_path / "lucie")


def test_manifest_torn_line_and_shard_twice(folder: Path) -> None:
    manifest = folder / "manifest.jsonl"
    text = manifest.read_text()
    manifest.write_text(text + text.splitlines()[0] + "\n" + text[:70])
    assert len(read_sweep(folder).shards) == 5
    manifest.write_text(text[:70] + "\n" + text)
    with pytest.raises(PatienceError, match="line 1 cannot be read"):
        read_sweep(folder)


def test_unlisted_files_are_not_read(folder: Path) -> None:
    listed = next((folder / "outcomes").rglob("*.parquet"))
    listed.with_name("seed=9-10.parquet").write_bytes(listed.read_bytes())
    listed.with_name("seed=8-9.parquet").write_text("no Parquet")
    assert open_sweeps([folder]).sql("select count(*) from outcomes").fetchall() == [(15,)]


def change_path(line: Line) -> None:
    line["files"][0]["path"] = "outcomes/../../secret.parquet"


def change_size(line: Line) -> None:
    line["files"][0]["bytes"] += 1


def change_name(line: Line) -> None:
    line["files"][0]["path"] = "outcomes/gone.parquet"


def change_cell(line: Line) -> None:
    line["shard"] = line["shard"].replace("redeals-0", "redeals-9")
    for file in line["files"]:
        file["path"] = file["path"].replace("redeals-0", "redeals-9")


def change_shard(line: Line) -> None:
    line["shard"] = "shard-1"


def change_seeds(line: Line) -> None:
    line["shard"] = line["shard"].rpartition("=")[0] + f"={10:020}-{10:020}"


def change_to_a_number(line: Line) -> None:
    line["deals"] = "many"


def named(policy: str) -> Callable[[Line], None]:
    """The shard of a policy of this name, and its files as such a shard would have them."""

    def change(line: Line) -> None:
        line["shard"] = line["shard"].replace("policy=greedy", f"policy={policy}")
        for file in line["files"]:
            file["path"] = file["path"].replace("policy=greedy", f"policy={policy}")

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (change_path, "has other files than outcomes/game="),
        (change_size, r"has \d+ bytes where \d+ were written"),
        (change_name, "has other files than outcomes/game="),
        (change_cell, r"of no cell of sweep\.json"),
        (change_shard, "is no shard; expected game="),
        (change_seeds, "has no seeds; expected FIRST < END"),
        (change_to_a_number, "line 1 cannot be read"),
        (named("../../../../etc"), "is no shard; expected game="),
        (named("/etc/passwd"), "is no shard; expected game="),
        (named("a\0b"), "is no shard; expected game="),
        (named("a\nb"), "is no shard; expected game="),
        (named(".."), "is of no cell"),
        (named("x" * 300), "is of no cell"),
        (named("é"), "is of no cell"),
        (named("e\u0301 ♠ %2F"), "is of no cell"),
    ],
)
def test_a_manifest_that_cannot_be_right(folder: Path, change: Callable[[Line], None], message: str) -> None:
    first, *others = (folder / "manifest.jsonl").read_text().splitlines()
    line = json.loads(first)
    change(line)
    (folder / "manifest.jsonl").write_text("\n".join([json.dumps(line), *others]))
    with pytest.raises(PatienceError, match=message):
        read_sweep(folder)


def test_a_link_does_not_lead_out_of_the_folder(folder: Path) -> None:
    (folder / "outcomes").rename(folder.with_name("elsewhere"))
    (folder / "outcomes").symlink_to(folder.with_name("elsewhere"))
    with pytest.raises(PatienceError, match="lies outside the sweep's folder"):
        read_sweep(folder)


def test_a_folder_that_is_linked_to_or_moved_is_read(folder: Path) -> None:
    (folder.parent / "link").symlink_to(folder)
    assert read_sweep(folder.parent / "link").name == "lucie"
    moved = folder.rename(folder.with_name("Ergebnisse ♠ 2"))
    assert open_sweeps([moved]).sql("select count(*) from outcomes").fetchall() == [(15,)]


def test_overlapping_shards_are_refused(tmp_path: Path) -> None:
    lines = [shard(tmp_path, cell(), {0: "won", 1: "won"}), shard(tmp_path, cell(), {1: "won"}, end=3)]
    with pytest.raises(PatienceError, match="hold the same deals"):
        read_sweep(write_sweep(tmp_path, [cell()], lines))


def test_folders_that_are_no_sweep(tmp_path: Path) -> None:
    with pytest.raises(PatienceError, match=r"no sweep\.json"):
        read_sweep(tmp_path)
    with pytest.raises(PatienceError, match="There is no sweep in"):
        latest_sweep(tmp_path)
    with pytest.raises(PatienceError, match="has schema 2; expected 1"):
        read_sweep(write_sweep(tmp_path / "new", [], [], schema=2))
    (tmp_path / "new" / "sweep.json").write_text('{"schema": 1, "name": "x", "cells": [{"game": "fan"}], "deals": "2"}')
    with pytest.raises(
        PatienceError, match=r"does not say first_seed, deals, traces, engine, cells\.0\.variant, cells"
    ):
        read_sweep(tmp_path / "new")
    (tmp_path / "new" / "sweep.json").write_text("{")
    with pytest.raises(PatienceError, match="is damaged"):
        read_sweep(tmp_path / "new")


def test_latest_sweep(tmp_path: Path) -> None:
    write_sweep(tmp_path / "z", [], [], created="2026-01-01T10:00:00")
    newest = write_sweep(tmp_path / "a", [], [], created="2026-02-01T10:00:00")
    (tmp_path / "no sweep").mkdir()
    assert latest_sweep(tmp_path) == newest
