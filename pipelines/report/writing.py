"""A report as files: one HTML page that needs nothing else, Markdown, or pictures for papers.

The page's tables sort and filter by a script of our own. The maintained choice that a PyPI package brings is DataTables
in itables: 0.73 MB of script and style, jQuery in it, to sort a hundred rows. The script here takes 4 kB, works on the
plain table that is there without it too, and says to a screen reader what it did.

A content security policy forbids every connection, and every script and style but those of this version. Whatever comes
from a sweep (names of policies, variants) is escaped by Jinja, or reaches the page as data that scripts add as text.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pipelines import charts
from pipelines.database import open_sweeps
from pipelines.difficulty import difficulty
from pipelines.folder import read_settings
from pipelines.place import Place
from pipelines.report.content import Picture, Report
from pipelines.report.sections import sections
from pipelines.report.summary import command, summary, title, words
from pipelines.report.viewer import EACH, LEGAL, STEPS, Shown, shown
from pipelines.tables import is_number, lines, rows, show_md
from sim.deals import SPLITMIX
from sim.errors import PatienceError, unknown

FORMATS = {"html": "report.html", "md": "report.md", "svg": "plots", "png": "plots"}  # and the usual names
CHOICES = (
    "game",
    "variant",
    "policy",
    "ending",
    "grade",
    "best_policy",
    "from",
    "to",
)  # columns to filter by their values
SCRIPTS = ("tables.js", "viewer.js")


def check(out: Place | None, format: str) -> None:
    """An error if the report cannot be written there; better said before the work than after."""
    if format not in FORMATS:
        raise unknown("report format", format, FORMATS)
    if out and format in ("html", "md"):
        if out.suffix != f".{format}":
            raise PatienceError(f"--out {out} does not end in .{format}, as a report of that format should. Rename it.")
        if not out.parent.is_dir():
            raise PatienceError(f"There is no folder {out.parent} for the report {out.name}. Make it, or name another.")
    if out and format in ("svg", "png") and out.exists() and not out.is_dir():
        raise PatienceError(f"--out {out} is a file; pictures need a folder. Name another.")


def report(folder: Place, out: Place | None = None, format: str = "html") -> Place:
    """Write the report of a sweep; where it is: in the sweep's folder unless said otherwise."""
    check(out, format)
    path = out or folder / FORMATS[format]
    found = content(folder, replays=format == "html")
    files = {"html": page, "md": markdown, "svg": pictures, "png": pictures}[format](found, path, format)
    try:
        for name, data in files:
            name.parent.mkdir(exist_ok=True)
            name.write_bytes(data)
    except OSError as error:
        raise PatienceError(f"The report {path} cannot be written: {error.strerror}. Name another --out.") from error
    return path


def content(folder: Place, replays: bool) -> Report:
    """The report of a sweep; raises PatienceError where there is nothing to report yet."""
    con, settings = open_sweeps([folder]), read_settings(folder)
    cells = difficulty(con).to_pylist()
    if not any(row["deals"] for row in cells):
        raise PatienceError(f"No deal of {folder} is finished yet. Run the sweep first, then report it.")
    ended = dict(con.sql("select ending, sum(ended)::bigint from endings group by ending").fetchall())
    found = list(sections(con))
    columns = dict.fromkeys(name for section in found for name in section.table.column_names)
    return Report(
        name=str(settings["name"]),
        summary=list(summary(settings, cells, ended)),
        command=command(settings),
        sections=found,
        words=words(charts.distinct(cells, "policy"), columns),
        replays=shown(con, str(settings.get("deal_source", SPLITMIX))) if replays else [],
    )


def page(report: Report, path: Place, format: str) -> Iterator[tuple[Place, bytes]]:
    """The HTML file."""
    style, script = text("page.css"), "".join(map(text, SCRIPTS))
    security = f"default-src 'none'; base-uri 'none'; form-action 'none'; {allowed(style=style, script=script)}"
    more: dict[str, Any] = {"style": Markup(style), "script": Markup(script), "security": Markup(security)}
    bounds = {"each": EACH, "steps": STEPS, "legal": LEGAL}
    yield path, environment(True).get_template("page.html").render(report=report, bounds=bounds, **more).encode()


def markdown(report: Report, path: Place, format: str) -> Iterator[tuple[Place, bytes]]:
    """The Markdown file."""
    yield path, environment(False).get_template("page.md").render(report=report).encode()


def pictures(report: Report, path: Place, format: str) -> Iterator[tuple[Place, bytes]]:
    """A file for each chart, at the width of a column of text."""
    for section in report.sections:
        for picture in section.pictures:
            chart = picture.draw(charts.WIDE)
            data = charts.png(chart) if format == "png" else charts.svg(chart, "white").encode()
            yield path / f"{file_name(picture.name)}.{format}", data


def file_name(name: str) -> str:
    return re.sub(r"[^\w=,.-]", "_", name).replace(",", ".").lstrip(".")


def environment(autoescape: bool) -> Environment:
    """The templates, and what they may call."""
    found = Environment(
        loader=PackageLoader("pipelines.report"), autoescape=autoescape, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    found.filters |= {"grid": grid, "drawn": drawn, "md": md, "plain": plain, "spaced": spaced, "index": index}
    return found


def text(name: str) -> str:
    return (Path(__file__).parent / "templates" / name).read_text("utf-8")


def allowed(**sources: str) -> str:
    return "; ".join(f"{kind}-src {sha(source)}" for kind, source in sources.items())


def sha(source: str) -> str:
    """The source of a script or style as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def spaced(name: str) -> str:
    return name.replace("_", " ")


def grid(table: pa.Table) -> dict[str, Any]:
    """A table as the template writes it: columns, and rows of (text, what it sorts by)."""
    numbers = [is_number(field) for field in table.schema]
    columns = [
        {"name": name, "number": number, "choice": name in CHOICES}
        for name, number in zip(table.column_names, numbers, strict=True)
    ]
    pairs = zip(lines(table), rows(table), strict=True)
    cells = [list(zip(texts, map(key, values), numbers, strict=True)) for texts, values in pairs]
    return {"columns": columns, "rows": cells}


def key(value: Any) -> str:
    """What a number sorts by: enough digits, and no more."""
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def drawn(picture: Picture, width: int) -> Markup:
    """The chart as it stands in the page, with its name for who hears it; vl-convert escapes all texts."""
    named = f'<svg role="group" aria-label="{escape(picture.about)}" '
    return Markup(charts.svg(picture.draw(width)).replace("<svg ", named, 1))


def index(replays: list[Shown]) -> list[dict[str, Any]]:
    """What the viewer may choose from."""
    return [
        {"id": one.cell.number, "game": one.cell.game, "title": title(one.cell.game), "variant": one.cell.variant}
        | {"policy": one.cell.policy, "zones": one.zones, "deals": one.deals}
        for one in replays if not one.fault
    ]  # fmt: skip


def md(table: pa.Table) -> str:
    """The table in Markdown."""
    out = StringIO()
    show_md(table, out)
    return plain(out.getvalue())


def plain(said: str) -> str:
    """A text that Markdown must not take for HTML."""
    return escape(said, quote=False)
