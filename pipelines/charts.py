"""The charts of reports, rankings and papers, in Altair; vl-convert turns them into SVG or PNG without a browser.

A page shows the very SVG that a paper prints. So it needs no chart library (0.9 MB), which would have to build its
functions from text at run time and so forbid a strict content security policy; its charts print, follow the reader's
dark mode through CSS, and can be read aloud, for each mark carries its values in words.

Colours are Okabe and Ito's, which the colour-blind can tell apart; a policy has a shape and a dash as well, an ending
its place in the bar. Rates of different games lie decades apart, so their axis is a square-root scale: it shows zero,
spreads low rates, and makes the intervals of equally many deals about equally wide there.

The same rows give the same bytes under the same versions of Altair and vl-convert.
"""

import re
from collections.abc import Sequence
from typing import Any

import altair as alt
import vl_convert

from pipelines.tables import spelled

Row = dict[str, Any]
Chart = Any  # Altair itself does not say which of its classes a chart has after the next step
BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, YELLOW = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#F0E442",
)  # fmt: skip
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE)
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down")
DASHES = ((1, 0), (6, 2), (2, 2), (8, 2, 2, 2))
ENDINGS = {
    "won": BLUE, "stuck": ORANGE, "resigned": PURPLE, "stalled": SKY, "too_long": YELLOW, "error": VERMILION,
}  # fmt: skip
RATES = (0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1)
WIDE, NARROW = 720, 328  # pixels: a column of text, and a phone of 360 without its margins
PANEL = 250  # of each game's own charts
LINE, HEAD = 14, 17  # height of a policy and of a game's name
GREY, INK = "#d4d4d4", "#333333"
CONFIG: dict[str, Any] = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {"gridColor": GREY, "domainColor": GREY, "tickColor": GREY, "labelColor": INK, "titleColor": INK}
    | {"titleFontWeight": "normal", "labelFontSize": 11, "titleFontSize": 11, "labelLimit": 150},
    "axisY": {"ticks": False, "domain": False, "labelPadding": 6},
    "legend": {"labelColor": INK, "labelFontSize": 11, "labelLimit": 250},
    "header": {"labelColor": INK, "labelFontSize": 12, "labelFontWeight": "bold", "titleColor": INK},
    "title": {"color": INK, "fontSize": 12, "anchor": "start", "offset": 8},
}


def svg(chart: Chart, background: str | None = None) -> str:
    """The picture as SVG, its coordinates to a hundredth of a pixel."""
    text: str = vl_convert.vegalite_to_svg(spec(chart, background))
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), text)


def png(chart: Chart) -> bytes:
    """The picture at 192 dots per inch, on white."""
    picture: bytes = vl_convert.vegalite_to_png(spec(chart, "white"), scale=2)
    return picture


def spec(chart: Chart, background: str | None) -> dict[str, Any]:
    plain: dict[str, Any] = chart.to_dict()
    return plain | {"config": CONFIG | {"background": background}}


def data(rows: Sequence[Row]) -> alt.Data:
    return alt.Data(values=list(rows))


def distinct(rows: Sequence[Row], name: str) -> list[str]:
    """The values of a column, each once, in their order."""
    return list(dict.fromkeys(row[name] for row in rows))


def percent(values: Sequence[float] = (), ticks: int = 6) -> alt.Axis:
    """An axis of fractions that reads as percentages."""
    label = "format(100 * datum.value, '~r') + ' %'"
    return alt.Axis(
        labelExpr=label, labelOverlap="greedy", labelSeparation=3, tickCount=ticks, values=list(values) or alt.Undefined
    )


def told_apart(names: Sequence[str], channel: type[Any], values: Sequence[Any]) -> Any:
    """A channel that gives each policy a value of its own, as long as they last; an axis or a key names them."""
    chosen = [values[i % len(values)] for i in range(len(names))]
    return channel("policy:N", sort=None, legend=None).scale(domain=list(names), range=chosen)


def rate(row: Row, name: str = "win_rate", low: str = "win_low", high: str = "win_high") -> str:
    """A rate with its interval, in words."""
    middle, *ends = (spelled(row[column], True) for column in (name, low, high))
    return f"{middle} (95 % interval {' to '.join(ends)})"


def look(names: Sequence[str]) -> dict[str, Any]:
    """A policy's colour and shape."""
    return {"color": told_apart(names, alt.Color, COLOURS), "shape": told_apart(names, alt.Shape, SHAPES)}


def by_label(chart: Any, rows: Sequence[Row], width: int) -> Chart:
    """The chart once for each label of the rows, one below the other; the label above where the page is narrow."""
    above: dict[str, Any] = {"labelOrient": "top", "labelAnchor": "start", "labelPadding": 2}
    beside: dict[str, Any] = {"labelOrient": "left", "labelAngle": 0, "labelAlign": "left", "labelLimit": 230}
    header = alt.Header(title=None, **(above if width < WIDE else beside))
    facet = alt.Row("label:N", sort=distinct(rows, "label"), header=header)
    inner = chart.properties(width=width - (110 if width < WIDE else 340), height=alt.Step(LINE))
    return inner.facet(row=facet, data=data(rows), spacing=6).resolve_scale(y="independent")


def forest(rows: Sequence[Row], width: int = WIDE, names: Sequence[str] = ()) -> Chart:
    """Win rates with their intervals, on one scale; rows have label, policy, win_rate, win_low, win_high and words."""
    x = alt.X("win_low:Q", title="deals won, square-root scale", axis=percent(RATES)).scale(type="sqrt", domain=[0, 1])
    base = alt.Chart().encode(y=alt.Y("policy:N", sort=None, title=None), description="words:N")
    bars = base.mark_rule(strokeWidth=2, aria=False).encode(x=x, x2="win_high:Q")
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(x="win_rate:Q", **look(names))
    return by_label(bars.encode(color=look(names)["color"]) + dots, rows, width)


