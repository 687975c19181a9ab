"""Soft pairwise accuracy: does a metric see differences between systems as clearly as people do?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.meta.jackknife import jackknife_interval
from karat.meta.measures.base import AgreementMeasure, MeasuredAgreement, MeasureSettings, register
from karat.meta.points import JudgedScores
from karat.significance.draws import DEFAULT_SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from karat.meta.points import Grouping

    Floats = NDArray[np.float64]

EXACT_UP_TO = 13
"""So many segments can change signs in all ways; more are drawn at random."""

TOLERANCE = 1e-9
"""Sums that differ by less than this share of what was added up are equal."""


@register
class SoftPairwiseAccuracy(AgreementMeasure):
    r"""Whether a metric sees differences between systems as clearly as people do.

    Formula
    -------
    $$\mathrm{SPA} = 1 - \frac{1}{\binom{n}{2}} \sum_{i < j} |p^h_{ij} - p^m_{ij}|$$

    Use when
    --------
    Metrics are compared by how they rank systems, and there are scores of segments on both sides.

    Do not use when
    ---------------
    Only scores of systems are known, or people judged so few segments that no difference is clear to them.

    What karat does
    ---------------
    p is one-sided, from paired permutations of segment scores: exact for up to 13 segments, else of 1,000 draws (10,000
    if you like) from a seed, the same draws for all pairs and metrics. As great a difference as the one seen counts
    with the greater ones, as in the paper; with few segments, or scores that tie, p and therefore the value depend a
    little on which system of a pair comes first.

    Example
    -------
    >>> from karat.meta import soft_pairwise_accuracy
    >>> soft_pairwise_accuracy([[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]).value
    0.875
    """

    name = "spa"
    title = "Soft pairwise accuracy"
    short_title = "SPA"
    family = "Pairs"
    citation = "thompson-etal-2024-improving"
    bounds = (0.0, 1.0)
    levels = ("system",)
    wants_segments = True
    order_of_systems_matters = True

    def why_undefined(self, settings: MeasureSettings) -> str:  # noqa: ARG002
        """What it is made of."""
        return "without two systems that share a segment"

    def evaluate(self, judged: JudgedScores, grouping: Grouping, settings: MeasureSettings) -> MeasuredAgreement:  # noqa: ARG002
        """The value over all pairs of systems; segments are never grouped."""
        soft = soft_pairwise_accuracy(judged.gold, judged.oriented, n=settings.draws, seed=settings.seed)
        systems = len(soft.left_out)
        return MeasuredAgreement(
            measure=self.name,
            grouping="none",
            value=soft.value,
            n=systems,
            groups=1,
            groups_undefined=int(np.isnan(soft.value)),
            interval=jackknife_interval(soft.value, soft.left_out, settings.confidence, bounds=self.bounds),
            units=systems,
            pairs=soft.pairs,
            draws=soft.draws,
        )


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
    judged = JudgedScores.of(gold, scores)
    both = np.isfinite(judged.gold) & np.isfinite(judged.scores)
    used = both.sum(axis=0) > 1
    by_people, by_metric = (np.where(both, table, np.nan)[:, used] for table in (judged.gold, judged.scores))
    draws = None if by_people.shape[1] <= EXACT_UP_TO else n
    distances = np.abs(p_values(by_people, n=draws, seed=seed) - p_values(by_metric, n=draws, seed=seed))
    pairs = np.array(list(combinations(range(len(by_people)), 2))).reshape(-1, 2)
    return SoftAccuracy(
        value=1 - float(distances.mean()) if len(pairs) and used.any() else float("nan"),
        left_out=_without_each(distances, pairs, len(by_people)),
        pairs=len(pairs),
        segments=int(used.sum()),
        draws=draws,
    )


def p_values(scores: Floats, *, n: int | None, seed: int = DEFAULT_SEED) -> Floats:
    """For each pair of systems, in order, the p of the first being better: exact, or of `n` random changes of signs."""
    first, second = np.triu_indices(len(scores), 1)
    differences = np.nan_to_num(scores[first] - scores[second], nan=0.0).T
    if n is None:
        return _share(_all_signs(len(differences)), differences) / 2.0 ** len(differences)
    draws = Draws("swap", n, len(differences), seed)
    reached = np.zeros(len(first))
    for block in range(len(draws)):
        reached += _share(1 - 2 * draws.block(block), differences)
    return reached / n


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
