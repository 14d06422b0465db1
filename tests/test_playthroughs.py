"""One whole deal of each game, written down to be checked against the book by a reader; no playthrough, no game.

A file says every step: its number, the move, and how many moves were legal; and the table at the start, after a redeal,
when the stock and then the waste run out, every 25 steps, and at the end. The test plays the steps of the file and must
write the same file. To write the files anew, after a change of the rules that is meant:

    python -m tests.test_playthroughs                    # every game
    python -m tests.test_playthroughs la_belle_lucie 68  # one game, the deal of this seed
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import sim
from sim.moves import TRACE_BITS
from sim.position import Move, Position
from tests.engine import GAMES, Driver

FOLDER = Path(__file__).parent / "playthroughs"
HEAD = re.compile(r"Playthrough of (?P<id>\S+), seed (?P<seed>\d+)")
STEP = re.compile(r" *\d+\. (?P<move>.+?) +\(\d+ legal\)")
EVERY = 25
ABOUT = """
Cards are rank and suit (A 2 ... 9 T J Q K; C S H D), piles are written bottom card first, `-` is an empty pile. The
next card of the stock is its last. A step reads: kind of move, cards (deepest first, `-` where not seen), from -> to.
"""


def table(position: Position) -> list[str]:
    """The piles, a zone a line; the columns of a tableau each on a line."""
    lines = []
    for zone, piles in position.zones.items():
        shown = [" ".join(pile) or "-" for pile in piles]
        if zone == "tableau":
            lines += [f"    {zone}[{i}]: {pile}" for i, pile in enumerate(shown)]
        else:
            lines.append(f"    {zone}: {' | '.join(shown)}")
    return lines


def new_stage(before: Position, after: Position) -> bool:
    """Whether the stock has just run out, or, after it, the waste."""
    was, now = before.zones, after.zones
    emptied = {zone for zone in ("stock", "waste") if zone in was and was[zone][0] and not now[zone][0]}
    return "stock" in emptied or ("waste" in emptied and not was["stock"][0])


def step(position: Position, number: int, move: Move) -> list[str]:
    """Make a move; the line of the step, and the table where it is worth a look."""
    before, legal = position.copy(), len(position.codes())
    position.play(move)
    shown = move.kind == "redeal" or number % EVERY == 0 or new_stage(before, position)
    line = f"{number:4}. {move!s:44} ({legal} legal)"
    return [line, "", *table(position), ""] if shown and not position.over else [line]


def write(position: Position, seed: int, texts: Iterable[str]) -> str:
    """The playthrough of a deal by these moves."""
    lines = [f"Playthrough of {position.game.id}, seed {seed}", *ABOUT.splitlines(), "", *table(position), ""]
    for number, wanted in enumerate(texts, 1):
        by_text = {str(move): move for move in position.moves()}
        assert wanted in by_text, f"Step {number}, {wanted}, is not legal. Legal: {sorted(by_text)}.\n{position}"
        lines += step(position, number, by_text[wanted])
    end = "Won" if position.won else "Over" if position.over else "Broken off"
    last = f"{end}, {position.cards_home} cards home, {position.redeals_left} redeals left."
    return "\n".join([*lines, "", last, "", *table(position), ""])


def greedy_moves(game: str, seed: int) -> Iterator[str]:
    """The moves that the policy `greedy` makes, as text."""
    position = sim.game(game).deal(seed=seed)
    for code in Driver(game, "greedy").play(1, first=seed).codes[0]:
        move = position.read(next(move for move in position.codes() if (move ^ int(code)) & TRACE_BITS == 0))
        yield str(move)
        position.play(move)


def seed_of(game: str) -> int:
    """The seed of the deal that a game's playthrough shows."""
    head = HEAD.match((FOLDER / f"{game}.txt").read_text())
    assert head, f"{game}.txt does not begin as a playthrough does"
    return int(head["seed"])


@pytest.mark.parametrize("game", GAMES)
def test_the_playthrough_is_what_the_game_plays(game: str) -> None:
    path = FOLDER / f"{game}.txt"
    assert path.exists(), f"{game} has no playthrough; write one with python -m tests.test_playthroughs {game} SEED"
    written = path.read_text()
    head = HEAD.match(written)
    assert head, f"{path.name} does not begin as a playthrough does"
    moves = [match["move"] for match in map(STEP.fullmatch, written.splitlines()) if match]
    seed = int(head["seed"])
    assert (sim.game(head["id"]).name, len(moves) > 20) == (game, True)
    assert write(sim.game(head["id"]).deal(seed=seed), seed, moves).splitlines() == written.splitlines()


@pytest.mark.parametrize("game", GAMES)
def test_the_playthrough_goes_to_the_end(game: str) -> None:
    assert re.search(r"^(Won|Over), \d+ cards home", (FOLDER / f"{game}.txt").read_text(), re.MULTILINE)


def test_no_playthrough_without_its_game() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == GAMES


def main(arguments: list[str]) -> None:
    seeds = {arguments[0]: int(arguments[1])} if arguments else {game: seed_of(game) for game in GAMES}
    for game, seed in seeds.items():
        moves = list(greedy_moves(game, seed))
        (FOLDER / f"{game}.txt").write_text(write(sim.game(game).deal(seed=seed), seed, moves))


if __name__ == "__main__":
    main(sys.argv[1:])
