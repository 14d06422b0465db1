"""The command `patience`. Data goes to stdout, talk to stderr; what is heavy is imported where it is used."""

import sys
from io import TextIOWrapper
from typing import Annotated, Any, NoReturn

import typer

from pipelines import cli_keep, cli_report, cli_say, cli_sweep, cli_tune
from pipelines.arguments import Format, PolicyName, PolicySeed, Source, SweepFolder, chosen, every, whole
from sim.errors import PatienceError

app = typer.Typer(
    help="Play millions of seeded deals of historical patience games, and say how hard they are.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
OK = 0
app.command()(cli_sweep.sweep)
app.command()(cli_sweep.rank)
app.command()(cli_tune.tune)
app.command()(cli_report.report)
app.command()(cli_say.table)
app.command()(cli_say.endings)
app.command()(cli_say.survival)
app.command()(cli_say.luck)
app.command()(cli_say.compare)
app.command()(cli_say.seeds)
app.command()(cli_keep.status)
app.command()(cli_keep.sweeps)
app.command()(cli_keep.verify)


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="one SELECT on the views outcomes, moves and sweeps")],
    sweep: Annotated[list[str], typer.Option(help="a sweep's folder; may be repeated; the newest if none")] = [],
    seconds: Annotated[float, typer.Option(help="stop a query that takes longer", min=0.001)] = 600.0,
    format: Format = "table",
) -> None:
    """Ask your own question in SQL; it can read the sweep's files and nothing else."""
    from pipelines.database import open_sweeps
    from pipelines.sandbox import select
    from pipelines.tables import show

    show(select(open_sweeps([chosen(one) for one in sweep] or [chosen(None)]), sql, seconds), format)


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
    from pipelines.run import BROKEN
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
    policy_seed: PolicySeed = 0,
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for terminals that know no ♠
    try:
        app()
    except PatienceError as error:
        refused(error)
    except SystemExit as end:
        # A reader that leaves, as `| head` does, is no failure; typer and rich end with 1 then.
        sys.exit(OK if isinstance(end.__context__, BrokenPipeError) else end.code)
    except Exception as error:
        from pipelines.connection import lost

        refused(lost(error) or error)
    sys.exit(OK)


def refused(error: Exception) -> NoReturn:
    """The sentence of an error that a user can act on; any other is a mistake of ours, and wants its traceback."""
    if not isinstance(error, PatienceError):
        raise error
    print(f"patience: {error}", file=sys.stderr)
    sys.exit(error.exit_code)
