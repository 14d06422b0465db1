"""Policies of one's own: a file of a few lines, or an installed package; and what happens when they are wrong."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pyarrow as pa
import pytest

import sim
from pipelines import plan
from pipelines.executors import Executor
from policies.loader import Policy, load
from sim.errors import PatienceError
from sim.jit import cache_root
from tests.sweeping import files, manifest, patience, planned, played, read, rows, surroundings

DEALS = 60
FIFTEEN_LINES = '''"""Home if it can, else as the dice fall.

Nothing else.
"""

from sim.moves import PLAY, what
from sim.rng import below


def choose(game, rules, state, moves, n, scratch):
    for i in range(n):
        if what(moves[i]) == PLAY:
            return i
    return below(scratch.rng, n)
'''
RANDOM = """
import numpy as np
from sim.rng import below

def choose(game, rules, state, moves, n, scratch):
    scratch.memory[0] += 1
    if state.seed % np.uint64(20) == np.uint64(7) and scratch.memory[0] == 4:
        WRONG
    return below(scratch.rng, n)
"""
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a policy file; its path."""

    def written(name: str, text: str) -> Path:
        path = tmp_path / "policies" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return written


def swept(folder: Path, policy: Path | str, executor: Any = None, on_error: str = "continue", **settings: Any) -> Any:
    """Sixty deals under this policy, with every move kept; how the run ended."""
    sweep = planned(players=[str(policy)], deals=DEALS, traces="all", **settings)
    return played(folder, sweep, on_error=on_error, **{"executor": executor} if executor else {})


def test_a_file_of_fifteen_lines(write: Write, tmp_path: Path, two_workers: Executor) -> None:
    """It is compiled, plays as it says, and Ray's workers play it alike without having the file."""
    path = write("homely", FIFTEEN_LINES)
    assert len(FIFTEEN_LINES.splitlines()) <= 15
    assert load(str(path)).about == "Home if it can, else as the dice fall."
    assert isinstance(load(str(path)).choose, numba.core.dispatcher.Dispatcher)
    swept(tmp_path / "serial", path)
    sweep = planned(players=[str(path)], deals=DEALS, traces="all")
    path.unlink()
    played(tmp_path / "ray", sweep, lambda: two_workers)
    assert files(tmp_path / "ray") == files(tmp_path / "serial")
    played(tmp_path / "random", planned(players=["random"], deals=DEALS))
    ours, theirs = (read(tmp_path / name, "outcomes")["cards_home"].to_numpy() for name in ("serial", "random"))
    assert ours.mean() > theirs.mean() + 1
    assert home_whenever_possible(tmp_path / "serial")


def home_whenever_possible(folder: Path) -> bool:
    """In every position of the first deals in which a card could go home, one did."""
    for trace in rows(folder, "traces")[:10]:
        position = sim.game("la_belle_lucie").deal(trace["seed"])
        for code in trace["codes"]:
            moves = position.moves()
            [move] = [move for move in moves if move.code & 0xFFFFFF == code & 0xFFFFFF]
            if any(one.kind == "play" for one in moves) and move.kind != "play":
                return False
            position.play(move)
    return True


def test_a_policy_that_raises(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], two_workers: Executor
) -> None:
    """It costs the deals in which it does; they are named, and the others are what they would have been."""
    report = swept(tmp_path / "bad", write("wrong", RANDOM.replace("WRONG", "raise ValueError('I am lost')")))
    said = capsys.readouterr().err.splitlines()
    cell = "game=la_belle_lucie/variant=default/policy=wrong"
    assert said == [f"A deal broke off: {cell} seed {seed} move 3: ValueError: I am lost" for seed in (7, 27, 47)]
    assert (report.fallen, report.failures, report.stopped) == (3, [], False)
    failures = [json.loads(line) for line in (tmp_path / "bad" / "failures.jsonl").read_text().splitlines()]
    shard = manifest(tmp_path / "bad")[0]["shard"]
    assert failures == [
        {"shard": shard, "seed": seed, "step": 3, "reason": "ValueError: I am lost"} for seed in (7, 27, 47)
    ]
    assert_only_these_fell(tmp_path, write, [7, 27, 47])
    swept(
        tmp_path / "ray", write("wrong", RANDOM.replace("WRONG", "raise ValueError('I am lost')")), lambda: two_workers
    )
    assert files(tmp_path / "ray") == files(tmp_path / "bad")
    assert (tmp_path / "ray" / "failures.jsonl").read_text() == (tmp_path / "bad" / "failures.jsonl").read_text()


