"""The command from end to end: data on stdout, talk on stderr, errors in a sentence, exit codes that say which kind."""

import csv
import io
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sim
from pipelines.arguments import whole
from pipelines.tables import FORMATS
from tests.calling import Call
from tests.sweeping import PATIENCE, manifest, rows, surroundings

SWEEP = ("sweep", "la_belle_lucie", "la_croix_dhonneur", "--deals", "1e2", "--traces", "all", "--executor", "serial")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep in a folder that few expect."""
    folder = tmp_path_factory.mktemp("r") / "Ergebnisse für [Ümläute] 'x' ♠ game=y"
    subprocess.run([PATIENCE, *SWEEP, "--out", folder, "--quiet"], check=True, capture_output=True, env=surroundings())
    return folder


def parsed(style: str, out: bytes) -> list[dict[str, Any]]:
    """The rows that a format's bytes hold."""
    if style == "parquet":
        return list(pq.read_table(io.BytesIO(out)).to_pylist())
    if style == "json":
        return list(json.loads(out))
    if style == "csv":
        return list(csv.DictReader(io.StringIO(out.decode())))
    head, rule, *body = out.decode().splitlines()
    assert set(rule) <= set("| -:")
    names, *lines = ([cell.strip() for cell in line.strip("|").split("|")] for line in (head, *body))
    return [dict(zip(names, line, strict=True)) for line in lines]


def test_a_sweep_prints_its_table_and_talks_apart(call: Call, tmp_path: Path) -> None:
    said = call(*SWEEP, "--out", tmp_path / "s", "--format", "json")
    table = json.loads(said.out)
    assert [(row["game"], row["policy"], row["deals"]) for row in table] == [
        (game, policy, 100) for game in ("la_belle_lucie", "la_croix_dhonneur") for policy in ("random", "greedy")
    ]
    progress, finished = said.err.splitlines()
    assert progress.startswith("400 of 400 deals, ")
    assert "la_belle_lucie default greedy " in progress
    assert finished == f"Finished: {tmp_path / 's'}"
    assert call(*SWEEP, "--out", tmp_path / "s", "--format", "json").out == said.out
    assert call("table", tmp_path / "s", "--format", "json") == (0, said.out, "")
    assert call(*SWEEP, "--out", tmp_path / "q", "--quiet").err == f"Finished: {tmp_path / 'q'}\n"


def test_games_by_option_and_all_of_them(call: Call, tmp_path: Path) -> None:
    """A sweep of no deals plans its cells all the same."""
    nothing = ("--policy", "first", "--deals", "0", "--executor", "serial", "--format", "csv")
    said = call("sweep", "--games", "all", *nothing, "--out", tmp_path / "all")
    plan = json.loads((tmp_path / "all" / "sweep.json").read_text())
    assert sorted({cell["game"] for cell in plan["cells"]}) == sim.names(), said.err
    call("sweep", "fan", "--games", "the_clock", "--games", "fan", *nothing, "--out", tmp_path / "two")
    plan = json.loads((tmp_path / "two" / "sweep.json").read_text())
    assert [cell["game"] for cell in plan["cells"]] == ["fan", "the_clock"]


@pytest.mark.parametrize("style", ["csv", "json", "md", "parquet"])
def test_every_format_parses_back(call: Call, results: Path, style: str) -> None:
    """The same rows in each, for each command that prints a table."""
    for command in (
        ("table", results),
        ("compare", results),
        ("rank", "--sweep", results),
        ("query", SQL, "--sweep", results),
        ("games",),
        ("policies",),
    ):
        said = call(*command, "--format", style)
        usual = json.loads(call(*command, "--format", "json").out)
        read = parsed(style, said.out)
        assert said.err == ""
        assert [list(row) for row in read] == [list(row) for row in usual] != []
        for row, other in zip(read, usual, strict=True):
            assert all(alike(style, row[name], value) for name, value in other.items()), (row, other)


SQL = """select game, policy, count(*) as deals, avg(moves) as moves, bool_or(won) as won, null as nothing
         from outcomes group by all order by all"""


def alike(style: str, value: Any, usual: Any) -> bool:
    """Is it what JSON says? Markdown is for people: its numbers are rounded."""
    if style in ("json", "parquet"):
        return bool(value == usual)
    if style == "csv":
        return bool(value == ("" if usual is None else usual if isinstance(usual, str) else json.dumps(usual)))
    if isinstance(usual, float):
        number = float(value.removesuffix(" %")) / (100 if value.endswith("%") else 1)
        return number == pytest.approx(usual, rel=0.06, abs=1e-3)
    return bool(value == ("-" if usual is None else usual if isinstance(usual, str) else json.dumps(usual)))


def test_the_table_for_people(call: Call, results: Path) -> None:
    lines = call("table", results).text.splitlines()
    assert len(lines) == 2 + 4
    assert lines[0].split()[:4] == ["game", "variant", "policy", "deals"]
    assert " % " in lines[2]
    assert {len(line.rstrip()) for line in lines[2:]} == {len(lines[2].rstrip())}


