"""PERM-BOTH: is one metric better than another, or might they change places?

Deutsch, Dror and Roth (2021), A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods. The
scores of both metrics are put on one scale (z), then swapped unit by unit at random.

The difference of a measure that is a mean over pairs of units is linear in the swaps. Let s be +1 for a unit whose
scores stay and -1 for one whose scores are swapped, and T(x, y) be what a pair adds with these scores. Then unit i adds
s_i / 2 times the sum over all j of T(a_i, a_j) - T(b_i, b_j) + T(a_i, b_j) - T(b_i, a_j), and a thousand permutations
are one product of matrices. Correlations are made of sums that are linear in the swaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.kernels import pair_counts
from karat.meta.correlations import correlation
from karat.meta.measures import Settings, measure, of_points
from karat.significance.draws import Draws

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.points import Points

    Floats = NDArray[np.float64]
    Pairs = Sequence[tuple[int, int]]

KINDS = {
    "kendall-a": ((1, -1, 0, 0, 0), 5),
    "kendall-like": ((1, -1, -1, 0, 0), 3),
    "accuracy": ((1, 0, 0, 0, 0), 3),
    "acc-eq": ((1, 0, 0, 0, 1), 5),
    "acc-eq-plain": ((1, 0, 0, 0, 1), 5),
    "tau-eq": ((1, -1, -1, -1, 1), 5),
    "tau-eq-plain": ((1, -1, -1, -1, 1), 5),
}
"""What each of the five kinds of pairs adds, and how many of the kinds (in order) are counted in all."""


@dataclass(frozen=True, eq=False)
class Contest:
    """Several metrics on the same units: `points` has the units, `scores` is metrics by units, higher is better."""

    points: Points
    scores: Floats
    values: Floats
    epsilons: Floats
    measure: str
    settings: Settings

    def standardized(self) -> tuple[Floats, Floats]:
        """Scores as z over all units, and the epsilons on that scale; a metric that does not vary is 0 throughout."""
        deviations = self.scores.std(axis=1, keepdims=True)
        scale = np.where(deviations > 0, deviations, 1.0)
        return (self.scores - self.scores.mean(axis=1, keepdims=True)) / scale, self.epsilons / scale[:, 0]


def permutation_p(contest: Contest, pairs: Pairs, *, n: int, seed: int) -> Floats:
    """For each pair of metrics the p of the first being no better than the second: one-sided, the data counted in."""
    draws = Draws("swap", n, len(contest.points), seed)
    differences = _differences(contest, pairs)
    reached = np.zeros(len(pairs))
    observed = differences(np.zeros((1, len(contest.points))))[0]
    tolerance = 1e-9 * np.maximum(np.abs(observed), 1e-3)
    for block in range(len(draws)):
        reached += (differences(draws.block(block)) >= observed - tolerance).sum(axis=0)
    return (reached + 1) / (n + 1)


def _differences(contest: Contest, pairs: Pairs) -> Callable[[Floats], Floats]:
    """A function from swaps (draws by units) to differences of the measure (draws by pairs of metrics)."""
    if contest.measure in KINDS:
        weights = _unit_weights(contest, pairs)
        return lambda swaps: (1 - 2 * swaps) @ weights
    if contest.measure in ("pearson", "r2"):
        return _correlations(contest, pairs)
    return _anew(contest, pairs)


def _unit_weights(contest: Contest, pairs: Pairs) -> Floats:
    """What each unit adds to the difference of each pair of metrics as long as its scores stay."""
    scores, epsilons = contest.standardized()
    points = contest.points
    adds, counted = KINDS[contest.measure]
    minimum = contest.settings.minimum if contest.measure == "kendall-like" else 0.0

    def worth(first: int, second: int) -> Floats:
        # Between two metrics, scores tie that differ by no more than the mean of both epsilons.
        epsilon = float(epsilons[first] + epsilons[second]) / 2
        counts = pair_counts(
            points.gold, scores[first], points.offsets, others=scores[second], minimum=minimum, epsilon=epsilon
        )
        found: Floats = counts @ np.array(adds, dtype=float)
        return found

    share = _share_of_pair(points, minimum, counted, pooled=contest.measure == "kendall-like")
    alone = {metric: worth(metric, metric) for pair in pairs for metric in pair}
    columns = [(alone[a] - alone[b] + worth(a, b) - worth(b, a)) * share / 2 for a, b in pairs]
    return np.column_stack(columns)


def _share_of_pair(points: Points, minimum: float, counted: int, *, pooled: bool) -> Floats:
    """By how much one pair of a unit's group counts in the mean over groups."""
    counts = pair_counts(points.gold, points.scores, points.offsets, minimum=minimum)[:, :counted]
    totals = points.sums(counts.astype(float)).sum(axis=1) / 2
    if pooled:
        return np.full(len(points), 1 / max(totals.sum(), 1))
    defined = totals > 0
    shares = np.divide(1.0, totals, out=np.zeros_like(totals), where=defined) / max(int(defined.sum()), 1)
    found: Floats = shares[points.groups]
    return found


def _correlations(contest: Contest, pairs: Pairs) -> Callable[[Floats], Floats]:
    """Pearson's correlation by group from the sums of what stays and what is swapped."""
    points = contest.points
    scores, _ = contest.standardized()
    gold = points.gold - points.gold.mean()
    features = np.stack([scores, scores**2, scores * gold], axis=-1)
    by_group = [slice(*points.offsets[g : g + 2]) for g in range(points.group_count) if np.diff(points.offsets)[g] > 1]
    fixed = np.array([[of.stop - of.start, gold[of].sum(), (gold[of] ** 2).sum()] for of in by_group])
    totals = np.stack([features[:, of].sum(axis=1) for of in by_group])

    def value(sums: Floats) -> Floats:
        count, by_people, squares = (np.broadcast_to(fixed[:, i], sums.shape[:-1]) for i in range(3))
        scale = np.ones_like(count)
        rows = [
            count,
            by_people,
            sums[..., 0],
            squares,
            sums[..., 1],
            sums[..., 2],
            scale,
            scale,
        ]
        found = correlation(np.stack(rows, axis=-1))
        found = found**2 if contest.measure == "r2" else found
        defined = np.isfinite(found)
        mean: Floats = np.where(defined, found, 0.0).sum(axis=-1) / np.maximum(defined.sum(axis=-1), 1)
        return mean

    def differences(swaps: Floats) -> Floats:
        flat = features.transpose(1, 0, 2).reshape(len(points), -1)
        swapped = np.stack([swaps[:, of] @ flat[of] for of in by_group], axis=1)
        swapped = swapped.reshape(len(swaps), len(by_group), len(scores), 3)
        made = []
        for a, b in pairs:
            moved = swapped[:, :, b] - swapped[:, :, a]
            made.append(value(totals[:, a] + moved) - value(totals[:, b] - moved))
        return np.stack(made, axis=-1)

    return differences


def _anew(contest: Contest, pairs: Pairs) -> Callable[[Floats], Floats]:
    """Any other measure, computed anew for every permutation: slow, and honest."""
    scores, _ = contest.standardized()
    chosen = measure(contest.measure)

    def value(of: Floats) -> float:
        return of_points(chosen, contest.points.with_scores(of), contest.settings).value

    def differences(swaps: Floats) -> Floats:
        made = np.empty((len(swaps), len(pairs)))
        for i, swap in enumerate(swaps > 0):
            for k, (a, b) in enumerate(pairs):
                first, second = np.where(swap, scores[b], scores[a]), np.where(swap, scores[a], scores[b])
                made[i, k] = value(first) - value(second)
        return made

    return differences
