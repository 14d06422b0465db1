"""Sweep files: what `patience sweep FILE.toml` plays. Flags of the command line override what stands in the file.

    games = [
        "la_belle_lucie",
        "fan(pysolfc)",
        {game = "napoleon_at_st_helena", vary = {redeals = [0, 1], merci = [0, 1]}},   # every combination
        {game = "the_mill", variants = ["default", "redeals=1"]},                      # these and no others
    ]
    policies = ["random", "greedy", "./mine.py"]
    deals = 100_000

The keys are those of `SweepFile`. Paths are as on the command line, from the folder one is in.
"""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, ValidationError
from pydantic import model_validator as whole

import sim
from pipelines.plan import trace_share, variants
from policies.loader import load
from sim.deals import SOURCES, check_seed
from sim.errors import PatienceError, unknown
from sim.options import spell

PARAMETERS = {"policies": "policy"}  # keys that name several things, and the option that gives one
ON_ERROR = ("continue", "stop")


def value(given: object) -> str:
    """The value of an option as ids spell it."""
    if not isinstance(given, bool | int | str):
        raise PatienceError(f"{given!r} is no value of an option: expected a whole number, true, false or a text.")
    return spell(given)


def checked(check: Callable[[Any], object]) -> AfterValidator:
    """A validator that keeps the value once it is checked."""
    return AfterValidator(lambda given: (check(given), given)[1])


def known_source(text: str) -> None:
    if text not in SOURCES:
        raise unknown("deal source", text, SOURCES)


def known_on_error(text: str) -> None:
    if text not in ON_ERROR:
        raise unknown("on_error", text, ON_ERROR)


def apart(ids: list[str], what: str) -> None:
    """An error for two that are the same."""
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        raise PatienceError(f"{what} {twice[0]!r} stands there twice. Remove one of them.")


Choices = dict[str, Annotated[list[Annotated[str, PlainValidator(value)]], Field(min_length=1)]]
Seed = Annotated[int, checked(check_seed)]


class Keys(BaseModel):
    """A table of the file: no key that is not known, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Grid(Keys):
    """A game, and which of its variants: every combination of some options' values, or a list."""

    game: Annotated[str, checked(sim.game)]
    vary: Choices = {}
    variants: list[str] = []

    @whole(mode="after")
    def one_way(self) -> Self:
        if self.vary and self.variants:
            raise PatienceError("vary and variants both say which variants to play: leave out one of them.")
        self.ids()
        return self

    def ids(self) -> list[str]:
        """The ids of the variants."""
        listed = [self.game if text == "default" else f"{self.game}({text})" for text in self.variants]
        return [sim.game(id).id for id in listed] or variants(self.game, self.vary)


def as_grid(given: object) -> object:
    return {"game": given} if isinstance(given, str) else given


class SweepFile(Keys):
    """The keys of a sweep file."""

    games: list[Annotated[Grid, BeforeValidator(as_grid)]] = []
    vary: Choices = {}
    policies: Annotated[list[Annotated[str, checked(load)]], Field(min_length=1)] = []
    deals: Annotated[int, Field(ge=0)] = 0
    first_seed: int = 0
    source: Annotated[str, checked(known_source)] = ""
    policy_seed: Seed = 0
    precision: Annotated[float, Field(gt=0)] = 0
    until_decided: bool = False
    traces: Annotated[str, checked(trace_share)] = ""
    out: str = ""
    on_error: Annotated[str, checked(known_on_error)] = ""

    @whole(mode="after")
    def consistent(self) -> Self:
        """Nothing twice, nothing against something else; every game has the options that are varied."""
        apart([id for grid in self.games for id in grid.ids()], "The variant")
        apart([load(name).id for name in self.policies], "The policy")
        for grid in self.games:
            for option in self.vary.keys() & grid.vary.keys():
                raise PatienceError(f"{option} is varied for all games and again for {grid.game}. Say it once.")
            variants(grid.game, self.vary)
        if self.precision and self.until_decided:
            raise PatienceError("precision and until_decided are two rules by which to stop. Leave out one of them.")
        if "first_seed" in self.model_fields_set:
            check_seed(self.first_seed, self.source or SOURCES[0])
        return self

    def parameters(self) -> dict[str, Any]:
        """What it says, by the names of the command's parameters."""
        said = self.model_dump(include=self.model_fields_set - {"games", "vary"})
        said = {PARAMETERS.get(name, name): value for name, value in said.items()}
        vary = [f"{option}={','.join(values)}" for option, values in self.vary.items()]
        return said | {"games": [id for grid in self.games for id in grid.ids()], "vary": vary}


def read(path: Path) -> dict[str, Any]:
    """The parameters that a sweep file gives; an error that names the file, the key and what is known otherwise."""
    try:
        return SweepFile.model_validate(tomllib.loads(path.read_text("utf-8-sig"))).parameters()
    except ValidationError as error:
        raise PatienceError("\n".join(f"{path}: {fault}" for fault in faults(error))) from error
    except (OSError, UnicodeDecodeError) as error:
        raise PatienceError(f"{path} cannot be read ({error}). Expected a sweep file, TOML in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise PatienceError(f"{path} is no TOML: {error}.") from error


def faults(error: ValidationError) -> Iterator[str]:
    """What is wrong with each key."""
    for fault in error.errors():
        key = ".".join(map(str, fault["loc"])) or "together"
        if fault["type"] == "extra_forbidden":
            known = Grid if len(fault["loc"]) > 1 else SweepFile
            yield f"{key}: {unknown('key', fault['loc'][-1], known.model_fields)}"
        elif fault["type"] == "value_error":
            yield f"{key}: {fault['ctx']['error']}"
        else:
            yield f"{key}: {fault['msg']}, and this is {fault['input']!r}."
