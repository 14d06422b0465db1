"""The policies that the documentation shows are whole: each one plays, and sees nothing that is hidden."""

import re
from pathlib import Path

import pytest

from policies.blindfold import peeks
from policies.loader import load
from tests.engine import Driver
from tests.test_blindfold import looks

ROOT = Path(__file__).parent.parent
BLOCKS = {
    f"{page.stem}_{number}": text
    for page in (ROOT / "README.md", ROOT / "docs" / "writing_a_policy.md")
    for number, text in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    if "def choose(" in text
}


def test_there_are_three_worked_examples_and_the_first_one() -> None:
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("name", BLOCKS)
def test_the_policies_shown_play(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name.lower()}.py"
    path.write_text(BLOCKS[name])
    choose = load(str(path)).choose
    for game in ("la_belle_lucie", "the_clock"):
        assert set(Driver(game, choose).play(30).endings) <= {"won", "stuck", "stalled"}
        for step, (here, scratch) in enumerate(looks(choose, game)):
            assert not peeks(choose, here, scratch, step)
