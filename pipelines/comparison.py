"""What options, or the policy, change: cells that differ in one of them and in nothing else, compared deal by deal.

Both sides play the same deals, so the differences between deals cancel and the interval of the difference is often
several times narrower than the unpaired one, which is shown beside it. Columns whose meaning is not plain:

* `pairs`: seeds that both sides have played, the denominator of all rates; `unpaired_seeds`: those of one side only;
* `gained`: deals that `to` won and `from` did not; `lost`: the reverse; `mcnemar_p` compares these two;
* `holm_p`: the same p for as many comparisons as the table has rows that compare something;
* `only_to_share`: gained / deals won by `to`, with Wilson's interval: of those deals, how many `from` did not win;
* `undecided`: pairs of which a side was stopped (stalled, too long); `failed`: a side broke off. Both count as not won.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.database import query
from pipelines.statistics import holm, mcnemar, paired_difference, unpaired_difference, wilson
from pipelines.tables import mark_fractions, only_needed_sweep
from sim.errors import PatienceError, unknown
from sim.options import spell

POLICY = "policy"
ONLY_TO = ("only_to_share", "only_to_low", "only_to_high")
FRACTIONS = ("rate_from", "rate_to", "difference", "low", "high", "unpaired_low", "unpaired_high", *ONLY_TO)
TEXT, COUNT, NUMBER = pa.string(), pa.int64(), pa.float64()
SCHEMA = pa.schema(
    {"sweep": TEXT, "game": TEXT, "policy": TEXT, "variant": TEXT, "option": TEXT, "from": TEXT, "to": TEXT}
    | {"pairs": COUNT, "unpaired_seeds": COUNT, "rate_from": NUMBER, "rate_to": NUMBER, "difference": NUMBER}
    | {"low": NUMBER, "high": NUMBER, "unpaired_low": NUMBER, "unpaired_high": NUMBER}
    | {"gained": COUNT, "lost": COUNT, "mcnemar_p": NUMBER, "holm_p": NUMBER}
    | dict.fromkeys(ONLY_TO, NUMBER)
    | {"undecided": COUNT, "failed": COUNT}
)
Row = dict[str, Any]


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


Pair = tuple[str, Cell, Cell]  # the option, and the cells from and to


def comparison(con: duckdb.DuckDBPyConnection, vary: Sequence[str], policies: Sequence[str] = ()) -> pa.Table:
    """A row per pair of cells, option by option: of numbers each value with the one before it, of other values each
    with the default, and each policy with the first of `policies`, which are all unless given.
    """
    cells = chosen_cells(con, policies)
    refuse_unvaried(cells, vary)
    compared = [(option, a, b) for option in dict.fromkeys(vary) for a, b in pairs(cells, option)]
    measured = zip(compared, counts(con, [(a, b) for _, a, b in compared]), strict=True)
    rows = adjusted([names(*pair) | differences(*numbers) for pair, numbers in measured])
    return only_needed_sweep(con, mark_fractions(pa.Table.from_pylist(rows, SCHEMA), FRACTIONS))


def chosen_cells(con: duckdb.DuckDBPyConnection, policies: Sequence[str]) -> list[Cell]:
    """The cells under these policies, or all, in their order; those of the policy that is named first come first."""
    cells = read_cells(con)
    known = list(dict.fromkeys(cell.policy for cell in cells))
    for name in policies:
        if name not in known:
            raise unknown("policy of these sweeps", name, known)
    return [cell for name in policies for cell in cells if cell.policy == name] if policies else cells


def refuse_unvaried(cells: list[Cell], vary: Sequence[str]) -> None:
    """An error unless each of the options has two values that can be compared."""
    options = [POLICY, *sorted({name for cell in cells for name in cell.options})]
    varied = [name for name in options if any(pairs(cells, name))]
    if not varied:
        raise PatienceError("Nothing is varied here. Play two values of an option, or two policies, in one sweep.")
    for option in vary:
        if option not in varied:
            raise unknown("varied option", option, varied)


def read_cells(con: duckdb.DuckDBPyConnection) -> list[Cell]:
    """The cells of the sweeps, in their order."""
    rows = con.execute(query("cells")).fetchall()
    return [
        Cell(number, sweep, game, variant, policy, json.loads(options), json.loads(defaults), seconds)
        for number, sweep, game, variant, policy, options, defaults, seconds in rows
    ]


def groups(cells: list[Cell], option: str) -> list[list[Cell]]:
    """The cells that have the option, together with those that differ in nothing else."""
    found: dict[object, list[Cell]] = defaultdict(list)
    for cell in cells:
        if option == POLICY or option in cell.options:
            found[cell.rest(option)].append(cell)
    return list(found.values())


def pairs(cells: list[Cell], option: str) -> Iterator[tuple[Cell, Cell]]:
    """The pairs (from, to) of cells that differ in the option and in nothing else."""
    for group in groups(cells, option):
        yield from pairs_of_group(group, option)


def pairs_of_group(group: list[Cell], option: str) -> list[tuple[Cell, Cell]]:
    """Of numbers each with the one before it; of other values each with the default, or else with the first."""
    if ordered(group, option):
        return list(pairwise(sorted(group, key=lambda cell: int(cell.value(option)))))
    first = next((cell for cell in group if cell.value(option) == cell.defaults.get(option)), group[0])
    return [(first, cell) for cell in group if cell is not first]


def ordered(group: list[Cell], option: str) -> bool:
    """Whether the values of the option are numbers."""
    return all(type(cell.value(option)) is int for cell in group)


def alone(con: duckdb.DuckDBPyConnection, vary: Sequence[str], policies: Sequence[str] = ()) -> list[str]:
    """The cells that no other differs from in the option only, and that are left out: "fan default first"."""
    cells = chosen_cells(con, policies)
    lonely = [group[0] for option in vary for group in groups(cells, option) if len(group) == 1]
    return list(dict.fromkeys(f"{cell.game} {cell.variant} {cell.policy}" for cell in lonely))


def counts(con: duckdb.DuckDBPyConnection, compared: list[tuple[Cell, Cell]]) -> list[tuple[int, ...]]:
    """For each pair of cells, the arguments of `differences`."""
    numbers = {"from": [a.number for a, _ in compared], "to": [b.number for _, b in compared]}
    return con.execute(query("compare"), numbers).fetchall()


def names(option: str, a: Cell, b: Cell) -> Row:
    """The columns of a row that say what is compared."""
    sweep, game, policy, variant = a.rest(option)
    common = {"sweep": sweep, "game": game, "policy": policy, "variant": variant, "option": option}
    return common | {"from": spell(a.value(option)), "to": spell(b.value(option))}


def differences(n: int, unpaired: int, both: int, gained: int, lost: int, undecided: int, failed: int) -> Row:
    """The measured columns of a row; its rates and intervals are over the n pairs, seeds played on both sides."""
    low, high = paired_difference(both, gained, lost, n - both - gained - lost)
    unpaired_low, unpaired_high = unpaired_difference(both + lost, n, both + gained, n)
    only_low, only_high = wilson(gained, both + gained)
    rates = {"rate_from": both + lost, "rate_to": both + gained, "difference": gained - lost}
    bounds = {"low": low, "high": high, "unpaired_low": unpaired_low, "unpaired_high": unpaired_high}
    changed = {"gained": gained, "lost": lost, "mcnemar_p": mcnemar(gained, lost) if n else None}
    fractions = {name: count / n if n else None for name, count in rates.items()}
    only = {"only_to_share": gained / (both + gained) if both + gained else None, "only_to_low": only_low}
    counted = {"pairs": n, "unpaired_seeds": unpaired, "undecided": undecided, "failed": failed}
    return counted | fractions | bounds | changed | only | {"only_to_high": only_high}


def adjusted(rows: list[Row]) -> list[Row]:
    """The rows with Holm's p, over those that compare something."""
    tests = [row for row in rows if row["mcnemar_p"] is not None]
    for row, p in zip(tests, holm([row["mcnemar_p"] for row in tests]), strict=True):
        row["holm_p"] = p
    return rows
