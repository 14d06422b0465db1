"""A sweep file plays what the flags of the command line would, and says what is wrong with it."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.limits import Limits
from pipelines.sweepfile import read
from sim.errors import PatienceError
from tests.calling import Call
from tests.sweeping import files, manifest, planned, played

WHOLE = """
games = [
    "la_belle_lucie",
    {game = "la_croix_dhonneur"},
    {game = "la_belle_lucie", vary = {redeals = [0, 1], merci = [1]}},
    {game = "la_belle_lucie", variants = ["redeals=3", "redeals=0"]},
]
vary = {}
policies = ["greedy", "first"]
deals = 40
first_seed = 1_000
source = "splitmix"
policy_seed = 3
traces = "all"
out = "here/Läufe"
on_error = "stop"
"""
GRID = [
    "la_belle_lucie", "la_croix_dhonneur", "la_belle_lucie(merci=1,redeals=0)", "la_belle_lucie(merci=1,redeals=1)",
    "la_belle_lucie(redeals=3)", "la_belle_lucie(redeals=0)",
]  # fmt: skip


def written(folder: Path, text: str) -> Path:
    path = folder / "sweep.toml"
    path.write_text(text, "utf-8")
    return path


def test_every_key(tmp_path: Path) -> None:
    assert read(written(tmp_path, WHOLE)) == {
        "games": GRID, "vary": [], "policy": ["greedy", "first"], "deals": 40, "first_seed": 1000, "source": "splitmix",
        "policy_seed": 3, "traces": "all", "out": "here/Läufe", "on_error": "stop",
    }  # fmt: skip
    assert read(written(tmp_path, "\ufeff" + WHOLE.replace("\n", "\r\n")))["games"] == GRID
    assert read(written(tmp_path, "vary = {redeals = [0, 3], vacancy = ['any', 'king']}")) == {
        "games": [], "vary": ["redeals=0,3", "vacancy=any,king"],
    }  # fmt: skip


def test_a_file_with_a_stop_rule(tmp_path: Path, call: Call) -> None:
    path = written(tmp_path, "games = ['fan']\npolicies = ['greedy']\ndeals = 20_000\nprecision = 5\n")
    call("sweep", path, "--executor", "serial", "--out", tmp_path / "s")
    assert json.loads((tmp_path / "s/sweep.json").read_text())["stop"] == "precision=5"


def test_a_file_plays_what_the_flags_would(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    flags = ("--deals", "40", "--policy", "greedy", "--policy", "first", "--first-seed", "1000", "--policy-seed", "3")
    path = written(tmp_path, WHOLE)
    serial = ("--executor", "serial", "--format", "json")
    by_file = call("sweep", path, *serial)
    by_flags = call("sweep", *GRID, *flags, "--traces", "all", "--out", "flags", *serial)
    assert by_file.out == by_flags.out
    assert files(tmp_path / "here" / "Läufe") == files(tmp_path / "flags")
    assert call("rank", path, *serial, "--deals", "40").code == 0


def test_flags_override_the_file(tmp_path: Path, call: Call) -> None:
    path = written(tmp_path, WHOLE)
    serial = ("--executor", "serial", "--format", "json", "--out", tmp_path / "s")
    said = call("sweep", path, "--deals", "7", "--policy", "random", "--vary", "redeals=1,2", "--games", "fan", *serial,
                code=2)  # fmt: skip
    assert "There is no option 'redeals'" in said.err
    said = call("sweep", path, "--deals", "7", "--policy", "random", "--vary", "redeals=1,2", "la_belle_lucie", *serial)
    rows = [(row["variant"], row["policy"], row["deals"]) for row in json.loads(said.out)]
    assert rows == [("redeals=1", "random", 7), ("default", "random", 7)]
    settings = json.loads((tmp_path / "s" / "sweep.json").read_text())
    assert (settings["first_seed"], settings["traces"]) == (1000, "all")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("precision = 1\nuntil_decided = true", "precision and until_decided are two rules by which to stop"),
        ("deal = 5", "deal: There is no key 'deal'. Did you mean 'deals'? Known: games, vary, policies, deals, first"),
        ("games = [{gam = 'fan'}]", "games.0.gam: There is no key 'gam'. Did you mean 'game'? Known: game, vary, vari"),
        ("games = ['fun']", "games.0.game: There is no game 'fun'. Did you mean 'fan'? Known: "),
        ("games = 'fan'", "games: Input should be a valid list, and this is 'fan'"),
        ("games = [3]", "games.0: Input should be"),
        ("games = ['fan', 'fan']", "together: The variant 'fan' stands there twice. Remove one of them."),
        ("games = ['la_belle_lucie', 'la_belle_lucie(redeals=2)']", "The variant 'la_belle_lucie' stands there twice"),
        ("games = [{game = 'la_belle_lucie', vary = {redeals = [7]}}]", "games.0: There is no value of redeals '7'."),
        ("games = [{game = 'la_belle_lucie', vary = {redeals = []}}]", "games.0.vary.redeals: List should have at"),
        ("games = [{game = 'la_belle_lucie', vary = {redeals = [0.5]}}]", "games.0.vary.redeals.0: 0.5 is no value of"),
        ("games = [{game = 'la_belle_lucie', variants = ['redeal=1']}]", "There is no option 'redeal'. Did you mean"),
        (
            "games = [{game = 'la_belle_lucie', variants = ['redeals=1'], vary = {redeals = [0]}}]",
            "games.0: vary and variants both say which variants to play",
        ),
        (
            "vary = {redeals = [0]}\\ngames = [{game = 'la_belle_lucie', vary = {redeals = [0]}}]",
            "together: redeals is varied for all games and again for la_belle_lucie. Say it once.",
        ),
        ("vary = {redeals = [0]}\\ngames = ['fan']", "together: There is no option 'redeals'."),
        ("vary = {redeals = 0}", "vary.redeals: Input should be a valid list, and this is 0."),
        ("policies = ['gredy']", "policies.0: There is no policy 'gredy'. Did you mean 'greedy'?"),
        ("policies = ['greedy', 'greedy']", "together: The policy 'greedy' stands there twice."),
        ("policies = []", "policies: List should have at least 1 item"),
        ("deals = '5'", "deals: Input should be a valid integer, and this is '5'."),
        ("deals = 1e6", "deals: Input should be a valid integer, and this is 1000000.0."),
        ("deals = true", "deals: Input should be a valid integer, and this is True."),
        ("deals = -1", "deals: Input should be greater than or equal to 0, and this is -1."),
        ("first_seed = -1", "together: -1 is no seed of the splitmix deals"),
        ("first_seed = 9223372036854775808", "is no seed of the splitmix deals: expected a whole number from 0 to"),
        ("source = 'pisol'", "source: There is no deal source 'pisol'. Did you mean 'pysol'? Known: splitmix, pysol."),
        ("traces = 'most'", "traces: There are no traces 'most'. Expected all, none, wins or sample:FRACTION"),
        ("on_error = 'panic'", "on_error: There is no on_error 'panic'. Known: continue, stop."),
        ("out = 3", "out: Input should be a valid string, and this is 3."),
        ("deals = 1\\ndeals = 2", "is no TOML: Cannot overwrite a value (at "),
        ("deals: 5", "is no TOML: Expected '=' after a key in a key/value pair (at line 1, column 6)."),
    ],
)
def test_what_is_wrong_is_said_by_file_and_key(tmp_path: Path, text: str, sentence: str) -> None:
    path = written(tmp_path, text.replace("\\n", "\n"))
    with pytest.raises(PatienceError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}")
    assert sentence in str(error.value)


def test_files_that_are_none(tmp_path: Path, call: Call) -> None:
    (tmp_path / "latin.toml").write_bytes("# Läufe".encode("latin-1"))
    (tmp_path / "folder.toml").mkdir()
    for name in ("latin.toml", "folder.toml", "nowhere.toml"):
        said = call("sweep", tmp_path / name, code=2)
        assert said.err.startswith(f"patience: {tmp_path / name} cannot be read (")
        assert said.err.endswith("Expected a sweep file, TOML in UTF-8.\n")
    assert "are two sweep files" in call("sweep", "a.toml", "b.toml", code=2).err
    assert "at least one game" in call("sweep", written(tmp_path, "deals = 3"), code=2).err


def test_a_dry_run(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts what is done, guesses the rest within reason, and leaves no trace."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pipelines.executors.make", never)
    arguments = ("sweep", "la_belle_lucie", "--policy", "greedy", "--deals", "30_000", "--traces", "all", "--out", "s")
    said = call(*arguments, "--dry-run", "--format", "json")
    assert not list(tmp_path.iterdir())
    assert "At most 30,000 of 30,000 deals are left, in 1 shards: about " in said.err
    assert said.err.endswith("s is untouched.\n")
    [row] = json.loads(said.out)
    assert {name: row[name] for name in ("game", "variant", "policy", "deals", "done", "left", "shards_left")} == {
        "game": "la_belle_lucie", "variant": "default", "policy": "greedy", "deals": 30_000, "done": 0, "left": 30_000,
        "shards_left": 1,
    }  # fmt: skip
    assert row["cpu_seconds"] > 0
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    call(*arguments, "--executor", "serial")
    [line] = manifest(tmp_path / "s")
    assert row["bytes"] == pytest.approx(sum(file["bytes"] for file in line["files"]), rel=0.1)
    said = call(*arguments, "--dry-run", "--format", "json")
    [row] = json.loads(said.out)
    assert [row[name] for name in ("done", "left", "shards_left", "cpu_seconds", "bytes")] == [30_000, 0, 0, 0.0, 0]
    assert "holds another sweep" in call(*arguments, "--dry-run", "--first-seed", "1", code=2).err


def never(*_: Any) -> None:
    raise AssertionError("a dry run opens no executor")


@pytest.mark.parametrize(("traces", "deals"), [("none", 0), ("sample:0", 1), ("wins", 150), ("sample:0.5", 150)])
def test_dry_runs_of_all_kinds(tmp_path: Path, call: Call, traces: str, deals: int) -> None:
    command = ("sweep", "la_belle_lucie", "--traces", traces, "--deals", str(deals), "--out", tmp_path / "s")
    rows = json.loads(call(*command, "--dry-run", "--format", "json").out)
    assert [row["left"] for row in rows] == [deals] * 2
    assert all((row["bytes"] > 0) == (deals > 0) for row in rows)


def test_stop_rules(tmp_path: Path, call: Call) -> None:
    assert read(written(tmp_path, "precision = 1"))["precision"] == 1
    for text, sentence in (
        ("precision = 0", "precision: Input should be greater than 0, and this is 0."),
        ("precision = 0.1\nuntil_decided = true", "together: precision and until_decided are two rules"),
        ("until_decided = 1", "until_decided: Input should be a valid boolean, and this is 1."),
    ):
        with pytest.raises(PatienceError, match=sentence):
            read(written(tmp_path, text))
    path = written(tmp_path, "games = ['fan']\npolicies = ['greedy', 'first']\nuntil_decided = true\ndeals = 2000")
    assert "`rank` knows no until_decided." in call("rank", path, code=2).err
    call("sweep", path, "--executor", "serial", "--out", tmp_path / "s")
    assert json.loads((tmp_path / "s" / "sweep.json").read_text())["stop"] == "decided"


def test_a_dry_run_of_what_grows(tmp_path: Path, call: Call) -> None:
    played(tmp_path / "s", planned(players=["greedy"], deals=250, shard_moves=1))
    command = (
        "sweep",
        "la_belle_lucie",
        "--policy",
        "greedy",
        "--policy",
        "first",
        "--out",
        tmp_path / "s",
        "--dry-run",
    )
    said = json.loads(call(*command, "--deals", "400", "--format", "json").out)
    assert [(row["policy"], row["done"], row["left"]) for row in said] == [("greedy", 250, 150), ("first", 0, 400)]


def test_a_dry_run_of_a_policy_that_comes_to_harm(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless.py").write_text(
        "def choose(game, rules, state, moves, n, scratch):\n    while True:\n        scratch.memory[0] += 1\n"
    )
    monkeypatch.setattr("pipelines.estimate.USUAL", Limits(deal_seconds=1.0))
    monkeypatch.setattr("pipelines.shard.USUAL", Limits(deal_seconds=1.0))
    said = call("sweep", "la_belle_lucie", "--policy", tmp_path / "endless.py", "--dry-run", "--format", "json")
    [row] = json.loads(said.out)
    assert (row["left"], row["cpu_seconds"], row["bytes"]) == (10_000, None, None)
    assert "1 cells are not in these numbers: their policies came to harm in their first deals." in said.err
