"""The wall clock jumps in the middle of a sweep, as by NTP, by hand, by summer time or by a journey.

`time-machine` moves every clock of date and time that Python code of this process reads, and leaves the monotonic one
alone, as a real jump does. Workers on Ray are processes of their own, and keep their time.
"""

import ast
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine

from pipelines import progress, run
from pipelines.executors import Executor, Serial
from pipelines.folder import latest_sweep
from tests.sweeping import PLANNED, ROOT, files, manifest, planned

SUMMER = datetime(2027, 10, 31, 2, 59, tzinfo=ZoneInfo("Europe/Berlin"))  # a minute before it is two o'clock again
JUMPS = [timedelta(days=-1), timedelta(days=365), timedelta(minutes=1), timedelta(hours=-1), timedelta(hours=1)]
ZONES = ["Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns", "UTC"]
HOUR = 3600  # seconds; every jump is longer than what this test takes


class Jumping:
    """After each result the clock jumps, and the machine is in another time zone."""

    def __init__(self, executor: Executor, clock: time_machine.Traveller, most: int | None = None) -> None:
        self.executor, self.clock, self.most = executor, clock, most
        self.jumps, self.zones = cycle(JUMPS), cycle(ZONES)

    def play(self, *given: Any) -> Iterator[Any]:
        for result in islice(self.executor.play(*given), self.most):
            yield result
            self.clock.shift(next(self.jumps))
            in_zone(next(self.zones))

    def map(self, work: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
        return self.executor.map(work, orders)

    def close(self) -> None:
        pass


def in_zone(name: str) -> None:
    os.environ["TZ"] = name
    time.tzset()


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time zone as it was, in the end."""
    monkeypatch.setenv("TZ", "UTC")
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(params=["serial", "ray"])
def executor(request: pytest.FixtureRequest) -> Executor:
    found: Executor = Serial() if request.param == "serial" else request.getfixturevalue("two_workers")
    return found


def test_clocks_that_jump(
    executor: Executor, undisturbed: Path, tmp_path: Path, zone: None, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Begun at the end of summer time, and ended a year earlier: the bytes of a sweep that nothing disturbed."""
    monkeypatch.setattr(progress, "PLAIN_EVERY", 0.0)
    folder, sweep = tmp_path / "sweep", planned(**PLANNED)
    for start, most in ((SUMMER, 10), (SUMMER - timedelta(days=365), None)):
        with time_machine.travel(start) as clock:
            run.run(folder, sweep, lambda clock=clock, most=most: Jumping(executor, clock, most), arguments=[])
    assert files(folder) == files(undisturbed)
    assert {line["shard"] for line in manifest(folder)} == {line["shard"] for line in manifest(undisturbed)}
    assert all(0 <= line["seconds"] < HOUR for line in manifest(folder))
    left = re.findall(r" deals/s, (.*?) left", capfd.readouterr().err)
    assert len(left) > 20
    assert all(re.fullmatch(r"0:\d\d:\d\d", one) for one in left)


def test_dates_that_lie_ahead(tmp_path: Path) -> None:
    """A sweep that says it was begun in a year to come is read, is listed, and goes on."""
    sweep = planned(players=["first"], deals=100)
    with time_machine.travel(SUMMER + timedelta(days=3650)):
        run.run(tmp_path / "a" / "s", sweep, Serial, arguments=[], quiet=True)
    assert run.run(tmp_path / "a" / "s", sweep, Serial, arguments=[], quiet=True).finished
    assert latest_sweep(tmp_path / "a") == tmp_path / "a" / "s"


DATED = {"events", "owner", "store", "disk"}  # they tell dates, or name what was first; nothing is measured


def test_durations_are_not_read_off_the_wall_clock() -> None:
    """Who asks for the time of day at all."""
    asks = {"datetime.now", "datetime.utcnow", "datetime.today", "time.time", "time.time_ns", "date.today"}
    sources = [path for package in ("pipelines", "policies", "sim") for path in (ROOT / package).rglob("*.py")]
    found = {path.stem for path in sources for call in calls(path) if call in asks}
    assert found == DATED


def calls(path: Path) -> Iterator[str]:
    """What a file calls or names, such as `time.monotonic`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute):
            yield ast.unparse(node)
