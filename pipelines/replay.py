"""From a trace back to the game: decode codes, and play them again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

import sim
from pipelines.database import open_sweeps
from pipelines.place import Place
from policies.loader import Policy
from sim import moves as m
from sim.cards import NAMES
from sim.deals import SPLITMIX, check_seed, deck
from sim.door import Game
from sim.errors import PatienceError
from sim.moves import KINDS, MOST_LEGAL, TRACE_BITS
from sim.play import ENDINGS
from sim.position import Move, Position
from sim.table import Table

Code = int | np.uint32


@dataclass(frozen=True)
class Step:
    """A move of a game that is played again."""

    number: int  # from 0
    move: Move
    legal_moves: int
    after: Position


def decode(game: Game, codes: Sequence[Code]) -> list[dict[str, Any]]:
    """A row per move of a stored trace: step, kind, card, source, target, legal_moves, as in the view `moves`."""
    return [{"step": step} | row(game, int(code)) for step, code in enumerate(codes)]


def row(game: Game, code: int) -> dict[str, Any]:
    legal = code >> 24
    sources, targets = m.ends(code, len(game.piles))
    return {
        "kind": KINDS[m.what(code)],
        "card": NAMES.get(m.card(code)) if len(sources) == 1 else None,
        "source": game.named(sources),
        "target": game.named(targets),
        "legal_moves": legal if legal < MOST_LEGAL else None,
    }


def replay(position: Position, codes: Sequence[Code]) -> Iterator[Step]:
    """Play the moves of a trace from an opening position; raises PatienceError where one is not legal."""
    for number, code in enumerate(codes):
        legal = position.codes()
        found = [move for move in legal if move & TRACE_BITS == int(code) & TRACE_BITS]
        if not found:
            raise PatienceError(
                f"Move {number} of the trace is not legal here; it was recorded with other rules.\n{position}"
            )
        move = position.read(found[0])
        position.play(move)
        yield Step(number, move, len(legal), position)


def play_one(
    game: Game, policy: Policy, seed: int | str, source: str, policy_seed: int
) -> tuple[NDArray[np.uint32], str]:
    """The trace codes of one deal under a policy, and how it ended."""
    table = Table(game, policy.choose, policy_seed=policy_seed, keep="all", scratch=policy.scratch(game.title))
    number = check_seed(seed, source) % 2**64
    played = table.play_block(number, number + 1, deck(seed, game.packs, source)[None, :])
    if played.falls:
        fall = played.falls[0]
        raise PatienceError(f"Policy {policy.id!r} broke off seed {seed} at move {fall.step}: {fall.reason}")
    return played.codes, ENDINGS[int(played.outcomes["ending"][0])]


def stored(folder: Place, seed: int, wanted: dict[str, str | None]) -> tuple[Game, str, NDArray[np.uint32]]:
    """The game, the deal source and the codes of the one stored trace of a seed that fits what is wanted."""
    con = open_sweeps([folder])
    cells = [cell for cell in traces(con, seed) if all(value in (None, cell[name]) for name, value in wanted.items())]
    if len(cells) != 1:
        several = "; ".join(f"--game {c['game']} --variant {c['variant']} --policy {c['policy']}" for c in cells)
        raise PatienceError(
            f"{folder} has {len(cells)} traces of seed {seed} for what you ask. "
            + (f"Choose one: {several}." if cells else "Sweep with --traces all to keep every trace.")
        )
    cell = cells[0]
    chosen = "" if cell["variant"] == "default" else f"({cell['variant']})"
    return sim.game(cell["game"] + chosen), source_of(folder), np.array(cell["codes"], np.uint32)


def traces(con: duckdb.DuckDBPyConnection, seed: int) -> list[dict[str, Any]]:
    sql = "select game, variant, policy, codes from trace_rows join cells using (cell) where seed = $seed"
    rows: list[dict[str, Any]] = con.sql(sql, params={"seed": seed}).to_arrow_table().to_pylist()
    return rows


def source_of(folder: Place) -> str:
    from pipelines.folder import read_settings

    return str(read_settings(folder).get("deal_source", SPLITMIX))
