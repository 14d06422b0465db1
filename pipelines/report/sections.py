"""The sections of a report: for each question charts and a table that answer it, and what they are measured on."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import duckdb
import pyarrow as pa

from pipelines import charts
from pipelines.charts import Row, distinct, rate
from pipelines.comparison import POLICY, Cell, comparison, pairs, read_cells
from pipelines.difficulty import difficulty
from pipelines.report.content import Picture, Section
from pipelines.report.summary import label
from pipelines.tables import mark_fractions
from sim.options import spell

FLOOR = "random"
INTERVAL = "95 % Wilson interval"


def sections(con: duckdb.DuckDBPyConnection) -> Iterator[Section]:
    """All that the sweep can answer, in the order of the page."""
    table = difficulty(con)
    rows = [row | {"label": label(row)} for row in table.to_pylist()]
    names = distinct(rows, "policy")
    yield hard(table, [row for row in rows if row["deals"]], names)
    yield from luck(rows)
    cells = read_cells(con)
    for option in sorted({name for cell in cells for name in cell.options}):
        if pairs(cells, option):
            yield changed(con, cells, rows, option, names)
    if pairs(cells, POLICY):
        yield policies(con)
    yield ended(con)
    yield died(con, names)


def hard(table: pa.Table, rows: list[Row], names: list[str]) -> Section:
    words = [row | {"words": f"{row['label']}, {row['policy']}: {rate(row)} of {row['deals']:,} deals"} for row in rows]
    best = {name: max(row["win_rate"] for row in words if row["label"] == name) for name in distinct(words, "label")}
    ordered = sorted(words, key=lambda row: (-best[row["label"]], row["label"]))
    caption = (
        "Dots are the deals won, of all deals however they ended; lines are the "
        f"{INTERVAL}. The easiest game for its best policy stands first."
    )
    about = "Win rates of each game and policy with their intervals"
    picture = Picture("win_rates", about, lambda width: charts.forest(ordered, width, names))
    return Section("difficulty", "How hard the games are", caption, table, [picture])


def luck(rows: list[Row]) -> Iterator[Section]:
    """How far the best policy gets above the random one, where random was played with others."""
    found, drawn = [], []
    for name in distinct(rows, "label"):
        group = [row for row in rows if row["label"] == name and row["deals"]]
        floor = next((row for row in group if row["policy"] == FLOOR), None)
        others = [row for row in group if row["policy"] != FLOOR]
        if floor and others:
            best = max(others, key=lambda row: (row["win_rate"], row["policy"]))
            found.append({k: best[k] for k in ("game", "variant")} | gap(floor, best))
            drawn += [end(floor, "random play, the floor"), end(best, "the best policy here, the ceiling so far")]
    if found:
        ordered = sorted(drawn, key=lambda row: -found_rate(drawn, row["label"]))
        caption = (
            "From the win rate of random play (what luck alone gives) to that of the best policy of this sweep "
            f"(what skill adds, so far), of all deals; lines are the {INTERVAL}s."
        )
        about = "Win rate of random play and of the best policy, for each game"
        picture = Picture("luck_and_skill", about, partial(charts.luck, ordered))
        table = mark_fractions(pa.Table.from_pylist(found), ("floor", "ceiling", "gap"))
        yield Section("luck", "Luck and skill", caption, table, [picture])


def gap(floor: Row, best: Row) -> Row:
    return {
        "best_policy": best["policy"], "floor": floor["win_rate"], "ceiling": best["win_rate"],
        "gap": best["win_rate"] - floor["win_rate"],
    }  # fmt: skip


def end(row: Row, name: str) -> Row:
    numbers = {"rate": row["win_rate"], "low": row["win_low"], "high": row["win_high"]}
    return {"label": row["label"], "end": name, "words": f"{row['label']}, {row['policy']}: {rate(row)}"} | numbers


def found_rate(drawn: list[Row], name: str) -> float:
    return max(float(row["rate"]) for row in drawn if row["label"] == name)


def changed(
    con: duckdb.DuckDBPyConnection, cells: list[Cell], rows: list[Row], option: str, names: list[str]
) -> Section:
    """What the values of an option change: the same deals, played under both."""
    caption = (
        "Both sides of a row are the same deals: gained and lost count those won on one side only, difference is in "
        "points of the pairs, with its paired 95 % interval (Newcombe) and McNemar's exact p. "
        f"In the charts a dot is the share of all deals won, a line upright its {INTERVAL}."
    )
    pictures = with_key(list(curves(cells, rows, option, names)), names)
    return Section(f"option-{option}", f"What the option {option} changes", caption, comparison(con, option), pictures)


def curves(cells: list[Cell], rows: list[Row], option: str, names: list[str]) -> Iterator[Picture]:
    """A chart for each game and rest of its variant in which the option takes several whole numbers."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for cell, row in zip(cells, rows, strict=True):
        value = cell.options.get(option)
        if type(value) is int and row["deals"]:
            words = f"{option} {spell(value)}, {cell.policy}: {rate(row)} of {row['deals']:,} deals"
            groups.setdefault((cell.game, cell.rest(option)[3]), []).append(row | {"value": value, "words": words})
    for (game, variant), group in groups.items():
        if len(distinct(group, "value")) > 1:
            name = label({"game": game, "variant": variant})
            ordered = sorted(group, key=lambda row: int(row["value"]))
            draw = partial(charts.curve, ordered, name, option, names)
            yield panel(f"{option}_{game}_{variant}", f"{name}: deals won by {option}", draw)


