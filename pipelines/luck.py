"""Luck and skill: what a player who chooses blindly wins, what the best honest one wins, and where the difference lies.

Several sweeps that differ in --policy-seed say how much of the variance of winning lies between deals and how much in
the play: see `players`. A policy that makes no random choice has none of it in the play.

The best policy is the one other than `random` that won most often of those that are counted: policies that see more
than a player does (`SEES` in their module) are not. So the ceiling is the highest known so far, and no bound of what
can be won. The highest of several rates flatters a little, and its interval does not know that it was chosen.
"""

from collections import defaultdict

import duckdb
import pyarrow as pa

from pipelines.catalogue import A_PLAYERS_VIEW, NOT_SAID
from pipelines.database import query
from pipelines.grade import band, grade
from pipelines.players import COUNT, DEAL_SHARE, NUMBER, TEXT, Player, Row, deal_shares, marked, read_players
from pipelines.variance import Moments, gap_interval, sums, win_interval

FLOOR = "random"
RANDOM_SHARE = tuple(f"random_{name}" for name in DEAL_SHARE)
SCHEMA = pa.schema(
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
OF_VARIANCE = (
    "the share of the variance of winning that lies between deals, the rest lies in the play: see pipelines/variance.py"
)
EFFECTIVE = "Wilson's 95 % score interval, for as many deals as the plays are worth: several of one deal are alike"
DEFINITIONS = {
    "game": "the game",
    "variant": "the options that differ from the game's defaults",
    "policy": "of --players: who chooses the moves",
    "sees": "of --players: what the policy says that it sees",
    "deals": "deals that the best policy has finished, or the player of the row",
    "plays": "of --players: plays of these deals, several if several sweeps are open; the denominator of win_rate",
    "plays_per_deal": "plays of the best policy / deals",
    "wins": "of --players: plays that were won",
    "win_rate, win_low, win_high": f"of --players: wins / plays, and {EFFECTIVE}",
    "random_rate, random_low, random_high": f"the floor: the win rate of random, and {EFFECTIVE}",
    "best_policy": "the policy, other than random, of the highest win rate of those that see what a player sees",
    "best_rate, best_low, best_high": f"the ceiling so far: the win rate of best_policy, and {EFFECTIVE}",
    "pairs": "deals that random and best_policy have both played: the denominator of gap",
    "gap": "best_rate - random_rate on these deals",
    "gap_low, gap_high": "95 % interval of gap: Newcombe's for pairs, Statistics in Medicine 17 (1998) 2635-2650",
    "deal_share, deal_low, deal_high": f"of best_policy, or the player of the row: {OF_VARIANCE}",
    "random_deal_share, random_deal_low, random_deal_high": f"of random: {OF_VARIANCE}",
    "play_share": "of --players: 1 - deal_share",
    "same_play_share": "of --players: deals whose plays were the same move by move / deals played several times",
    "grade": "by the interval of best_rate; two grades if it lies in several bands",
    "band": "the rates that the grade stands for",
    "not_counted": "policies that see more than a player does",
}
Pair = tuple[Player, Player]


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
    return marked(rows, SCHEMA)


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