def assert_only_these_fell(tmp_path: Path, write: Write, fell: list[int]) -> None:
    """Compared with a run in which the policy does nothing wrong: three moves of these deals, all of the others."""
    swept(tmp_path / "good", write("right", RANDOM.replace("WRONG", "pass")))
    for kind in ("outcomes", "traces"):
        bad, good = (rows(tmp_path / name, kind) for name in ("bad", "good"))
        assert [row["seed"] for row in bad] == list(range(DEALS))
        assert [a["seed"] for a, b in zip(bad, good, strict=True) if a != b] == fell
    for seed in fell:
        assert rows(tmp_path / "bad", "traces")[seed]["codes"] == rows(tmp_path / "good", "traces")[seed]["codes"][:3]
        broken = rows(tmp_path / "bad", "outcomes")[seed]
        assert (broken["ending"], broken["won"], broken["moves"]) == ("error", False, 3)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("return n", "it chose an index that is not in the list of moves"),
        ("return -2", "it chose an index that is not in the list of moves"),
        ("return 1 << 40", "it chose an index that is not in the list of moves"),
        ("game.apply_move(rules, state, moves[0])", "it changed the state that it was shown"),
        ("state.home = rules.goal - 1", "it changed the state that it was shown"),
        ("return moves[50_000]", "IndexError: index is out of bounds"),
        ("raise OSError", "OSError: "),
        ("assert n > 10**6, 'few'", "AssertionError: few"),
    ],
)
def test_other_ways_to_break_a_deal_off(write: Write, tmp_path: Path, wrong: str, reason: str) -> None:
    report = swept(tmp_path / "bad", write("wrong", RANDOM.replace("WRONG", wrong)))
    assert report.fallen == 3
    failures = [json.loads(line) for line in (tmp_path / "bad" / "failures.jsonl").read_text().splitlines()]
    assert [(fall["seed"], fall["step"], fall["reason"]) for fall in failures] == [
        (seed, 3, reason) for seed in (7, 27, 47)
    ]
    assert_only_these_fell(tmp_path, write, [7, 27, 47])


def test_a_policy_that_resigns(write: Write, tmp_path: Path) -> None:
    report = swept(tmp_path / "s", write("tired", RANDOM.replace("WRONG", "return -1")))
    resigned = [out for out in rows(tmp_path / "s", "outcomes") if out["ending"] == "resigned"]
    assert [(out["seed"], out["moves"]) for out in resigned] == [(7, 3), (27, 3), (47, 3)]
    assert report.fallen == 0
    assert not (tmp_path / "s" / "failures.jsonl").exists()


