"""Players: a policy at a game and variant, over all sweeps that are open.

Sweeps that differ in --policy-seed play the same deals with other random choices; a player's plays of a deal are those
of all of them. `players` says of each how often it won, and how far winning lies in the deal: see `variance`.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from pipelines.catalogue import sees
from pipelines.database import query
from pipelines.tables import mark_fractions
from pipelines.variance import deal_share, sums, win_interval
from sim.errors import PatienceError

TEXT, COUNT, NUMBER = pa.string(), pa.int64(), pa.float64()
DEAL_SHARE = ("deal_share", "deal_low", "deal_high")
SCHEMA = pa.schema(
    {"game": TEXT, "variant": TEXT, "policy": TEXT, "sees": TEXT, "deals": COUNT, "plays": COUNT, "wins": COUNT}
    | dict.fromkeys(("win_rate", "win_low", "win_high", *DEAL_SHARE, "play_share", "same_play_share"), NUMBER)
)
Row = dict[str, Any]


@dataclass
class Player:
    """By its place among the players in the queries."""

    place: int
    game: str
    variant: str
    policy: str
    cells: list[int] = field(default_factory=list)
    counts: dict[tuple[int, int], int] = field(default_factory=dict)  # deals by (plays, wins)
    alike: int = 0  # deals of several plays that were the same move by move

    @property
    def sees(self) -> str:
        return sees(self.policy.partition("(")[0])

    @property
    def rate(self) -> float:
        total = sums(self.counts)
        return total.wins / total.plays if total.plays else -1.0


class Part(NamedTuple):
    """A cell of a sweep, as queries/players.sql gives it: the plays of seeds first <= seed < end."""

    cell: int
    sweep: str
    game: str
    variant: str
    policy: str
    source: str
    policy_seed: int
    first: int
    end: int
    code: str  # of the policy and the game


def players(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """A row per player: rates, and how they vary between deals and plays."""
    return marked(map(row, read_players(con)), SCHEMA)


def marked(rows: Iterable[Row], schema: pa.Schema) -> pa.Table:
    """The rows as a table; its floats are fractions, but for a mean number of plays."""
    fractions = [f.name for f in schema if f.type == NUMBER and f.name != "plays_per_deal"]
    return mark_fractions(pa.Table.from_pylist(list(rows), schema), fractions)


def read_players(con: duckdb.DuckDBPyConnection) -> list[Player]:
    """The players, in the order of the cells, with what they won."""
    found: dict[object, Player] = {}
    parts = [Part(*row) for row in con.execute(query("players")).fetchall()]
    refuse_several_sources(parts)
    refuse_what_is_no_second_play(parts)
    for part in parts:
        name = (part.game, part.variant, part.policy)
        found.setdefault(name, Player(len(found), *name)).cells.append(part.cell)
    listed = list(found.values())
    for place, plays, wins, deals, alike in con.execute(query("plays"), places(listed)).fetchall():
        listed[place].counts[plays, wins] = deals
        listed[place].alike += alike
    return listed


def refuse_several_sources(parts: list[Part]) -> None:
    """An error if a seed is not the same deck in all sweeps."""
    if len(sources := sorted({str(part.source) for part in parts})) > 1:
        raise PatienceError(f"The sweeps deal from {' and '.join(sources)}. Open sweeps of one deal source together.")


def refuse_what_is_no_second_play(parts: list[Part]) -> None:
    """An error if two sweeps hold the same plays, which would count twice, or those of two policies of one name."""
    named: dict[object, list[Part]] = defaultdict(list)
    for part in parts:
        named[part.game, part.variant, part.policy].append(part)
    for a, b in (pair for same in named.values() for pair in combinations(same, 2)):
        both = f"Sweeps {a.sweep} and {b.sweep} both hold {a.game} {a.variant} under {a.policy}"
        if a.code != b.code:
            raise PatienceError(f"{both}, but the policy or the game has changed since. Play one of them again.")
        if a.policy_seed == b.policy_seed and max(a.first, b.first) < min(a.end, b.end):
            again = f"{both} with policy seed {a.policy_seed} on the same deals."
            raise PatienceError(f"{again} Open sweeps that differ in --policy-seed.")


def places(players: list[Player]) -> dict[str, list[int]]:
    """The parameters of the queries: which cell is of which player."""
    cells = [(cell, player.place) for player in players for cell in player.cells]
    return {"cells": [cell for cell, _ in cells], "places": [place for _, place in cells]}


def row(player: Player) -> Row:
    total = sums(player.counts)
    several = sum(n for (m, _), n in player.counts.items() if m > 1)
    low, high = win_interval(player.counts)
    names = {name: getattr(player, name) for name in ("game", "variant", "policy", "sees")}
    numbers = {"deals": total.deals, "plays": total.plays, "wins": total.wins, "win_low": low, "win_high": high}
    rate = {"win_rate": player.rate} if total.plays else {}
    between = deal_shares(player)
    play = {"play_share": 1 - between["deal_share"]} if between else {}
    return names | numbers | rate | between | play | ({"same_play_share": player.alike / several} if several else {})


def deal_shares(player: Player) -> Row:
    """The columns on the variance between deals; none where deals were played once."""
    return dict(zip(DEAL_SHARE, deal_share(player.counts) or (), strict=False))
