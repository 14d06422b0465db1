"""The first sentences of a report: what was played, how it ended, and the command that plays it again."""

import inspect
import re
import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from pipelines.charts import Row, distinct
from pipelines.measures import DEFINITIONS
from pipelines.report.captions import ENDINGS, TERMS
from pipelines.tables import printable, spelled
from policies import loader, sources
from sim import door
from sim.deals import SPLITMIX
from sim.errors import PatienceError

Settings = dict[str, Any]
DEFAULTS = {"first_seed": 0, "deals": None, "deal_source": SPLITMIX, "policy_seed": 0, "traces": None}
OPTIONS = {"deal_source": "source"}  # settings whose option has another name
UNDECIDED = ("stalled", "too_long", "error")


def title(game: str) -> str:
    """A game's name as the books print it; its id where this version does not know the game."""
    try:
        first = (inspect.getdoc(door.load(game)) or game).partition("\n")[0]
    except PatienceError:
        return game
    return re.split(r";|, (?:also )?known|\.$", first)[0]


def label(row: Row) -> str:
    """A game, and its variant unless that is the default."""
    named = title(row["game"])
    return named if row["variant"] == "default" else f"{named}, {row['variant'].replace(',', ', ')}"


def command(settings: Settings) -> str:
    """The command that plays the sweep; a policy that is not installed is a file."""
    variants = [f"{c['game']}({c['variant']})" if c["variant"] != "default" else c["game"] for c in settings["cells"]]
    words = ["patience", "sweep", *dict.fromkeys(variants)]
    for policy in distinct(settings["cells"], "policy"):
        words += ["--policy", policy if installed(policy) else f"./{policy}.py"]
    for name, usual in DEFAULTS.items():
        if settings.get(name, usual) != usual:
            words += [f"--{OPTIONS.get(name, name).replace('_', '-')}", str(settings[name])]
    words += stop_options(str(settings.get("stop", "")))
    return shlex.join(map(printable, words))


def stop_options(rule: str) -> list[str]:
    """The options of a rule by which the sweep may stop early: precision=0.1, or decided."""
    kind, _, points = rule.partition("=")
    return {"": [], "precision": ["--precision", points]}.get(kind, [f"--until-{kind}"])


def installed(policy: str) -> bool:
    return policy.partition("(")[0] in sources.names()


def about(policy: str) -> str:
    """What a policy does, in its own words."""
    return loader.load(policy.partition("(")[0]).about if installed(policy) else "a policy from a file of its own"


def summary(settings: Settings, rows: list[Row], ended: dict[str, int]) -> Iterator[str]:
    """The sentences; `ended` counts the deals of each ending."""
    yield played(settings, rows)
    total = sum(ended.values())
    open_ = {name.replace("_", " "): ended[name] for name in UNDECIDED if ended.get(name)}
    undecided = counted(open_) or "none stalled, was too long or failed"
    yield (
        f"{ended.get('won', 0):,} of the {total:,} deals were won. Every deal counts, however it ended: "
        f"those without a proper end ({undecided}) count as not won, and are shown."
    )
    yield from extremes(rows)
    wanted = len(settings["cells"]) * int(settings["deals"])
    if rule := settings.get("stop"):
        yield (
            f"The sweep stops by the rule {rule}: {total:,} of at most {wanted:,} deals are played. The intervals here "
            "are those of a fixed number of deals, which such a stop makes somewhat too narrow."
        )
    elif total < wanted:
        yield f"The sweep is not finished: {total:,} of its {wanted:,} deals are played so far."


def counted(numbers: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in numbers.items())


def played(settings: Settings, rows: list[Row]) -> str:
    """Which games, by whom, on which deals."""
    games, variants, policies = distinct(rows, "game"), {label(row) for row in rows}, distinct(rows, "policy")
    first, deals = int(settings["first_seed"]), int(settings["deals"])
    forms = several(len(games), "game") + (f" in {len(variants)} variants" if len(variants) > len(games) else "")
    by = f"{several(len(policies), 'policy', 'policies')} ({', '.join(policies)})"
    source = "" if settings.get("deal_source", SPLITMIX) == SPLITMIX else ", PySolFC's deal numbers"
    which = f"the same {deals:,} deals (seeds {first} to {first + max(deals, 1) - 1}{source})"
    return f"{forms}, played by {by}, each on {which}; engine {settings.get('engine')}."


def several(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def extremes(rows: list[Row]) -> Iterator[str]:
    """The hardest and the easiest by the best rate that any policy here reached."""
    best: dict[str, Row] = {}
    for row in rows:
        if row["deals"] and (label(row) not in best or worth(row) > worth(best[label(row)])):
            best[label(row)] = row
    order = sorted(best.values(), key=lambda row: row["win_rate"])
    if len(order) > 1:
        yield f"By the best of these policies {won(order[-1])} is the easiest, {won(order[0])} the hardest."


def worth(row: Row) -> tuple[float, bool]:
    """What makes a policy the best: of equals not the random one."""
    return row["win_rate"], row["policy"] != "random"


def won(row: Row) -> str:
    rate, low, high = (spelled(row[name], True) for name in ("win_rate", "win_low", "win_high"))
    return f"{label(row)} ({row['policy']} wins {rate}, 95 % interval {low} to {high})"


def words(policies: Iterable[str], columns: Iterable[str]) -> dict[str, str]:
    """The terms that the report uses: columns of its tables, endings, policies."""
    known = DEFINITIONS | TERMS
    return {name: known[name] for name in columns if name in known} | ENDINGS | {name: about(name) for name in policies}
