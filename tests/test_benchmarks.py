"""The plain C program of the benchmarks: written apart from the engine, it must play the same games."""

import shutil
from pathlib import Path

import pytest

from benchmarks.kernel import build, check_same_games


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compile the C program with")
@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_the_c_program_plays_the_same_games(policy: str, tmp_path: Path) -> None:
    check_same_games(build(tmp_path), policy, 200)
