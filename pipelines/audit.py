"""Plays deals of a sweep again: stored traces move by move, and whole deals from their seeds with their policy."""

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

import pyarrow as pa

import sim
from pipelines.contents import Fault, read
from pipelines.manifest import Shard
from pipelines.plan import Cell, Sweep
from pipelines.replay import replay
from pipelines.shard import open_table, outcome_rows
from policies.loader import Policy, load
from sim.door import Game
from sim.errors import PatienceError
from sim.table import Table

Row = dict[str, Any]
Found = TypeVar("Found")


@dataclass
class Count:
    """How much was played again."""

    traces: int = 0
    deals: int = 0


class Unchecked(PatienceError):
    """Why deals of a cell are not played again, and what to do about it."""

    def __init__(self, fault: str, advice: str) -> None:
        super().__init__(f"{fault}. {advice}")
        self.fault, self.advice = fault, advice


OLD = "Use the version that played the sweep."


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
        return self.noted(self.find_game)

    @cached_property
    def table(self) -> Table | None:
        """The game and the policy, if all of the code is that of the sweep."""
        return self.noted(self.find_table) if self.game else None

    def noted(self, find: Callable[[], Found]) -> Found | None:
        """What is found, or None and a note that says why it is not."""
        try:
            return find()
        except Unchecked as reason:
            self.notes.append(reason)
            return None

    def find_game(self) -> Game:
        cell = self.cell
        try:
            game = sim.game(cell["game"] if cell["variant"] == "default" else f"{cell['game']}({cell['variant']})")
        except PatienceError as error:
            raise Unchecked(str(error), OLD) from error
        if cell["version"] != game.module.VERSION:
            raise Unchecked(f"its rules were of version {cell['version']} and are of {game.module.VERSION}", OLD)
        return game

    def find_table(self) -> Table:
        from sim.jit import DIGEST

        policy = self.find_policy()
        if self.settings["engine"] != DIGEST:
            raise Unchecked(f"its engine was {self.settings['engine']} and is {DIGEST}: no deal is played again", OLD)
        plan = {"policy_seed": self.settings["policy_seed"], "source": self.settings["deal_source"], "traces": "none"}
        assert self.game
        cell = Cell(self.game.id, policy)
        return open_table(Sweep((cell,), **plan), cell)

    def find_policy(self) -> Policy:
        own = {policy.id: policy for policy in self.players}
        try:
            policy = own.get(self.cell["policy"]) or load(self.cell["policy"])
        except PatienceError as error:
            raise Unchecked("its policy is not installed", "Name its file: --policy FILE.") from error
        assert self.game
        now = policy.digest_for(self.game.title)
        if now != self.cell["policy_digest"]:
            fault = f"its policy was {self.cell['policy_digest']} and is {now}: no deal is played again"
            raise Unchecked(fault, "Use the policy that played the sweep.")
        return policy

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
            if fault := differs(row, told):
                yield fault

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
    rows: list[Row] = table.take(pa.array(places, pa.int64())).to_pylist()
    return rows


def share_out(sample: int, sizes: Sequence[int]) -> list[int]:
    """How many of `sample` things that chance chooses lie in each of some heaps of these sizes."""
    ends = list(accumulate(sizes))
    total = ends[-1] if ends else 0
    heaps = Counter(bisect_right(ends, at) for at in random.sample(range(total), min(sample, total)))
    return [heaps[heap] for heap in range(len(sizes))]
