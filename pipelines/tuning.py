"""Learn the weights of the policy `weighted` for a game, on one range of seeds, and report on another.

The optimiser is CMA-ES (Hansen 2016, arXiv:1604.00772; the library `cmaes`). Every generation plays deals of its own,
all its candidates the same ones, so that they differ by their weights and not by luck. What is learnt is a function of
the settings alone: the journal keeps what each candidate was worth, and a run that was ended is repeated from it.
"""

import json
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
import pyarrow as pa
from cmaes import CMA
from numpy.typing import NDArray

import sim
from pipelines.executors import Executor
from pipelines.statistics import Interval, paired_difference
from pipelines.tables import mark_fractions
from pipelines.worker import compile_once
from policies import weighted
from policies.features import COMMON, FEATURES
from policies.loader import load
from sim.errors import PatienceError
from sim.play import WON
from sim.table import Table

NEAR_WIN = 8  # a deal is worth (cards home / goal) ** NEAR_WIN: a win 1, half of the cards next to nothing
STEPS = (10.0, 40.0, 400.0)  # least step of a weight, that of a common weight of 0, and the most
PROBE = 1000  # deals that tell whether a feature matters in a game
TEST_SEEDS = 0  # the first seed of the deals that are reported on; tuning begins far from them
PIECE = 5000  # deals of one task, at most
NAMES = tuple(FEATURES)


@dataclass(frozen=True)
class Settings:
    """What a tuning depends on, besides the code."""

    game: str
    generations: int
    population: int
    deals: int  # of a candidate
    first_seed: int
    test_deals: int
    seed: int  # of the optimiser

    def __post_init__(self) -> None:
        for name in ("deals", "test_deals"):
            if getattr(self, name) < 1:
                raise PatienceError(
                    f"{name.replace('_', '-')}={getattr(self, name)} tells nothing: expected 1 or more."
                )
        low, high = TEST_SEEDS + self.test_deals, 2**63 - self.generations * max(self.deals, PROBE)
        if not low <= self.first_seed < high:
            raise PatienceError(
                f"first-seed={self.first_seed} is not possible: expected {low:,} to {high:,}, for the weights must not "
                "be learnt from the deals that are reported on."
            )


@dataclass(frozen=True)
class Tuned:
    """The weights that differ from the common ones, and the wins of both on the same deals that tuning never saw."""

    weights: dict[str, int]
    deals: int
    common_wins: int
    wins: int
    difference: Interval


Order = tuple[str, tuple[float, ...], int, int]  # game, weights, first seed, end


@lru_cache(maxsize=2)
def seat(game: str) -> Table:
    """The game and the policy, ready to play."""
    policy, played = load("weighted"), sim.game(game)
    compile_once(game, policy)
    return Table(played, policy.choose, scratch=policy.scratch(played.title))


def play(order: Order) -> tuple[float, bytes]:
    """What a worker does: the worth of the deals of an order, summed, and a bit for each, set if it was won."""
    game, weights, lo, hi = order
    table = seat(game)
    table.scratch.knobs[:] = weights
    outcomes = np.concatenate([played.outcomes for played in table.play(lo, hi)])
    near = (outcomes["cards_home"] / float(table.game.rules.goal)) ** NEAR_WIN
    return float(near.sum()), np.packbits(outcomes["ending"] == WON).tobytes()


def worths(executor: Executor, settings: Settings, candidates: list[NDArray[Any]], lo: int, deals: int) -> list[float]:
    """The mean worth of a deal under each candidate's weights; all play the same deals."""
    orders = [(settings.game, tuple(map(float, weights)), lo, lo + deals) for weights in candidates]
    return [total / deals for total, _ in executor.map(play, orders)]


def wins(executor: Executor, game: str, weights: NDArray[Any], deals: int) -> NDArray[np.bool_]:
    """Which of the deals from TEST_SEEDS on are won."""
    end = TEST_SEEDS + deals
    bounds = [(lo, min(lo + PIECE, end)) for lo in range(TEST_SEEDS, end, PIECE)]
    played = executor.map(play, [(game, tuple(map(float, weights)), lo, hi) for lo, hi in bounds])
    bits = [
        np.unpackbits(np.frombuffer(won, np.uint8))[: hi - lo]
        for (lo, hi), (_, won) in zip(bounds, played, strict=True)
    ]
    return np.concatenate(bits).astype(bool)


def steps() -> NDArray[np.float64]:
    """How far the weights are moved at first: a third of a common weight."""
    least, of_none, most = STEPS
    common = np.abs(np.array(COMMON, float))
    return np.where(common == 0, of_none, np.clip(common / 3, least, most))


def active(executor: Executor, settings: Settings) -> list[int]:
    """The features that matter in this game: a probe of deals goes otherwise when one of them weighs more, or less."""
    common = np.array(COMMON, float)
    changed = [
        common + sign * 3 * step * unit
        for unit, step in zip(np.eye(len(NAMES)), steps(), strict=True)
        for sign in (1, -1)
    ]
    base, *others = worths(executor, settings, [common, *changed], settings.first_seed, PROBE)
    return [i for i in range(len(NAMES)) if {*others[2 * i : 2 * i + 2]} != {base}]


