"""Tests of two correlations with the same judgements, which are not independent: Williams, Hotelling, Steiger.

Williams (1959), The comparison of regression variables; Hotelling (1940), The selection of variates for use in
prediction; Steiger (1980), Tests for comparing elements of a correlation matrix. Graham and Baldwin (2014) brought
Williams' test to metrics.
"""

from __future__ import annotations

from math import atanh, nan, sqrt

from karat.significance.quantiles import NORMAL


def williams(first: float, second: float, between: float, n: int) -> float:
    """The one-sided p of the first correlation being no greater; `between` is that of the two metrics.

    >>> round(williams(0.94, 0.80, 0.85, 12), 4)
    0.0271
    """
    determinant = _determinant(first, second, between)
    below = 2 * determinant * (n - 1) / (n - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3 if n > 3 else 0.0
    return _student((first - second) * sqrt((n - 1) * (1 + between) / below), n - 3) if below > 0 else nan


def hotelling(first: float, second: float, between: float, n: int) -> float:
    """The same by Hotelling's older test, which claims too much when the correlations are small samples' own.

    >>> round(hotelling(0.94, 0.80, 0.85, 12), 4)
    0.0256
    """
    determinant = _determinant(first, second, between)
    if n <= 3 or determinant <= 0:
        return nan
    return _student((first - second) * sqrt((n - 3) * (1 + between) / (2 * determinant)), n - 3)


def steiger(first: float, second: float, between: float, n: int) -> float:
    """The same by Steiger's test on Fisher's scale.

    >>> round(steiger(0.94, 0.80, 0.85, 12), 4)
    0.0243
    """
    mean = (first + second) / 2
    if n <= 3 or max(abs(first), abs(second), abs(mean)) >= 1:
        return nan
    covariance = between * (1 - 2 * mean**2) - mean**2 * (1 - 2 * mean**2 - between**2) / 2
    spread = 2 - 2 * covariance / (1 - mean**2) ** 2
    if spread <= 0:
        return nan
    return NORMAL.cdf(-(atanh(first) - atanh(second)) * sqrt((n - 3) / spread))


def _determinant(first: float, second: float, between: float) -> float:
    return 1 - first**2 - second**2 - between**2 + 2 * first * second * between


def _student(t: float, freedom: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(freedom, -t))
