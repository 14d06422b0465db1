"""A sweep in a folder gets more deals, variants and policies; what is there is not played again, and nothing twice."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines import run
from pipelines.finished import Finished, merged
from pipelines.plan import Cell, Shard, Sweep
from policies.loader import Policy
from sim.errors import PatienceError
from tests.sweeping import drafts, files, manifest, patience, planned, played, read

SMALL: dict[str, Any] = {"players": ["first", "random"], "shard_moves": 10_000, "traces": "sample:0.1"}


def small(deals: int, **other: Any) -> Sweep:
    """Shards of 200 deals."""
    return planned(**SMALL | {"deals": deals} | other)


def bounds(folder: Path, policy: str) -> list[tuple[int, int]]:
    """The seeds of the shards of a cell as they were finished."""
    names = [line["shard"] for line in manifest(folder) if f"policy={policy}/" in line["shard"]]
    return [(int(lo), int(hi)) for lo, _, hi in (name.rpartition("=")[2].partition("-") for name in names)]


def settings(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "sweep.json").read_text())
    return found


def test_more_deals(tmp_path: Path) -> None:
    """The shard that the end cut short stays, and the seeds that it lacks are one of their own."""
    folder = tmp_path / "s"
    played(folder, small(500))
    before, lines = files(folder), manifest(folder)
    played(folder, small(900))
    assert manifest(folder)[: len(lines)] == lines
    assert before.items() <= files(folder).items()
    for policy in ("first", "random"):
        assert bounds(folder, policy) == [(0, 200), (200, 400), (400, 500), (500, 600), (600, 800), (800, 900)]
    assert (settings(folder)["deals"], settings(folder)["cuts"]) == (900, [500])
    played(tmp_path / "at_once", small(900))
    for kind in ("outcomes", "traces"):
        for policy in ("first", "random"):
            assert read(folder, kind, policy=policy).equals(read(tmp_path / "at_once", kind, policy=policy))


def test_more_variants_and_policies(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    played(folder, small(300, players=["first"]))
    before, lines = files(folder), manifest(folder)
    played(folder, small(300, players=["first", "random"], vary={"redeals": ["2", "0"]}))
    assert manifest(folder)[: len(lines)] == lines
    assert before.items() <= files(folder).items()
    assert [(cell["variant"], cell["policy"]) for cell in settings(folder)["cells"]] == [
        ("default", "first"), ("default", "random"), ("redeals=0", "first"), ("redeals=0", "random")
    ]  # fmt: skip
    played(tmp_path / "at_once", small(300, vary={"redeals": ["0", "2"]}))
    assert files(folder) == files(tmp_path / "at_once")
    played(folder, small(100, players=["greedy"], vary={"redeals": ["3"]}))
    assert len(settings(folder)["cells"]) == 5
    assert bounds(folder, "greedy") == [(0, 100)]


def test_another_game(tmp_path: Path) -> None:
    from pipelines.database import open_sweeps

    played(tmp_path / "s", small(100, players=["first"]))
    sweep = planned("la_croix_dhonneur", **SMALL | {"players": ["first"]}, deals=100)
    played(tmp_path / "s", sweep)
    counts = "select game, count(*) from outcomes group by game order by game"
    assert open_sweeps([tmp_path / "s"]).sql(counts).fetchall() == [("la_belle_lucie", 100), ("la_croix_dhonneur", 100)]
    assert open_sweeps([tmp_path / "s"]).sql("select count(distinct source) > 5 from moves").fetchall() == [(True,)]


class Never:
    """An executor that must not be opened."""

    def __init__(self) -> None:
        raise AssertionError("there was something left to play")


@pytest.mark.parametrize("less", [{"deals": 400}, {"deals": 0}, {"deals": 500, "players": ["random"]}])
def test_less_is_there_already(tmp_path: Path, capsys: pytest.CaptureFixture[str], less: dict[str, Any]) -> None:
    played(tmp_path / "s", small(500))
    text = (tmp_path / "s" / "sweep.json").read_bytes()
    capsys.readouterr()
    assert played(tmp_path / "s", small(**less), Never) == run.Report()
    assert (tmp_path / "s" / "sweep.json").read_bytes() == text
    assert "holds a sweep of 500 deals of each of 2 cells" in capsys.readouterr().err


def test_only_what_is_asked_for_is_played(tmp_path: Path) -> None:
    """More deals of one cell, or the first deals of a sweep that was stopped, cost no more than that."""
    played(tmp_path / "s", small(300))
    played(tmp_path / "s", small(700, players=["random"]))
    assert [bounds(tmp_path / "s", policy)[-1] for policy in ("first", "random")] == [(200, 300), (600, 700)]
    played(tmp_path / "s", small(350, players=["first"]))
    assert bounds(tmp_path / "s", "first") == [(0, 200), (200, 300), (300, 400)]
    played(tmp_path / "s", small(700))
    assert bounds(tmp_path / "s", "first")[3:] == [(400, 600), (600, 700)]
    assert (settings(tmp_path / "s")["deals"], settings(tmp_path / "s")["cuts"]) == (700, [300])


def test_the_size_of_shards_stays(tmp_path: Path) -> None:
    """What is asked for later may have been cut otherwise, had it been asked for in a folder of its own."""
    played(tmp_path / "s", small(300))
    played(tmp_path / "s", small(900, shard_moves=1))
    assert bounds(tmp_path / "s", "first") == [(0, 200), (200, 300), (300, 400), (400, 600), (600, 800), (800, 900)]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"first_seed": 1}, "first_seed was 0 and is 1"),
        ({"traces": "all"}, 'traces was "sample:0.1" and is "all"'),
        ({"stop": "precision=1"}, 'stop was "" and is "precision=1"'),
        ({"source": "pysol", "first_seed": 1}, 'deal_source was "splitmix" and is "pysol"'),
    ],
)
def test_what_a_sweep_cannot_become(tmp_path: Path, other: dict[str, Any], message: str) -> None:
    played(tmp_path / "s", small(300))
    before = (tmp_path / "s" / "sweep.json").read_bytes()
    with pytest.raises(PatienceError, match="holds another sweep: ") as error:
        played(tmp_path / "s", small(600, **other), Never)
    assert message in str(error.value)
    assert "what it can get is more deals, variants and policies" in str(error.value)
    assert (tmp_path / "s" / "sweep.json").read_bytes() == before


def test_a_sweep_of_an_older_version_grows_too(tmp_path: Path) -> None:
    played(tmp_path / "s", small(300))
    old = {name: value for name, value in settings(tmp_path / "s").items() if name not in ("cuts", "stop")}
    (tmp_path / "s" / "sweep.json").write_text(json.dumps(old))
    played(tmp_path / "s", small(300), Never)
    assert settings(tmp_path / "s") == old
    played(tmp_path / "s", small(400))
    assert settings(tmp_path / "s")["cuts"] == [300]


def test_sweep_json_tells_how_it_grew(tmp_path: Path) -> None:
    command = ("sweep", "la_belle_lucie", "--executor", "serial", "--policy", "first", "--format", "json")
    patience(*command, "--deals", "100", "--out", tmp_path / "s")
    out, err = patience(*command, "--deals", "150", "--out", tmp_path / "s")
    assert [row["deals"] for row in json.loads(out)] == [150]
    assert [one["arguments"][-3] for one in settings(tmp_path / "s")["extended"]] == ["150"]
    out, err = patience(*command, "--deals", "10", "--out", tmp_path / "s")
    assert [row["deals"] for row in json.loads(out)] == [150]
    assert "holds a sweep of 150 deals of each of 1 cells" in err


class Died(BaseException):
    """What a test raises where a process would have been killed."""


def test_killed_while_it_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before sweep.json is renamed, just after it, and at the last file: the same command goes on."""
    replaces = count_renames(tmp_path, monkeypatch)
    assert replaces > 6
    for fatal in (0, 1, replaces - 1):
        folder = tmp_path / f"{fatal}"
        played(folder, small(300))
        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", dying(fatal))
            assert grows_or_dies(folder)
        played(folder, small(500, players=["first", "greedy"]))
        assert files(folder) == files(tmp_path / "whole")
        assert settings(folder)["cuts"] == [300]
        assert not drafts(folder)


