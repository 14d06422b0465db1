"""The order of the tests, and what is costly to make and serves several: a session of Ray, an undisturbed sweep."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.executors import Executor

SLOW = ("test_against_twins.py", "test_blindfold.py", "test_invariants.py", "test_jit.py", "test_faults.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take seconds come last, so that a mistake is seen soon."""
    items.sort(key=lambda item: item.path.name in SLOW)


class Lent:
    """An executor that outlives the sweeps that it plays."""

    def __init__(self, executor: Executor) -> None:
        self.play = executor.play

    def close(self) -> None:
        pass


@pytest.fixture(scope="session")
def two_workers() -> Iterator[Executor]:
    """Ray with two workers, started with the first test that asks for it."""
    from pipelines.executors import Ray

    ray = Ray(workers=2)
    yield Lent(ray)
    ray.close()


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `sweeping.PLANNED`, played in this process from start to end."""
    from tests.sweeping import PLANNED, planned, played

    folder = tmp_path_factory.mktemp("undisturbed") / "sweep"
    played(folder, planned(**PLANNED))
    return folder
