"""What one option, or the policy, changes: cells that differ in nothing else, compared deal by deal.

Both sides play the same deals, so the differences between deals cancel and the interval of the difference is often
several times narrower than the unpaired one, which is shown beside it.
"""

import json
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.database import query
from pipelines.statistics import mcnemar, paired_difference, unpaired_difference
from pipelines.tables import mark_fractions, only_needed_sweep
from sim.errors import PatienceError, unknown
from sim.options import spell

POLICY = "policy"
FRACTIONS = ("rate_from", "rate_to", "difference", "low", "high", "unpaired_low", "unpaired_high")
TEXT, COUNT, NUMBER = pa.string(), pa.int64(), pa.float64()
SCHEMA = pa.schema(
    {"sweep": TEXT, "game": TEXT, "policy": TEXT, "variant": TEXT, "option": TEXT, "from": TEXT, "to": TEXT}
    | {"pairs": COUNT, "unpaired_seeds": COUNT, "rate_from": NUMBER, "rate_to": NUMBER, "difference": NUMBER}
    | {"low": NUMBER, "high": NUMBER, "unpaired_low": NUMBER, "unpaired_high": NUMBER}
    | {"gained": COUNT, "lost": COUNT, "mcnemar_p": NUMBER, "undecided": COUNT}
)


@dataclass(frozen=True)
class Cell:
    """A cell by its number, with the values of its options and their defaults."""

    number: int
    sweep: str
    game: str
    variant: str
    policy: str
    options: dict[str, Any]
    defaults: dict[str, Any]
    seconds: float  # of CPU

    def value(self, option: str) -> Any:
        return self.policy if option == POLICY else self.options[option]

    def rest(self, option: str) -> tuple[str, str, str | None, str]:
        """What cells that are compared have in common: all but the option."""
        others = [item for item in self.variant.split(",") if not item.startswith(f"{option}=")]
        return self.sweep, self.game, None if option == POLICY else self.policy, ",".join(others) or "default"


def comparison(con: duckdb.DuckDBPyConnection, option: str) -> pa.Table:
    """A row per pair of neighbouring values of the option; `policy` compares each policy with the first."""
    cells = read_cells(con)
    options = [POLICY, *sorted({name for cell in cells for name in cell.options})]
    varied = [name for name in options if pairs(cells, name)]
    if not varied:
        raise PatienceError("Nothing is varied here. Play two values of an option, or two policies, in one sweep.")
    if option not in varied:
        raise unknown("varied option", option, varied)
    compared = pairs(cells, option)
    measured = zip(compared, counts(con, compared), strict=True)
    rows = [names(option, a, b) | measures(*numbers) for (a, b), numbers in measured]
    return only_needed_sweep(con, mark_fractions(pa.Table.from_pylist(rows, SCHEMA), FRACTIONS))


def read_cells(con: duckdb.DuckDBPyConnection) -> list[Cell]:
    """The cells of the sweeps, in their order."""
    rows = con.execute(query("cells")).fetchall()
    return [
        Cell(number, sweep, game, variant, policy, json.loads(options), json.loads(defaults), seconds)
        for number, sweep, game, variant, policy, options, defaults, seconds in rows
    ]


def pairs(cells: list[Cell], option: str) -> list[tuple[Cell, Cell]]:
    """The pairs (from, to) of cells that differ in the option and in nothing else."""
    groups: dict[object, list[Cell]] = defaultdict(list)
    for cell in cells:
        if option == POLICY or option in cell.options:
            groups[cell.rest(option)].append(cell)
    return [pair for group in groups.values() for pair in pairs_of_group(group, option)]


def pairs_of_group(group: list[Cell], option: str) -> list[tuple[Cell, Cell]]:
    """Of numbers each with the one before it; of other values each with the default, or else with the first."""
    if all(type(cell.value(option)) is int for cell in group):
        return list(pairwise(sorted(group, key=lambda cell: int(cell.value(option)))))
    first = next((cell for cell in group if cell.value(option) == cell.defaults.get(option)), group[0])
    return [(first, cell) for cell in group if cell is not first]


def counts(con: duckdb.DuckDBPyConnection, compared: list[tuple[Cell, Cell]]) -> list[tuple[int, ...]]:
    """For each pair of cells, the arguments of `measures`."""
    numbers = {"from": [a.number for a, _ in compared], "to": [b.number for _, b in compared]}
    return con.execute(query("compare"), numbers).fetchall()


def names(option: str, a: Cell, b: Cell) -> dict[str, Any]:
    """The columns of a row that say what is compared."""
    sweep, game, policy, variant = a.rest(option)
    common = {"sweep": sweep, "game": game, "policy": policy, "variant": variant, "option": option}
    return common | {"from": spell(a.value(option)), "to": spell(b.value(option))}


def measures(n: int, unpaired: int, both: int, gained: int, lost: int, undecided: int) -> dict[str, Any]:
    """The measured columns of a row; its rates and intervals are over the n pairs, seeds played on both sides."""
    low, high = paired_difference(both, gained, lost, n - both - gained - lost)
    unpaired_low, unpaired_high = unpaired_difference(both + lost, n, both + gained, n)
    rates = {"rate_from": both + lost, "rate_to": both + gained, "difference": gained - lost}
    bounds = {"low": low, "high": high, "unpaired_low": unpaired_low, "unpaired_high": unpaired_high}
    changed = {"gained": gained, "lost": lost, "mcnemar_p": mcnemar(gained, lost), "undecided": undecided}
    fractions = {name: count / n if n else None for name, count in rates.items()}
    return {"pairs": n, "unpaired_seeds": unpaired} | fractions | bounds | changed
