"""The command `tune`: learn the weights of a game."""

from pathlib import Path
from typing import Annotated

import typer

from pipelines import arguments as a

GameName = Annotated[str, typer.Argument(help="a game or variant")]
Generations = Annotated[int, typer.Option(help="rounds of the optimiser", min=1)]
Population = Annotated[int, typer.Option(help="candidates of a round", min=4)]
TuneDeals = Annotated[int, typer.Option(help="deals that each candidate plays", parser=a.whole)]
TuneSeed = Annotated[int, typer.Option(help="first seed of the deals that are learnt from", parser=a.whole)]
TestDeals = Annotated[int, typer.Option(help="deals that are reported on, from seed 0", parser=a.whole)]
Seed = Annotated[int, typer.Option(help="another number, another course of the optimiser", parser=a.whole)]
Weights = Annotated[Path | None, typer.Option(help="file of the weights; under results/tuning/ if not given")]


def tune(
    game: GameName,
    generations: Generations = 30,
    population: Population = 24,
    deals: TuneDeals = 300,
    first_seed: TuneSeed = 10_000_000,
    test_deals: TestDeals = 100_000,
    seed: Seed = 0,
    out: Weights = None,
    executor: a.ExecutorName = "ray",
    address: a.Address = None,
    workers: a.Workers = None,
    format: a.Format = "table",
    quiet: a.Quiet = False,
) -> None:
    """Learn weights for the policy `weighted`, and say what they are worth on deals that they were not learnt from.

    The same command goes on with a tuning that was ended: beside the weights a journal says what is known.
    """
    import sim
    from pipelines import executors, tuning
    from pipelines.plan import slug
    from pipelines.progress import say
    from pipelines.run import closing
    from pipelines.tables import show

    executors.refuse_unknown(executor)
    settings = tuning.Settings(sim.game(game).id, generations, population, deals, first_seed, test_deals, seed)
    file = out or a.RESULTS / "tuning" / f"{slug(settings.game)}.toml"
    journal = tuning.Journal(file.with_suffix(".jsonl"), settings)
    with closing(executors.make(executor, address, workers)) as opened:
        tuned = tuning.tune(opened, settings, journal, (lambda _: None) if quiet else say)
    file.write_text(tuning.as_toml(settings, tuned), "utf-8")
    show(tuning.as_table(settings, tuned), format)
    say(f"Play by these weights with --policy 'weighted(file={file})'.")
