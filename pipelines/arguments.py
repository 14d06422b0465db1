"""The arguments and options that several commands have, and how their texts are read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.errors import PatienceError

if TYPE_CHECKING:
    from pipelines.place import Place

RESULTS = Path("results")


def whole(text: str | int) -> int:
    """A whole number, also as 1_000_000 or 1e6."""
    plain = str(text).replace("_", "")
    mantissa, e, zeros = plain.lower().partition("e")
    if e and mantissa.isdigit() and zeros.isdigit() and len(zeros) < 3:
        return int(mantissa + int(zeros) * "0")
    try:
        return int(plain)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number such as 1000, 1_000 or 1e3") from None


def style(text: str) -> str:
    """The name of a format."""
    from pipelines.tables import FORMATS
    from sim.errors import unknown

    if text not in FORMATS:
        raise unknown("format", text, FORMATS)
    return text


def from_file(context: typer.Context, games: list[str]) -> list[str]:
    """The games that are named; of a sweep file among them, what it says becomes the default of every option."""
    files = [name for name in games if name.endswith(".toml")]
    if len(files) > 1:
        raise PatienceError(f"{' and '.join(files)} are two sweep files. Play them one after the other.")
    named = [name for name in games if name not in files]
    if files:
        from pipelines.sweepfile import read

        said = read(Path(files[0]))
        unknown = said.keys() - {parameter.name for parameter in context.command.params}
        if unknown:
            raise PatienceError(f"{files[0]}: `{context.info_name}` knows no {' and no '.join(sorted(unknown))}.")
        context.default_map = said | ({"games": []} if named else {})
    return named


GAMES_HELP = (
    "games or variants, such as la_belle_lucie or 'la_belle_lucie(redeals=1)'; all for all; or a sweep FILE.toml"
)
Games = Annotated[list[str], typer.Argument(help=GAMES_HELP, callback=from_file, is_eager=True)]
MoreGames = Annotated[list[str], typer.Option(help="the same; may be repeated")]
Vary = Annotated[list[str], typer.Option(help="option=a,b,c: play every combination of these values")]
PolicyName = Annotated[str, typer.Option(help="a policy's name, or a file such as ./mine.py")]
PolicyNames = Annotated[list[str], typer.Option(help="a policy's name or file; may be repeated")]
Deals = Annotated[int, typer.Option(help="seeds of each variant and policy", parser=whole)]
FirstSeed = Annotated[int, typer.Option(parser=whole)]
Precision = Annotated[
    float | None,
    typer.Option(help="stop a cell once its win rate is known to so many points either way; --deals is the most"),
]
UntilDecided = Annotated[
    bool,
    typer.Option("--until-decided", help="stop once it is known which of two cells wins more; --deals is the most"),
]
Out = Annotated[str | None, typer.Option(help="folder or s3:// URL of the results; a new one under results/ if none")]
Traces = Annotated[str, typer.Option(help="moves to keep: all, none, wins or sample:FRACTION")]
Source = Annotated[
    str, typer.Option(help="where decks come from: splitmix (our own seeds) or pysol (PySolFC's deal numbers)")
]
PolicySeed = Annotated[int, typer.Option(help="another number, other random choices", parser=whole)]
OnError = Annotated[str, typer.Option(help="when a policy breaks a deal off: continue or stop")]
ExecutorName = Annotated[str, typer.Option(help="ray, or serial: in this process")]
Address = Annotated[str | None, typer.Option(help="a running Ray cluster; a local one if not given")]
Workers = Annotated[int | None, typer.Option(help="workers of the local cluster; one a core if not given", min=1)]
DealSeconds = Annotated[
    float,
    typer.Option(
        help="CPU seconds after which a deal that does not end is given up, with its shard (serial: its thread runs on)"
    ),
]
WorkerMemory = Annotated[
    float | None,
    typer.Option(help="GiB that a policy may take in a worker; a core's share of the machine's if not given"),
]
Format = Annotated[str, typer.Option("--format", help="table, csv, json, md or parquet", parser=style)]
Quiet = Annotated[bool, typer.Option(help="no progress")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="print the plan and what it would take, and play nothing")]
Events = Annotated[bool, typer.Option("--json", help="print what happens as JSON lines, and no table")]
SweepFolder = Annotated[
    str | None, typer.Argument(help="a sweep's folder or s3:// URL; the newest under results/ if none")
]


def every(games: list[str]) -> list[str]:
    """The games, where all stands for each that there is."""
    import sim

    return [name for game in games for name in (sim.names() if game == "all" else [game])]


def varied(texts: list[str]) -> dict[str, list[str]]:
    """What --vary says; an option that is named twice gets the values of both."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not values.strip():
            raise PatienceError(f"--vary {text!r} says no values: expected option=a,b,c, such as redeals=0,1,2.")
        found.setdefault(name.strip(), []).extend(value.strip() for value in values.split(","))
    return found


def stop_rule(precision: float | None, until_decided: bool) -> str:
    """The rule by which a sweep stops, as its plan has it."""
    if precision is not None and until_decided:
        raise PatienceError("--precision and --until-decided are two rules by which to stop. Leave out one of them.")
    return "decided" if until_decided else "" if precision is None else f"precision={precision:g}"


def chosen(sweep: str | None) -> "Place":
    """The sweep's folder: as named, or of that name under results/, or the newest there."""
    from pipelines.folder import latest_sweep
    from pipelines.place import located

    if sweep is None:
        return latest_sweep(RESULTS)
    place = located(sweep)
    return RESULTS / sweep if not place.exists() and (RESULTS / sweep).exists() else place
