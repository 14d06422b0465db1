"""Comparisons in plain words: "redeals 0→1 gains 6.3 points [6.1, 6.5]; 41 % of the deals won with 1 …"."""

from math import floor, log10

from pipelines.comparison import POLICY, Row

FLAWS = {
    "unpaired_seeds": "played on one side only and not compared",
    "undecided": "stopped on a side as stalled or too long and counted as not won",
    "failed": "broken off by a policy and counted as not won",
}


def sentences(rows: list[Row]) -> list[str]:
    """A sentence per row of `comparison`."""
    return [f"{place(row)}: {change(row)}{only(row)}.{flaws(row)}" for row in rows]


def place(row: Row) -> str:
    variant = "" if row["variant"] == "default" else f"({row['variant']})"
    return f"{row['game']}{variant}" + ("" if row["option"] == POLICY else f", {row['policy']}")


def change(row: Row) -> str:
    """What the rate does, in points of a hundred, with its interval; said to gain or lose only if that leaves out 0."""
    arrow = f"{row['from']}→{row['to']}" if row["option"] == POLICY else f"{row['option']} {row['from']}→{row['to']}"
    if not row["pairs"]:
        return f"{arrow} cannot be compared, for no deal was played on both sides"
    low, high, difference = row["low"], row["high"], row["difference"]
    if low <= 0 <= high:
        return f"{arrow} changes the win rate by {interval(difference, low, high)}, which may be nothing"
    if low > 0:
        return f"{arrow} gains {interval(difference, low, high)}"
    return f"{arrow} loses {interval(-difference, -high, -low)}"


def interval(value: float, low: float, high: float) -> str:
    """In points, with as many decimals as show the width of the interval in two digits, but one at the least."""
    decimals = max(1, 1 - floor(log10(100 * (high - low))))
    value, low, high = (round(100 * x, decimals) + 0.0 for x in (value, low, high))
    return f"{value:.{decimals}f} points [{low:.{decimals}f}, {high:.{decimals}f}]"


def only(row: Row) -> str:
    """How many of the deals won on one side were not won on the other."""
    if not row["gained"]:
        return ""
    won = round(row["gained"] / row["only_to_share"])
    share = f"{100 * row['only_to_share']:.0f} %"
    return f"; {share} of the {won:,} deals won with {row['to']} were not won with {row['from']}"


def flaws(row: Row) -> str:
    """What a reader should know of the deals behind it."""
    found = [f"{text}: {row[name]:,}" for name, text in FLAWS.items() if row[name]]
    return f" Deals {'; '.join(found)}." if found else ""
