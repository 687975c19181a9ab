"""Quantiles of the normal and of Student's distribution, without loading scipy where it can be avoided."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from statistics import NormalDist

NORMAL = NormalDist()
EXPANSION_FROM = 30
"""Degrees of freedom from which the expansion of Student's quantile is good to six digits."""


def student_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t.

    >>> round(student_quantile(0.975, 49), 4), round(student_quantile(0.975, 4), 4)
    (2.0096, 2.7764)
    """
    if freedom < EXPANSION_FROM:
        from scipy.special import stdtrit

        return float(stdtrit(freedom, probability))
    z = NORMAL.inv_cdf(probability)
    # Cornish and Fisher's expansion in 1/freedom.
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom ** (i + 1)) for i, term in enumerate(terms))


@lru_cache(maxsize=1024)
def widening(units: int, resample: str, tail: float) -> float:
    """How much wider the spread of resamples must be made where few units leave the probability `tail` beyond it.

    A resample of `units` units with replacement has (units - 1)/units of the variance it should have, and a normal
    tail where Student's belongs; halves without replacement lack only the second.

    >>> round(widening(10, "full", 0.025), 3), round(widening(3000, "full", 0.025), 4)
    (1.217, 1.0006)
    """
    half = units // 2
    shrunk = units / (units - 1) if resample == "full" else half / (units - half)
    return sqrt(shrunk) * student_quantile(1 - tail, units - 1) / NORMAL.inv_cdf(1 - tail)
