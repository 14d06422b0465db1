"""A grade of difficulty, from very easy to very hard: how often the best honest player known so far wins.

The bands are in the words of players, "one deal in five", and symmetric between winning and losing but for the middle.
A grade is given only when the whole interval of the rate lies in its band; otherwise both ends are named.
"""

from pipelines.statistics import Interval

BANDS = {
    "very hard": (0.0, 0.05),
    "hard": (0.05, 0.2),
    "medium": (0.2, 0.5),
    "easy": (0.5, 0.8),
    "very easy": (0.8, 1.0),
}
DEFINITION = (
    "Grade: the win rate of the best policy that sees no more than a player does, by its 95 % interval; very hard "
    "below 5 %, hard from 5 to 20 %, medium from 20 to 50 %, easy from 50 to 80 %, very easy from 80 %. "
    "A stronger policy can make a game easier, never harder; random play alone gives no grade."
)


def grade(interval: Interval) -> str:
    """The grade of a rate known to lie in this interval: "hard", or "hard to medium"."""
    names = [_of(bound) for bound in interval]
    return " to ".join(dict.fromkeys(names))


def band(interval: Interval) -> str:
    """The rates that the grade stands for: "5 to 20 % won"."""
    low, high = BANDS[_of(interval[0])][0], BANDS[_of(interval[1])][1]
    return f"{100 * low:g} to {100 * high:g} % won"


def _of(rate: float) -> str:
    return next(name for name, (_, end) in BANDS.items() if rate < end or end == 1)
