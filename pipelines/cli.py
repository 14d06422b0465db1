"""The command `patience`. Data goes to stdout, talk to stderr; what is heavy is imported where it is used."""

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from sim.errors import PatienceError

app = typer.Typer(
    help="Play millions of seeded deals of historical patience games, and say how hard they are.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
RESULTS = Path("results")
OK, BROKEN = 0, 3


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
    from pipelines.tables import FORMATS
    from sim.errors import unknown

    if text not in FORMATS:
        raise unknown("format", text, FORMATS)
    return text


GAMES_HELP = "games or variants, such as la_belle_lucie or 'la_belle_lucie(redeals=1)'; all for all"
Format = Annotated[str, typer.Option("--format", help="table, csv, json, md or parquet", parser=style)]
SweepFolder = Annotated[Path | None, typer.Argument(help="the folder of a sweep; the newest under results/ if none")]
Vary = Annotated[list[str], typer.Option(help="option=a,b,c: play every combination of these values")]
PolicyName = Annotated[str, typer.Option(help="a policy's name, or a file such as ./mine.py")]
Source = Annotated[
    str, typer.Option(help="where decks come from: splitmix (our own seeds) or pysol (PySolFC's deal numbers)")
]


@app.command()
def sweep(
    game: Annotated[list[str], typer.Argument(help=GAMES_HELP)] = [],
    games: Annotated[list[str], typer.Option(help="the same; may be repeated")] = [],
    vary: Vary = [],
    policy: Annotated[list[str], typer.Option(help="a policy's name or file; may be repeated")] = ["random", "greedy"],
    deals: Annotated[int, typer.Option(help="seeds of each variant and policy", parser=whole)] = 10_000,
    first_seed: Annotated[int, typer.Option(parser=whole)] = 0,
    out: Annotated[
        Path | None, typer.Option(help="folder of the results; one of its own under results/ if not given")
    ] = None,
    traces: Annotated[str, typer.Option(help="moves to keep: all, none, wins or sample:FRACTION")] = "sample:0.01",
    source: Source = "splitmix",
    policy_seed: Annotated[int, typer.Option(help="another number, other random choices", parser=whole)] = 0,
    on_error: Annotated[str, typer.Option(help="when a policy breaks a deal off: continue or stop")] = "continue",
    executor: Annotated[str, typer.Option(help="ray, or serial: in this process")] = "ray",
    address: Annotated[str | None, typer.Option(help="a running Ray cluster; a local one if not given")] = None,
    workers: Annotated[
        int | None, typer.Option(help="workers of the local cluster; one a core if not given", min=1)
    ] = None,
    format: Format = "table",
    quiet: Annotated[bool, typer.Option(help="no progress")] = False,
) -> None:
    """Play a sweep, or go on with it, and print its difficulty table."""
    from pipelines import executors, plan, run
    from policies.loader import load

    if on_error not in ("continue", "stop"):
        raise PatienceError(f"There is no --on-error {on_error!r}. Known: continue, stop.")
    if executor not in executors.NAMES:
        raise PatienceError(f"There is no executor {executor!r}. Known: {', '.join(executors.NAMES)}.")
    settings: dict[str, Any] = {"first_seed": first_seed, "deals": deals, "source": source, "policy_seed": policy_seed}
    planned = plan.plan(
        every([*game, *games]), varied(vary), [load(name) for name in policy], traces=traces, **settings
    )
    folder = out or RESULTS / planned.name
    report = run.run(
        folder,
        planned,
        lambda: executors.make(executor, address, workers),
        arguments=sys.argv[1:],
        on_error=on_error,
        quiet=quiet,
    )
    print_difficulty(folder, format)
    ended(report, folder)


def every(games: list[str]) -> list[str]:
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


def ended(report: Any, folder: Path) -> None:
    """Say what is left to do, and exit with its code."""
    from pipelines.progress import say

    if report.fallen:
        say(f"{report.fallen:,} deals ended as an error: see {folder / 'failures.jsonl'}.")
    if report.signal or report.stopped or report.failures:
        say("Not finished: run the same command again to go on.")
    else:
        say(f"Finished: {folder}")
    if report.signal:
        raise SystemExit(128 + report.signal)
    if report.failures or report.fallen:
        raise SystemExit(BROKEN)


def print_difficulty(folder: Path, format: str) -> None:
    from pipelines.database import open_sweeps
    from pipelines.difficulty import difficulty
    from pipelines.tables import show

    show(difficulty(open_sweeps([folder])), format)


def chosen(sweep: Path | None) -> Path:
    """The sweep's folder: as named, or of that name under results/, or the newest there."""
    from pipelines.folder import latest_sweep

    if sweep is None:
        return latest_sweep(RESULTS)
    return RESULTS / sweep if not sweep.exists() and (RESULTS / sweep).exists() else sweep


@app.command()
def table(sweep: SweepFolder = None, format: Format = "table") -> None:
    """Print the difficulty table of a sweep."""
    print_difficulty(chosen(sweep), format)


@app.command()
def compare(
    sweep: SweepFolder = None,
    vary: Annotated[str, typer.Option(help="the option to compare the values of, or policy")] = "policy",
    format: Format = "table",
) -> None:
    """Compare the values of a rule option, or policies, seed by seed."""
    from pipelines.comparison import comparison
    from pipelines.database import open_sweeps
    from pipelines.tables import show

    show(comparison(open_sweeps([chosen(sweep)]), vary), format)


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="one SELECT on the views outcomes, moves and sweeps")],
    sweep: Annotated[list[Path], typer.Option(help="a sweep's folder; may be repeated; the newest if none")] = [],
    format: Format = "table",
) -> None:
    """Ask your own question in SQL; it can read the sweep's files and nothing else."""
    from pipelines.database import open_sweeps
    from pipelines.sandbox import select
    from pipelines.tables import show

    show(select(open_sweeps([chosen(one) for one in sweep] or [chosen(None)]), sql), format)


