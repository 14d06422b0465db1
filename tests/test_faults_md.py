"""The table of faults names tests that exist, and every fault once."""

import re

from tests.sweeping import ROOT

TEXT = (ROOT / "tests" / "faults.md").read_text("utf-8")
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def test_every_test_that_is_named_exists() -> None:
    named = NAMED.findall(TEXT)
    assert len(named) > 50
    missing = [(file, test) for file, test in named if f"def {test}(" not in (ROOT / "tests" / file).read_text("utf-8")]
    assert not missing


def test_every_fault_is_named_once() -> None:
    assert [int(number) for number in re.findall(r"^\| (\d+) \|", TEXT, re.M)] == list(range(1, 39))
