"""Soft pairwise accuracy: does a metric see differences between systems as clearly as people do?

Thompson, Mathur, Deutsch and Khayrallah (2024), Improving Statistical Significance in Human Evaluation of Automatic
Metrics via Soft Pairwise Accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.meta.points import as_table
from karat.significance.draws import DEFAULT_SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

EXACT_UP_TO = 13
"""So many segments can change signs in all ways; more are drawn at random."""

TOLERANCE = 1e-9
"""Sums that differ by less than this share of what was added up are equal."""


@dataclass(frozen=True, eq=False)
class SoftAccuracy:
    """The value, its values without one system each, and how p was found; `draws` is None where it is exact."""

    value: float
    left_out: Floats
    pairs: int
    segments: int
    draws: int | None


def soft_pairwise_accuracy(
    gold: ArrayLike, scores: ArrayLike, *, n: int = 1000, seed: int = DEFAULT_SEED
) -> SoftAccuracy:
    """One less the mean over pairs of systems of how far the two p-values are apart.

    The tables are systems by segments; the p of a pair is that of the first system being better than the second, as
    great a difference counted with the greater ones.

    >>> soft_pairwise_accuracy([[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]).value
    0.875
    """
    people, metric = as_table(gold), as_table(scores)
    if people.shape != metric.shape:
        raise InputError(f"there are {people.shape} judgements, systems by segments, and {metric.shape} scores")
    there = np.isfinite(people) & np.isfinite(metric)
    used = there.sum(axis=0) > 1
    people, metric = (np.where(there, table, np.nan)[:, used] for table in (people, metric))
    exact = people.shape[1] <= EXACT_UP_TO
    distances = np.abs(
        p_values(people, n=None if exact else n, seed=seed) - p_values(metric, n=None if exact else n, seed=seed)
    )
    pairs = np.array(list(combinations(range(len(people)), 2))).reshape(-1, 2)
    return SoftAccuracy(
        value=1 - float(distances.mean()) if len(pairs) and used.any() else float("nan"),
        left_out=_without_each(distances, pairs, len(people)),
        pairs=len(pairs),
        segments=int(used.sum()),
        draws=None if exact else n,
    )


def p_values(scores: Floats, *, n: int | None, seed: int = DEFAULT_SEED) -> Floats:
    """For each pair of systems, in order, the p of the first being better: exact, or of `n` random changes of signs."""
    first, second = np.triu_indices(len(scores), 1)
    differences = np.nan_to_num(scores[first] - scores[second], nan=0.0).T
    if n is None:
        return _share(_all_signs(len(differences)), differences) / 2.0 ** len(differences)
    draws = Draws("swap", n, len(differences), seed)
    found = np.zeros(len(first))
    for block in range(len(draws)):
        found += _share(1 - 2 * draws.block(block), differences)
    return found / n


def _share(signs: Floats, differences: Floats) -> Floats:
    """How many of the signs give as great a sum as the differences have, or a greater one."""
    tolerance = TOLERANCE * np.abs(differences).sum(axis=0)
    counted: Floats = (signs @ differences >= differences.sum(axis=0) - tolerance).sum(axis=0).astype(float)
    return counted


def _all_signs(count: int) -> Floats:
    numbers = np.arange(2**count)[:, np.newaxis]
    flipped = ((numbers >> np.arange(count)) & 1).astype(np.float64)
    return 1 - 2 * flipped


def _without_each(distances: Floats, pairs: NDArray[np.intp], systems: int) -> Floats:
    """The value of the pairs that do not have a system, for each."""
    if systems < 3:
        return np.full(systems, np.nan)
    lost = sum(np.bincount(pairs[:, side], distances, minlength=systems) for side in (0, 1))
    left: Floats = 1 - (distances.sum() - np.asarray(lost)) / (len(pairs) - (systems - 1))
    return left
