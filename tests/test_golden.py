"""Results of earlier versions stay readable: a sweep of each schema is kept as it was written, and never made anew."""

import json
import shutil
from pathlib import Path

import pytest

from pipelines.database import open_sweeps
from pipelines.difficulty import difficulty
from pipelines.replay import stored
from pipelines.sandbox import select
from pipelines.verify import verify
from tests.calling import Call
from tests.sweeping import ROOT, planned, played

SCHEMAS = [1]


@pytest.fixture(params=SCHEMAS)
def golden(request: pytest.FixtureRequest) -> Path:
    return ROOT / f"tests/data/sweep_of_schema_{request.param}"


def test_its_table_and_its_rows(golden: Path) -> None:
    con = open_sweeps([golden])
    rows = [(row["variant"], row["deals"], row["wins"], row["mean_moves"]) for row in difficulty(con).to_pylist()]
    assert rows == [("redeals=0", 20, 0, 15.45), ("default", 20, 2, 52.8)]
    won = select(con, "select seed, moves, cards_home from outcomes where won order by seed").to_pylist()
    moves = select(con, "select count(*) as n from moves where variant = 'default' and seed = 100").to_pylist()
    assert [row["cards_home"] for row in won] == [52, 52]
    assert moves == [{"n": len(stored(golden, 100, {"variant": "default"})[2])}]


def test_nothing_in_it_is_damaged(golden: Path) -> None:
    """Another engine plays now: what is not played again for that reason is said."""
    assert {finding.state for finding in verify(golden, 5).findings} <= {"unchecked"}


def test_it_does_not_go_on_under_another_engine(golden: Path, tmp_path: Path, call: Call) -> None:
    """Unless the engine is still the same, its deals are not mixed with others."""
    from sim.jit import DIGEST

    folder = shutil.copytree(golden, tmp_path / "s")
    same = json.loads((golden / "sweep.json").read_text())["engine"] == DIGEST
    command = json.loads((golden / "sweep.json").read_text())["arguments"]
    said = call(*command, "--executor", "serial", "--out", folder, code=0 if same else 2)
    assert same or "holds another sweep: " in said.err


@pytest.mark.parametrize("schema", [0, 2, "1", None])
def test_other_schemas_are_not_guessed_at(tmp_path: Path, schema: object) -> None:
    played(tmp_path / "s", planned(deals=0))
    path = tmp_path / "s" / "sweep.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"schema": schema}))
    with pytest.raises(ValueError, match=f"has schema {schema!r}; expected 1"):
        open_sweeps([tmp_path / "s"])