def test_compare(call: Call, results: Path) -> None:
    rows_of = json.loads(call("compare", results, "--format", "json").out)
    assert [(row["game"], row["from"], row["to"], row["pairs"]) for row in rows_of] == [
        ("la_belle_lucie", "random", "greedy", 100), ("la_croix_dhonneur", "random", "greedy", 100),
    ]  # fmt: skip
    said = call("compare", results, "--vary", "policies", code=2)
    assert said.err == "patience: There is no varied option 'policies'. Did you mean 'policy'? Known: policy.\n"


def test_replay_prints_the_stored_game(call: Call, results: Path) -> None:
    """The moves of the trace, and those of `play`; the end is that of the outcome."""
    wanted = ("--seed", "7", "--game", "la_croix_dhonneur", "--policy", "greedy")
    said = call("replay", results, *wanted)
    [out] = [row for row in rows(results, "outcomes", game="la_croix_dhonneur", policy="greedy") if row["seed"] == 7]
    [trace] = [row for row in rows(results, "traces", game="la_croix_dhonneur", policy="greedy") if row["seed"] == 7]
    numbered = [line for line in said.text.splitlines() if line.endswith(" legal)")]
    assert [int(line.split(".")[0]) for line in numbered] == list(range(1, out["moves"] + 1))
    assert [int(line.rpartition("(")[2].split()[0]) for line in numbered] == [code >> 24 for code in trace["codes"]]
    assert said.text.endswith(f"\n{out['cards_home']} of {sim.game('la_croix_dhonneur').rules.goal} cards home.\n")
    played = call("play", "la_croix_dhonneur", "--seed", "7", "--policy", "greedy")
    assert played.text == f"{said.text}Ended: {out['ending']}.\n"


def test_replay_of_what_is_not_there(call: Call, results: Path) -> None:
    assert (
        "has 4 traces of seed 7 for what you ask. Choose one: --game"
        in call("replay", results, "--seed", "7", code=2).err
    )
    assert "has 0 traces of seed 700" in call("replay", results, "--seed", "700", code=2).err


def test_play_of_pysolfc_deals(call: Call) -> None:
    first, other, ours = (
        call("play", "la_belle_lucie", "--seed", seed, *source).text.splitlines()[1:23]
        for seed, source in (("ms5", ("--source", "pysol")), ("32000", ("--source", "pysol")), ("5", ()))
    )
    assert first == call("play", "la_belle_lucie", "--seed", "5", "--source", "pysol").text.splitlines()[1:23]
    assert first != other != ours != first


