"""Trying everything: what a search is measured by, on deals that are small enough."""

from sim.position import Position


class Bounded(set[int]):
    """A set that refuses to grow beyond its bound."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def add(self, member: int) -> None:
        if len(self) == self.most:
            raise OverflowError
        super().add(member)


def best(position: Position, met: set[int]) -> int:
    """The most cards that can be brought home from here; OverflowError when `met` takes no more positions."""
    most = position.cards_home
    for code in position.codes():
        there = position.copy()
        there.play(code)
        if hash(there) not in met:
            met.add(hash(there))
            most = max(most, best(there, met))
    return most
