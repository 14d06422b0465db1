"""The command `report`: what a sweep found, for people."""

from pathlib import Path
from typing import Annotated

import typer

from pipelines import arguments as a


def report(
    sweep: a.SweepFolder = None,
    out: Annotated[
        Path | None, typer.Option(help="file, or folder of pictures; in the sweep's own folder if not given")
    ] = None,
    format: Annotated[str, typer.Option(help="html: one page for any browser; md; svg or png: its charts")] = "html",
) -> None:
    """Write a report that people can open: tables, charts, and deals to watch."""
    from pipelines.progress import say
    from pipelines.report import writing

    writing.check(out, format)
    say(f"Report: {writing.report(a.chosen(sweep), out, format)}")
