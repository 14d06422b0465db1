"""Several plays of each deal: how far winning lies in the deal, and how far in the play.

A deal's plays are alike in the cards and differ in the random choices of the policy. What is known of them is a count:
how many deals were played m times and won y times. Sources:

* The intraclass correlation of the analysis of variance, (MSB - MSW) / (MSB + (n0 - 1) MSW): Ridout, Demétrio and
  Firth, "Estimating intraclass correlation for binary data", Biometrics 55 (1999) 137-148. It is the share of the
  variance of winning that lies between deals: 1 if the cards alone decide, 0 if they do not matter. Two plays of one
  deal disagree (1 - correlation) times as often as two plays of different deals.
* Its error: the jackknife over deals, as for any function of means; see Arvesen and Schmitz, "Robust procedures for
  variance component problems using the jackknife", Biometrics 26 (1970) 677-686.
* Its interval: with r the rate of the rarer of winning and losing, a play ends in that way with the chance
  q = r + correlation (1 - r) when another play of its deal does. Wilson's interval of q, for as many deals as its error
  is worth, is read back: it stays honest where wins are few and none, or each, comes twice.
"""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from pipelines.statistics import Interval, square_and_add, wilson_share

Counts = Mapping[tuple[int, int], int]  # (plays, wins) of a deal: how many deals


class Moments(NamedTuple):
    """Of deals that two sides played: how many, and sums over them of the share of plays that each side won."""

    deals: int
    a: float
    b: float
    aa: float
    bb: float
    ab: float


class Sums(NamedTuple):
    """What the mean squares follow from, summed over deals."""

    deals: float
    plays: float
    wins: float
    plays_squared: float
    wins_squared: float  # y^2 / m

    @property
    def usual_plays(self) -> float:
        """n0: plays of a deal; their mean, but for deals that were played more often than others."""
        return (self.plays - self.plays_squared / self.plays) / (self.deals - 1)

    @property
    def correlation(self) -> float:
        """(MSB - MSW) / (MSB + (n0 - 1) MSW)."""
        between = (self.wins_squared - self.wins**2 / self.plays) / (self.deals - 1)
        within = (self.wins - self.wins_squared) / (self.plays - self.deals)
        return (between - within) / (between + (self.usual_plays - 1) * within)


TINY = 1e-12
HOLDS = (lambda m, y: m > 1, lambda m, y: y > 0, lambda m, y: y < m)  # several plays, a win, a loss


def sums(counts: Counts) -> Sums:
    columns = [(n, n * m, n * y, n * m * m, n * y * y / m) for (m, y), n in counts.items()]
    return Sums(*map(sum, zip(*columns, strict=True))) if columns else Sums(0, 0, 0, 0, 0)


def without(total: Sums, m: int, y: int) -> Sums:
    """The sums when a deal of m plays and y wins is left out."""
    return Sums(*(a - b for a, b in zip(total, (1, m, y, m * m, y * y / m), strict=True)))


def win_interval(counts: Counts) -> Interval:
    """Wilson's 95 % interval of the win rate over all plays, for as many plays as would tell as much if each had a deal
    of its own: plays of one deal are alike. With one play of each deal that is Wilson's interval itself.
    """
    total = sums(counts)
    if total.deals == 0:
        return 0.0, 1.0
    rate = total.wins / total.plays
    spread = sum(n * (y - m * rate) ** 2 for (m, y), n in counts.items())
    worth = rate * (1 - rate) * total.plays**2 / spread if spread > TINY else total.deals
    return wilson_share(rate, worth)


def gap_interval(pairs: Moments) -> Interval:
    """The 95 % interval of the rate of b less that of a: Newcombe's for pairs (see `statistics`), with the correlation
    of the sides' shares as it is; it differs from `paired_difference` only in the correction for continuity.
    """
    n = pairs.deals
    if n == 0:
        return -1.0, 1.0
    a, b, spread_a, spread_b = pairs.a / n, pairs.b / n, pairs.aa - pairs.a**2 / n, pairs.bb - pairs.b**2 / n
    worth_a, worth_b = (rate * (1 - rate) * n**2 / s if s > TINY else n for rate, s in ((a, spread_a), (b, spread_b)))
    constant = min(spread_a, spread_b) <= TINY
    correlation = 0.0 if constant else (pairs.ab - pairs.a * pairs.b / n) / sqrt(spread_a * spread_b)
    return square_and_add((a, wilson_share(a, worth_a)), (b, wilson_share(b, worth_b)), min(1.0, correlation))


def deal_share(counts: Counts) -> tuple[float, float, float] | None:
    """The share of the variance of winning that lies between deals, and its 95 % interval, all within [0, 1].

    None where it means nothing: without two deals each that were played twice, that were won, and that were lost.
    """
    total = sums(counts)
    several, won, lost = (sum(n for deal, n in counts.items() if holds(*deal)) for holds in HOLDS)
    if min(several, won, lost) < 2:
        return None
    rarer = counts if total.wins <= total.plays / 2 else {(m, m - y): n for (m, y), n in counts.items()}
    rate = sums(rarer).wins / total.plays
    low, high = ((q - rate) / (1 - rate) for q in _again(rarer, rate))
    share, low, high = (min(1.0, max(0.0, x)) for x in (total.correlation, low, high))
    return share, min(share, low), max(share, high)


def _again(counts: Counts, rate: float) -> Interval:
    """The interval of the chance that a play ends in the rarer way, given that another of the same deal does."""
    total = sums(counts)
    trials = sum(n * (m - 1) for (m, y), n in counts.items() if y and m > 1)
    if not any(y > 1 for (_, y), n in counts.items() if n):
        return wilson_share(0.0, trials)
    if not any(0 < y < m for (m, y), n in counts.items() if n):
        return wilson_share(1.0, sum(n for (_, y), n in counts.items() if y))
    again = min(1.0, max(0.0, rate + total.correlation * (1 - rate)))
    error = _jackknife(counts, total) * (1 - rate)
    return wilson_share(again, again * (1 - again) / error**2)


def _jackknife(counts: Counts, total: Sums) -> float:
    """The standard error of the correlation, from leaving out each deal in turn; equal deals at once."""
    left_out = [(without(total, m, y).correlation, n) for (m, y), n in counts.items() if n]
    mean = sum(n * x for x, n in left_out) / total.deals
    return sqrt((total.deals - 1) / total.deals * sum(n * (x - mean) ** 2 for x, n in left_out))