def panel(name: str, about: str, draw: Any) -> Picture:
    return Picture(name, about, lambda width: draw(), panel=True)


def with_key(pictures: list[Picture], names: list[str]) -> list[Picture]:
    """The panels, and before them which line is whose."""
    about = f"The key of the charts: {', '.join(names)}"
    return [Picture("policies", about, lambda width: charts.key(names)), *pictures] if pictures else []


def policies(con: duckdb.DuckDBPyConnection) -> Section:
    caption = (
        "Each policy against the first one on the same deals: gained and lost count those won on one side only, "
        "difference is in points of the pairs, with its paired 95 % interval (Newcombe) and McNemar's exact p."
    )
    return Section("policies", "What the policies change", caption, comparison(con, POLICY))


def ended(con: duckdb.DuckDBPyConnection) -> Section:
    table = con.sql("select * exclude (sweep) from endings where deals > 0").to_arrow_table()
    places = list(charts.ENDINGS)
    drawn = [
        row | {"label": label(row), "place": places.index(row["ending"]), "words": ending_words(row)}
        for row in table.to_pylist() if row["ended"]
    ]  # fmt: skip
    caption = f"Shares are of all deals; low and high bound their {INTERVAL} in the table. Not a deal is left out."
    picture = Picture("endings", "How the deals of each game and policy ended", partial(charts.endings, drawn))
    shares = mark_fractions(table, ("share", "low", "high"))
    return Section("endings", "How deals end", caption, shares, [picture])


def ending_words(row: Row) -> str:
    share = rate(row, "share", "low", "high")
    return f"{label(row)}, {row['policy']}: {share} of {row['deals']:,} deals {row['ending'].replace('_', ' ')}"


def died(con: duckdb.DuckDBPyConnection, names: list[str]) -> Section:
    rows = con.sql("from survival where deals > 0").to_arrow_table().to_pylist()
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(label(row), []).append(row)
    pictures = [
        panel(f"survival_{group[0]['game']}_{group[0]['variant']}", f"{name}: deals by cards home",
              partial(charts.survival, group, name, names))
        for name, group in groups.items()
    ]  # fmt: skip
    caption = (
        "The share of all deals that brought at least so many cards home before they ended; the band is its "
        f"{INTERVAL}. A deal that stalled counts with the cards that it had home."
    )
    return Section("survival", "How far deals get", caption, None, with_key(pictures, names))
