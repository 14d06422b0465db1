"""Decks on which much happens in a game where it hardly ever does by chance."""

import random

from sim.cards import FACE_OF, RANKS
from sim.door import Game, names
from sim.rules import TABLEAU

Columns = list[list[str]]
HEIGHTS = (8, 7, 6, 5, 4, 3, 2, 1, 1, 0)  # of the columns of Rouge et Noir; the first seven get seven more cards
PARTS = ((9, 8, 6), (7, 6, 7), (5, 4, 7), (3, 2, 7), (1, 0, 7))  # the columns of a run's parts, cards of the first
SUITS = ("CH", "HC", "SD", "DS", "CH")


def rouge_et_noir(game: Game, dice: random.Random) -> list[str]:
    """Four runs are dealt on eight columns, each in two parts; on columns 0 and 1 cards to go home, or a fifth run."""
    columns: Columns = [[] for _ in HEIGHTS]
    runs = dice.choice([4, 4, 5])
    for (first, second, cut), suits in list(zip(PARTS, SUITS, strict=True))[:runs]:
        run = [rank + suits[i % 2] for i, rank in enumerate(reversed(RANKS))]
        columns[first], columns[second] = run[:cut], run[cut:]
    taken = columns[0] + columns[1]
    others = [rank + suit for rank in RANKS for suit in "CHSD" if rank + suit not in taken]
    if runs == 4:
        laid = [others.pop(0) for _ in range(15)]  # what lies on columns 0 and 1 at first, the lowest cards on top
        columns[0], columns[1] = laid[::2][::-1], laid[1::2][::-1]
        for column in (0, 1) * 7:  # what is dealt there
            columns[column].append(others.pop(0))
    for column in (6, 5, 4, 3, 2, 1, 0):
        while len(columns[column]) < HEIGHTS[column] + 7:
            columns[column].insert(0, others.pop(0))
    return stirred(in_dealing_order(game, columns), dice)


def in_dealing_order(game: Game, columns: Columns) -> list[str]:
    """The deck that is dealt so, if no deal skips a column."""
    first = int(game.rules.first[TABLEAU])
    deck = [columns[int(game.rules.dealt_to[i]) - first].pop(0) for i in range(sum(HEIGHTS))]
    return deck + [columns[i % 10].pop(0) for i in range(67)]


def stirred(deck: list[str], dice: random.Random) -> list[str]:
    """The deck with some pairs of cards exchanged."""
    for _ in range(dice.choice([0, 2, 8])):
        i, j = dice.sample(range(len(deck)), 2)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def loosened(deck: list[str], spread: int, dice: random.Random) -> list[str]:
    """The deck with cards exchanged that are near each other."""
    place = [i + dice.uniform(0, spread) for i in range(len(deck))]
    return [deck[i] for i in sorted(range(len(deck)), key=place.__getitem__)]


def the_mill(game: Game, dice: random.Random) -> list[str]:
    """Cards about in the order in which they can be played, to the centre and to the angles in turns."""
    families = [rank for _ in range(4) for rank in RANKS]
    falling = [rank for rank in reversed(RANKS) for _ in range(4)]
    cards = {rank: [rank + suit for suit in "CHSD"] * 2 for rank in RANKS}
    deck = [cards[rank].pop() for pair in zip(families, falling, strict=True) for rank in pair]
    return loosened(deck, dice.choice([4, 10, 20, 60]), dice)


def the_constitution(game: Game, dice: random.Random) -> list[str]:
    """About in the order of the ranks: the lowest in the Privy Council, then down the divisions, then the stock."""
    cards = [rank + suit for rank in RANKS[1:11] for suit in "CDHS" for _ in range(2)]
    deck = loosened(cards, dice.choice([1, 10, 60]), dice)
    laid = [deck[int(pile) - int(game.rules.first[TABLEAU])] for pile in game.rules.dealt_to[:32]]
    return [rank + suit for rank in "AQK" for suit in "CDHS" for _ in range(2)] + laid + deck[32:]


BEGIN = [rank + suit for rank in "AK" for suit in "CDHS"]


def going_home() -> list[str]:
    """What the foundations of the four suits, one up and one down, want in turn when they are begun."""
    pairs = zip(RANKS[1:], RANKS[-2::-1], strict=True)
    return [rank + suit for pair in pairs for suit in "CDHS" for rank in pair]


def the_four_corners(game: Game, dice: random.Random) -> list[str]:
    """First the cards that begin foundations, then the others, the later the sooner they go home."""
    return stirred(BEGIN + going_home()[::-1], dice)


def la_nivernaise(game: Game, dice: random.Random) -> list[str]:
    """The cards that begin foundations on the Flanks; four rounds of packets in which the upper cards go home first."""
    cards = going_home()
    rounds = [cards[24 * i + 6 * depth + packet] for i in range(4) for packet in range(6) for depth in (3, 2, 1, 0)]
    return stirred(BEGIN + rounds, dice)


def the_hemispheres(game: Game, dice: random.Random) -> list[str]:
    """The cards that are wanted last lie in the ring, in any hemisphere; the others come as they can be played."""
    barriers, ring = ["KH", "KD", "AC", "AS"], ["KH", "QH", "QH", "KD", "QD", "QD", "AC", "2C", "2C", "AS", "2S", "2S"]
    dice.shuffle(ring)
    red, black = RANKS[1:11], RANKS[11:1:-1]
    stock = [card for up, down in zip(red, black, strict=True) for card in (up + "H", up + "D", down + "C", down + "S")]
    bases = [card for card in ("KC", "KS", "AD", "AH") for _ in range(2)]
    return stirred([*barriers, *ring, *[card for card in stock for _ in range(2)], *bases], dice)


def the_empress_of_india(game: Game, dice: random.Random) -> list[str]:
    """All cards more or less in the order in which they go home."""
    spread = dice.choice([1, 2, 4])
    return sorted([*FACE_OF] * 4, key=lambda card: game.rules.step[FACE_OF[card]] + dice.uniform(0, spread))


def the_besieged_city(game: Game, dice: random.Random) -> list[str]:
    """Cards in the order in which they go home, the first ones on the ramparts, which are dealt after the reserve."""
    ups_and_downs = [rank for both in zip(RANKS, reversed(RANKS), strict=True) for rank in both]
    order = stirred([rank + suit for rank in ups_and_downs for suit in "CDHS"], dice)
    return order[14:26] + order[:14] + order[26:]


def the_fourteenth(game: Game, dice: random.Random) -> list[str]:
    """Pairs side by side or in the last column, and pairs to fill their places; the last place has the last fellow."""
    cards = {rank: [rank + suit for suit in "CSHD"] * game.packs for rank in RANKS}
    pairs = [(low, high) for low, high in zip(RANKS[:6], RANKS[:6:-1], strict=True) for _ in cards[low]]
    pairs += [("7", "7")] * (2 * game.packs)
    dice.shuffle(pairs)
    named = [(cards[low].pop(), cards[high].pop()) for low, high in pairs]
    table, (last, fellow), stock = [*named[:12]], named[12], named[13:]
    beside, below = table[:10], table[10:]
    rows = [[*beside[2 * row], *beside[2 * row + 1], (*below[0], *below[1], last)[row]] for row in range(5)]
    deck = [card for cards in (*rows, *stock) for card in cards]
    return stirred([*deck, fellow], dice)


ARRANGED = {name: arranged for name, arranged in globals().items() if name in names()}
