"""What the replay viewer of the report draws: the piles after each step of a few stored traces, computed here.

The page holds no rules. It gets, for each position of a deal, the piles that changed, the legal moves in the game's own
order and which of them was chosen. To keep it small a cell shows at most six deals (the first two won, the first two
not won, the longest, the closest to a win), a deal its first `STEPS` moves, a position `LEGAL` of its legal moves and
the chosen one; the page says how many there are. A cell's deals are JSON, compressed with zlib, in base64.

A card is a letter (clubs A to M, spades N to Z, hearts a to m, diamonds n to z, from ace to king), a pile its cards
from the bottom; a bar ends those that the player cannot see. None is a place that is no longer in play.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import duckdb

import sim
from pipelines.comparison import Cell, read_cells
from pipelines.database import query
from pipelines.replay import Code, replay
from sim.cards import FACES
from sim.door import Game
from sim.errors import PatienceError
from sim.moves import TRACE_BITS
from sim.position import Move, Position
from sim.rules import INNER, RESERVE, TABLEAU

EACH, STEPS, LEGAL = 2, 500, 40  # won and lost deals of a cell; moves of a deal; legal moves of a position
LETTERS = dict(zip(FACES, ascii_letters[26:] + ascii_letters[:26], strict=True))
SPREAD = (TABLEAU, RESERVE, INNER)  # kinds whose piles are drawn card by card, where there are several
Pile = str | None


@dataclass(frozen=True)
class Shown:
    """A cell's deals as the page holds them."""

    cell: Cell
    zones: list[dict[str, Any]]  # name, count of piles, whether they are spread
    deals: list[dict[str, Any]]  # seed, why it is shown, how it ended
    data: str  # the positions of each deal, packed
    fault: str = ""  # why it cannot be shown


def shown(con: duckdb.DuckDBPyConnection, source: str) -> list[Shown]:
    """Every cell that has traces, with the deals to watch, in the order of the cells."""
    reasons = {row[0]: reasons_of(*row[1:]) for row in con.execute(query("shown_deals"), {"each": EACH}).fetchall()}
    asked = [(cell, seed) for cell, seeds in reasons.items() for seed in seeds]
    wanted = {"cells": [cell for cell, _ in asked], "seeds": [seed for _, seed in asked]}
    found = con.sql(query("shown_traces"), params=wanted).to_arrow_table().to_pylist()
    rows = {(row["cell"], row["seed"]): row for row in found}
    cells = {cell.number: cell for cell in read_cells(con)}
    return [
        show(cells[number], source, [rows[number, seed] | {"why": why} for seed, why in seeds.items()])
        for number, seeds in reasons.items()
    ]


def reasons_of(won: list[int], lost: list[int], longest: int, closest: int | None) -> dict[int, list[str]]:
    """The seeds to show, each with what is special about it: the wins first."""
    reasons: dict[int, list[str]] = {seed: [] for seed in (*won, *lost)}
    reasons.setdefault(longest, []).append("the longest")
    if closest is not None:
        reasons.setdefault(closest, []).append("the closest to a win")
    return reasons


def show(cell: Cell, source: str, rows: list[dict[str, Any]]) -> Shown:
    """The deals of a cell; one that today's rules cannot play again is told and not shown."""
    try:
        game = sim.game(cell.game if cell.variant == "default" else f"{cell.game}({cell.variant})")
        positions = [watch(game.deal(row["seed"], source=source), row["codes"]) for row in rows]
    except PatienceError as error:
        return Shown(cell, [], [], "", str(error).partition("\n")[0])
    return Shown(cell, zones(game), [about(row) for row in rows], pack(positions))


def about(row: dict[str, Any]) -> dict[str, Any]:
    """What the page says of a deal; a seed may be larger than a browser's numbers are exact."""
    return {k: row[k] for k in ("why", "ending", "cards_home", "moves")} | {"seed": str(row["seed"])}


def zones(game: Game) -> list[dict[str, Any]]:
    """The zones in the order of the layout. Piles of one zone follow one another under one name."""
    found: dict[str, dict[str, Any]] = {}
    for row in game.layout:
        zone = found.setdefault(row.zone, {"name": row.zone, "piles": 0, "spread": row.kind in SPREAD})
        zone["piles"] += row.count
    return [zone | {"spread": zone["spread"] and zone["piles"] > 1} for zone in found.values()]


def watch(position: Position, codes: Sequence[Code]) -> dict[str, Any]:
    """The positions of a deal from its opening: changed piles by number, count of legal moves, some, the chosen one.

    Moves are numbers in the list `texts`, which has each text once; the last position has no chosen move.
    """
    texts: dict[str, int] = {}
    before: list[Pile] = []
    views: list[list[Any]] = []
    replayed = replay(position, codes[:STEPS])
    for code in [*codes[:STEPS], None]:
        now, legal = piles(position), position.codes()
        changed = {str(i): pile for i, pile in enumerate(now) if not before or before[i] != pile}
        some = [texts.setdefault(text(move), len(texts)) for move in listed(position, legal, code)]
        next(replayed, None)
        views.append([changed, len(legal), some, place(legal, code)])
        before = now
    return {"texts": list(texts), "views": views}


def listed(position: Position, legal: list[int], code: Code | None) -> Iterator[Move]:
    """The first legal moves; the chosen one comes last if it is not among them."""
    at = place(legal, code)
    for each in legal[:LEGAL] + ([legal[at]] if at is not None and at >= LEGAL else []):
        yield position.read(each)


def place(legal: list[int], code: Code | None) -> int | None:
    """Which legal move the code of a trace is; none where it is not legal, which `replay` tells."""
    wanted = None if code is None else int(code) & TRACE_BITS
    return next((i for i, move in enumerate(legal) if move & TRACE_BITS == wanted), None)


def text(move: Move) -> str:
    return f"{move.kind}|{' '.join(move.cards)}|{move.source}|{move.target}"


def piles(position: Position) -> list[Pile]:
    """Every pile, bottom card first."""
    state, found = position.state, list[Pile]()
    under, rows = state.under.tolist(), zip(state.top.tolist(), state.covered.tolist(), hidden(position), strict=True)
    for card, covered, never in rows:
        letters = ""
        while card:
            letters, card = LETTERS[card & 63] + letters, under[card]
        seen = len(letters) if never else covered
        found.append(f"{letters[:seen]}|{letters[seen:]}" if seen else letters)
    return without_gone(position, found[: len(position.game.piles)])


def hidden(position: Position) -> list[bool]:
    """Pile number to whether none of its cards is ever seen."""
    flags: list[bool] = position.game.rules.hidden.astype(bool).tolist()
    return flags


def without_gone(position: Position, found: list[Pile]) -> list[Pile]:
    """The piles, with None for the places of the tableau that have been taken out of play."""
    at = 0
    for row in position.game.layout:
        at += row.count
        gone = int(position.state.gone) if row.kind == TABLEAU else 0
        found[at - gone : at] = [None] * gone
    return found


def pack(value: Any) -> str:
    """JSON, compressed, as text that may stand in a page."""
    plain = json.dumps(value, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(plain, 9)).decode()