def refuse_none(settings: Settings, matter: list[int]) -> list[int]:
    """An error where there is nothing to learn."""
    if not matter:
        raise PatienceError(f"No feature matters in {settings.game}: all moves that compete there look alike to them.")
    return matter


class Journal:
    """What is known of a tuning already, a line of JSON for each generation, below the settings."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        code = {"version": sim.game(settings.game).module.VERSION, "policy_digest": load("weighted").digest}
        head = asdict(settings) | code
        lines = self.read()
        if not lines:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
            self.note(head)
        elif lines[0] != head:
            raise PatienceError(f"{path} is the journal of another tuning, {lines[0]}. Name another file with --out.")
        self.known: list[Any] = lines[1:]

    def read(self) -> list[Any]:
        """The lines that are there; one that was not finished when its process was killed is dropped."""
        text = self.path.read_text("utf-8") if self.path.exists() else ""
        finished = text[: text.rfind("\n") + 1]
        if finished != text:
            self.path.write_text(finished, "utf-8")
        try:
            return [json.loads(line) for line in finished.splitlines()]
        except ValueError as error:
            raise PatienceError(
                f"{self.path} is no journal of a tuning: {error}. Name another file with --out."
            ) from None

    def note(self, line: Any) -> Any:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return line


def tune(executor: Executor, settings: Settings, journal: Journal, tell: Callable[[str], None]) -> Tuned:
    """Learn, and report; `tell` hears of each generation."""
    known = iter(journal.known)
    matter = next(known, None) or journal.note(refuse_none(settings, active(executor, settings)))
    unit, common = steps()[matter], np.array(COMMON, float)
    optimiser = CMA(np.zeros(len(matter)), 1.0, seed=settings.seed, population_size=settings.population)
    for number in range(settings.generations):
        asked = [optimiser.ask() for _ in range(settings.population)]
        candidates = [whole(common, matter, x * unit) for x in asked]
        lo = settings.first_seed + number * settings.deals
        found = next(known, None) or journal.note(worths(executor, settings, candidates, lo, settings.deals))
        optimiser.tell([(x, -worth) for x, worth in zip(asked, found, strict=True)])
        tell(f"Generation {number + 1} of {settings.generations}: the best candidate makes {max(found):.4f} of a deal.")
    return result(executor, settings, whole(common, matter, optimiser.mean * unit))


def whole(common: NDArray[Any], matter: list[int], moved: NDArray[Any]) -> NDArray[Any]:
    """Whole weights within their bounds: the common ones, those that matter moved by so much."""
    weights = common.copy()
    weights[matter] = np.clip(np.rint(weights[matter] + moved), -weighted.MOST, weighted.MOST)
    return weights


def result(executor: Executor, settings: Settings, weights: NDArray[Any]) -> Tuned:
    """What the weights are worth on deals that tuning never saw."""
    before = wins(executor, settings.game, np.array(COMMON, float), settings.test_deals)
    after = wins(executor, settings.game, weights, settings.test_deals)
    both, gained, lost = ((before & after).sum(), (after & ~before).sum(), (before & ~after).sum())
    neither = len(before) - both - gained - lost
    changed = {name: int(w) for name, w, common in zip(NAMES, weights, COMMON, strict=True) if w != common}
    difference = paired_difference(int(both), int(gained), int(lost), int(neither))
    return Tuned(changed, len(before), int(before.sum()), int(after.sum()), difference)


def as_table(settings: Settings, tuned: Tuned) -> pa.Table:
    """One row: win rates by the common weights and by those that were learnt, and their difference."""
    low, high = tuned.difference
    row = {
        "game": settings.game,
        "deals": tuned.deals,
        "common_win_rate": tuned.common_wins / tuned.deals,
        "win_rate": tuned.wins / tuned.deals,
        "difference_low": low,
        "difference_high": high,
        "weights": len(tuned.weights),
    }
    fractions = ("common_win_rate", "win_rate", "difference_low", "difference_high")
    return mark_fractions(pa.Table.from_pylist([row]), fractions)


def as_toml(settings: Settings, tuned: Tuned) -> str:
    """The file of weights: how it was made and what it is worth, then a line with its reason for each weight."""
    title = sim.game(settings.game).title
    low, high = (100 * bound for bound in tuned.difference)
    chosen = [f"--{name.replace('_', '-')} {value}" for name, value in asdict(settings).items() if name != "game"]
    head = [
        f"# Weights of {title}, learnt by: patience tune {quote(title)} {' '.join(chosen)}",
        f"# Of {tuned.deals:,} deals that tuning never saw, {100 * tuned.wins / tuned.deals:.3f} % are won;"
        f" {100 * tuned.common_wins / tuned.deals:.3f} % with the common weights",
        f"# (difference {low:+.3f} to {high:+.3f} points, 95 %).",
    ]
    about = {name: f"{reason.removeprefix('… ')}; commonly {common}" for name, (common, reason) in FEATURES.items()}
    text = "\n".join([*head, *(f"{name} = {weight}  # {about[name]}" for name, weight in tuned.weights.items()), ""])
    assert tomllib.loads(text) == tuned.weights
    return text
