"""What the tests of the compiled games share: every game, variant and policy there is, decks, and blocks of deals."""

import importlib
import pkgutil
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import policies
import sim
from sim import cards, options, play, roles
from sim.door import Game, names
from sim.jit import njit
from sim.position import Move, Position
from sim.rules import STOCK

GAMES = names()
POLICIES = [
    module.name
    for module in pkgutil.iter_modules(policies.__path__)
    if hasattr(importlib.import_module(f"policies.{module.name}"), "choose")
]
ROOM = 200_000  # codes of a block


def option_values(game: str) -> dict[str, tuple[options.Value, ...]]:
    """The values of each option of a game, default first."""
    return options.values(sim.game(game).module.Options)


def one_changed(game: str) -> list[str]:
    """The ids of the defaults and of every variant in which one option differs."""
    changed = [
        f"{game}({name}={options.spell(value)})" for name, known in option_values(game).items() for value in known[1:]
    ]
    return [game, *changed]


def mixed(game: str, dice: random.Random) -> str:
    """The id of a variant with a random value for every option."""
    chosen = {name: options.spell(dice.choice(known)) for name, known in option_values(game).items()}
    return sim.game(f"{game}({','.join(f'{name}={value}' for name, value in chosen.items())})").id


def every_variant() -> list[str]:
    """The ids of `one_changed` for every game."""
    return [variant for game in GAMES for variant in one_changed(game)]


def easy_deck(game: Game, dice: random.Random) -> list[str]:
    """Low cards on the table, aces on top, high ones in the stock, kings last, more or less stirred: much can be played."""
    deck = [rank + suit for rank in cards.RANKS for suit in cards.SUITS for _ in range(game.packs)]
    spread = dice.choice([4, 10, 60]) * game.packs
    place = [i + dice.uniform(0, spread) for i in range(len(deck))]
    stirred = [deck[i] for i in sorted(range(len(deck)), key=place.__getitem__)]
    laid = int((game.rules.dealt_to[: len(deck)] != game.rules.first[STOCK]).sum())
    return stirred[:laid][::-1] + stirred[laid:]


def deck_with(first: str, packs: int = 1) -> list[str]:
    """A deck that begins with these cards, `..` being any other card and `..*n` n of them; then the rest."""
    named = [name for word in first.split() for name in [word[:2]] * int(word[3:] or 1)]
    full = Counter([rank + suit for rank in reversed(cards.RANKS) for suit in cards.SUITS] * packs)
    rest = list((full - Counter(name for name in named if name != "..")).elements())
    return [rest.pop(0) if name == ".." else name for name in named] + rest


def text(move: Move) -> str:
    """A move without its source: "build 9S tableau[1]"."""
    return " ".join([move.kind, *move.cards, move.target])


def listed(position: Position, *kinds: str) -> list[str]:
    """The legal moves of these kinds (of all, if none is named), as `text` has them, sorted."""
    return sorted(text(move) for move in position.moves() if not kinds or move.kind in kinds)


def play_texts(position: Position, *texts: str) -> Position:
    """Make the moves that read so, one after the other."""
    for wanted in texts:
        legal = {text(move): move for move in position.moves()}
        assert wanted in legal, f"{wanted} is none of {sorted(legal)} in\n{position}"
        position.play(legal[wanted])
    return position


def walk(position: Position, dice: random.Random, steps: int) -> Iterator[Position]:
    """The position before each step of random play, which prefers other moves to turning and gathering cards."""
    for _ in range(steps):
        yield position
        moves = position.moves()
        if not moves:
            return
        lively = [move for move in moves if move.kind not in ("turn", "redeal")]
        position.play(dice.choice(lively if lively and dice.random() < 0.6 else moves))


@cache
def chooser(policy: str) -> Any:
    """A built-in policy, compiled."""
    return compiled(importlib.import_module(f"policies.{policy}").choose)


def compiled(choose: Any) -> Any:
    """A policy in the role that the driver calls."""
    return njit(roles.CHOOSE)(choose)


@dataclass
class Played:
    """The outcomes of consecutive deals, and the trace codes of each."""

    outcomes: NDArray[Any]
    codes: list[NDArray[np.uint32]]

    @property
    def endings(self) -> list[str]:
        return [play.ENDINGS[ending] for ending in self.outcomes["ending"]]


class Driver:
    """Plays deals with `play_block`, in the memory that it needs."""

    def __init__(self, game: Game, choose: Any, *, policy_seed: int = 0, limit: int = play.MOVE_LIMIT) -> None:
        self.game, self.choose, self.limit, self.policy_seed = game, choose, limit, policy_seed
        self.state = Position(game).state
        self.scratch = roles.new_scratch()
        self.codes = np.zeros(ROOM, np.uint32)
        self.decks = np.zeros((0, 52 * game.packs), np.uint8)

    def play(self, deals: int, *, first: int = 0, room: int = ROOM, decks: Sequence[Sequence[str]] = ()) -> Played:
        """Play so many deals, in as many pieces as `room` for codes asks for; a deal whose policy raises is closed."""
        if decks:
            self.decks = np.array([cards.parse_deck(deck, self.game.packs) for deck in decks])
        block = np.zeros(1, play.BLOCK).view(np.recarray)[0]
        block.first_seed, block.end, block.policy_seed = first, deals, self.policy_seed
        block.move_limit, block.keep = self.limit, play.KEEP_ALL
        played = Played(np.zeros(deals, play.OUTCOME).view(np.recarray), [])
        while block.at < deals:
            before = int(block.at)
            self.piece(block, played.outcomes, room)
            self.gather(played, before, int(block.at))
        return played

    def piece(self, block: Any, outcomes: NDArray[Any], room: int) -> None:
        """Fill the codes once."""
        block.used = 0
        codes = self.codes[:room]
        memory = (self.game.rules, self.state, self.scratch, block, self.decks, outcomes, codes)
        try:
            play.play_block(*self.game.functions, self.choose, *memory)
        except Exception:
            out = outcomes[block.at]
            out.fault = play.Fault.RAISED
            play.close_deal(self.game.rules, self.state, block, out, codes, play.ERROR)

    def gather(self, played: Played, first: int, end: int) -> None:
        """Copy the moves of the deals of a piece, one array a deal."""
        at = 0
        for out in played.outcomes[first:end]:
            length = int(out["moves"])
            played.codes.append(self.codes[at : at + length].copy())
            at += length


def drive(text: str, policy: str, **settings: Any) -> Driver:
    """A driver for a variant and a built-in policy."""
    return Driver(sim.game(text), chooser(policy), **settings)
