"""What the tests of the compiled games share: every game, variant and policy there is, decks, and blocks of deals."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

import sim
from policies import loader
from sim import cards, options, play, roles, table
from sim.door import Game, names
from sim.jit import njit
from sim.moves import REDEAL, TURN, what
from sim.position import Move, Position
from sim.roles import Scratch, new_scratch
from sim.rules import DESCENDING, STOCK
from sim.table import Fall, Table
from tests.decks import ARRANGED

Card = TypeVar("Card")
GAMES = names()
POLICIES = ["random", "first", "greedy", "weighted"]
THINKERS = ["search(nodes=40)", "rollout(n=1,horizon=4)", "lookahead"]  # with little to think about


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
    """Cards about in the order in which they go home, the first ones on top, the last ones last in the stock.

    Where the deal begins foundations, their first cards are the lowest.
    """
    if game.name in ARRANGED:
        return ARRANGED[game.name](game, dice)
    packs = ([cards.RANKS, cards.RANKS[::-1] if game.rules.end[DESCENDING] else cards.RANKS] * 2)[: game.packs]
    deck = [rank + suit for ranks in zip(*packs, strict=True) for suit in cards.SUITS for rank in ranks]
    deck = onwards([pile[0] for pile in game.deal().zones.get("foundation", []) if pile], deck)
    spread = dice.choice([4, 10, 60]) * game.packs
    place = [i + dice.uniform(0, spread) for i in range(len(deck))]
    stirred = [deck[i] for i in sorted(range(len(deck)), key=place.__getitem__)]
    laid = int((game.rules.dealt_to[: len(deck)] != game.rules.first[STOCK]).sum())
    return stirred[:laid][::-1] + stirred[laid:]


def onwards(begun: Sequence[str], deck: Sequence[str]) -> list[str]:
    """The deck, but first the cards that begin foundations, and what follows on each of them, up in suit, in turns."""
    left, order = Counter(deck), []
    for step in range(len(cards.RANKS)):
        for first in begun:
            card = cards.RANKS[(cards.RANKS.index(first[0]) + step) % 13] + first[1]
            order += [card] * (left[card] > 0)
            left -= Counter([card])
    return order + list(left.elements())


def deck_with(first: str, packs: int = 1) -> list[str]:
    """A deck that begins with these cards, `..` being any other card and `..*n` n of them; then the rest."""
    named = [name for word in first.split() for name in [word[:2]] * int(word[3:] or 1)]
    full = Counter([rank + suit for rank in reversed(cards.RANKS) for suit in cards.SUITS] * packs)
    rest = list((full - Counter(name for name in named if name != "..")).elements())
    return [rest.pop(0) if name == ".." else name for name in named] + rest


def flat(piles: Iterable[Sequence[Card]]) -> list[Card]:
    """The cards of all piles, one after another."""
    return [card for pile in piles for card in pile]


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
        moves = position.codes()
        if not moves:
            return
        lively = [move for move in moves if what(move) not in (TURN, REDEAL)]
        position.play(dice.choice(lively if lively and dice.random() < 0.6 else moves))


@cache
def chooser(policy: str) -> Any:
    """A built-in policy, compiled."""
    return loader.load(policy).choose


def seated(policy: Any, variant: str) -> tuple[Any, Scratch]:
    """A policy, given by id or compiled, with what it writes on."""
    if isinstance(policy, str):
        return chooser(policy), loader.load(policy).scratch(sim.game(variant).title)
    return policy, new_scratch()


def compiled(choose: Any) -> Any:
    """A policy of a test, compiled in the role that the driver calls."""
    return njit(roles.CHOOSE)(choose)


@dataclass
class Played:
    """The outcomes of consecutive deals, the trace codes of each, and the deals that the policy broke off."""

    outcomes: NDArray[Any]
    codes: list[NDArray[np.uint32]]
    falls: list[Fall]

    @property
    def endings(self) -> list[str]:
        return [play.ENDINGS[ending] for ending in self.outcomes["ending"]]


class Driver:
    """Plays deals of a variant under a policy, given by name or compiled, and keeps every move."""

    def __init__(self, variant: str, policy: Any, *, policy_seed: int = 0, limit: int = play.MOVE_LIMIT) -> None:
        choose, scratch = seated(policy, variant)
        settings: dict[str, Any] = {"policy_seed": policy_seed, "keep": "all", "move_limit": limit}
        self.table = Table(sim.game(variant), choose, scratch=scratch, **settings)

    def play(self, deals: int, *, first: int = 0, room: int = 0) -> Played:
        """Play so many deals, in as many pieces as `room` for codes asks for."""
        codes = self.table.codes
        self.table.codes = codes[:room] if room else codes
        pieces = [in_deals(piece) for piece in self.table.play(first, first + deals)]
        self.table.codes = codes
        outcomes = np.concatenate([piece.outcomes for piece in pieces])
        return Played(
            outcomes, [c for piece in pieces for c in piece.codes], [f for piece in pieces for f in piece.falls]
        )

    def play_decks(self, decks: Sequence[Sequence[str]]) -> Played:
        """Play these decks."""
        parsed = np.array([cards.parse_deck(deck, self.table.game.packs) for deck in decks])
        return in_deals(self.table.play_block(0, len(decks), parsed))


def in_deals(piece: table.Played) -> Played:
    """A piece of a run with its trace codes deal by deal."""
    ends = np.cumsum(piece.outcomes["moves"].astype(np.int64))
    assert piece.outcomes["kept"].all()
    assert len(piece.codes) == ends[-1]
    return Played(piece.outcomes, [codes.copy() for codes in np.split(piece.codes, ends[:-1])], piece.falls)