def test_many_broken_deals_are_counted_and_the_first_told(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("hopeless", "def choose(game, rules, state, moves, n, scratch):\n    return n\n")
    assert swept(tmp_path / "s", path).fallen == DEALS
    assert len(capsys.readouterr().err.splitlines()) == 3
    assert len((tmp_path / "s" / "failures.jsonl").read_text().splitlines()) == 20
    assert {out["ending"] for out in rows(tmp_path / "s", "outcomes")} == {"error"}


def test_on_error(write: Write, tmp_path: Path) -> None:
    """The sweep goes on, or stops after the shard in question; the command ends with 3 and says what is left."""
    path = write("wrong", RANDOM.replace("WRONG", "raise ValueError('I am lost')").replace("(20)", "(250)"))
    sweep = planned(players=[str(path)], deals=1000, shard_moves=1)
    assert played(tmp_path / "all", sweep).fallen == 4
    command = ("sweep", "la_belle_lucie", "--policy", path, "--deals", "1000", "--executor", "serial")
    _, err = patience(*command, "--out", tmp_path / "one", "--on-error", "stop", shard_moves=1, code=3)
    assert "1 deals ended as an error: see " in err
    assert err.endswith("Not finished: run the same command again to go on.\n")
    assert [len(manifest(tmp_path / name)) for name in ("all", "one")] == [10, 1]
    assert played(tmp_path / "one", sweep).fallen == 4
    assert files(tmp_path / "one") == files(tmp_path / "all")


CHOOSE = "def choose(game, rules, state, moves, n, scratch):\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"has no function choose\(game, rules, state, moves, n, scratch\); define one"),
        ("def chose():\n    return 0\n", "has no function choose"),
        ("choose = 5\n", "has no function choose"),
        ("def choose(moves, n):\n    return 0\n", "has no function choose"),
        ("class choose:\n    pass\n", "has no function choose"),
        (f"{CHOOSE}    return open('x')\n", "does not compile: .*open"),
        (f"{CHOOSE}    return None\n", "does not compile: .*none to int64"),
        (f"{CHOOSE}    return undefined\n", "does not compile: .*undefined"),
        (f"{CHOOSE}    return scratch.nothing\n", "does not compile: .*nothing"),
        (f"{CHOOSE}return 0\n", "cannot be loaded: IndentationError"),
        ("import nowhere\n", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
        ("1 / 0\n", "cannot be loaded: ZeroDivisionError"),
        ("raise SystemExit(0)\n", "cannot be loaded: SystemExit"),
    ],
)
def test_files_that_are_no_policy(write: Write, text: str, message: str) -> None:
    """One sentence, in the plan: before a folder is made or a worker started."""
    with pytest.raises(PatienceError, match=message) as error:
        planned(players=[str(write("mine", text))])
    assert "mine" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("needs(p):\n    return {'copys': 3}", "asks for copys=3: expected whole numbers, .* of copies, memory, work"),
        ("needs(p):\n    return {'memory': -3}", "asks for memory=-3: expected whole numbers, 0 or more"),
        ("needs(p):\n    return {'work': 'much'}", "asks for work='much': expected whole numbers"),
        ("needs(p):\n    return {'work': 10**15}", "needs more memory than there is: .*'work': 1000000000000000"),
        ("needs(p):\n    return 1 // 0", r"needs\(\) of policy 'mine' fails: ZeroDivisionError"),
        ("effort(p):\n    return 'much'", r"effort\(\) of policy 'mine' fails: ValueError: .* 'much'"),
        ("effort():\n    return 1", r"effort\(\) of policy 'mine' fails: TypeError"),
    ],
)
def test_files_that_ask_for_what_cannot_be(write: Write, function: str, message: str) -> None:
    policy = load(str(write("mine", f"{CHOOSE}    return 0\n\n\ndef {function}\n")))
    with pytest.raises(PatienceError, match=message):
        _ = policy.effort, policy.scratch("any game")


def test_slow_policies_have_small_shards(write: Write) -> None:
    path = write("mine", f"{CHOOSE}    return 0\n\n\ndef effort(parameters):\n    return 200.0\n")
    [slow, fast] = planned(players=[str(path), "first"], deals=100, shard_moves=8_000_000).cells
    assert fast.shard_deals == 200 * slow.shard_deals


@pytest.mark.parametrize(("said", "effort"), [("2", 2), ("0.01", 1), ("-1e99", 1), ("float('nan')", 1)])
def test_no_move_takes_less_than_a_move(write: Write, said: str, effort: float) -> None:
    path = write("mine", f"{CHOOSE}    return 0\n\n\ndef effort(parameters):\n    return {said}\n")
    assert load(str(path)).effort == effort


def test_what_the_base_takes_is_multiplied_in() -> None:
    rollout, base, both = (load(id).effort for id in ("rollout(n=2)", "lookahead", "rollout(base=lookahead,n=2)"))
    assert both == rollout * base > max(rollout, base) > load("greedy").effort == 1


def test_a_file_that_is_no_policy_writes_nothing(write: Write, tmp_path: Path) -> None:
    path = write("mine", "def choose(game)\n    return 0\n")
    out, err = patience("sweep", "la_belle_lucie", "--policy", path, "--out", tmp_path / "s", code=2)
    assert (out, err) == (
        "",
        "patience: Policy file mine.py cannot be loaded: SyntaxError: expected ':' (mine.py, line 1)\n",
    )
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("name", ["greedy", "my-policy", "2nd", "héros"])
def test_names_that_no_policy_file_may_have(write: Write, name: str) -> None:
    with pytest.raises(PatienceError, match=f"{name}.py is no name for a policy file: expected letters, digits"):
        load(str(write(name, FIFTEEN_LINES)))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PatienceError, match=r"There is no policy file .*gone\.py"):
        load(str(tmp_path / "gone.py"))
    (tmp_path / "latin.py").write_bytes(b'"""\xe9t\xe9"""\n')
    with pytest.raises(PatienceError, match=r"cannot be read: .*Expected Python source in UTF-8"):
        load(str(tmp_path / "latin.py"))
    with pytest.raises(PatienceError, match=r"no policy 'gredy'\. Did you mean 'greedy'\?.*a file such as"):
        load("gredy")


