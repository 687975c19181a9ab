"""How well predicted quality ranks segments: DeltaAvg.

Callison-Burch et al. (2012), Findings of the 2012 Workshop on Statistical Machine Translation, section 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


def delta_avg(gold: ArrayLike, predicted: ArrayLike, quantiles: int | None = None) -> float:
    """How much better than the whole set its upper parts are, when it is sorted by prediction, best first.

    With `quantiles`, DeltaAvg[n]; else the mean over all n from 2 to half the number of segments. Parts are as long as
    the number of segments divided by n, rounded down; segments that are predicted alike keep their order.

    >>> delta_avg([5, 4, 3, 2, 1, 0], [6, 5, 4, 3, 2, 1], 2)
    1.5
    >>> delta_avg([5, 4, 3, 2, 1, 0], [6, 5, 4, 3, 2, 1])
    1.5
    """
    values, by = np.asarray(gold, dtype=float), np.asarray(predicted, dtype=float)
    if values.shape != by.shape or values.ndim != 1:
        raise InputError(f"there are {values.size} judgements and {by.size} predictions: give one for each segment")
    if len(values) < 4:
        raise InputError(
            f"DeltaAvg cuts a set into halves at least: {len(values)} segments are too few, give 4 or more"
        )
    if quantiles is not None and not 2 <= quantiles <= len(values):
        raise InputError(f"{len(values)} segments cannot be cut into {quantiles} parts")
    ranked = values[np.argsort(-by, kind="stable")]
    heads = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    wanted = [quantiles] if quantiles is not None else range(2, len(ranked) // 2 + 1)
    return float(np.mean([_delta(heads, n) for n in wanted]))


def _delta(heads: Floats, quantiles: int) -> float:
    """The mean of the heads that end with each part but the last, less the mean of all."""
    length = len(heads) // quantiles
    ends = np.arange(1, quantiles) * length - 1
    return float(heads[ends].mean() - heads[-1])
