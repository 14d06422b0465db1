"""What a running sweep tells: a view on a terminal of any size, lines in a log, events to a program."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pipelines import progress
from pipelines.progress import Bars, Lines, Tally
from pipelines.shard import Summary
from pipelines.statistics import wilson
from tests.calling import Call
from tests.sweeping import SMALL_SHARDS, manifest, planned, surroundings

FALLS = "def choose(game, rules, state, moves, n, scratch):\n    return n if state.seed % 100 == 7 else 0\n"
SWEEP = ("sweep", "la_belle_lucie", "--executor", "serial", "--deals", "400", "--policy", "greedy", "--policy", "first")


@pytest.fixture
def tally() -> Tally:
    return Tally(planned(deals=1000, shard_moves=1), [])


def summary(lo: int, wins: int, policy: str = "greedy", **more: Any) -> Summary:
    cell = f"game=la_belle_lucie/variant=default/policy={policy}"
    return Summary(f"{cell}/seed={lo:020}-{lo + 100:020}", [], 100, wins, 0.1, **more)


def test_rates_have_their_intervals(tally: Tally) -> None:
    cell = tally.count("game=la_belle_lucie/variant=default/policy=greedy/seed=0-100", 100, 8, 0)
    low, high = wilson(8, 100)
    assert tally.rate(cell) == f"8.00 % won [{100 * low:.2f}, {100 * high:.2f}]"
    assert tally.rate("another") == ""
    assert tally.seconds_left
    assert tally.harm() == []


def test_a_line_tells_all(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(progress, "PLAIN_EVERY", 0)
    line = {"shard": summary(0, 5).shard, "deals": 100, "wins": 5, "fallen": 0}
    with Lines(planned(deals=1000, shard_moves=1), [line]) as lines:
        lines.add(summary(100, 9, fallen=2))
        lines.failed("game=x/seed=1-2", "it was not to be")
    first, failed, last = capsys.readouterr().err.splitlines()
    assert re.fullmatch(
        r"200 of 2,000 deals, \d+ deals/s, 0:\d\d:\d\d left, 2 deals broke off; "
        r"la_belle_lucie default greedy 7\.00 % won \[4\.22, 11\.41\]", first,
    )  # fmt: skip
    assert failed == "Shard game=x/seed=1-2 failed: it was not to be"
    assert "2 deals broke off, 1 shards failed; la_belle_lucie" in last


def test_a_view_shows_the_cells_that_changed_last() -> None:
    """As many as the terminal has lines for; the time left is not taken in by what an earlier run has played."""
    console = Console(file=open(os.devnull, "w"), force_terminal=True, height=progress.ROOM + 1, width=100)  # noqa: SIM115
    line = {"shard": summary(0, 5, "random").shard, "deals": 100, "wins": 5, "fallen": 0}
    with console.file, Bars(planned(deals=1000, shard_moves=1), [line], console) as bars:
        assert [task.description for task in bars.bars.tasks if task.visible] == [
            "la_belle_lucie default random",
            "all",
        ]
        bars.add(summary(100, 9))
        bar = {task.description: task for task in bars.bars.tasks if task.visible}
        assert list(bar) == ["la_belle_lucie default greedy", "all"]
        assert bar["la_belle_lucie default greedy"].fields["rate"].startswith("9.00 % won [")
        assert (bar["all"].completed, bar["all"].total) == (200, 2000)
        bars.failed("game=x/seed=1-2", "it was not to be")
        bars.add(summary(200, 9))
        assert bar["all"].fields["rate"].endswith("deals/s, 1 shards failed")


def on_terminal(columns: int, *arguments: str | Path, **variables: str) -> str:
    """What the command writes to a terminal of this width."""
    main, terminal = os.openpty()
    command = [sys.executable, "-P", "-c", SMALL_SHARDS, "1", *map(str, arguments)]
    env = surroundings(COLUMNS=str(columns), LINES="24", TERM="xterm-256color", **variables)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal, env=env)
    os.close(terminal)
    text = b"".join(iter(lambda: read_some(main), b"")).decode()
    os.close(main)
    assert process.wait() == 0, text
    return text


def read_some(handle: int) -> bytes:
    """Bytes of a terminal; Linux says EIO when its last writer has gone."""
    try:
        return os.read(handle, 4096)
    except OSError:
        return b""


COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]m|\x1b\[[0-9;]*38;")


@pytest.mark.parametrize(("columns", "variables"), [(120, {}), (20, {"NO_COLOR": "1"})])
def test_terminals(tmp_path: Path, columns: int, variables: dict[str, str]) -> None:
    text = on_terminal(columns, *SWEEP, "--out", tmp_path / "s", **variables)
    assert "Traceback" not in text
    assert "800 of 800 deals" in text
    assert ("━" in text) == (columns > 20)
    assert bool(COLOUR.search(text)) == ("NO_COLOR" not in variables)


def events(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_events(tmp_path: Path, call: Call) -> None:
    (tmp_path / "falls.py").write_text(FALLS)
    command = (*SWEEP[:-4], "--policy", "greedy", "--policy", tmp_path / "falls.py", "--json", "--out", tmp_path / "s")
    said = call(*command, code=3)
    first, *middle, last = events(said.out)
    cells = [{"game": "la_belle_lucie", "variant": "default", "policy": policy} for policy in ("greedy", "falls")]
    assert (first["event"], first["cells"], first["deals"], first["done"]) == ("started", cells, 800, 0)
    shards = [event for event in middle if event["event"] == "shard"]
    assert {event["shard"] for event in shards} == {line["shard"] for line in manifest(tmp_path / "s")}
    assert (sum(event["deals"] for event in shards), shards[-1]["done"]) == (800, 800)
    assert [event["seed"] for event in middle if event["event"] == "broken"] == [7, 107, 207, 307]
    assert (last["event"], last["exit_code"], last["finished"], last["folder"]) == (
        "ended",
        3,
        True,
        str(tmp_path / "s"),
    )
    assert [row["deals"] for row in last["cells"]] == [400, 400]
    assert all(event["time"] for event in (first, last))
    [again] = events(call(*command, code=3).out)
    assert {**again, "time": ""} == {**last, "time": ""}


@pytest.mark.parametrize("option", [("--quiet",), ("--dry-run",), ("--format", "csv")])
def test_events_and_tables_are_not_mixed(call: Call, tmp_path: Path, option: tuple[str, ...]) -> None:
    assert "--json prints events, and no table" in call.refused(tmp_path, *SWEEP, "--json", *option)


@pytest.fixture
def no_reader() -> Iterator[int]:
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def test_a_reader_of_events_that_leaves(tmp_path: Path, no_reader: int) -> None:
    """`| head` ends the sweep, which goes on with the same command."""
    command = [sys.executable, "-P", "-c", SMALL_SHARDS, "1", *SWEEP, "--json", "--out", str(tmp_path / "s")]
    ended = subprocess.run(command, stdout=no_reader, stderr=subprocess.PIPE, env=surroundings(), text=True)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert len(manifest(tmp_path / "s")) < 8