def ranked(rows: Sequence[Row], title: str) -> Chart:
    """The policies of one game from best to worst; rows as for `forest`, without label. One not played has no dot."""
    names = distinct(rows, "policy")
    y = alt.Y("policy:N", title=None).scale(domain=names)
    base = alt.Chart(data([row for row in rows if row["deals"]]), title=title).encode(y=y, description="words:N")
    x = alt.X("win_low:Q", title="deals won, 95 % interval", axis=percent(ticks=4)).scale(zero=True)
    bars = base.mark_rule(strokeWidth=2, color=BLUE, aria=False).encode(x=x, x2="win_high:Q")
    dots = base.mark_point(filled=True, size=45, opacity=1, color=BLUE).encode(x="win_rate:Q")
    return (bars + dots).properties(width=PANEL, height=alt.Step(20))


def endings(rows: Sequence[Row], width: int = WIDE) -> Chart:
    """How the deals ended, as stacked bars; rows have label, policy, ending, place, share and words."""
    present = [ending for ending in ENDINGS if ending in {row["ending"] for row in rows}]
    legend = alt.Legend(title=None, orient="top", columns=3 if width < WIDE else 6)
    colour = alt.Color("ending:N", sort=present, legend=legend)
    bars = alt.Chart().mark_bar(stroke="white", strokeWidth=0.5).encode(
        x=alt.X("share:Q", title="of all deals", axis=percent()).scale(domain=[0, 1]),
        y=alt.Y("policy:N", sort=None, title=None),
        color=colour.scale(domain=present, range=[ENDINGS[ending] for ending in present]),
        order="place:Q",
        description="words:N",
    )  # fmt: skip
    return by_label(bars, rows, width)


def luck(rows: Sequence[Row], width: int = WIDE) -> Chart:
    """From the floor to the ceiling of each game; rows have label, end, rate, low, high and words, two for a label."""
    axis = alt.Axis(labelLimit=130 if width < WIDE else 230)
    y = alt.Y("label:N", sort=distinct(rows, "label"), title=None, axis=axis)
    x = alt.X("rate:Q", title="deals won, square-root scale", axis=percent(RATES)).scale(type="sqrt", domain=[0, 1])
    ends = distinct(rows, "end")
    legend = alt.Legend(title=None, orient="top", columns=1)
    base = alt.Chart(data(rows)).encode(y=y, description="words:N")
    gap = base.mark_line(strokeWidth=3, color="#999999", opacity=0.5, aria=False).encode(x=x, detail="label:N")
    bars = base.mark_rule(strokeWidth=2, aria=False).encode(x="low:Q", x2="high:Q", color=alt.Color("end:N", sort=ends))
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        x="rate:Q",
        color=alt.Color("end:N", sort=ends, legend=legend).scale(domain=ends, range=[ORANGE, BLUE]),
        shape=alt.Shape("end:N", sort=ends, legend=legend).scale(domain=ends, range=["square", "circle"]),
    )
    return (gap + bars + dots).properties(width=width - (160 if width < WIDE else 260), height=alt.Step(18))


def survival(rows: Sequence[Row], title: str, names: Sequence[str]) -> Chart:
    """The share of deals that got so far; rows have policy, cards_home, share, low and high."""
    base = alt.Chart(data(rows), title=title).encode(
        x=alt.X("cards_home:Q", title="cards home, at least"),
        y=alt.Y("share:Q", title="of all deals", axis=percent()).scale(domain=[0, 1]),
        color=told_apart(names, alt.Color, COLOURS),
    )
    band = base.mark_area(opacity=0.25, interpolate="step-before", aria=False).encode(y="low:Q", y2="high:Q")
    line = base.mark_line(strokeWidth=1.75, interpolate="step-before").encode(
        strokeDash=told_apart(names, alt.StrokeDash, DASHES)
    )
    return (band + line).properties(width=PANEL, height=150)


def curve(rows: Sequence[Row], title: str, option: str, names: Sequence[str]) -> Chart:
    """Win rate over the values of an ordered option; rows have policy, value, rate, low, high and words."""
    x = alt.X("value:O", title=option, axis=alt.Axis(labelAngle=0), sort=None)
    base = alt.Chart(data(rows), title=title).encode(x=x, color=told_apart(names, alt.Color, COLOURS))
    y = alt.Y("rate:Q", title="deals won", axis=percent()).scale(zero=True)
    bars = base.mark_rule(strokeWidth=2, aria=False).encode(y=alt.Y("low:Q", title="deals won"), y2="high:Q")
    line = base.mark_line(strokeWidth=1.5, aria=False).encode(y=y, strokeDash=told_apart(names, alt.StrokeDash, DASHES))
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        y=y, shape=told_apart(names, alt.Shape, SHAPES), description="words:N"
    )
    return (bars + line + dots).properties(width=PANEL, height=150)


def key(names: Sequence[str], width: int = WIDE) -> Chart:
    """Which colour, shape and dash are whose: for the charts of each game."""
    rows = [{"policy": name, "x": x} for name in names for x in (0, 1)]
    y = alt.Y("policy:N", sort=None, title=None)
    base = alt.Chart(data(rows)).encode(x=alt.X("x:Q", axis=None), y=y, color=told_apart(names, alt.Color, COLOURS))
    line = base.mark_line(strokeWidth=1.75, aria=False).encode(strokeDash=told_apart(names, alt.StrokeDash, DASHES))
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(shape=told_apart(names, alt.Shape, SHAPES))
    return (line + dots).properties(width=40, height=alt.Step(18))
