"""The command `report`: what a sweep found, for people."""

from typing import Annotated

import typer

from pipelines import arguments as a


def report(
    sweep: a.SweepFolder = None,
    out: Annotated[
        str | None, typer.Option(help="file, or folder of pictures; in the sweep's own folder if not given")
    ] = None,
    format: Annotated[str, typer.Option(help="html: one page for any browser; md; svg or png: its charts")] = "html",
) -> None:
    """Write a report that people can open: tables, charts, and deals to watch."""
    from pipelines.place import located
    from pipelines.progress import say
    from pipelines.report import writing

    path = located(out) if out else None
    writing.check(path, format)
    say(f"Report: {writing.report(a.chosen(sweep), path, format)}")
