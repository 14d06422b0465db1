"""What the documentation shows is whole: each policy plays, and sees nothing that is hidden; a sweep file is one."""

import re
from pathlib import Path

import pytest

import sim
from pipelines import sweepfile
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


def test_the_sweep_file_shown_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(next(iter(BLOCKS.values())))
    [text] = re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    path = tmp_path / "sweep.toml"
    path.write_text(text)
    ids = sweepfile.read(path)["games"]
    assert len(ids) == 11
    assert [sim.game(id).name for id in ids].count("the_mill") == 2
