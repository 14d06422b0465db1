"""Intervals and tests for win rates. Counts are numbers of deals; rates, bounds and p-values are fractions of 1.

Sources:
* Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209-212.
* Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
  Statistics in Medicine 17 (1998) 873-890, method 10.
* Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data",
  Statistics in Medicine 17 (1998) 2635-2650, method 10.
* McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
  Psychometrika 12 (1947) 153-157; here the exact test, a sign test on the discordant pairs.
* Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979) 65-70.
* Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics 41
   (1970) 1397-1409: intervals that are valid however long one goes on, from a mixture of likelihood ratios and Ville's
   inequality. The mixture is over Jeffreys' prior, Beta(1/2, 1/2), as Krichevsky and Trofimov (1981) use it.
"""

from collections.abc import Callable, Sequence
from math import copysign, exp, hypot, inf, lgamma, log, pi, sqrt

Z95 = 1.959963984540054  # the normal quantile at 0.975
EVIDENCE = log(
    20
)  # of 95 %: a likelihood ratio that is 1 on average comes to 20 at any time with probability 5 % at most
Interval = tuple[float, float]


def wilson(wins: int, n: int) -> Interval:
    """Wilson's 95 % score interval of a win rate; [0, 1] when nothing was played."""
    return wilson_share(wins / n, n) if n else (0.0, 1.0)


def wilson_share(rate: float, n: float) -> Interval:
    """The same of a rate that is known as well as from n independent deals; n need not be whole."""
    z2 = Z95 * Z95
    centre = (n * rate + z2 / 2) / (n + z2)
    half = Z95 * sqrt(n * rate * (1 - rate) + z2 / 4) / (n + z2)
    return (0.0 if rate == 0 else centre - half), (1.0 if rate == 1 else centre + half)


def mcnemar(gained: int, lost: int) -> float:
    """McNemar's exact two-sided p: twice the smaller tail of Binomial(gained + lost, 1/2), at most 1.

    The first term of the tail is found in logarithms and the others follow from it by their ratio i / (n - i + 1), so
    nothing overflows. For 10^7 discordant pairs p is right to about 7 digits; below 1e-308 it is 0.
    """
    n, k = gained + lost, min(gained, lost)
    if gained == lost:
        return 1.0
    first = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2)
    return min(1.0, 2 * exp(first) * _tail(n, k))


def _tail(n: int, k: int) -> float:
    """The sum of C(n, i) for i = 0..k, divided by C(n, k); terms below the precision of a float are left out."""
    total = term = 1.0
    for i in range(k, 0, -1):
        term *= i / (n - i + 1)
        total += term
        if term < 1e-17 * total:
            break
    return total


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's adjusted p of each of several tests: below 0.05 in one where nothing differs happens in 5 % of tables."""
    adjusted, least = [0.0] * len(ps), 0.0
    for rank, i in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        adjusted[i] = least = max(least, min(1.0, (len(ps) - rank) * ps[i]))
    return adjusted


def unpaired_difference(wins_from: int, n_from: int, wins_to: int, n_to: int) -> Interval:
    """Newcombe's 95 % interval of rate(to) - rate(from), two independent samples; [-1, 1] if one of them is empty."""
    if n_from == 0 or n_to == 0:
        return -1.0, 1.0
    return _of_counts(wins_from, n_from, wins_to, n_to, 0.0)


def paired_difference(both: int, gained: int, lost: int, neither: int) -> Interval:
    """Newcombe's 95 % interval of rate(to) - rate(from) on the same deals; [-1, 1] when there are none.

    Of the pairs `both` were won on both sides, `gained` only by `to`, `lost` only by `from`. It is no wider than the
    unpaired interval unless the two sides are negatively correlated.
    """
    n = both + gained + lost + neither
    if n == 0:
        return -1.0, 1.0
    return _of_counts(both + lost, n, both + gained, n, phi(both, gained, lost, neither))


def phi(both: int, gained: int, lost: int, neither: int) -> float:
    """The correlation of the two sides, corrected for continuity as in Newcombe's method 10.

    He corrects only a positive one. Rare wins, of which the two sides share none, would then always seem negatively
    correlated: with a few wins each in 100,000 deals that is what independent sides look like. So both signs are.
    """
    margins = (both + gained, lost + neither, both + lost, gained + neither)
    if 0 in margins:
        return 0.0
    product = both * neither - gained * lost
    corrected = copysign(max(abs(product) - sum(margins) / 4, 0.0), product)  # the margins sum to 2n: this is n / 2
    return corrected / (sqrt(margins[0] * margins[1]) * sqrt(margins[2] * margins[3]))


def _of_counts(wins_from: int, n_from: int, wins_to: int, n_to: int, correlation: float) -> Interval:
    side_from = wins_from / n_from, wilson(wins_from, n_from)
    return square_and_add(side_from, (wins_to / n_to, wilson(wins_to, n_to)), correlation)


def square_and_add(a: tuple[float, Interval], b: tuple[float, Interval], correlation: float) -> Interval:
    """The interval of b - a from the rate and the interval of each: the distances of the bounds from their rates,
    combined as standard errors would be.
    """
    (rate_a, (low_a, high_a)), (rate_b, (low_b, high_b)) = a, b
    down = _combined(rate_b - low_b, high_a - rate_a, correlation)
    up = _combined(high_b - rate_b, rate_a - low_a, correlation)
    return max(-1.0, rate_b - rate_a - down), min(1.0, rate_b - rate_a + up)


def _combined(x: float, y: float, correlation: float) -> float:
    """sqrt(x^2 - 2 correlation x y + y^2), written without a difference of near equals."""
    return hypot(x - y, sqrt(2 * (1 - correlation) * x * y))


def log_evidence(k: int, n: int, p: float) -> float:
    """Evidence against a probability p, in k successes of n trials: the log of the mixture's likelihood over that of p.

    Under p its exponential is a martingale that begins at 1, whatever n is stopped at (Ville 1939).
    """
    mixture = lgamma(k + 0.5) + lgamma(n - k + 0.5) - lgamma(n + 1) - log(pi)
    return mixture - _times_log(k, p) - _times_log(n - k, 1 - p)


def _times_log(k: int, p: float) -> float:
    """k log p, where 0 log 0 is 0."""
    return 0.0 if k == 0 else k * log(p) if p > 0 else -inf


def anytime_interval(k: int, n: int) -> Interval:
    """Robbins' 95 % confidence sequence of a rate: right at all n at once, so also at one where it was stopped.

    The rates against which there is less evidence than EVIDENCE; it grows on both sides of k / n.
    """
    if n == 0:
        return 0.0, 1.0
    low = 0.0 if k == 0 else _crossing(lambda p: log_evidence(k, n, p), k / n, 0.0)
    high = 1.0 if k == n else _crossing(lambda p: log_evidence(k, n, p), k / n, 1.0)
    return low, high


def _crossing(evidence: Callable[[float], float], inside: float, outside: float) -> float:
    """Where the evidence passes EVIDENCE between a rate within the interval and one outside, found by halving."""
    while True:
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            return outside
        inside, outside = (middle, outside) if evidence(middle) < EVIDENCE else (inside, middle)
