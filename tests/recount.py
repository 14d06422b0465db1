"""Everything that `push` and `pop` keep up to date, counted afresh from the piles in plain Python."""

from sim.position import Position
from sim.rules import FOUNDATION, KINDS, TABLEAU
from tests.splitmix import GOLDEN, WORD, mix


def chains(position: Position) -> list[list[int]]:
    """The cards of every pile, as bytes, bottom first."""
    under, tops = position.state.under.tolist(), position.state.top.tolist()
    return [chain(under, top) for top in tops[: len(position.game.piles)]]


def chain(under: list[int], card: int) -> list[int]:
    """The cards from the bottom of a pile up to its top card."""
    found: list[int] = []
    while card:
        assert card not in found, "a circle of cards"
        found.append(card)
        card = under[card]
    return found[::-1]


def in_play(position: Position) -> range:
    """The piles; where places have gone out of play, those before them."""
    gone = int(position.state.gone)
    return range(int(position.game.rules.end[TABLEAU]) - gone if gone else len(position.game.piles))


def hash_of(ground: int, cards: list[int]) -> int:
    """The hash of a pile from the table up."""
    for card in cards:
        ground = mix(ground + (card & 63) * GOLDEN & WORD)
    return ground


def covering(cards: list[int], covered: int, ground: int) -> int:
    """What the face-down cards at the bottom of a pile add to the hash."""
    return mix(hash_of(ground, cards[:covered]) + GOLDEN & WORD) if covered else 0


def key(position: Position) -> int:
    """The 64-bit key of the position."""
    state, rules = position.state, position.game.rules
    piles, grounds = chains(position), rules.ground.tolist()
    total = sum(hash_of(ground, cards) for ground, cards in zip(grounds, piles, strict=False))
    total += sum(map(covering, piles, state.covered.tolist(), grounds))
    total += mix((int(state.redeals_left) + 1) * GOLDEN + int(state.gone) & WORD)
    total += sum(int(count) * mix((i + 1) * GOLDEN & WORD) for i, count in enumerate(state.counter))
    return total & WORD


def shown(position: Position) -> list[list[int]]:
    """[kind][pack]: the set of the faces on top, as bits; bit 0 of pack 0: there is a space."""
    sets = [[0] * 4 for _ in KINDS]
    kinds = position.game.rules.kind.tolist()
    for pile, cards in zip(in_play(position), chains(position), strict=False):
        top = cards[-1] if cards else 0
        sets[kinds[pile]][top >> 6] |= 1 << (top & 63)
    return sets


def spaces(position: Position) -> list[int]:
    """[kind]: empty piles in play."""
    counts, kinds = [0] * len(KINDS), position.game.rules.kind.tolist()
    for pile, cards in zip(in_play(position), chains(position), strict=False):
        counts[kinds[pile]] += not cards
    return counts


def home(position: Position) -> int:
    """Cards on foundations."""
    kinds = position.game.rules.kind.tolist()
    return sum(len(cards) for pile, cards in enumerate(chains(position)) if kinds[pile] >= FOUNDATION)
