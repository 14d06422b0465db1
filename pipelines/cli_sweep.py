"""The commands that play sweeps: `sweep` says how hard games are, `rank` which policy plays them best."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import arguments as a
from pipelines.limits import Limits
from sim.errors import PatienceError

if TYPE_CHECKING:
    from pipelines.place import Place
    from pipelines.plan import Sweep
    from pipelines.run import Report


def sweep(
    game: a.Games = [],
    games: a.MoreGames = [],
    vary: a.Vary = [],
    policy: a.PolicyNames = ["random", "greedy"],
    deals: a.Deals = 10_000,
    first_seed: a.FirstSeed = 0,
    precision: a.Precision = None,
    until_decided: a.UntilDecided = False,
    out: a.Out = None,
    traces: a.Traces = "sample:0.01",
    source: a.Source = "splitmix",
    policy_seed: a.PolicySeed = 0,
    on_error: a.OnError = "continue",
    executor: a.ExecutorName = "ray",
    address: a.Address = None,
    workers: a.Workers = None,
    dry_run: a.DryRun = False,
    deal_seconds: a.DealSeconds = 60.0,
    worker_memory: a.WorkerMemory = None,
    format: a.Format = "table",
    quiet: a.Quiet = False,
    json: a.Events = False,
) -> None:
    """Play a sweep, or go on with it, and print its difficulty table."""
    if json and (dry_run or quiet or format != "table"):
        raise PatienceError("--json prints events, and no table: leave it out, or --dry-run, --quiet and --format.")
    how = How(out, on_error, executor, address, workers, Limits(deal_seconds, worker_memory), quiet, json)
    settings: dict[str, Any] = {"first_seed": first_seed, "deals": deals, "source": source, "policy_seed": policy_seed}
    settings["stop"] = a.stop_rule(precision, until_decided)
    plan = planned([*game, *games], vary, policy, traces=traces, **settings)
    if dry_run:
        return print_plan(how.folder(plan), plan, format)
    folder, report = how.play(plan)
    if json:
        print_end(folder, report)
    else:
        print_difficulty(folder, format)
    ended(report, folder)


def rank(
    context: typer.Context,
    game: a.Games = [],
    games: a.MoreGames = [],
    sweep: Annotated[str | None, typer.Option(help="rank this sweep as it is, and play nothing")] = None,
    plot: Annotated[Path | None, typer.Option(help="draw the win rates as well, into FILE.svg or FILE.png")] = None,
    vary: a.Vary = [],
    policy: a.PolicyNames = ["random", "first", "greedy"],
    deals: a.Deals = 10_000,
    first_seed: a.FirstSeed = 0,
    out: a.Out = None,
    traces: a.Traces = "sample:0.01",
    source: a.Source = "splitmix",
    policy_seed: a.PolicySeed = 0,
    on_error: a.OnError = "continue",
    executor: a.ExecutorName = "ray",
    address: a.Address = None,
    workers: a.Workers = None,
    deal_seconds: a.DealSeconds = 60.0,
    worker_memory: a.WorkerMemory = None,
    format: a.Format = "table",
    quiet: a.Quiet = False,
) -> None:
    """Play a sweep, or go on with it, and print its policies from best to worst."""
    from pipelines.plot import check
    from pipelines.ranking import refuse_one

    if plot:
        check(plot)
    if sweep:
        only(context, "sweep", "plot", "format")
        return print_ranking(a.chosen(sweep), format, plot)
    how = How(out, on_error, executor, address, workers, Limits(deal_seconds, worker_memory), quiet)
    settings = {"first_seed": first_seed, "deals": deals, "source": source, "policy_seed": policy_seed}
    plan = planned([*game, *games], vary, policy, traces=traces, **settings)
    refuse_one(cell.policy.id for cell in plan.cells)
    folder, report = how.play(plan)
    print_ranking(folder, format, plot)
    ended(report, folder)


def planned(games: list[str], vary: list[str], policies: list[str], **settings: Any) -> "Sweep":
    """The sweep that these arguments ask for."""
    from pipelines.plan import plan
    from policies.loader import load

    return plan(a.every(games), a.varied(vary), [load(name) for name in policies], **settings)


@dataclass(frozen=True)
class How:
    """Where and how a sweep is played, which changes nothing of what is found."""

    out: str | None
    on_error: str
    executor: str
    address: str | None
    workers: int | None
    limits: Limits
    quiet: bool
    events: bool = False

    def __post_init__(self) -> None:
        from pipelines import executors

        if self.on_error not in ("continue", "stop"):
            raise PatienceError(f"There is no --on-error {self.on_error!r}. Known: continue, stop.")
        executors.refuse_unknown(self.executor)

    def folder(self, sweep: "Sweep") -> "Place":
        from pipelines.place import located

        return located(self.out) if self.out else a.RESULTS / sweep.name

    def play(self, sweep: "Sweep") -> tuple["Place", "Report"]:
        """Play what is not played yet; the folder of it all, and how it ended."""
        from pipelines import executors, run

        folder = self.folder(sweep)
        report = run.run(
            folder,
            sweep,
            lambda: executors.make(self.executor, self.address, self.workers, self.limits),
            arguments=sys.argv[1:],
            on_error=self.on_error,
            quiet=self.quiet,
            events=self.events,
        )
        return folder, report


def only(context: typer.Context, *allowed: str) -> None:
    """An error for an option of playing: nothing that is asked for is passed over in silence."""
    source = {name: context.get_parameter_source(name) for name in context.params}
    others = [name for name, said in source.items() if said and said.name == "COMMANDLINE" and name not in allowed]
    if others:
        named = ", ".join(sorted(name.replace("_", "-") for name in others))
        raise PatienceError(f"--sweep ranks what is played already, and takes no {named}. Leave out one or the other.")


def ended(report: "Report", folder: "Place") -> None:
    """Say what is left to do, and exit with its code."""
    from pipelines.progress import say

    if report.fallen:
        say(f"{report.fallen:,} deals ended as an error: see {folder / 'failures.jsonl'}.")
    say(f"Finished: {folder}" if report.finished else "Not finished: run the same command again to go on.")
    if report.exit_code:
        raise SystemExit(report.exit_code)


def print_plan(folder: "Place", sweep: "Sweep", format: str) -> None:
    from pipelines.estimate import estimate, in_words
    from pipelines.progress import say
    from pipelines.tables import show

    plan = estimate(folder, sweep)
    show(plan, format)
    say(in_words(folder, plan))


def print_difficulty(folder: "Place", format: str) -> None:
    from pipelines.database import open_sweeps
    from pipelines.difficulty import difficulty
    from pipelines.tables import show

    show(difficulty(open_sweeps([folder])), format)


def print_end(folder: "Place", report: "Report") -> None:
    from pipelines.database import open_sweeps
    from pipelines.difficulty import difficulty
    from pipelines.events import ended

    ended(str(folder), report.exit_code, report.finished, difficulty(open_sweeps([folder])))


def print_ranking(folder: "Place", format: str, plot: Path | None) -> None:
    from pipelines.database import open_sweeps
    from pipelines.plot import plot as draw
    from pipelines.ranking import ranking
    from pipelines.tables import show

    found = ranking(open_sweeps([folder]))
    show(found, format)
    if plot:
        draw(found, plot)
