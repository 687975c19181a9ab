"""The smallest p that a test can give at all: where it lies above alpha, no result is evidence of anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.significance import adjust

if TYPE_CHECKING:
    from karat.significance.multiple import Correction


def smallest_rank_sum_p(first: int, second: int) -> float:
    """The least two-sided p of the rank-sum test of so many values: all of one sample alike, and all of the other.

    Ties make the variance of U smaller, so that this goes below the p of samples without them.
    """
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(np.zeros(first), np.ones(second), method="asymptotic").pvalue)


def smallest_adjusted(smallest: Sequence[float], correction: Correction) -> list[float]:
    """The least corrected p of every pair: that of all pairs being as clear as they can be, since p's grow together.

    >>> smallest_adjusted([0.0625, 0.0625, 0.0625], "holm")
    [0.1875, 0.1875, 0.1875]
    """
    return [float(p) for p in adjust(list(smallest), correction)] if smallest else []