@app.command()
def games(format: Format = "table") -> None:
    """List the games."""
    from pipelines.catalogue import list_games
    from pipelines.tables import show

    show(list_games(), format)


@app.command()
def rules(game: Annotated[str, typer.Argument(help="a game")]) -> None:
    """Print the rules of a game, its options and presets."""
    from pipelines.catalogue import rule_page

    print(rule_page(game))


policies_app = typer.Typer(invoke_without_command=True, help="List the policies that are installed, or check one.")
app.add_typer(policies_app, name="policies")


@policies_app.callback()
def policies(context: typer.Context, format: Format = "table") -> None:
    """List the policies that are installed, with their parameters."""
    from pipelines.catalogue import list_policies
    from pipelines.tables import show

    if context.invoked_subcommand is None:
        show(list_policies(), format)


@policies_app.command("check")
def check_policy(
    policy: Annotated[str, typer.Argument(help="a policy's id, or a file such as ./mine.py")],
    game: Annotated[list[str], typer.Option(help="a game or variant, or all; may be repeated")] = ["all"],
    format: Format = "table",
) -> None:
    """Check that a policy is legal, deterministic, honest and ends its deals, and say how fast it is."""
    from pipelines.check import check
    from pipelines.tables import show
    from policies.loader import load

    found = check(load(policy), every(game))
    show(found, format)
    if not all(row[test] for row in found.to_pylist() for test in ("legal", "deterministic", "honest", "ends")):
        raise SystemExit(BROKEN)


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="a game or variant")],
    seed: Annotated[str, typer.Option(help="the deal")] = "0",
    policy: PolicyName = "greedy",
    source: Source = "splitmix",
    policy_seed: Annotated[int, typer.Option(parser=whole)] = 0,
) -> None:
    """Play one deal, and print it move by move."""
    import sim
    from pipelines.replay import play_one
    from policies.loader import load

    variant = sim.game(game)
    codes, ending = play_one(variant, load(policy), seed, source, policy_seed)
    print_game(variant.deal(seed, source=source), codes)
    print(f"Ended: {ending}.")


@app.command()
def replay(
    sweep: SweepFolder = None,
    seed: Annotated[int, typer.Option(help="the deal", parser=whole)] = 0,
    game: Annotated[str | None, typer.Option(help="if the sweep has several")] = None,
    variant: Annotated[str | None, typer.Option(help="if the sweep has several")] = None,
    policy: Annotated[str | None, typer.Option(help="if the sweep has several")] = None,
) -> None:
    """Print a deal of a sweep move by move, from its stored trace."""
    from pipelines.replay import stored

    wanted = {"game": game, "variant": variant, "policy": policy}
    played, source, codes = stored(chosen(sweep), seed, wanted)
    print_game(played.deal(seed, source=source), codes)


def print_game(position: Any, codes: Any) -> None:
    """The opening, each move, and how the table looks at the end."""
    from pipelines.replay import replay

    print(f"{position}\n")
    for step in replay(position, codes):
        print(f"{step.number + 1:4}. {step.move}  ({step.legal_moves} legal)")
    print(f"\n{position}\n\n{position.cards_home} of {position.game.rules.goal} cards home.")


def version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(version("patience"))
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    pass


def main() -> NoReturn:
    """The command; errors a user can act on are one sentence, and the exit code says what kind they are."""
    try:
        app()
    except PatienceError as error:
        print(f"patience: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except SystemExit as end:
        # A reader that leaves, as `| head` does, is no failure; typer and rich end with 1 then.
        sys.exit(OK if isinstance(end.__context__, BrokenPipeError) else end.code)
    sys.exit(OK)
