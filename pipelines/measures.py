"""What is measured, and what each figure is: the columns of the tables, with formula, denominator and source.

Every function takes a connection of `database.open_sweeps` and returns an Arrow table; `sweep` leads its columns when
several sweeps are open. Rates, shares and their bounds are fractions of 1, and marked as such (`tables.is_fraction`).

    measures(con)    a row per cell (game, variant, policy): all of DEFINITIONS below
    endings(con)     game, variant, policy, ending, deals, ended, share, low, high: a row per cell and ending
    survival(con)    game, variant, policy, cards_home, deals, reached, share, low, high: a row per cell and number
    difficulty.difficulty(con)   the columns of `measures` that `patience table` shows
    luck.luck(con)               game, variant, deals, plays_per_deal,
                                 random_rate, random_low, random_high, random_deal_share, random_deal_low,
                                 random_deal_high, best_policy, best_rate, best_low, best_high,
                                 pairs, gap, gap_low, gap_high, deal_share, deal_low, deal_high, grade, band,
                                 not_counted: a row per game and variant over all open sweeps
    players.players(con)         game, variant, policy, sees, deals, plays, wins, win_rate, win_low, win_high,
                                 deal_share, deal_low, deal_high, play_share, same_play_share: over all open sweeps
    deals_of.deals_of(con)       game, variant, list, number, seed, [pysolfc_deal,] won_by, policies, best_policy,
                                 plays: a list of policy, ending, cards_home, moves; a row per list and deal
    comparison.comparison(con, ["redeals"])   a row per pair of cells that differ in one option: see comparison.SCHEMA
    sentences.sentences(rows)                 a sentence for each of its rows (of `to_pylist()`)
    curve.curve(con, ["redeals"])             game, policy, variant, option, value, deals, wins, rate, low, high
"""

import duckdb
import pyarrow as pa

from pipelines.tables import mark_fractions, only_needed_sweep

WILSON = "Wilson's 95 % score interval, JASA 22 (1927) 209-212"
DEFINITIONS = {
    "sweep": "name of the sweep, when several are open",
    "game": "the game",
    "variant": "the options that differ from the game's defaults",
    "policy": "who chooses the moves",
    "deals": "finished deals, however they ended: the denominator of every rate, share and mean that names no other",
    "wins": "deals in which all cards that the game asks for came home",
    "win_rate": "wins / deals; stalled, too long and failed deals count as not won",
    "win_low": f"lower bound of the win rate: {WILSON}",
    "win_high": f"upper bound of the win rate: {WILSON}",
    "mean_cards_home": "cards home at the end, the mean over deals",
    "cards_home_p05": "the least number of cards home that 5 % of deals or more do not exceed: definition 1 of Hyndman "
    "and Fan, The American Statistician 50 (1996) 361-365",
    "cards_home_p25": "the least number of cards home that 25 % of deals or more do not exceed",
    "cards_home_median": "the least number of cards home that half of the deals or more do not exceed",
    "cards_home_p75": "the least number of cards home that 75 % of deals or more do not exceed",
    "cards_home_p95": "the least number of cards home that 95 % of deals or more do not exceed",
    "mean_moves": "moves made, the mean over all deals",
    "mean_moves_won": "moves made, the mean over won deals only",
    "mean_decisions": "positions with more than one legal move in which the policy chose, the mean over deals",
    "mean_legal_moves": "branching: legal moves / positions in which the policy chose (one before each move, and the "
    "one that it resigned)",
    "redeals_allowed": "the option redeals of the variant; none in games that have no such option",
    "mean_redeals": "redeals used, the mean over deals",
    "last_redeal_wins": "wins that used the last redeal allowed; none where no redeal is allowed",
    "last_redeal_share": "last_redeal_wins / wins: the denominator is won deals",
    "last_redeal_low": f"lower bound of last_redeal_share: {WILSON}",
    "last_redeal_high": f"upper bound of last_redeal_share: {WILSON}",
    "share_stuck": "deals that ended without a legal move / deals",
    "share_resigned": "deals that the policy gave up / deals",
    "share_stalled": "deals stopped for lack of progress / deals: whether they could be won is not known",
    "share_too_long": "deals stopped at the limit of moves / deals: whether they could be won is not known",
    "share_error": "deals that the policy broke off by a fault of its own / deals",
}
FRACTIONS = ("win_rate", "win_low", "win_high", "share", "low", "high", *(n for n in DEFINITIONS if "_share" in n))
FRACTIONS += ("last_redeal_low", "last_redeal_high", *(n for n in DEFINITIONS if n.startswith("share_")))


def measures(con: duckdb.DuckDBPyConnection, columns: tuple[str, ...] = ("*",)) -> pa.Table:
    """A row per cell, in the order of the cells; a cell without finished deals has 0 deals and [0, 1]."""
    return _view(con, f"select sweep, {', '.join(columns)} from measures" if columns != ("*",) else "from measures")


def endings(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """How deals end: the share of each ending, with Wilson's interval."""
    return _view(con, "from endings")


def survival(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """When deals die: the share of deals that get at least so many cards home, with Wilson's interval for each."""
    return _view(con, "from survival")


def _view(con: duckdb.DuckDBPyConnection, sql: str) -> pa.Table:
    return only_needed_sweep(con, mark_fractions(con.sql(sql).to_arrow_table(), FRACTIONS))


def explained(definitions: dict[str, str]) -> pa.Table:
    """A row per column: what it is."""
    return pa.Table.from_pylist([{"column": name, "definition": text} for name, text in definitions.items()])
