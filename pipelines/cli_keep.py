"""The commands on sweeps that are there: `status` of one that runs, all of them, and whether they are as written."""

from typing import Annotated

import typer

from pipelines import arguments as a

CORRUPT = 65


def verify(
    sweep: a.SweepFolder = None,
    sample: Annotated[int, typer.Option(help="deals and traces of each cell to play again", parser=a.whole)] = 10,
    policy: Annotated[list[str], typer.Option(help="the file of a policy of your own; may be repeated")] = [],
    format: a.Format = "table",
) -> None:
    """Check every file of a sweep, and play a sample of its deals again; exit code 65 if anything is damaged."""
    from pipelines.progress import say
    from pipelines.tables import show
    from pipelines.verify import verify
    from policies.loader import load

    folder = a.chosen(sweep)
    found = verify(folder, sample, [load(name) for name in policy])
    show(found.table(), format)
    count = f"{found.files:,} files with {found.rows:,} deals, of which {found.count.deals:,} were played again"
    say(f"{folder}: {count}, and {found.count.traces:,} traces; {found.damaged or 'nothing'} damaged.")
    if found.damaged:
        raise SystemExit(CORRUPT)


def status(sweep: a.SweepFolder = None, format: a.Format = "table") -> None:
    """Say how far a sweep is, its rates so far, and who plays it; it may be running."""
    from pipelines import status
    from pipelines.folder import read_plan
    from pipelines.progress import say
    from pipelines.tables import show

    found = read_plan(a.chosen(sweep))
    show(status.status(found), format)
    say("\n".join(status.sentences(found)))


def sweeps(
    root: Annotated[str, typer.Argument(help="the folder that holds their folders")] = str(a.RESULTS),
    format: a.Format = "table",
) -> None:
    """List the sweeps that there are, and how far each is."""
    from pipelines import status
    from pipelines.place import located
    from pipelines.progress import say
    from pipelines.tables import show

    found, faults = status.sweeps(located(root))
    show(found, format)
    for fault in faults:
        say(fault)