def test_sweeps_by_name_and_the_newest(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "There is no sweep in results" in call("table", code=2).err
    said = call("sweep", "la_belle_lucie", "--deals", "0", "--executor", "serial", "--format", "csv")
    [folder] = (tmp_path / "results").iterdir()
    assert said.err == f"Finished: results/{folder.name}\n"
    assert folder.name.startswith("la_belle_lucie-")
    newest = call("sweep", "la_croix_dhonneur", "--deals", "1", "--executor", "serial", "--format", "csv")
    assert call("table", folder.name, "--format", "csv").out == said.out
    assert call("table", "--format", "csv").out == newest.out
    assert call("query", "select count(*) as n from outcomes", "--format", "csv").out == b"n\n2\n"


def test_what_there_is(call: Call) -> None:
    games = json.loads(call("games", "--format", "json").out)
    assert [game["game"] for game in games] == sim.names()
    policies = json.loads(call("policies", "--format", "json").out)
    assert [row["policy"] for row in policies][:3] == ["random", "first", "greedy"]
    assert all(row["about"].endswith(".") for row in policies)
    for game in sim.names():
        page = call("rules", game).text
        assert all(word in page for word in ("Source\n", "Layout\n", "Version\n", "Options, the default first"))
        assert all(option in page for option in sim.game(game).values)


def test_version_and_help(call: Call) -> None:
    assert call("--version").out == f"{version('patience')}\n".encode()
    for command in (
        (),
        ("sweep",),
        ("rank",),
        ("table",),
        ("compare",),
        ("query",),
        ("replay",),
        ("play",),
        ("games",),
        ("rules",),
    ):
        said = call(*command, "--help")
        assert said.text.lstrip().startswith("Usage: ")
        assert said.err == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("sweep",), "A sweep needs at least one game. `patience games` lists them."),
        (("sweep", "la_belle_lucy"), "There is no game 'la_belle_lucy'. Did you mean 'la_belle_lucie'? Known: "),
        (("sweep", "la_belle_lucie(redeals=7)"), "There is no value of redeals '7'. Known: 2, 0, 1, 3."),
        (("sweep", "la_belle_lucie(redeals"), "'la_belle_lucie(redeals' is not an id: expected name or name(option="),
        (("sweep", "la_belle_lucie", "--vary", "redeal=1"), "There is no option 'redeal'. Did you mean 'redeals'?"),
        (("sweep", "la_belle_lucie", "--vary", "redeals"), "--vary 'redeals' says no values: expected option=a,b,c"),
        (("sweep", "la_belle_lucie", "--policy", "gredy"), "There is no policy 'gredy'. Did you mean 'greedy'?"),
        (("sweep", "la_belle_lucie", "--traces", "most"), "There are no traces 'most'. Expected all, none, wins or"),
        (("sweep", "la_belle_lucie", "--deals", "-1"), "-1 deals cannot be played: expected 0 or more."),
        (("sweep", "la_belle_lucie", "--first-seed", "-1"), "-1 is no seed of the splitmix deals: expected a whole"),
        (("sweep", "la_belle_lucie", "--first-seed", str(2**63 - 1), "--deals", "2"), "The last seed would be 9223"),
        (("sweep", "la_belle_lucie", "--source", "pisol"), "There is no deal source 'pisol'. Did you mean 'pysol'?"),
        (("sweep", "la_belle_lucie", "--on-error", "panic"), "There is no --on-error 'panic'. Known: continue, stop."),
        (("sweep", "la_belle_lucie", "--executor", "dask"), "There is no executor 'dask'. Known: ray, serial."),
        (("table", "nowhere"), "nowhere is no sweep: it has no sweep.json."),
        (("compare", "nowhere"), "nowhere is no sweep"),
        (("replay", "nowhere"), "nowhere is no sweep"),
        (("query", "select 1", "--sweep", "nowhere"), "nowhere is no sweep"),
        (("rules", "whist"), "There is no game 'whist'. Known: "),
        (("play", "la_belle_lucie", "--seed", "x"), "'x' is no seed of the splitmix deals: expected a whole number"),
        (("play", "la_belle_lucie", "--policy", "./no.py"), "There is no policy file no.py. Expected the path of"),
    ],
)
def test_errors_are_sentences(call: Call, tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in call.refused(tmp_path, *arguments)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("sweep", "la_belle_lucie", "--deals", "many"), "'many' is no whole number such as 1000, 1_000 or 1e3"),
        (("sweep", "la_belle_lucie", "--deals", "1e999"), "is no whole number"),
        (("sweep", "la_belle_lucie", "--dels", "5"), "--deals"),
        (("sweep", "la_belle_lucie", "--workers", "0"), "--workers"),
        (("swep",), "No such command 'swep'"),
        (("table", "--format", "xml"), "There is no format 'xml'"),
    ],
)
def test_usage(call: Call, arguments: tuple[str, ...], hint: str) -> None:
    said = call(*arguments, code=2)
    assert said.out == b""
    assert hint in said.err
    assert said.err.startswith("Usage: ")


@pytest.mark.parametrize(
    ("text", "number"), [("1000", 1000), ("1_000", 1000), ("1e3", 1000), ("2E6", 2 * 10**6), ("-5", -5)]
)
def test_whole_numbers(text: str, number: int) -> None:
    assert whole(text) == number


def test_a_query_reads_and_nothing_else(call: Call, results: Path) -> None:
    before = manifest(results)
    for sql in ("drop view outcomes", "copy outcomes to 'x.csv'", "select * from read_csv('/etc/passwd')", "selec 1"):
        said = call("query", sql, "--sweep", results, code=2)
        assert said.out == b""
        assert "Ask with one SELECT on the views outcomes, moves and sweeps." in said.err
    assert manifest(results) == before
    assert not Path("x.csv").exists()


@pytest.mark.parametrize("style", sorted(FORMATS))
def test_a_reader_that_leaves(results: Path, style: str) -> None:
    """`| head`: no complaint, whether much was left to print or the reader had gone before."""
    sql = "select i, repeat('x', 100) as text from range(2000) as r(i)"
    command = [PATIENCE, "query", sql, "--sweep", results, "--format", style]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())
    assert process.stdout
    assert process.stderr
    assert process.stdout.read(5)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), err) == (0, b"")


def test_a_reader_that_was_never_there(results: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for command in (["table", results], ["--help"], ["rules", "la_belle_lucie"]):
        ended = subprocess.run([PATIENCE, *command], stdout=writer, stderr=subprocess.PIPE, env=surroundings())
        assert (ended.returncode, ended.stderr) == (0, b"")
    os.close(writer)


def test_help_loads_nothing_heavy() -> None:
    code = """import sys; sys.argv = ["patience", "--help"]
from pipelines.cli import main
try: main()
except SystemExit as end: assert not end.code
print(sorted({"ray", "numba", "duckdb", "numpy", "pyarrow", "psutil"} & set(sys.modules)), file=sys.stderr)"""
    ended = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, env=surroundings())
    assert ended.returncode == 0
    assert "Usage: patience" in ended.stdout
    assert ended.stderr == "[]\n"


def test_parquet_is_not_for_a_terminal(results: Path) -> None:
    main, terminal = os.openpty()
    command = [PATIENCE, "table", results, "--format", "parquet"]
    ended = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, env=surroundings())
    os.close(main)
    os.close(terminal)
    assert (ended.returncode, ended.stderr.count(b"\n")) == (2, 1)
    assert b"Redirect it" in ended.stderr
