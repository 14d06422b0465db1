"""What the fact tests of the two Houses share: arranged packets, in which hearts are the suit under test."""

from collections import Counter
from collections.abc import Iterable

import sim
from sim.cards import RANKS, SUITS
from sim.position import Position
from tests.engine import listed, play_texts

UP, DOWN = "foundation[4]", "foundation[5]"  # those of hearts; in The House in the Wood both ascend
REDEAL = "redeal tableau[0]"
FULL, SHORT = 34, 2


def hearts(ranks: str) -> list[str]:
    """Cards of hearts."""
    return [f"{rank}H" for rank in ranks]


def deck(packets: Iterable[str], last: str = "") -> list[str]:
    """A deck whose packets end like these, and whose last two cards are these; all other hearts lie at the bottom."""
    ends, short = [packet.split() for packet in packets], last.split()
    both = Counter(rank + suit for suit in f"H{SUITS.replace('H', '')}" for rank in RANKS for _ in range(2))
    rest = list((both - Counter([card for end in ends for card in end] + short)).elements())
    ends += [[rest.pop()] for _ in range(FULL - len(ends))]
    short += [rest.pop() for _ in range(SHORT - len(short))]
    beneath = [[rest.pop(place) for place in (0, -1)[: 3 - len(end)]] for end in ends]
    return [card for pair in zip(beneath, ends, strict=True) for cards in pair for card in cards] + short


def deal(game: str, *packets: str, last: str = "", options: str = "", seed: int = 0) -> Position:
    """A deal with these packets first, each named by its last cards."""
    return sim.game(f"{game}({options})").deal(seed=seed, deck=deck(packets, last))


def of_hearts(position: Position, *kinds: str) -> list[str]:
    """The moves of hearts."""
    return [text for text in listed(position, *kinds) if text.split()[1].endswith("H")]


def built(position: Position, up: str = "", down: str = "") -> Position:
    """These hearts played on the first foundation of the suit, and these on the second."""
    return play_texts(
        position, *[f"play {card} {UP}" for card in hearts(up)], *[f"play {c} {DOWN}" for c in hearts(down)]
    )


def heights(position: Position) -> list[int]:
    """The cards of each packet."""
    return [len(pile) for pile in position.zones["tableau"]]
