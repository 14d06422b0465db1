"""`patience policies check`: what an author is told of a policy that keeps the rules of the house, and of others."""

from pathlib import Path

import pytest

from pipelines import check
from policies.loader import load
from sim.errors import PatienceError

GAME = "napoleon_at_st_helena"
HEAD = "def choose(game, rules, state, moves, n, scratch):\n"
WRONG = {
    "legal": "    return n",
    "honest": "    return int(state.top[0]) % n",
    "deterministic": "    scratch.work[0] += np.uint64(1)\n    return int(scratch.work[0] % np.uint64(n))",
}


def written(tmp_path: Path, body: str) -> str:
    """The path of a policy file with this body."""
    path = tmp_path / "mine.py"
    path.write_text(f"import numpy as np\n\n\n{HEAD}{body}\n")
    return str(path)


def test_greedy_keeps_the_rules() -> None:
    (row,) = check.check(load("greedy"), [GAME]).to_pylist()
    assert all(row[test] for test in ("legal", "deterministic", "honest", "ends"))
    assert row["deals"] == check.DEALS
    assert row["moves_per_second"] > 1000


@pytest.mark.parametrize("rule", WRONG)
def test_a_policy_that_breaks_a_rule_is_told(tmp_path: Path, rule: str) -> None:
    (row,) = check.check(load(written(tmp_path, WRONG[rule])), [GAME]).to_pylist()
    assert not row[rule]


def test_a_policy_that_never_returns_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "PATIENCE", 2.0)
    forever = "    while state.top[0] < 255:\n        scratch.memory[1] += 1\n    return 0"
    with pytest.raises(PatienceError, match=f"'mine' gave no answer on {GAME} for 2 seconds"):
        check.check(load(written(tmp_path, forever)), [GAME])
