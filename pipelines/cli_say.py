"""The commands that say what sweeps found; they play nothing."""

from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import arguments as a
from sim.errors import PatienceError

if TYPE_CHECKING:
    import duckdb

SWEEPS_HELP = "folders of sweeps; the newest under results/ if none"
Explain = Annotated[bool, typer.Option("--explain", help="say instead what each column is")]
Sweeps = Annotated[list[str], typer.Argument(help=SWEEPS_HELP)]


def opened(sweeps: list[str]) -> "duckdb.DuckDBPyConnection":
    """A database on the sweeps of these folders or names, or on the newest."""
    from pipelines.database import open_sweeps

    return open_sweeps([a.chosen(one) for one in sweeps] or [a.chosen(None)])


def table(
    sweep: Sweeps = [],
    columns: Annotated[str, typer.Option(help="these measures, such as win_rate,mean_moves_won")] = "",
    full: Annotated[bool, typer.Option("--full", help="every measure")] = False,
    explain: Explain = False,
    format: a.Format = "table",
) -> None:
    """Print how hard each game, variant and policy is."""
    from pipelines.difficulty import ALL, SHOWN, difficulty
    from pipelines.measures import DEFINITIONS, explained
    from pipelines.tables import show

    if sum((bool(columns), full, explain)) > 1:
        raise PatienceError("--columns, --full and --explain exclude each other. Leave out all but one.")
    if explain:
        return show(explained(DEFINITIONS), format)
    named = [name.strip() for name in columns.split(",")] if columns else ALL if full else SHOWN
    show(difficulty(opened(sweep), named), format)


def endings(sweep: Sweeps = [], format: a.Format = "table") -> None:
    """Print how deals end: the share of each ending."""
    from pipelines.measures import endings
    from pipelines.tables import show

    show(endings(opened(sweep)), format)


def survival(sweep: Sweeps = [], format: a.Format = "table") -> None:
    """Print when deals die: the share that gets at least so many cards home."""
    from pipelines.measures import survival
    from pipelines.tables import show

    show(survival(opened(sweep)), format)


def luck(
    sweep: Sweeps = [],
    players: Annotated[bool, typer.Option("--players", help="a row per game, variant and policy instead")] = False,
    explain: Explain = False,
    format: a.Format = "table",
) -> None:
    """Print luck, skill and a grade for each game; several sweeps that differ in --policy-seed say more."""
    from pipelines import luck
    from pipelines.grade import DEFINITION
    from pipelines.measures import explained
    from pipelines.players import players as each
    from pipelines.progress import say
    from pipelines.tables import show

    if explain:
        return show(explained(luck.DEFINITIONS), format)
    con = opened(sweep)
    show(each(con) if players else luck.luck(con), format)
    if not players:
        say(DEFINITION)
    if con.table("sweeps").shape[0] == 1:
        say(luck.ALONE)


def compare(
    sweep: Sweeps = [],
    vary: Annotated[list[str], typer.Option(help="the option to compare the values of, or policy; repeatable")] = [],
    policy: Annotated[list[str], typer.Option(help="only this policy; the others against the first; repeatable")] = [],
    curve: Annotated[bool, typer.Option("--curve", help="the rate at each value of a numeric option instead")] = False,
    format: a.Format = "table",
) -> None:
    """Compare the values of rule options, or policies, deal by deal."""
    from pipelines.comparison import alone, comparison
    from pipelines.curve import curve as draw
    from pipelines.progress import say
    from pipelines.sentences import sentences
    from pipelines.tables import show

    con, options = opened(sweep), vary or ["policy"]
    found = (draw if curve else comparison)(con, options, policy)
    show(found, format)
    for line in sentences(found.to_pylist()) if format == "table" and not curve else []:
        say(line)
    if left_out := alone(con, options, policy):
        say(f"Nothing to compare with: {'; '.join(left_out)}.")


def seeds(
    sweep: Sweeps = [],
    lists: Annotated[list[str], typer.Option("--list", help="one of the lists; all if none; repeatable")] = [],
    limit: Annotated[int, typer.Option(help="deals of each list, at most", parser=a.whole)] = 10,
    game: Annotated[str | None, typer.Option(help="only this game")] = None,
    variant: Annotated[str | None, typer.Option(help="only this variant, as the table names it")] = None,
    format: a.Format = "table",
) -> None:
    """List deals by what the policies made of them: won_by_all, won_by_best_only, won_by_none, closest,
    shortest_won, longest_won."""
    from pipelines.deals_of import LISTS, deals_of, waiting
    from pipelines.progress import say
    from pipelines.tables import show

    con = opened(sweep)
    show(deals_of(con, lists or LISTS, limit, game, variant), format)
    if not_begun := waiting(con, game, variant):
        say(f"Without deals yet, so that no deal there was played by all policies: {'; '.join(not_begun)}.")
