"""Learning weights: on small tunings, to the byte, however often they are ended."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sim
from pipelines import tuning
from pipelines.executors import Executor, Serial
from pipelines.tuning import Journal, Settings, Tuned, as_toml
from policies.features import COMMON, FEATURES
from sim.errors import PatienceError
from tests.calling import Call
from tests.engine import Driver

SMALL = Settings("fan", generations=3, population=4, deals=20, first_seed=10_000_000, test_deals=300, seed=1)


def learnt(path: Path, settings: Settings = SMALL) -> Tuned:
    return tuning.tune(Serial(), settings, Journal(path, settings), lambda _: None)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tuned, str]:
    """A tuning, and its journal."""
    path = tmp_path_factory.mktemp("tuning") / "fan.jsonl"
    return learnt(path), path.read_text()


def test_a_tuning_that_was_ended_goes_on_from_its_journal(whole: tuple[Tuned, str], tmp_path: Path) -> None:
    tuned, journal = whole
    lines = journal.splitlines(keepends=True)
    assert len(lines) == 2 + SMALL.generations
    for kept, line in enumerate(lines):
        path = tmp_path / f"{kept}.jsonl"
        path.write_text("".join(lines[:kept]) + line[: len(line) // 2 * (kept % 2)])  # some killed as they wrote
        assert learnt(path) == tuned
        assert path.read_text() == journal


def test_ray_learns_the_same(whole: tuple[Tuned, str], two_workers: Executor, tmp_path: Path) -> None:
    path = tmp_path / "fan.jsonl"
    assert (tuning.tune(two_workers, SMALL, Journal(path, SMALL), lambda _: None), path.read_text()) == whole


def test_the_report_counts_wins_on_deals_that_were_not_learnt_from(whole: tuple[Tuned, str], tmp_path: Path) -> None:
    tuned, _ = whole
    file = tmp_path / "fan.toml"
    file.write_text(as_toml(SMALL, tuned))
    assert tomllib.loads(file.read_text()) == tuned.weights
    for policy, wins in (("greedy", tuned.common_wins), (f"weighted(file={file})", tuned.wins)):
        assert int((Driver("fan", policy).play(300, first=0).outcomes["ending"] == 0).sum()) == wins


def test_candidates_of_a_generation_play_the_same_deals_and_others_than_the_next() -> None:
    common = np.array(COMMON, float)
    one, other = tuning.worths(Serial(), SMALL, [common, common], 10_000_000, 50)
    assert one == other != tuning.worths(Serial(), SMALL, [common], 10_000_050, 50)[0]


def test_features_that_a_game_does_not_have_are_left_alone(whole: tuple[Tuned, str]) -> None:
    names = list(FEATURES)
    matter = {names[i] for i in tuning.active(Serial(), SMALL)}
    assert {"in_order", "uncover_home"} <= matter
    assert not matter & {"from_waste", "turn", "draw", "exchange", "redeal", "unlock"}
    assert whole[0].weights.keys() <= matter


def test_worth_is_of_cards_home_near_a_win() -> None:
    weights = tuple(map(float, COMMON))
    worth, _ = tuning.play(("fan", weights, 0, 200))
    outcomes = Driver("fan", "greedy").play(200, first=0).outcomes
    assert worth == pytest.approx(sum((home / sim.game("fan").rules.goal) ** 8 for home in outcomes["cards_home"]))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"deals": 0}, "deals=0 tells nothing"),
        ({"test_deals": 0}, "test-deals=0 tells nothing"),
        ({"first_seed": 299}, "first-seed=299 is not possible: expected 300 to"),
        ({"first_seed": 2**63}, "is not possible"),
    ],
)
def test_settings_that_cannot_be_are_refused(changed: dict[str, int], message: str) -> None:
    with pytest.raises(PatienceError, match=message):
        replace(SMALL, **changed)


def test_the_command(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    small = ("--generations", "1", "--population", "4", "--deals", "10", "--test-deals", "50", "--executor", "serial")
    said = call("tune", "fan(vacancy=any)", *small, "--out", out, "--format", "csv")
    assert said.text.splitlines()[0].startswith("game,deals,common_win_rate,win_rate")
    assert "Generation 1 of 1" in said.err
    assert call("tune", "fan(vacancy=any)", *small, "--out", out, "--quiet").err.count("Generation") == 0
    assert "patience tune 'fan(vacancy=any)'" in out.read_text()
    assert "the journal of another tuning" in call("tune", "fan", *small, "--out", out, code=2).err
    dull = "the_fourteenth(grace_shape=one_for_one)"  # quicker to play than the default
    nothing = call("tune", dull, *small, "--deals", "1", "--out", tmp_path / "y.toml", code=2).err
    assert nothing.startswith("patience: No feature matters in the_fourteenth")
    out.with_suffix(".jsonl").write_text("{}}\n")
    assert "is no journal of a tuning" in call("tune", "fan", *small, "--out", out, code=2).err


def test_errors_leave_nothing_behind(call: Call, tmp_path: Path) -> None:
    assert "There is no executor 'rey'" in call.refused(tmp_path, "tune", "fan", "--executor", "rey")
    assert "There is no game 'fam'" in call.refused(tmp_path, "tune", "fam")
