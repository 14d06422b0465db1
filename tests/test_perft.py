"""Perft: how many sequences of moves, and how many different positions, follow a deal; numbers that must never change.

A row of a game's file in `data/perft` gives, for a variant and a seed, (sequences, positions) after 1, 2, 3, … moves.
All are counted by the compiled rules; by the twin as well the first ones, and what follows one move in any case. A
failure prints the sequences by their first move, as both sides count them. When a game's behaviour is changed on
purpose, its VERSION rises and its rows are counted anew.
"""

import json
from pathlib import Path

import pytest

import sim
from tests.engine import GAMES
from tests.perft import counts, divide, twin_counts, twin_divide
from tests.referee import Table

Row = list[tuple[int, int]]
FOLDER = Path(__file__).parent / "data" / "perft"


def rows(game: str) -> dict[tuple[str, int], Row]:
    """The counts in the file of a game, by variant and seed."""
    read = json.loads((FOLDER / f"{game}.json").read_text())
    return {(row["variant"], row["seed"]): [(paths, ends) for paths, ends in row["counts"]] for row in read}


ROWS = {key: row for path in sorted(FOLDER.glob("*.json")) for key, row in rows(path.stem).items()}
LOW = 600  # sequences that the twin counts too


def by_first_move(variant: str, seed: int, depth: int) -> str:
    """The divide of both sides, a line for each first move."""
    ours, theirs = divide(sim.game(variant).deal(seed=seed), depth), {}
    if ROWS[variant, seed][depth - 1][0] <= LOW:
        theirs = twin_divide(Table(variant, seed).twin, depth)
    lines = [f"  {move}: {ours.get(move)}, twin {theirs.get(move, 'not asked')}" for move in ours | theirs]
    return "\n".join([f"{variant}, seed {seed}, after {depth} moves", *lines])


@pytest.mark.parametrize(("variant", "seed"), ROWS)
def test_the_compiled_rules_count_as_ever(variant: str, seed: int) -> None:
    start = sim.game(variant).deal(seed=seed)
    for depth, known in enumerate(ROWS[variant, seed], 1):
        assert counts(start, depth) == known, by_first_move(variant, seed, depth)


@pytest.mark.parametrize(("variant", "seed"), ROWS)
def test_the_twin_counts_the_same(variant: str, seed: int) -> None:
    for depth, known in enumerate(ROWS[variant, seed], 1):
        if known[0] <= LOW or depth == 1:
            assert twin_counts(Table(variant, seed).twin, depth) == known, by_first_move(variant, seed, depth)


def test_every_game_is_counted() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == GAMES
    assert all(sim.game(variant).name == game for game in GAMES for variant, _ in rows(game))


def test_the_divide_adds_up() -> None:
    for (variant, seed), row in ROWS.items():
        start = sim.game(variant).deal(seed=seed)
        depth = min(3, sum(sequences <= LOW for sequences, _ in row)) or 1
        assert sum(divide(start, depth).values()) == row[depth - 1][0]
        assert divide(start, depth) == twin_divide(Table(variant, seed).twin, depth)