def test_files_of_one_name_are_told_apart(write: Write, tmp_path: Path) -> None:
    """Neither machine code nor results of the one are taken for the other's."""
    first, last = (f"{CHOOSE}    return {index}\n" for index in ("0", "n - 1"))
    for name, text in (("first", first), ("last", last), ("again", first)):
        swept(tmp_path / name, write("mine", text))
    played(tmp_path / "built_in", planned(players=["first"], deals=DEALS, traces="all"))
    tables = {name: read(tmp_path / name, "outcomes") for name in ("first", "last", "again", "built_in")}
    assert tables["first"].equals(tables["again"])
    assert tables["first"].equals(tables["built_in"])
    assert not tables["first"].equals(tables["last"])
    digests = [Policy("mine", text).digest for text in (first, last)]
    assert digests[0] != digests[1]
    assert all(list(cache_root().glob(f"*-{digest}")) for digest in digests)
    with pytest.raises(PatienceError, match=r"holds another sweep: in .*/policy=mine policy_digest was"):
        swept(tmp_path / "first", write("mine", last))


def test_an_edited_file_is_another_policy(write: Write) -> None:
    """Also when only what it calls is edited: a helper of the same file."""
    text = f"from sim.jit import njit\n\n@njit\ndef helper(n):\n    return n - NUMBER\n\n{CHOOSE}    return helper(n)\n"
    first, second = (load(str(write("helped", text.replace("NUMBER", number)))) for number in ("1", "2"))
    assert first.digest != second.digest
    assert first != second
    endings = [plan_endings(policy) for policy in (first, second)]
    assert endings[0] == {"stuck"}
    assert "resigned" in endings[1]


def plan_endings(policy: Policy) -> set[str]:
    from pipelines.shard import open_table, outcome_rows

    sweep = plan.plan(["la_belle_lucie"], {}, [policy], deals=DEALS)
    [block] = open_table(sweep, sweep.cells[0]).play(0, DEALS)
    return set(outcome_rows(block)["ending"].to_pylist())


def test_an_installed_policy(tmp_path: Path) -> None:
    """A package that names a module in the entry points of `patience.policies`; Ray's workers find it too."""
    site = tmp_path / "site"
    info = site / "tiny_policy-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "tiny_policy.py").write_text(FIFTEEN_LINES)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-policy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[patience.policies]\ntiny = tiny_policy\n")
    env = surroundings(path=str(site))
    out, _ = patience("policies", "--format", "json", env=env)
    told = {"policy": "tiny", "parameters": "-", "about": "Home if it can, else as the dice fall."}
    assert told | {"sees": "not said", "cost": "not said"} in json.loads(out)
    command = ("sweep", "la_belle_lucie", "--policy", "tiny", "--deals", "300", "--workers", "1")
    patience(*command, "--out", tmp_path / "ray", env=env, shard_moves=1)
    assert len(manifest(tmp_path / "ray")) == 3
    mine = tmp_path / "mine.py"
    mine.write_text(FIFTEEN_LINES)
    played(tmp_path / "file", planned(players=[str(mine)], deals=300, shard_moves=1))
    assert read(tmp_path / "file", "outcomes").equals(read(tmp_path / "ray", "outcomes"))


def test_an_installed_policy_that_cannot_be_imported(tmp_path: Path) -> None:
    info = tmp_path / "site" / "torn-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: torn\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[patience.policies]\ntorn = torn.nowhere\n")
    env = surroundings(path=str(tmp_path / "site"))
    _, err = patience("sweep", "la_belle_lucie", "--policy", "torn", "--out", tmp_path / "s", env=env, code=2)
    assert err == "patience: Policy 'torn' (torn.nowhere) cannot be imported: No module named 'torn'\n"


def test_two_policies_in_one_sweep_are_kept_apart(write: Write, tmp_path: Path) -> None:
    sweep = planned(players=["first", str(write("last", f"{CHOOSE}    return n - 1\n"))], deals=DEALS)
    played(tmp_path / "s", sweep)
    assert {cell.policy.name for cell in sweep.cells} == {"first", "last"}
    tables: list[pa.Table] = [read(tmp_path / "s", "outcomes", policy=name) for name in ("first", "last")]
    assert not tables[0].equals(tables[1])
    assert all(re.fullmatch("[0-9a-f]{12}", cell.policy.digest) for cell in sweep.cells)
