"""A position of a game, to look at and to play on from Python; every rule is the compiled one."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sim.cards import NAMES, names
from sim.errors import IllegalMove
from sim.moves import DRAW, KINDS, MAX_MOVES, PAIR, ends, parts
from sim.rules import TABLEAU
from sim.state import STATE, position

if TYPE_CHECKING:
    from sim.door import Game

SHOWN = 200  # most legal moves that an error names


@dataclass(frozen=True)
class Move:
    """One legal move; two moves are equal when their codes are."""

    code: int
    kind: str = field(compare=False)
    cards: tuple[str, ...] = field(compare=False)  # those that go, deepest first; none where they are not seen
    source: str = field(compare=False)  # the pile, such as "tableau[3]"; two of them where two cards go to two places
    target: str = field(compare=False)

    def __str__(self) -> str:
        return f"{self.kind} {' '.join(self.cards) or '-'} {self.source} -> {self.target}"


class Position:
    """What lies on the table. `state` is the record that compiled code works on, dtype `sim.state.STATE`."""

    def __init__(self, game: "Game") -> None:
        self.game = game
        self._states = np.zeros(1, STATE)
        self.state: np.record = self._states[0]

    @property
    def zones(self) -> dict[str, list[list[str]]]:
        """Zone name to its piles, bottom card first; face-down cards included."""
        zones: dict[str, list[list[str]]] = {}
        at, tops, under, gone = 0, self._list("top"), self._list("under"), int(self.state.gone)
        for row in self.game.layout:
            in_play = row.count - (gone if row.kind == TABLEAU else 0)
            zones.setdefault(row.zone, []).extend(_names_from(top, under) for top in tops[at : at + in_play])
            at += row.count
        return zones

    def cards(self, pile: int) -> list[str]:
        """The cards of a pile, bottom first."""
        return _names_from(self._list("top")[pile], self._list("under"))

    def _list(self, name: str) -> list[int]:
        """An array of the state, as a list that is quicker to read."""
        return self.state[name].tolist()  # type: ignore[no-any-return]

    def moves(self) -> list[Move]:
        """Every legal move, each once; none when the game is won."""
        tops = self._list("top")
        return [self._read(code, tops) for code in self.codes()]

    def codes(self) -> list[int]:
        """The codes of the legal moves: quicker, where there are thousands."""
        if self.won:
            return []
        buffer = np.empty(MAX_MOVES, np.int32)
        n = self.game.functions.legal_moves(self.game.rules, self.state, buffer)
        return buffer[:n].tolist()  # type: ignore[no-any-return]

    def read(self, code: int) -> Move:
        """The legal move of this code."""
        return self._read(code, self._list("top"))

    def _read(self, code: int, tops: list[int]) -> Move:
        kind, _, _, face, count = parts(code)
        sources, targets = ends(code, len(self.game.piles))
        cards: tuple[str, ...] = ()
        if len(sources) == 2:
            cards = tuple([NAMES[tops[pile] & 63] for pile in sources + targets if tops[pile]])
        elif kind == PAIR:
            cards = (NAMES[face], NAMES[tops[targets[0]] & 63])
        elif kind == DRAW and count == 2:  # from under the lowest cards of both piles
            cards = (NAMES[face], self.cards(targets[0])[-2])
        elif face:
            cards = (NAMES[face], *self.cards(sources[0])[1 - count :]) if count > 1 else (NAMES[face],)
        return Move(code, KINDS[kind], cards, self.game.named(sources), self.game.named(targets))

    def play(self, move: Move | int) -> None:
        """Carry out a legal move, given as such or as its code; raises IllegalMove for any other."""
        code = move if isinstance(move, int) else move.code
        legal = self.codes()
        if code not in legal:
            some = "; ".join(str(self.read(one)) for one in legal[:SHOWN]) or "none, the game is over"
            more = f"; and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
            raise IllegalMove(f"{move} is not a legal move here. Legal: {some}{more}.\n{self}")
        self.game.functions.apply_move(self.game.rules, self.state, np.int32(code))

    @property
    def won(self) -> bool:
        return int(self.state.home) == int(self.game.rules.goal)

    @property
    def over(self) -> bool:
        """Won, or without a legal move."""
        return not self.codes()

    @property
    def cards_home(self) -> int:
        return int(self.state.home)

    @property
    def redeals_left(self) -> int:
        return int(self.state.redeals_left)

    def copy(self) -> "Position":
        twin = Position(self.game)
        twin._states[0] = self.state
        return twin

    def __hash__(self) -> int:
        return int(position(self.state))

    def __eq__(self, other: object) -> bool:
        """Equal for play: twin cards and the order of interchangeable piles do not matter."""
        return isinstance(other, Position) and self.game.id == other.game.id and hash(self) == hash(other)

    def __str__(self) -> str:
        lines = [self.game.id]
        for zone, piles in self.zones.items():
            lines += [f"{zone}[{i}]: {' '.join(pile) or '-'}" for i, pile in enumerate(piles)]
        return "\n".join(lines)


def _names_from(card: int, under: list[int]) -> list[str]:
    """The cards from this one down, bottom first."""
    found = []
    while card:
        found.append(card)
        card = under[card]
    return names(reversed(found))
