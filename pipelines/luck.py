"""Luck and skill: what a player who chooses blindly wins, what the best honest one wins, and where the difference lies.

Sweeps that differ in --policy-seed play the same deals with other random choices. Open together, they say how much of
the variance of winning lies between deals and how much in the play: see `variance`. A policy that makes no random
choice has none of it in the play.

The best policy is the one other than `random` that won most often of those that are counted: policies that see more
than a player does (`SEES` in their module) are not. So the ceiling is the highest known so far, and no bound of what
can be won.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.catalogue import A_PLAYERS_VIEW, NOT_SAID, sees
from pipelines.database import query
from pipelines.grade import band, grade
from pipelines.tables import mark_fractions
from pipelines.variance import Moments, deal_share, gap_interval, sums, win_interval
from sim.errors import PatienceError

FLOOR = "random"
TEXT, COUNT, NUMBER = pa.string(), pa.int64(), pa.float64()
DEAL_SHARE = ("deal_share", "deal_low", "deal_high")
RANDOM_SHARE = tuple(f"random_{name}" for name in DEAL_SHARE)
SPREAD = pa.schema(
    {"game": TEXT, "variant": TEXT, "policy": TEXT, "sees": TEXT, "deals": COUNT, "plays": COUNT, "wins": COUNT}
    | dict.fromkeys(("win_rate", "win_low", "win_high", *DEAL_SHARE, "play_share", "same_play_share"), NUMBER)
)
LUCK = pa.schema(
    {"game": TEXT, "variant": TEXT, "deals": COUNT, "plays_per_deal": NUMBER}
    | dict.fromkeys(("random_rate", "random_low", "random_high", *RANDOM_SHARE), NUMBER)
    | {"best_policy": TEXT, "best_rate": NUMBER, "best_low": NUMBER, "best_high": NUMBER, "pairs": COUNT}
    | dict.fromkeys(("gap", "gap_low", "gap_high", *DEAL_SHARE), NUMBER)
    | {"grade": TEXT, "band": TEXT, "not_counted": TEXT}
)
ALONE = (
    "Each deal was played once: to part what lies in the deal from what lies in the play, sweep again with another "
    "--policy-seed and name both sweeps."
)
Row = dict[str, Any]


@dataclass
class Player:
    """A policy at a game and variant, over all sweeps that are open; by `place` in the queries."""

    place: int
    game: str
    variant: str
    policy: str
    cells: list[int] = field(default_factory=list)
    counts: dict[tuple[int, int], int] = field(default_factory=dict)
    alike: int = 0  # deals of several plays that were the same move by move

    @property
    def sees(self) -> str:
        return sees(self.policy.partition("(")[0])

    @property
    def rate(self) -> float:
        total = sums(self.counts)
        return total.wins / total.plays if total.plays else -1.0


Pair = tuple[Player, Player]


def spread(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """A row per game, variant and policy over all open sweeps: rates, and how they vary between deals and plays."""
    return _marked(map(spread_row, read_players(con)), SPREAD)


def luck(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """A row per game and variant over all open sweeps: the floor, the ceiling so far, the gap, the grade.

    The shares of variance are those of the best policy and, `random_…`, of random play.
    """
    games: dict[object, list[Player]] = defaultdict(list)
    for player in read_players(con):
        games[player.game, player.variant].append(player)
    sides = [(floor_of(group), best_of(group)) for group in games.values()]
    gaps = iter(read_gaps(con, [(a, b) for a, b in sides if a and b]))
    rows = [
        luck_row(group, floor, best, next(gaps) if floor and best else None)
        for group, (floor, best) in zip(games.values(), sides, strict=True)
    ]
    return _marked(rows, LUCK)


def _marked(rows: Iterable[Row], schema: pa.Schema) -> pa.Table:
    fractions = [f.name for f in schema if f.type == NUMBER and f.name != "plays_per_deal"]
    return mark_fractions(pa.Table.from_pylist(list(rows), schema), fractions)


def read_players(con: duckdb.DuckDBPyConnection) -> list[Player]:
    """The players, in the order of the cells, with what they won."""
    players: dict[object, Player] = {}
    rows = con.execute(query("players")).fetchall()
    refuse_equal_plays(rows)
    for cell, _, *name, _, _, _, _ in rows:
        players.setdefault(tuple(name), Player(len(players), *name)).cells.append(cell)
    listed = list(players.values())
    for place, plays, wins, deals, alike in con.execute(query("plays"), places(listed)).fetchall():
        listed[place].counts[plays, wins] = deals
        listed[place].alike += alike
    return listed


def refuse_equal_plays(rows: list[tuple[Any, ...]]) -> None:
    """An error if two sweeps hold the same plays, which would count twice, or decks that are not the same."""
    if len(sources := sorted({str(row[5]) for row in rows})) > 1:
        raise PatienceError(f"The sweeps deal from {' and '.join(sources)}. Open sweeps of one deal source together.")
    plays: dict[object, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        plays[row[2:5] + row[6:7]].append(row)
    for a, b in (pair for same in plays.values() for pair in combinations(same, 2)):
        if max(a[7], b[7]) < min(a[8], b[8]):
            raise PatienceError(
                f"Sweeps {a[1]} and {b[1]} both hold {a[2]} {a[3]} under {a[4]} with policy seed {a[6]} on the same "
                "deals. Open sweeps that differ in --policy-seed."
            )


def places(players: list[Player]) -> dict[str, list[int]]:
    """The parameters of the queries: which cell is of which player."""
    cells = [(cell, player.place) for player in players for cell in player.cells]
    return {"cells": [cell for cell, _ in cells], "places": [place for _, place in cells]}


def read_gaps(con: duckdb.DuckDBPyConnection, pairs: list[Pair]) -> list[Moments]:
    """What each pair of players won on the deals that both have played."""
    cells = [(cell, i, side) for i, pair in enumerate(pairs) for side in (0, 1) for cell in pair[side].cells]
    given = dict(zip(("cells", "pairs", "sides"), map(list, zip(*cells, strict=True)), strict=False))
    found = {i: Moments(*row) for i, *row in con.execute(query("gap"), given).fetchall()} if cells else {}
    return [found.get(i, Moments(0, 0, 0, 0, 0, 0)) for i in range(len(pairs))]


def floor_of(group: list[Player]) -> Player | None:
    return next((player for player in group if player.policy == FLOOR and player.counts), None)


def best_of(group: list[Player]) -> Player | None:
    """The counted player, other than random, that won most often; of equals the first."""
    return max((p for p in group if p.counts and p.policy != FLOOR and counted(p)), key=lambda p: p.rate, default=None)


def counted(player: Player) -> bool:
    """A policy that does not say what it sees, as one from a file, is taken at its owner's word."""
    return player.sees in (A_PLAYERS_VIEW, NOT_SAID)


def spread_row(player: Player) -> Row:
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


def luck_row(group: list[Player], floor: Player | None, best: Player | None, pairs: Moments | None) -> Row:
    left_out = "; ".join(player.policy for player in group if not counted(player))
    row: Row = {"game": group[0].game, "variant": group[0].variant, "not_counted": left_out or None}
    if floor:
        row |= rates("random", floor) | {f"random_{name}": x for name, x in deal_shares(floor).items()}
    if best:
        total, interval = sums(best.counts), win_interval(best.counts)
        row |= rates("best", best) | deal_shares(best) | {"best_policy": best.policy, "deals": total.deals}
        row |= {"plays_per_deal": total.plays / total.deals}
        row |= {"grade": grade(interval), "band": band(interval)}
    if pairs and pairs.deals:
        low, high = gap_interval(pairs)
        row |= {"pairs": pairs.deals, "gap": (pairs.b - pairs.a) / pairs.deals, "gap_low": low, "gap_high": high}
    return row


def rates(name: str, player: Player) -> Row:
    low, high = win_interval(player.counts)
    return {f"{name}_rate": player.rate, f"{name}_low": low, f"{name}_high": high}
