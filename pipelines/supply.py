"""The shards that a run is to play, in their order, as far as the decisions of a stop rule allow by then."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import takewhile
from typing import Protocol

from pipelines.finished import Finished, place
from pipelines.place import Place
from pipelines.plan import Cell, Shard, Sweep
from pipelines.stopping import Rule, is_asked, rules


class Supply(Protocol):
    """An iterator of shards; None when it must hear of results before it knows which is next."""

    def __iter__(self) -> Iterator[Shard | None]: ...

    def __next__(self) -> Shard | None: ...

    def hear(self, shard: str, wins: int) -> None:
        """A shard, by its name, is finished."""
        ...

    def decided(self) -> Sequence[Rule]:
        """The rules that have been asked for the last time."""
        ...


def supply(folder: Place, sweep: Sweep, deals: int, done: Finished) -> Supply:
    """The shards that begin within the first `deals` of each cell and are not finished, as the stop rule wants them."""
    return Courses(folder, sweep, deals, done) if sweep.stop else Everything(sweep, deals, done)


class Everything:
    """All shards of a sweep without a stop rule."""

    def __init__(self, sweep: Sweep, deals: int, done: Finished) -> None:
        end = sweep.first_seed + deals
        begun = takewhile(lambda shard: shard.lo < end, sweep.shards())
        self.shards = (shard for shard in begun if not done.holds(shard))

    def __iter__(self) -> Iterator[Shard | None]:
        return self

    def __next__(self) -> Shard:
        return next(self.shards)

    def hear(self, shard: str, wins: int) -> None:
        pass

    def decided(self) -> Sequence[Rule]:
        return []


class Course:
    """The shards of the cells that one decision is about, up to the next time that its rule is asked."""

    def __init__(self, sweep: Sweep, end: int, rule: Rule, done: Finished) -> None:
        self.sweep, self.end, self.rule, self.done = sweep, end, rule, done
        self.cells: list[Cell] = list(rule.cells)
        self.given, self.known = (enumerate(sweep.spans(self.cells[0]), 1) for _ in range(2))
        self.arrived: dict[int, dict[Cell, int]] = defaultdict(dict)  # wins, by first seed, of what is not yet known
        self.expected = next(self.known, None)
        self.over = self.expected is None
        self.shards = self._until_asked()
        self.next = self._next()

    def _until_asked(self) -> Iterator[Shard]:
        """The shards up to the next question, the finished ones too."""
        for number, (lo, hi) in self.given:
            if lo >= self.end:
                return
            yield from (Shard(cell, lo, hi) for cell in self.cells)
            if self._is_asked(number, hi):
                return

    def _is_asked(self, number: int, hi: int) -> bool:
        deals = hi - self.sweep.first_seed
        return is_asked(number) or deals in (*self.sweep.cuts, self.sweep.deals)

    def _next(self) -> Shard | None:
        return next((shard for shard in self.shards if not self.done.holds(shard)), None)

    def take(self) -> Shard:
        shard, self.next = self.next, self._next()
        assert shard is not None
        return shard

    def learn(self, shard: Shard, wins: int) -> None:
        """A shard is finished. The rule hears of it when all before it are, and is asked when it is time."""
        self.arrived[shard.lo][shard.cell] = wins
        while not self.over and self.expected and len(self.arrived.get(self.expected[1][0], ())) == len(self.cells):
            number, (lo, hi) = self.expected
            found = self.arrived.pop(lo)
            self.rule.learn([(Shard(cell, lo, hi), found[cell]) for cell in self.cells])
            self.expected = next(self.known, None)
            if self._is_asked(number, hi):
                self._ask()

    def _ask(self) -> None:
        self.over = self.rule.enough() or self.expected is None
        self.shards = iter(()) if self.over else self._until_asked()
        self.next = self._next()


class Courses:
    """The shards of a sweep with a stop rule."""

    def __init__(self, folder: Place, sweep: Sweep, deals: int, done: Finished) -> None:
        end = sweep.first_seed + deals
        self.courses = [Course(sweep, end, rule, done) for rule in rules(folder, sweep)]
        self.of = {cell.key: (number, cell) for number, course in enumerate(self.courses) for cell in course.cells}
        self.ready: list[tuple[int, int]] = []  # a heap: the first seed of the next shard of a course, and its number
        for number in range(len(self.courses)):
            self._offer(number)

    def _offer(self, number: int) -> None:
        if shard := self.courses[number].next:
            heappush(self.ready, (shard.lo, number))

    def hear(self, shard: str, wins: int) -> None:
        key, (lo, hi) = place(shard)
        if key in self.of:
            number, cell = self.of[key]
            waited = self.courses[number].next is None
            self.courses[number].learn(Shard(cell, lo, hi), wins)
            if waited:
                self._offer(number)

    def __iter__(self) -> Iterator[Shard | None]:
        return self

    def __next__(self) -> Shard | None:
        if self.ready:
            _, number = heappop(self.ready)
            shard = self.courses[number].take()
            self._offer(number)
            return shard
        if all(course.over for course in self.courses):
            raise StopIteration
        return None

    def decided(self) -> Sequence[Rule]:
        return [course.rule for course in self.courses if course.over]
