"""Every measure by its name: what it computes, and between which bounds it lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError, SpecError, did_you_mean
from karat.meta import correlations, pairs
from karat.meta.jackknife import jackknife_interval
from karat.meta.points import Points
from karat.meta.prediction import delta_avg
from karat.meta.soft import soft_pairwise_accuracy
from karat.significance.draws import DEFAULT_SEED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from karat.meta.averages import Averaged
    from karat.meta.points import Grouping, Labels

ANYTHING = (-np.inf, np.inf)
FEWEST_POINTS, DELTA_BLOCKS = 4, 100


@dataclass(frozen=True)
class Measure:
    """One way to say how well scores agree with judgements.

    `signed` measures keep the sign of a metric for which lower is better; the others see its scores turned round.
    `calibrated` ones tie scores that differ by an epsilon or less, chosen so that the accuracy is greatest.
    """

    name: str
    title: str
    compute: Callable[..., Averaged] | None
    bounds: tuple[float, float] = (-1.0, 1.0)
    signed: bool = False
    calibrated: bool = False
    threshold: bool = False
    by_pairs: bool = False
    higher_is_better: bool = True


MEASURES = {
    one.name: one
    for one in (
        Measure("pearson", "Pearson", correlations.pearson, signed=True),
        Measure("r2", "R²", correlations.r_squared, (0.0, 1.0)),
        Measure("pearson-difference", "Pearson of differences", correlations.pearson_of_differences, signed=True),
        Measure("spearman", "Spearman", correlations.spearman, signed=True),
        Measure("kendall-a", "Kendall a", pairs.kendall_a, signed=True, by_pairs=True),
        Measure("kendall-b", "Kendall b", pairs.kendall_b, signed=True, by_pairs=True),
        Measure("kendall-c", "Kendall c", pairs.kendall_c, signed=True, by_pairs=True),
        Measure("kendall-like", "Kendall-like", pairs.kendall_like, threshold=True, by_pairs=True),
        Measure("accuracy", "Accuracy", pairs.accuracy, (0.0, 1.0), by_pairs=True),
        Measure("acc-eq", "acc-eq", pairs.accuracy_with_ties, (0.0, 1.0), calibrated=True, by_pairs=True),
        Measure("acc-eq-plain", "acc-eq, ε = 0", pairs.accuracy_with_ties, (0.0, 1.0), by_pairs=True),
        Measure("tau-eq", "tau-eq", pairs.kendall_with_ties, calibrated=True, by_pairs=True),
        Measure("tau-eq-plain", "tau-eq, ε = 0", pairs.kendall_with_ties, by_pairs=True),
        Measure("spa", "SPA", None, (0.0, 1.0)),
        Measure("mae", "MAE", correlations.mean_absolute_error, (0.0, np.inf), signed=True, higher_is_better=False),
        Measure(
            "rmse", "RMSE", correlations.root_mean_squared_error, (0.0, np.inf), signed=True, higher_is_better=False
        ),
        Measure("delta-avg", "DeltaAvg", None, ANYTHING),
    )
}
STANDARD = tuple(name for name in MEASURES if name not in ("mae", "rmse", "delta-avg"))
"""What is computed if nothing is asked for; the others are about predictions on the scale of the judgements."""


def measure(name: str) -> Measure:
    """The measure of that name."""
    if name not in MEASURES:
        raise SpecError(f"there is no measure {name!r}.{did_you_mean(name, MEASURES)}")
    return MEASURES[name]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the measures need to know: WMT's threshold, draws and seed of soft accuracy, the level of intervals.

    `epsilon` ties scores in place of the calibrated one.
    """

    minimum: float = 0.0
    epsilon: float | None = None
    draws: int = 1000
    seed: int = DEFAULT_SEED
    level: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise InputError(f"the level of an interval is between 0 and 1, such as 0.95, and not {self.level}")
        if self.draws < 1:
            raise InputError(f"{self.draws} draws were asked for; it takes at least 1, better 1000")
        if self.minimum < 0 or (self.epsilon is not None and self.epsilon < 0):
            raise InputError("thresholds are not negative: give 25, for instance")


