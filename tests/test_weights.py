"""The features of `weighted`, and the weights that come with the project."""

from pathlib import Path

import pytest

import sim
from policies import features, weighted
from policies.features import COMMON, FEATURES
from policies.loader import load
from sim.errors import PatienceError
from tests.engine import GAMES, Driver

PLAYERS = ("lookahead(depth=1)", "lookahead(depth=2)", "weighted")
TUNED = sorted(path.stem for path in weighted.FOLDER.glob("*.toml"))


def test_each_feature_has_its_number() -> None:
    assert [getattr(features, name.upper()) for name in FEATURES] == list(range(len(FEATURES)))


def test_common_weights_make_greedy(tmp_path: Path) -> None:
    common = tmp_path / "common.toml"
    common.write_text("# nothing weighs otherwise\n")
    for game in GAMES:
        ours, theirs = (Driver(game, policy).play(3) for policy in (f"weighted(file={common})", "greedy"))
        assert ours.outcomes["trace_hash"].tolist() == theirs.outcomes["trace_hash"].tolist(), game


def test_weights_stand_in_the_order_of_the_features(tmp_path: Path) -> None:
    assert weighted.weights("no_such_game", "") == list(COMMON)
    weights = weighted.weights("fan", "home = 7\n")
    assert [name for name, ours, common in zip(FEATURES, weights, COMMON, strict=True) if ours != common] == ["home"]
    assert weights[features.HOME] == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("home = many", "The weights are no TOML"),
        ("hom = 7", "There is no feature 'hom'. Did you mean 'home'"),
        ("home = 1.5", "home = 1.5 is no weight: expected a whole number from -50000 to 50000"),
        ("home = true", "home = True is no weight"),
        ("home = 50001", "home = 50001 is no weight"),
    ],
)
def test_wrong_weights_are_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(PatienceError, match=message):
        weighted.read(text)


@pytest.mark.parametrize("game", ["la_belle_lucie(vacancy=king)", "the_clock", "rouge_et_noir", "the_mill"])
def test_a_line_of_one_move_is_worth_what_its_move_is(game: str) -> None:
    one, two, weighted = (Driver(game, policy).play(20).outcomes["trace_hash"].tolist() for policy in PLAYERS)
    assert one == weighted != two


@pytest.mark.parametrize("game", TUNED)
def test_tuned_weights_are_of_a_game_and_change_its_play(game: str) -> None:
    assert sim.game(game).title == game
    changed = weighted.read((weighted.FOLDER / f"{game}.toml").read_text("utf-8"))
    assert changed
    ours, theirs = (Driver(game, policy).play(20).outcomes["trace_hash"].tolist() for policy in ("weighted", "greedy"))
    assert ours != theirs


def test_a_preset_has_weights_of_its_own() -> None:
    names = ("the_sultan(pysolfc)", "the_sultan", "the_sultan(redeals=0)", "the_mill(pysolfc)", "the_mill")
    titles = [sim.game(name).title for name in names]
    preset, game, other, untuned, tuned = (load("weighted").scratch(title).knobs.tolist() for title in titles)
    assert preset != game == other == list(COMMON)
    assert untuned == tuned != list(COMMON)


def test_what_a_game_weighs_tells_sweeps_apart(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("home = 7\n")
    digests = {load(id).digest_for("fan") for id in ("weighted", f"weighted(file={other})", "greedy", "rollout")}
    digests |= {load(f"rollout(base={base})").digest_for("fan") for base in ("weighted", f"weighted(file={other})")}
    assert len(digests) == 6
    assert load("greedy").digest_for("fan") == load("greedy").digest_for("fortress") == load("greedy").digest
