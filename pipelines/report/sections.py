"""The sections of a report: for each question charts and a table that answer it, and what they are measured on."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby

import duckdb
import pyarrow as pa

from pipelines import charts
from pipelines.charts import Chart, Row, distinct, rate
from pipelines.comparison import POLICY, Cell, comparison, groups, ordered, pairs, read_cells
from pipelines.curve import curve
from pipelines.difficulty import difficulty
from pipelines.luck import luck
from pipelines.measures import endings, survival
from pipelines.report import captions
from pipelines.report.content import Picture, Section
from pipelines.report.summary import label
from pipelines.sentences import sentences

FARES = (
    "deals", "wins", "win_rate", "win_low", "win_high", "mean_cards_home",
    "share_stuck", "share_resigned", "share_stalled", "share_too_long", "share_error",
)  # fmt: skip
LENGTH = (
    "deals", "wins", "mean_moves", "mean_moves_won", "mean_decisions", "mean_legal_moves", "redeals_allowed",
    "mean_redeals", "last_redeal_wins", "last_redeal_share", "last_redeal_low", "last_redeal_high",
)  # fmt: skip
REACHED = (
    "deals", "mean_cards_home", "cards_home_p05", "cards_home_p25", "cards_home_median", "cards_home_p75",
    "cards_home_p95",
)  # fmt: skip
GRADE = (
    "game", "variant", "grade", "band", "deals", "best_policy", "best_rate", "best_low", "best_high",
    "random_rate", "random_low", "random_high", "pairs", "gap", "gap_low", "gap_high", "not_counted",
)  # fmt: skip


def sections(con: duckdb.DuckDBPyConnection) -> Iterator[Section]:
    """All that the sweep can answer, in the order of the page."""
    rows = difficulty(con, FARES).to_pylist()
    names = distinct(rows, "policy")
    yield graded(con)
    yield fares(con, [row for row in rows if row["deals"]], names)
    cells = read_cells(con)
    for option in sorted({name for cell in cells for name in cell.options}):
        if any(pairs(cells, option)):
            yield changed(con, cells, option, names)
    if any(pairs(cells, POLICY)):
        yield policies(con)
    yield ended(con)
    yield reached(con, names)
    yield long(con)


def graded(con: duckdb.DuckDBPyConnection) -> Section:
    """The grade of each game, and how far the best policy gets above random play."""
    table = luck(con)
    drawn = [point for row in table.to_pylist() for point in ends(row)]
    best = {row["label"]: row["rate"] for row in drawn}
    drawn.sort(key=lambda row: (-best[row["label"]], row["label"]))
    about = "Win rate of random play and of the best policy, for each game, with their intervals"
    pictures = [Picture("luck_and_skill", about, partial(charts.luck, drawn))] if drawn else []
    return Section(
        "grade", "How hard the games are", captions.LUCK, filled(table.select(GRADE)), pictures, note=captions.GRADED
    )


def ends(row: Row) -> Iterator[Row]:
    """The floor and the ceiling of a game, where they were played."""
    for side, name in (("random", "random play, the floor"), ("best", "the best policy, the ceiling so far")):
        if row[f"{side}_rate"] is not None:
            columns = [f"{side}_{end}" for end in ("rate", "low", "high")]
            policy = "random" if side == "random" else row["best_policy"]
            numbers = dict(zip(("rate", "low", "high"), (row[column] for column in columns), strict=True))
            yield numbers | {
                "label": label(row),
                "end": name,
                "words": f"{label(row)}, {policy}: {rate(row, *columns)}",
            }


def filled(table: pa.Table) -> pa.Table:
    """The table without the columns that say nothing here."""
    return table.select([name for name in table.column_names if table[name].null_count < table.num_rows])


def fares(con: duckdb.DuckDBPyConnection, rows: list[Row], names: list[str]) -> Section:
    """The win rate of each policy."""
    best = {name: max(row["win_rate"] for row in rows if label(row) == name) for name in map(label, rows)}
    drawn = [worded(row) for row in sorted(rows, key=lambda row: (-best[label(row)], label(row)))]
    about = "Win rates of each game and policy with their intervals"
    picture = Picture("win_rates", about, lambda width: charts.forest(drawn, width, names))
    return Section("policies", "How each policy fares", captions.FARES, difficulty(con, FARES), [picture])


def worded(row: Row) -> Row:
    return row | {"label": label(row), "words": f"{label(row)}, {row['policy']}: {rate(row)} of {row['deals']:,} deals"}


def changed(con: duckdb.DuckDBPyConnection, cells: list[Cell], option: str, names: list[str]) -> Section:
    """What the values of an option change."""
    table = comparison(con, [option])
    several = [group for group in groups(cells, option) if len(group) > 1]
    pictures = curves(con, option, names) if all(ordered(group, option) for group in several) else []
    caption = captions.CURVES if pictures else ""
    title = f"What the option {option} changes"
    said = sentences(table.to_pylist())
    return Section(
        f"option-{option}", title, caption, filled(table.drop_columns(["option"])), pictures, said, captions.PAIRED
    )


def curves(con: duckdb.DuckDBPyConnection, option: str, names: list[str]) -> list[Picture]:
    """A chart for each game and rest of its variant."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in curve(con, [option]).to_pylist():
        if row["deals"]:
            share = rate(row, "rate", "low", "high")
            said = f"{option} {row['value']}, {row['policy']}: {share} of {row['deals']:,} deals"
            found.setdefault((row["game"], row["variant"]), []).append(row | {"words": said})
    pictures = []
    for (game, variant), rows in found.items():
        name = label({"game": game, "variant": variant})
        rows.sort(key=lambda row: int(row["value"]))
        draw = partial(charts.curve, rows, name, option, names)
        pictures.append(panel(f"{option}_{game}_{variant}", f"{name}: deals won by {option}", draw))
    return with_key(pictures, names)