@dataclass(frozen=True)
class Measured:
    """A measure of one table of scores; NaN where it is not defined, with the groups that had no value counted."""

    measure: str
    grouping: Grouping
    value: float
    n: int
    groups: int
    groups_undefined: int
    interval: tuple[float, float] | None
    units: int
    pairs: int | None = None
    epsilon: float | None = None
    minimum: float | None = None
    draws: int | None = None

    def to_json(self) -> dict[str, Any]:
        """What is said of the value in the JSON form."""
        optional = {"pairs": self.pairs, "epsilon": self.epsilon, "minimum": self.minimum, "draws": self.draws}
        return {
            "grouping": self.grouping,
            "measure": self.measure,
            "value": None if np.isnan(self.value) else self.value,
            "n": self.n,
            **{key: value for key, value in optional.items() if value is not None},
            "groups": self.groups,
            "groups_undefined": self.groups_undefined,
            "interval": None if self.interval is None else list(self.interval),
            "units": self.units,
        }


def evaluate(
    name: str,
    gold: ArrayLike,
    scores: ArrayLike,
    grouping: Grouping = "none",
    *,
    settings: Settings | None = None,
    clusters: Labels | None = None,
) -> Measured:
    """One measure of a table of scores, systems by items, beside the same table of judgements.

    >>> found = evaluate("kendall-b", [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]], "system")
    >>> round(found.value, 3), found.n, found.groups
    (0.575, 6, 2)
    """
    chosen, wanted = measure(name), settings or Settings()
    if chosen.name == "spa":
        return _soft(gold, scores, wanted)
    points = Points.of(gold, scores, grouping, clusters)
    if chosen.name == "delta-avg":
        return _delta(points, wanted)
    return of_points(chosen, points, wanted)


def of_points(chosen: Measure, points: Points, settings: Settings) -> Measured:
    """A measure that is made of sums or of pairs."""
    if chosen.compute is None:
        raise InputError(f"{chosen.name} is not made of points")
    epsilon = None
    if chosen.calibrated:
        epsilon = pairs.best_epsilon(points) if settings.epsilon is None else settings.epsilon
    minimum = settings.minimum if chosen.threshold else None
    extra = {"epsilon": epsilon, "minimum": minimum}
    found = chosen.compute(points, **{key: value for key, value in extra.items() if value is not None})
    return Measured(
        measure=chosen.name,
        grouping=points.grouping,
        value=found.value,
        n=len(points),
        groups=found.groups,
        groups_undefined=found.undefined,
        interval=jackknife_interval(found.value, found.left_out, settings.level, bounds=chosen.bounds),
        units=points.cluster_count,
        pairs=pairs.pair_total(points, minimum or 0.0) if chosen.by_pairs else None,
        epsilon=epsilon,
        minimum=minimum,
    )


def _soft(gold: ArrayLike, scores: ArrayLike, settings: Settings) -> Measured:
    found = soft_pairwise_accuracy(gold, scores, n=settings.draws, seed=settings.seed)
    systems = len(found.left_out)
    return Measured(
        measure="spa",
        grouping="none",
        value=found.value,
        n=systems,
        groups=1,
        groups_undefined=int(np.isnan(found.value)),
        interval=jackknife_interval(found.value, found.left_out, settings.level, bounds=(0.0, 1.0)),
        units=systems,
        pairs=found.pairs,
        draws=found.draws,
    )


def _delta(points: Points, settings: Settings) -> Measured:
    """DeltaAvg of all points together: it ranks segments, whatever system they are of.

    Each value without some units is computed anew, so clusters are left out in no more than a hundred blocks.
    """
    if len(points) < FEWEST_POINTS:
        return Measured("delta-avg", "none", float("nan"), len(points), 1, 1, None, points.cluster_count)
    value = delta_avg(points.gold, points.scores)
    blocks = points.clusters % min(points.cluster_count, DELTA_BLOCKS)
    kept = [blocks != block for block in range(int(blocks.max()) + 1)]
    enough = all(of.sum() >= FEWEST_POINTS for of in kept)
    left_out = np.array([delta_avg(points.gold[of], points.scores[of]) for of in kept] if enough else [np.nan])
    interval = jackknife_interval(value, left_out, settings.level, bounds=ANYTHING)
    return Measured("delta-avg", "none", value, len(points), 1, 0, interval, points.cluster_count)