def count_renames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    played(tmp_path / "whole", small(300))
    renames: list[object] = []
    usual = os.replace
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", lambda *given: (renames.append(given), usual(*given))[1])
        played(tmp_path / "whole", small(500, players=["first", "greedy"]))
    return len(renames)


def dying(fatal: int) -> Callable[..., None]:
    calls, usual = iter(range(10**6)), os.replace

    def replace(*given: Any) -> None:
        if next(calls) == fatal:
            raise Died
        usual(*given)

    return replace


def grows_or_dies(folder: Path) -> bool:
    """Death in the driver comes out as it is, in a shard as its failure."""
    try:
        return bool(played(folder, small(500, players=["first", "greedy"])).failures)
    except Died:
        return True


def test_spans_of_a_plan_with_cuts() -> None:
    cell = Cell("la_belle_lucie", Policy("first"), 1000)
    sweep = Sweep((cell,), first_seed=10, deals=3500, cuts=(500, 2000, 3200))
    spans = [(lo - 10, hi - 10) for lo, hi in sweep.spans(cell)]
    assert spans == [(0, 500), (500, 1000), (1000, 2000), (2000, 3000), (3000, 3200), (3200, 3500)]


def test_what_is_finished() -> None:
    cell = Cell("la_belle_lucie", Policy("first"), 100)
    shards = [Shard(cell, lo, lo + 100) for lo in (300, 0, 100, 500)]
    done = Finished([{"shard": one.name, "deals": 100, "wins": 7, "fallen": 1} for one in shards])
    assert done.spans == {cell.key: [(0, 200), (300, 400), (500, 600)]}
    assert [done.holds(Shard(cell, lo, lo + 100)) for lo in range(0, 700, 100)] == [1, 1, 0, 1, 0, 1, 0]
    assert not done.holds(Shard(cell, 150, 250))
    assert not done.holds(Shard(Cell("la_belle_lucie", Policy("random"), 100), 0, 100))
    assert (done.deals[cell.key], done.wins[cell.key], done.fallen[cell.key]) == (400, 28, 4)
    assert done.lines() == [{"shard": f"{cell.key}/", "deals": 400, "wins": 28, "fallen": 4}]
    assert merged([(0, 5), (2, 3), (5, 9), (11, 12)]) == [(0, 9), (11, 12)]
