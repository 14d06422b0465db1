"""Intervals and tests against published values, exact arithmetic, and formulas written out a second way."""

import random
from fractions import Fraction
from math import comb, sqrt

import pytest

from pipelines.statistics import mcnemar, paired_difference, phi, unpaired_difference, wilson


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_published(wins: int, n: int, low: float, high: float) -> None:
    assert wilson(wins, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10**8)[0] == 0.0
    assert wilson(10**10, 10**10)[1] == 1.0


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (0, 1), (3, 3), (0, 10), (12, 5), (5, 12), (250, 300), (1, 900)])
def test_mcnemar_is_the_exact_binomial(gained: int, lost: int) -> None:
    n, k = gained + lost, min(gained, lost)
    tail = Fraction(2 * sum(comb(n, i) for i in range(k + 1)), 2**n)
    assert mcnemar(gained, lost) == pytest.approx(float(min(tail, Fraction(1))), rel=1e-9)


@pytest.mark.parametrize(
    ("gained", "lost", "p"),  # to 40 digits with mpmath
    [(5_000_000, 4_990_000, 0.00155860876829882), (4_997_000, 5_003_000, 0.0578212853158375)],
)
def test_mcnemar_large(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p, rel=1e-7)


def test_mcnemar_never_exceeds_one() -> None:
    assert max(mcnemar(k + d, k) for k in (0, 1, 2, 50, 10**6) for d in (0, 1, 2)) == 1.0
    assert mcnemar(10**7, 1) == 0.0


def test_unpaired_published() -> None:
    """56/70 against 48/80: Newcombe, Statistics in Medicine 17 (1998) 873-890, table II (a), method 10."""
    assert unpaired_difference(48, 80, 56, 70) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_paired_published() -> None:
    """Bentur et al. (2009), 1, 1, 7, 12: Fagerland, Lydersen, Laake, Statistics in Medicine 33 (2014) 2850-2875."""
    assert paired_difference(1, 1, 7, 12) == pytest.approx((-0.507, -0.026), abs=5e-4)


def test_paired_as_newcombe_writes_it() -> None:
    """Method 10 with a, b, c, d in the paper's form, on random tables of pairs; a negative numerator corrected too."""
    rng = random.Random(1)
    for _ in range(300):
        a, b, c, d = (rng.randint(1, 10 ** rng.randint(1, 5)) for _ in range(4))
        n, numerator = a + b + c + d, a * d - b * c
        corrected = 0 if abs(numerator) < n / 2 else numerator - n / 2 if numerator > 0 else numerator + n / 2
        f = corrected / sqrt((a + b) * (c + d) * (a + c) * (b + d))
        p1, p2, (l1, u1), (l2, u2) = (a + b) / n, (a + c) / n, wilson(a + b, n), wilson(a + c, n)
        low = p1 - p2 - sqrt((p1 - l1) ** 2 - 2 * f * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
        high = p1 - p2 + sqrt((p2 - l2) ** 2 - 2 * f * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2)
        assert paired_difference(a, b, c, d) == pytest.approx((low, high), abs=1e-7)


def test_paired_is_no_wider_than_unpaired_unless_the_sides_disagree() -> None:
    rng = random.Random(2)
    for _ in range(1000):
        both, gained, lost, neither = (rng.randint(0, 10 ** rng.randint(0, 4)) for _ in range(4))
        n = both + gained + lost + neither
        low, high = paired_difference(both, gained, lost, neither)
        wide_low, wide_high = unpaired_difference(both + lost, n, both + gained, n)
        if phi(both, gained, lost, neither) >= 0:
            assert high - low <= wide_high - wide_low + 1e-12
        assert -1 <= low <= high <= 1


def test_differences_of_nothing() -> None:
    assert paired_difference(0, 0, 0, 0) == (-1.0, 1.0)
    assert unpaired_difference(0, 0, 5, 10) == (-1.0, 1.0)
    assert phi(0, 0, 0, 10) == 0.0
