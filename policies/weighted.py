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


def weights(game: str, text: str) -> list[float]:
    """The weight of each feature, from the text of a file, or from the game's own; the common one for the others."""
    own = FOLDER / f"{game}.toml"
    changed = read(text or (own.read_text("utf-8") if own.exists() else ""))
    return [float(changed.get(name, common)) for name, (common, _) in FEATURES.items()]


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
