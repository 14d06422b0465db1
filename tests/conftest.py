"""The order of the tests: files that take seconds come last, so that a mistake is seen soon."""

import pytest

SLOW = ("test_against_twins.py", "test_blindfold.py", "test_invariants.py", "test_jit.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name in SLOW)
