"""Simulated truth: 95 % intervals hold the true value in 94 to 96 % of 10,000 repeats, and tests equal those of others.

What is random is drawn at once with numpy, from the distribution of the counts that the intervals take; the seeds are
fixed, so that the shares found are the same in each run. Their own standard error is 0.2 %.
"""

from collections.abc import Iterable
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import betabinom, binomtest, f_oneway
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from pipelines.statistics import holm, mcnemar, paired_difference, unpaired_difference, wilson
from pipelines.variance import Moments, deal_share, gap_interval, win_interval

REPEATS = 10_000
Interval = tuple[float, float]


def dice(*seed: object) -> np.random.Generator:
    return np.random.default_rng(list(repr(seed).encode()))


def covered(truth: float, intervals: Iterable[Interval]) -> float:
    """The share of the intervals that hold the truth."""
    return float(np.mean([low <= truth <= high for low, high in intervals]))


def good(share: float) -> bool:
    return 0.94 <= share <= 0.96


@pytest.mark.parametrize(("rate", "n"), [(0.5, 1000), (0.2, 1000), (0.0573, 2000), (0.99, 3000)])
def test_win_rates(rate: float, n: int) -> None:
    wins = dice(rate).binomial(n, rate, REPEATS).tolist()
    assert good(covered(rate, (wilson(k, n) for k in wins)))


PAIRS = {  # won by both, gained, lost, neither
    "independent": (0.06, 0.14, 0.24, 0.56),
    "alike": (0.30, 0.05, 0.02, 0.63),
    "never worse": (0.10, 0.063, 0.0, 0.837),
    "rare": (0.004, 0.006, 0.002, 0.988),
    "no difference": (0.1, 0.1, 0.1, 0.7),
    "opposed": (0.05, 0.35, 0.40, 0.20),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_paired_differences(kind: str) -> None:
    shares = PAIRS[kind]
    drawn = dice(kind).multinomial(20_000 if kind == "rare" else 2000, shares, REPEATS).tolist()
    assert good(covered(shares[1] - shares[2], (paired_difference(*counts) for counts in drawn)))


def test_paired_differences_of_few_wins() -> None:
    """A dozen wins on a side: Newcombe's correction for continuity promises less than it could, never more."""
    drawn = dice("few").multinomial(2000, PAIRS["rare"], REPEATS).tolist()
    assert 0.95 <= covered(0.004, (paired_difference(*counts) for counts in drawn)) <= 0.97


def test_unpaired_differences() -> None:
    a, b = dice("a").binomial(1500, 0.2, REPEATS).tolist(), dice("b").binomial(1000, 0.26, REPEATS).tolist()
    drawn = zip(a, b, strict=True)
    assert good(covered(0.06, (unpaired_difference(k, 1500, m, 1000) for k, m in drawn)))


def plays(rate: float, share: float, times: int, deals: int) -> list[dict[tuple[int, int], int]]:
    """For each repeat, how many of the deals were won so often when each was played so many times.

    A deal's own rate is drawn from the beta distribution that puts `share` of the variance of winning between deals.
    """
    spread = 1 / share - 1
    chances = betabinom.pmf(np.arange(times + 1), times, rate * spread, (1 - rate) * spread)
    drawn = dice(rate, share, times).multinomial(deals, chances, REPEATS).tolist()
    return [{(times, y): n for y, n in enumerate(counts) if n} for counts in drawn]


@pytest.mark.parametrize(
    ("rate", "share", "times", "deals"), [(0.3, 0.4, 2, 1000), (0.06, 0.2, 3, 2000), (0.7, 0.05, 4, 1000)]
)
def test_luck_and_skill(rate: float, share: float, times: int, deals: int) -> None:
    """How much of the variance lies between deals, and the win rate from several plays of each."""
    repeats = plays(rate, share, times, deals)
    shares = [found for counts in repeats if (found := deal_share(counts))]
    assert len(shares) == REPEATS
    assert good(covered(share, ((low, high) for _, low, high in shares)))
    assert np.mean([found for found, _, _ in shares]) == pytest.approx(share, abs=0.005)
    assert good(covered(rate, map(win_interval, repeats)))


def test_deals_that_do_not_matter() -> None:
    """Nothing lies between deals: the interval cannot be below the truth, so it holds it more often."""
    chances = [0.49, 0.42, 0.09]
    drawn = dice("coins").multinomial(1000, chances, REPEATS).tolist()
    found = [deal_share({(2, y): n for y, n in enumerate(counts)}) for counts in drawn]
    assert covered(0.0, [(x[1], x[2]) for x in found if x]) == pytest.approx(0.975, abs=0.01)


@pytest.mark.parametrize("times", [1, 2])
def test_the_gap(times: int) -> None:
    """Two policies whose plays of a deal both depend on it; each type of deal is a number of wins of each side."""
    levels = [(0.2, (0.9, 0.5)), (0.3, (0.4, 0.1)), (0.5, (0.05, 0.02))]  # share of deals, rates of b and of a there
    types = list(product(range(times + 1), repeat=2))
    binomial = {1: lambda p: (1 - p, p), 2: lambda p: ((1 - p) ** 2, 2 * p * (1 - p), p * p)}[times]
    chances = [sum(w * binomial(a)[i] * binomial(b)[j] for w, (b, a) in levels) for i, j in types]
    truth = sum(w * (b - a) for w, (b, a) in levels)
    shares: NDArray[Any] = np.array(types) / times
    columns = np.stack([np.ones(len(types)), *shares.T, *(shares**2).T, shares[:, 0] * shares[:, 1]], axis=1)
    drawn = dice("gap", times).multinomial(1000, chances, REPEATS) @ columns
    assert good(covered(truth, (gap_interval(Moments(*row)) for row in drawn.tolist())))


def test_mcnemar_is_that_of_scipy_and_statsmodels() -> None:
    for gained, lost in [*dice("mcnemar").integers(0, 60, (200, 2)).tolist(), [0, 5], [7, 0], [900, 1000]]:
        if gained + lost:
            p = binomtest(gained, gained + lost).pvalue
            assert mcnemar(gained, lost) == pytest.approx(p, rel=1e-9)
            assert mcnemar_of_statsmodels([[3, gained], [lost, 9]], exact=True).pvalue == pytest.approx(p, rel=1e-9)


def test_holm_is_that_of_statsmodels() -> None:
    random = dice("holm")
    for n in (1, 2, 5, 40):
        ps = (random.random(n) ** 4).round(3).tolist()
        assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1].tolist(), rel=1e-12)
    assert holm([]) == []