def panel(name: str, about: str, draw: Callable[[], Chart]) -> Picture:
    return Picture(name, about, lambda width: draw(), panel=True)


def with_key(pictures: list[Picture], names: list[str]) -> list[Picture]:
    """The panels, and before them which line is whose."""
    about = f"The key of the charts: {', '.join(names)}"
    return [Picture("key", about, lambda width: charts.key(names)), *pictures] if pictures else []


def policies(con: duckdb.DuckDBPyConnection) -> Section:
    """Each policy against the first one."""
    table = comparison(con, [POLICY])
    said = sentences(table.to_pylist())
    shown = filled(table.drop_columns(["option"]))
    return Section(
        "duels", "What the policy changes", "", shown, [], said, f"Against the first policy. {captions.PAIRED}"
    )


def ended(con: duckdb.DuckDBPyConnection) -> Section:
    """How the deals ended."""
    table, places = endings(con), list(charts.ENDINGS)
    drawn = [
        row | {"label": label(row), "place": places.index(row["ending"]), "words": ending_words(row)}
        for row in table.to_pylist()
        if row["ended"]
    ]
    picture = Picture("endings", "How the deals of each game and policy ended", partial(charts.endings, drawn))
    return Section("endings", "How deals end", captions.ENDED, table, [picture])


def ending_words(row: Row) -> str:
    share = rate(row, "share", "low", "high")
    return f"{label(row)}, {row['policy']}: {share} of {row['deals']:,} deals {row['ending'].replace('_', ' ')}"


def reached(con: duckdb.DuckDBPyConnection, names: list[str]) -> Section:
    """How many cards came home before the deals ended."""
    rows = [row for row in survival(con).to_pylist() if row["deals"]]
    pictures = [
        panel(
            f"survival_{game}_{variant}", f"{name}: deals by cards home", partial(charts.survival, lines, name, names)
        )
        for (game, variant), group in groupby(rows, lambda row: (row["game"], row["variant"]))
        for name, lines in [(label({"game": game, "variant": variant}), list(group))]
    ]
    return Section(
        "survival", "How far deals get", captions.REACHED, difficulty(con, REACHED), with_key(pictures, names)
    )


def long(con: duckdb.DuckDBPyConnection) -> Section:
    """Moves, choices and redeals."""
    table = filled(difficulty(con, LENGTH))
    return Section("length", "How long deals are", captions.LONG, table)
