"""What a sweep is: its cells, their seeds, and how they are cut into shards.

A plan is a pure function of what was asked for and of the code that answers; never of the machine or its workers.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import merge
from itertools import groupby, pairwise, product
from typing import Any

import sim
from policies.loader import Policy
from sim import options
from sim.deals import MAX_SEED, SPLITMIX, check_seed
from sim.errors import PatienceError

SCHEMA = 1
SHARD_MOVES = 8_000_000  # a shard's moves, about, under a fast policy: one or two seconds of play
SHARD_DEALS: list[int] = [k * 10**e for e in range(2, 6) for k in (1, 2, 5)]
PROBE_DEALS, FEWEST = 100, 5  # played of each cell to learn how long its deals are; of a slow policy's fewer
TRACES = "all, none, wins or sample:FRACTION"


@dataclass(frozen=True)
class Cell:
    """One rule variant under one policy."""

    game: str  # the id, such as "la_belle_lucie(redeals=1)"
    policy: Policy
    shard_deals: int = SHARD_DEALS[-1]

    @cached_property
    def key(self) -> str:
        """The folder of its files below outcomes/ and traces/."""
        game = sim.game(self.game)
        return f"game={game.name}/variant={slug(game.variant)}/policy={slug(self.policy.id)}"

    def describe(self) -> dict[str, Any]:
        """The cell as sweep.json keeps it."""
        game = sim.game(self.game)
        return {
            "game": game.name,
            "variant": game.variant,
            "variant_slug": slug(game.variant),
            "options": game.values,
            "version": game.module.VERSION,
            "policy": self.policy.id,
            "policy_slug": slug(self.policy.id),
            "policy_digest": self.policy.digest_for(game.title),
            "shard_deals": self.shard_deals,
        }


@dataclass(frozen=True)
class Shard:
    """The deals lo <= seed < hi of a cell: one task, one file of outcomes and one of traces."""

    cell: Cell
    lo: int
    hi: int

    @property
    def name(self) -> str:
        return f"{self.cell.key}/seed={self.lo:020d}-{self.hi:020d}"


@dataclass(frozen=True)
class Sweep:
    """Everything that decides the bytes of the results."""

    cells: tuple[Cell, ...]
    first_seed: int = 0
    deals: int = 10_000
    source: str = SPLITMIX
    policy_seed: int = 0
    traces: str = "sample:0.01"
    stop: str = ""  # the rule by which it may stop before it has played all deals, see `pipelines.stopping`
    cuts: tuple[int, ...] = ()  # numbers of deals at which it ended before it was extended

    def shards(self) -> Iterator[Shard]:
        """Seed range by seed range, so that the cells grow together."""
        for lo, number, hi in merge(*(self._spans(number) for number in range(len(self.cells)))):
            yield Shard(self.cells[number], lo, hi)

    def _spans(self, number: int) -> Iterator[tuple[int, int, int]]:
        for lo, hi in self.spans(self.cells[number]):
            yield lo, number, hi

    def spans(self, cell: Cell) -> Iterator[tuple[int, int]]:
        """The seeds lo <= seed < hi of each shard of a cell: all `shard_deals` long, but for those that a cut ends."""
        first, end = self.first_seed, self.first_seed + self.deals
        bounds = merge(range(first, end, cell.shard_deals), (first + cut for cut in self.cuts), [end])
        return pairwise(bound for bound, _ in groupby(bounds))

    def describe(self) -> dict[str, Any]:
        """What sweep.json keeps of the plan; equal descriptions give equal bytes."""
        from sim.jit import DIGEST

        games = {cell.game.partition("(")[0]: sim.game(cell.game.partition("(")[0]) for cell in self.cells}
        return {
            "schema": SCHEMA,
            "cells": [cell.describe() for cell in self.cells],
            "first_seed": self.first_seed,
            "deals": self.deals,
            "deal_source": self.source,
            "policy_seed": self.policy_seed,
            "traces": self.traces,
            "stop": self.stop,
            "cuts": list(self.cuts),
            "engine": DIGEST,
            "option_values": {name: options.values(type(game.options)) for name, game in games.items()},
            "kinds": list(_kinds()),
            "piles": {name: game.piles for name, game in games.items()},
        }

    @property
    def name(self) -> str:
        """A name for its folder that tells sweeps of different plans apart: the same command finds its own sweep."""
        text = json.dumps(self.describe(), sort_keys=True)
        games = sorted({cell.game.partition("(")[0] for cell in self.cells})
        stem = games[0] if len(games) == 1 else f"{len(games)}_games"
        return f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _kinds() -> Sequence[str]:
    from sim.moves import KINDS

    return KINDS


def slug(text: str) -> str:
    """A variant or policy as a folder's name: "rollout(horizon=40,n=32)" becomes "rollout+horizon-40.n-32"."""
    return text.replace("=", "-").replace(",", ".").replace("(", "+").rstrip(")").replace(")", "_")


