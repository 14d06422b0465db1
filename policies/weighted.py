"""The best-looking move by the weights of the game, which are learnt: `patience tune`. Without any, as greedy.

A file of weights is TOML, a line for each feature that weighs something else than it commonly does.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from policies import parameters
from policies.features import FEATURES
from policies.scoring import REFUSE, best_move
from sim.errors import PatienceError, unknown

COST = "a look at each legal move"

FOLDER = Path(__file__).parent / "weights"
MOST = -REFUSE * 10


@dataclass(frozen=True)
class Parameters:
    """Where its weights come from."""

    file: str = parameters.file(about="weights in TOML; those of the game if not given")


def weights(title: str, text: str) -> list[float]:
    """The weight of each feature, from the text of a file, or from those of a variant; else the common one."""
    changed = read(text or of_game(title))
    return [float(changed.get(name, common)) for name, (common, _) in FEATURES.items()]


def of_game(title: str) -> str:
    """The text of the weights of a preset, or of its game; empty if there are none."""
    files = {path.stem: path for path in FOLDER.glob("*.toml")}
    own = files.get(title) or files.get(title.partition("(")[0])
    return own.read_text("utf-8") if own else ""


def read(text: str) -> dict[str, int]:
    """The weights that a file gives, by feature; an error that says what is wrong with it otherwise."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PatienceError(f"The weights are no TOML: {error}. Expected lines such as in_order = 120.") from None
    for name, weight in found.items():
        if name not in FEATURES:
            raise unknown("feature", name, list(FEATURES))
        if type(weight) is not int or abs(weight) > MOST:
            raise PatienceError(f"{name} = {weight} is no weight: expected a whole number from {-MOST} to {MOST}.")
    return found


def choose(game, rules, state, moves, n, scratch):
    return best_move(rules, state, moves, n, scratch.memory, scratch.knobs)
