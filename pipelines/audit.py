"""Plays deals of a sweep again: stored traces move by move, and whole deals from their seeds with their policy."""

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import pyarrow as pa

import sim
from pipelines.contents import Fault, read
from pipelines.folder import Shard
from pipelines.plan import Cell, Sweep
from pipelines.replay import replay
from pipelines.shard import open_table, outcome_rows
from policies.loader import Policy, load
from sim.door import Game
from sim.errors import PatienceError
from sim.table import Table

Row = dict[str, Any]


@dataclass
class Count:
    """How much was played again."""

    traces: int = 0
    deals: int = 0


@dataclass(frozen=True)
class Unchecked:
    """Why deals of a cell are not played again."""

    fault: str
    advice: str


class Audit:
    """The deals of one cell, played again as far as its game and its policy are still those of the sweep."""

    def __init__(self, settings: dict[str, Any], cell: dict[str, Any], players: Sequence[Policy], count: Count) -> None:
        self.settings, self.cell, self.players, self.count = settings, cell, players, count
        self.notes: list[Unchecked] = []

    @property
    def name(self) -> str:
        return " ".join(self.cell[name] for name in ("game", "variant", "policy"))

    def faults(self, shard: Shard, draw: int) -> Iterator[Fault]:
        """What is wrong with so many traces and deals of a shard, which chance chooses."""
        if not draw:
            return
        outcomes = read(shard.outcomes[0])
        if self.game:
            for file in shard.traces:
                yield from ((file.path, fault) for fault in self.trace_faults(drawn(read(file), draw), outcomes))
        if self.table:
            faults = map(self.deal_fault, drawn(outcomes, draw))
            yield from ((shard.outcomes[0].path, fault) for fault in faults if fault)

    @cached_property
    def game(self) -> Game | None:
        """The game, if its rules are those of the sweep."""
        cell = self.cell
        try:
            game = sim.game(cell["game"] if cell["variant"] == "default" else f"{cell['game']}({cell['variant']})")
        except PatienceError as error:
            return self.without(str(error), "Use the version that played the sweep.")
        if cell["version"] != game.module.VERSION:
            fault = f"its rules were of version {cell['version']} and are of version {game.module.VERSION}"
            return self.without(fault, "Use the version that played the sweep.")
        return game

    @cached_property
    def table(self) -> Table | None:
        """The game and the policy, if all of the code is that of the sweep."""
        from sim.jit import DIGEST

        if not self.game or not (policy := self.policy):
            return None
        if self.settings["engine"] != DIGEST:
            fault = f"its engine was {self.settings['engine']} and is {DIGEST}: deals are not played again"
            return self.without(fault, "Use the version that played the sweep.")
        plan = {"policy_seed": self.settings["policy_seed"], "source": self.settings["deal_source"], "traces": "none"}
        cell = Cell(self.game.id, policy)
        return open_table(Sweep((cell,), **plan), cell)

    @cached_property
    def policy(self) -> Policy | None:
        """The policy, if its code is that of the sweep."""
        own = {policy.id: policy for policy in self.players}
        try:
            policy = own.get(self.cell["policy"]) or load(self.cell["policy"])
        except PatienceError:
            return self.without("its policy is not installed", "Name its file: --policy FILE.")
        now = policy.digest_for(self.cell["game"])
        if now != self.cell["policy_digest"]:
            fault = f"its policy was {self.cell['policy_digest']} and is {now}: deals are not played again"
            return self.without(fault, "Use the policy that played the sweep.")
        return policy

    def without(self, fault: str, advice: str) -> None:
        self.notes.append(Unchecked(fault, advice))

    def trace_faults(self, traces: list[Row], outcomes: pa.Table) -> Iterator[str]:
        """Traces that do not lead by legal moves to what their outcomes say."""
        first = outcomes["seed"][0].as_py()
        for trace in traces:
            self.count.traces += 1
            row = outcomes.slice(trace["seed"] - first, 1).to_pylist()[0]
            try:
                told = self.told(trace)
            except PatienceError as error:
                told = {"moves": str(error).splitlines()[0]}
            yield from ([differs(row, told)] if differs(row, told) else [])

    def told(self, trace: Row) -> Row:
        """What a trace says of the outcome of its deal."""
        assert self.game
        position = self.game.deal(trace["seed"], source=self.settings["deal_source"])
        legal = [step.legal_moves for step in replay(position, trace["codes"])]
        used = position.game.rules.redeals - position.redeals_left
        told = {"moves": len(legal), "cards_home": position.cards_home, "won": position.won, "redeals": used}
        return {name: int(value) if name != "won" else bool(value) for name, value in told.items()}

    def deal_fault(self, row: Row) -> str | None:
        """What a deal that is played again has that its row has not."""
        assert self.table
        self.count.deals += 1
        played = self.table.play_block(row["seed"], row["seed"] + 1)
        return differs(row, outcome_rows(played).to_pylist()[0])


def differs(row: Row, now: Row) -> str | None:
    """The columns in which a deal is another when it is played again."""
    changed = [f"{name} is {row[name]} and should be {value}" for name, value in now.items() if row[name] != value]
    return f"seed {row['seed']} was played otherwise: {', '.join(changed)}" if changed else None


def drawn(table: pa.Table, draw: int) -> list[Row]:
    """So many rows, or all if there are fewer, in their order."""
    places = sorted(random.sample(range(table.num_rows), min(draw, table.num_rows)))
    rows: list[Row] = table.take(places).to_pylist()
    return rows


def share_out(sample: int, sizes: Sequence[int]) -> list[int]:
    """How many of `sample` things that chance chooses lie in each of some heaps of these sizes."""
    ends = list(accumulate(sizes))
    total = ends[-1] if ends else 0
    heaps = Counter(bisect_right(ends, at) for at in random.sample(range(total), min(sample, total)))
    return [heaps[heap] for heap in range(len(sizes))]