def worded(text: str, sign: str, usual: float) -> tuple[str, bool, float]:
    """A word; whether more follows behind the sign; the number that does, `usual` if none, -1 for what is no number."""
    word, said, number = text.partition(sign)
    try:
        return word, bool(said), float(number) if said else usual
    except ValueError:
        return word, bool(said), -1.0


def trace_share(text: str) -> tuple[str, float]:
    """Which traces to keep, and the share of a sample."""
    word, colon, share = worded(text, ":", 1.0)
    if word not in ("all", "none", "wins", "sample") or (word == "sample") != colon or not 0 <= share <= 1:
        raise PatienceError(f"There are no traces {text!r}. Expected {TRACES}, such as sample:0.01.")
    return word, share


def stop_rule(text: str) -> tuple[str, float]:
    """The kind of a stop rule, empty for none, and its precision in percentage points."""
    kind, equals, half = worded(text, "=", 0.0)
    if kind not in ("", "precision", "decided") or (kind == "precision") != equals or not 0 <= half < 50:
        raise PatienceError(f"There is no stop rule {text!r}. Expected precision=POINTS, such as 0.1, or decided.")
    if equals and half == 0:
        raise PatienceError("No number of deals gives a precision of 0 points. Expected more, such as --precision 0.1.")
    return kind, half


def variants(game: str, vary: Mapping[str, Sequence[str]]) -> list[str]:
    """The ids of a game with every combination of the varied options' values; the order given is kept."""
    base = sim.game(game)
    read = {name: [options.read(type(base.options), name, text) for text in texts] for name, texts in vary.items()}
    ids = []
    for chosen in product(*read.values()):
        variant = replace(base, options=replace(base.options, **dict(zip(read, chosen, strict=True))))  # type: ignore[type-var]
        ids.append(variant.id)
    return list(dict.fromkeys(ids))


def plan(games: Sequence[str], vary: Mapping[str, Sequence[str]], players: Sequence[Policy], **settings: Any) -> Sweep:
    """The sweep of these games, variants and policies; raises PatienceError for what cannot be played."""
    ids = list(dict.fromkeys(id for game in games for id in variants(game, vary)))
    if not ids:
        raise PatienceError("A sweep needs at least one game. `patience games` lists them.")
    sweep = Sweep(tuple(Cell(id, policy) for id in ids for policy in apart(players)), **settings)
    check(sweep)
    sizes = [shard_deals(cell, sweep) for cell in sweep.cells]
    if sweep.stop == "decided":  # the two are compared shard by shard
        sizes = [min(sizes)] * len(sizes)
    return replace(sweep, cells=tuple(replace(cell, shard_deals=n) for cell, n in zip(sweep.cells, sizes, strict=True)))


def apart(players: Sequence[Policy]) -> list[Policy]:
    """The policies, each once; an error for two of one name, whose files could not be told apart."""
    named: dict[str, Policy] = {}
    for policy in players:
        if named.setdefault(policy.id, policy) != policy:
            raise PatienceError(f"Two policies are named {policy.id!r}. Rename the file of one of them.")
    return list(named.values())


def check(sweep: Sweep) -> None:
    """Seeds in range, traces known; the cells have been checked by making them."""
    trace_share(sweep.traces)
    kind, _ = stop_rule(sweep.stop)
    if kind == "decided" and len(sweep.cells) != 2:
        raise PatienceError(
            f"--until-decided compares two cells, and this sweep has {len(sweep.cells)}. Ask for one game with two "
            "policies, or for one policy with two values of an option."
        )
    check_seed(sweep.first_seed, sweep.source)
    check_seed(sweep.policy_seed)
    if sweep.deals < 0:
        raise PatienceError(f"{sweep.deals} deals cannot be played: expected 0 or more.")
    last = sweep.first_seed + max(sweep.deals, 1) - 1
    if last > MAX_SEED:
        raise PatienceError(f"The last seed would be {last}; a sweep's seeds end at {MAX_SEED}. Ask for fewer deals.")


def shard_deals(cell: Cell, sweep: Sweep) -> int:
    """Deals in a shard of the cell, from the mean length of its first deals and the policy's effort for a move.

    It is a round number, and the same everywhere. A policy that comes to harm in these deals gets the smallest shards,
    so that its harm costs few.
    """
    from pipelines.shard import mean_moves

    effort = cell.policy.effort
    mean = mean_moves(cell, sweep, min(max(FEWEST, int(PROBE_DEALS / effort)), sweep.deals))
    wanted = 0.0 if mean is None else SHARD_MOVES / (max(1.0, mean) * effort)
    return max([size for size in SHARD_DEALS if size <= wanted], default=SHARD_DEALS[0])
