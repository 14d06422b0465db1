"""A game with its options chosen: the door from Python to the compiled rules."""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from sim import deals, options
from sim.bits import U
from sim.cards import parse_deck
from sim.errors import unknown
from sim.jit import compiled
from sim.layout import Piles
from sim.options import Value
from sim.position import Position
from sim.roles import APPLY, DEAL, LEGAL, Functions


def names() -> list[str]:
    """The games there are, in alphabetical order; needs no compiler."""
    import sim.games

    return sorted(module.name for module in pkgutil.iter_modules(sim.games.__path__))


@cache  # plans ask for each of their variants, and listing the package takes a millisecond
def load(name: str) -> ModuleType:
    """The module of a game; an error that names the known ones otherwise."""
    if name not in names():
        raise unknown("game", name, names())
    return importlib.import_module(f"sim.games.{name}")


def game(text: str) -> "Game":
    """The game that an id such as "la_belle_lucie(redeals=1)" names."""
    name, items = options.split(text)
    module = load(name)
    return Game(module, options.choose(module.Options, items, module.PRESETS))


@cache  # ten milliseconds and more
def rules(module: ModuleType, options: object) -> np.record:
    """The rules of a variant, which nobody may write on."""
    record: np.record = module.rules(options)
    return record


@dataclass(frozen=True)
class Game:
    """One rule variant of a game."""

    module: ModuleType
    options: object

    @property
    def name(self) -> str:
        return self.module.__name__.rpartition(".")[2]

    @property
    def variant(self) -> str:
        """The options that differ from the defaults, as text; "default" where none does."""
        return options.canonical(self.options) or "default"

    @property
    def id(self) -> str:
        chosen = options.canonical(self.options)
        return f"{self.name}({chosen})" if chosen else self.name

    @property
    def title(self) -> str:
        """Its id, short where the options are those of a preset: "the_sultan(pysolfc)"."""
        for preset, changed in self.module.PRESETS.items():
            if self.options == self.module.Options(**changed):
                return f"{self.name}({preset})"
        return self.id

    @property
    def values(self) -> dict[str, Value]:
        """Every option with its chosen value."""
        return asdict(self.options)  # type: ignore[call-overload, no-any-return]

    @property
    def packs(self) -> int:
        return int(self.rules.packs)

    @cached_property
    def rules(self) -> np.record:
        """The record that compiled code reads, dtype `sim.rules.RULES`; a copy, for a policy might write on it."""
        record: np.record = rules(self.module, self.options).copy()
        return record

    @cached_property
    def layout(self) -> list[Piles]:
        rows: list[Piles] = self.module.layout(self.options)
        return rows

    @cached_property
    def piles(self) -> list[str]:
        """Pile number to name, such as "tableau[3]"."""
        zones = [row.zone for row in self.layout for _ in range(row.count)]
        return [f"{zone}[{zones[:pile].count(zone)}]" for pile, zone in enumerate(zones)]

    def named(self, piles: tuple[int, ...]) -> str:
        """A pile's name; those of several one after another."""
        return " ".join([self.piles[pile] for pile in piles])

    @cached_property
    def functions(self) -> Functions:
        """The compiled roles; compiled, or loaded from disk, with the first use."""
        return Functions(
            compiled(self.module.deal, DEAL),
            compiled(self.module.legal_moves, LEGAL),
            compiled(self.module.apply_move, APPLY),
        )

    def deck(self, seed: int | str, source: str) -> NDArray[np.uint8]:
        """The deck of a seed in dealing order.

        For PySolFC's deals a game may name the cards on top, `PYSOL_TOP`, and the highest rank there, `PYSOL_RANKS`.
        """
        cards = deals.deck(seed, self.packs, source, getattr(self.module, "PYSOL_RANKS", 13))
        return deals.brought_up(cards, getattr(self.module, "PYSOL_TOP", ())) if source == deals.PYSOL else cards

    def deal(self, seed: int | str = 0, *, deck: Sequence[str] | None = None, source: str = deals.SPLITMIX) -> Position:
        """The opening position of a seed, or of a full deck in dealing order, first card dealt first.

        With a deck, the seed still says how shuffled redeals fall. Raises PatienceError for an impossible seed or deck.
        """
        number = deals.check_seed(seed, source)
        cards = self.deck(seed, source) if deck is None else parse_deck(deck, self.packs)
        position = Position(self)
        position.state.seed = U(number % 2**64)
        self.functions.deal(self.rules, position.state, cards)
        return position

    def __repr__(self) -> str:
        return f"sim.game({self.id!r})"
