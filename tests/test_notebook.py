"""The door for Python: relations, tables as Arrow, pandas and Polars, and what a notebook shows."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import pipelines
from pipelines.difficulty import SHOWN
from pipelines.measures import DEFINITIONS
from pipelines.notebook import Answer, Loaded
from sim.errors import PatienceError
from tests.hand_made import cell, lucie, shard, write_sweep
from tests.sweeping import ROOT, surroundings


@pytest.fixture
def found(tmp_path: Path) -> Loaded:
    return pipelines.load(lucie(tmp_path / "s"))


def test_relations(found: Loaded) -> None:
    assert found.outcomes.filter("won").aggregate("variant, count(*) as wins", "variant").order("1").fetchall() == [
        ("default", 5), ("redeals=0", 1), ("redeals=1", 2),
    ]  # fmt: skip
    assert found.moves.aggregate("count(*)").fetchall() == [(3,)]
    assert found.sweeps.fetchall()[0][0] == "s"
    assert found.outcomes.df()["seed"].max() == 4


def test_every_table_of_the_command(found: Loaded, tmp_path: Path) -> None:
    assert found.table().arrow.column_names == ["game", "variant", "policy", *SHOWN]
    assert found.table("wins").arrow.column_names == ["game", "variant", "policy", "wins"]
    assert found.measures().arrow.column_names == [name for name in DEFINITIONS if name != "sweep"]
    assert found.compare("redeals").arrow["gained"].to_pylist() == [1, 1]
    assert found.compare().arrow["option"].to_pylist() == ["policy"]
    assert found.curve("redeals", policies=["greedy"]).arrow["rate"].to_pylist() == [0.25, 0.5, 0.8]
    assert found.seeds("shortest_won", limit=1, variant="redeals=0").arrow["seed"].to_pylist() == [0]
    assert [len(answer) for answer in (found.endings(), found.ranking(), found.players())] == [30, 5, 5]
    assert (len(found.luck()), len(found.survival())) == (4, 5 * 21)
    assert found.sql("select 1 + 1 as two").arrow.to_pylist() == [{"two": 2}]
    both = pipelines.load(str(tmp_path / "s"), write_sweep(tmp_path / "t", [cell()], []))
    assert both.table("deals").arrow["sweep"].to_pylist() == ["s"] * 5 + ["t"]


def test_frames(found: Loaded) -> None:
    answer = found.table("win_rate")
    assert answer.df()["win_rate"].iloc[0] == answer.pl()["win_rate"][0] == 0.25
    assert polars.DataFrame(answer).equals(answer.pl())
    assert pa.table(answer) == answer.arrow


def test_without_pandas_there_is_a_sentence(found: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    for package, ask in (("pandas", found.table().df), ("polars", found.table().pl)):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(
            PatienceError, match=f"{package} is not installed. `pip install {package}`, or take .arrow."
        ):
            ask()


def test_what_a_notebook_shows(found: Loaded) -> None:
    text = repr(found.table("win_rate"))
    assert text.splitlines()[2].split() == ["la_belle_lucie", "redeals=0", "greedy", "25.00", "%"]
    html = found.table("win_rate")._repr_html_()
    assert "<th>win_rate</th>" in html
    assert "<td>redeals=0</td><td>greedy</td><td>25.00 %</td>" in html
    assert "2026-01-01" in repr(found)
    assert "<td>2026-01-01</td>" in found._repr_html_()
    long = Answer(pa.table({"x<y": [f"<b>{i}" for i in range(1000)]}))
    assert long._repr_html_().count("<tr>") == 41
    assert "<th>x&lt;y</th>" in long._repr_html_()
    assert "&lt;b&gt;39" in long._repr_html_()
    assert repr(long).endswith("40 of 1,000 rows")
    assert long._repr_html_().endswith("40 of 1,000 rows")


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(PatienceError, match="Nothing to load: name the folder of a sweep"):
        pipelines.load()
    with pytest.raises(PatienceError, match="nowhere is no sweep"):
        pipelines.load(tmp_path / "nowhere")


def test_an_answer_of_a_real_shard_keeps_its_types(tmp_path: Path) -> None:
    one = cell()
    found = pipelines.load(write_sweep(tmp_path / "s", [one], [shard(tmp_path / "s", one, {0: "won", 1: "stuck"})]))
    frame = found.table().df()
    assert (str(frame["deals"].dtype), str(frame["win_rate"].dtype)) == ("int64", "float64")


def test_the_readme_works(tmp_path: Path) -> None:
    """Its lines, on a sweep of ours."""
    [block] = re.findall(r"```python\n(import pipelines\n.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(block.replace("results/x", str(lucie(tmp_path / "s"))), names)
    assert isinstance(names["found"], Loaded)


def test_the_package_itself_is_light() -> None:
    code = "import sys, pipelines; print(sorted({'duckdb', 'numba', 'pyarrow'} & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, env=surroundings())
    assert (ended.stdout, ended.stderr) == ("[]\n", "")