def test_holm_errs_in_one_table_of_twenty() -> None:
    tables = dice("family").random((REPEATS, 20)).tolist()
    assert np.mean([min(holm(ps)) < 0.05 for ps in tables]) == pytest.approx(0.05, abs=0.007)


def test_intervals_are_those_of_statsmodels() -> None:
    for k, n in ((0, 20), (3, 20), (81, 263), (999, 1000)):
        assert wilson(k, n) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-12)
    theirs = confint_proportions_2indep(56, 70, 48, 80, method="newcomb")
    assert unpaired_difference(48, 80, 56, 70) == pytest.approx(theirs, abs=1e-9)


def test_the_share_between_deals_is_that_of_the_analysis_of_variance() -> None:
    """Deals of three plays each, with F from SciPy; and of unequal numbers, with the mean squares written out."""
    wins = dice("anova").binomial(3, dice("rates").random(60))
    outcomes = [[1] * y + [0] * (3 - y) for y in wins.tolist()]
    f = f_oneway(*outcomes).statistic
    found = deal_share(counted(outcomes))
    assert found
    assert found[0] == pytest.approx((f - 1) / (f + 2), rel=1e-9)
    uneven = [[1, 1], [0], [1, 0, 0], [0, 0], [1], [1, 1, 1, 0], [0, 0, 0]]
    found = deal_share(counted(uneven))
    assert found
    assert found[0] == pytest.approx(by_hand(uneven), rel=1e-9)
    assert found[1] <= found[0] <= found[2]


def counted(outcomes: list[list[int]]) -> dict[tuple[int, int], int]:
    deals = [(len(plays), sum(plays)) for plays in outcomes]
    return {deal: deals.count(deal) for deal in deals}


def by_hand(outcomes: list[list[int]]) -> float:
    n, k = sum(map(len, outcomes)), len(outcomes)
    grand = sum(map(sum, outcomes)) / n
    means = [sum(plays) / len(plays) for plays in outcomes]
    between = sum(len(x) * (mean - grand) ** 2 for x, mean in zip(outcomes, means, strict=True)) / (k - 1)
    within = sum((y - mean) ** 2 for x, mean in zip(outcomes, means, strict=True) for y in x) / (n - k)
    usual = (n - sum(len(x) ** 2 for x in outcomes) / n) / (k - 1)
    return max(0.0, (between - within) / (between + (usual - 1) * within))


def test_one_play_of_each_deal_is_wilson_and_says_nothing_of_luck() -> None:
    assert win_interval({(1, 0): 182, (1, 1): 81}) == pytest.approx(wilson(81, 263))
    assert win_interval({}) == (0.0, 1.0)
    for counts in ({}, {(1, 0): 5, (1, 1): 5}, {(2, 0): 9}, {(2, 2): 9}, {(3, 0): 9, (3, 2): 1}):
        assert deal_share(counts) is None


def test_plays_that_are_all_alike_count_as_one() -> None:
    """Ten times the same play is worth one: the interval is that of the deals."""
    assert win_interval({(10, 0): 182, (10, 10): 81}) == pytest.approx(wilson(81, 263))
    found = deal_share({(10, 0): 182, (10, 10): 81})
    assert found
    assert (found[0], found[2]) == (1.0, 1.0)
    assert 0.93 < found[1] < 0.96


def test_few_wins_say_little_of_luck() -> None:
    """Four wins in four deals of a thousand: whether a deal once won would be won again is hardly known."""
    found = deal_share({(3, 0): 996, (3, 1): 4})
    assert found
    assert found[0] < 0.001
    assert found[2] == pytest.approx(wilson(0, 8)[1], abs=0.01)


def test_the_gap_of_single_plays_is_newcombes() -> None:
    """Without the correction for continuity, which many deals make small."""
    both, gained, lost, neither = 3000, 1500, 800, 4700
    n, a, b = 10_000, both + lost, both + gained
    found = gap_interval(Moments(n, a, b, a, b, both))
    assert found == pytest.approx(paired_difference(both, gained, lost, neither), abs=2 / sqrt(n) / 100)
    assert gap_interval(Moments(0, 0, 0, 0, 0, 0)) == (-1.0, 1.0)
    assert gap_interval(Moments(100, 0, 0, 0, 0, 0))[0] < 0
