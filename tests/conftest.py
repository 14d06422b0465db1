"""The order of the tests, who runs them, and what is costly to make and serves several: a session of Ray, a sweep."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sim
from pipelines.executors import Executor
from tests.calling import Call

GAMES = set(sim.names())
LAST = ("against_twins", "blindfold", "invariants", "jit", "faults", "partition")
SLOW = [f"test_{name}.py" for name in LAST]
# Their tests start processes of their own, which find all compiled; any of ours may wait for them.
APART = ("faults", "place", "surroundings", "watchdog", "sweep", "extend", "plugins")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take seconds come last, so that a mistake is seen soon. Tests of a group run in one process."""
    items.sort(key=lambda item: item.path.name in SLOW)
    for item in items:
        if name := group(item):
            item.add_marker(pytest.mark.xdist_group(name))


def group(item: pytest.Item) -> str | None:
    """Tests that share a fixture of Ray or of their file; of a game, which one process compiles; of a file."""
    name, shared = item.path.stem.removeprefix("test_"), {fixture.scope for fixture in fixtures(item)}
    if "two_workers" in getattr(item, "fixturenames", ()):
        return "ray"
    if "module" in shared:
        return name
    given = getattr(item, "callspec", None)
    games = [text.partition("(")[0] for text in (given.params.values() if given else ()) if isinstance(text, str)]
    games.append(name.removeprefix("facts_"))
    return next((game for game in games if game in GAMES), None if name in APART else name)


def fixtures(item: pytest.Item) -> list[pytest.FixtureDef[Any]]:
    """What is set up for a test."""
    known = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    return [definitions[-1] for definitions in known.values()]


class Lent:
    """An executor that outlives the sweeps that it plays."""

    def __init__(self, executor: Executor) -> None:
        self.play, self.map = executor.play, executor.map

    def close(self) -> None:
        pass


@pytest.fixture(scope="session")
def two_workers() -> Iterator[Executor]:
    """Ray with two workers, started with the first test that asks for it."""
    from pipelines.executors import Ray

    ray = Ray(workers=2)
    yield Lent(ray)
    ray.close()


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Call:
    """The command, printing for a terminal that is wide and without colours."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    return Call(monkeypatch, capsysbinary)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `sweeping.PLANNED`, played in this process from start to end."""
    from tests.sweeping import PLANNED, planned, played

    folder = tmp_path_factory.mktemp("undisturbed") / "sweep"
    played(folder, planned(**PLANNED))
    return folder
