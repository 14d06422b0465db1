"""The random streams once more, in whole numbers of Python: the referee of `sim.rng`."""

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
DECK, REDEAL = 0, 1
IN_ORDER = [rank + suit for suit in "CSHD" for rank in "A23456789TJQK"]


def mix(word: int) -> int:
    """The finalizer of splitmix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def stream(seed: int, purpose: int, number: int) -> int:
    """The first state of a stream."""
    keyed = mix(mix(seed + GOLDEN & WORD) + (purpose + 1) * GOLDEN & WORD)
    return mix(keyed + number * GOLDEN & WORD)


def draw(start: int, i: int, n: int) -> int:
    """An integer from 0 to n - 1 from the i-th word of a stream."""
    return (mix(start + (i + 1) * GOLDEN & WORD) >> 32) * n >> 32


def shuffled(cards: list[str], start: int) -> list[str]:
    """The cards in the order that the stream gives them (Fisher and Yates)."""
    cards = list(cards)
    for i in range(len(cards) - 1, 0, -1):
        j = draw(start, i, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def deck(seed: int, packs: int) -> list[str]:
    """The deck of a seed."""
    return shuffled(IN_ORDER * packs, stream(seed, DECK, 0))


def reshuffled(cards: list[str], seed: int, redeal: int) -> list[str]:
    """The cards gathered for the redeal of this number."""
    return shuffled(cards, stream(seed, REDEAL, redeal))
