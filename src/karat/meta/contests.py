"""Is one metric better than another? All pairs of metrics under one measure, and ranks that this allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from karat.errors import InputError, SpecError, did_you_mean
from karat.meta.dependent import hotelling, steiger, williams
from karat.meta.measures import Measure, Settings, measure, of_points
from karat.meta.pairs import best_epsilon
from karat.meta.permutation import Contest, permutation_p
from karat.meta.points import Grouping, Points, as_table
from karat.significance.draws import DEFAULT_SEED, Draws
from karat.significance.multiple import Correction, adjust, check_correction

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from karat.meta.points import Labels

    Floats = NDArray[np.float64]

Test = Literal["perm-both", "williams", "hotelling", "steiger", "bootstrap"]
TESTS: tuple[Test, ...] = get_args(Test)
ANALYTIC = {"williams": williams, "hotelling": hotelling, "steiger": steiger}


@dataclass(frozen=True, kw_only=True)
class ContestOptions:
    """How metrics are compared: the test, its draws and seed, the level, and the correction over all pairs."""

    test: Test = "perm-both"
    n: int = 1000
    seed: int = DEFAULT_SEED
    level: float = 0.05
    correction: Correction = "none"

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise SpecError(f"there is no test {self.test!r}.{did_you_mean(self.test, TESTS)}")
        check_correction(self.correction)
        if self.n < 1:
            raise InputError(f"{self.n} draws were asked for; it takes at least 1, better 1000")
        if not 0 < self.level < 1:
            raise InputError(f"the level is between 0 and 1, such as 0.05, and not {self.level}")


@dataclass(frozen=True)
class MetricPair:
    """Two metrics, the better one first; p is one-sided, that of the first being no better."""

    metric: str
    other: str
    value: float
    other_value: float
    p: float
    p_adjusted: float

    @property
    def difference(self) -> float:
        """By how much the first is better."""
        return self.value - self.other_value

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        numbers = {"p": self.p, "p_adjusted": self.p_adjusted}
        undefined = {key: None if np.isnan(value) else value for key, value in numbers.items()}
        names = ("metric", "other", "value", "other_value", "difference")
        return {**{name: getattr(self, name) for name in names}, **undefined}


@dataclass(frozen=True)
class Contests:
    """All pairs of metrics under one measure, and the metrics from the best to the worst with their clusters."""

    measure: str
    grouping: Grouping
    n: int
    pairs: tuple[MetricPair, ...]
    order: tuple[str, ...]
    values: tuple[float, ...]
    clusters: tuple[int, ...]
    options: ContestOptions

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        how = self.options
        drawn = {} if how.test in ANALYTIC else {"draws": how.n, "seed": how.seed}
        ranks = zip(self.order, self.values, self.clusters, strict=True)
        return {
            "measure": self.measure,
            "grouping": self.grouping,
            "n": self.n,
            "test": how.test,
            **drawn,
            "alpha": how.level,
            "correction": how.correction,
            "ranking": [{"metric": name, "value": value, "cluster": cluster} for name, value, cluster in ranks],
            "pairs": [one.to_json() for one in self.pairs],
        }


def compare_metrics(
    gold: ArrayLike,
    scores: Mapping[str, ArrayLike],
    name: str = "pearson",
    grouping: Grouping = "none",
    *,
    options: ContestOptions | None = None,
    settings: Settings | None = None,
    clusters: Labels | None = None,
) -> Contests:
    """Compare all pairs of metrics on the units that all of them have scores of; for all, higher is better."""
    how, wanted = options or ContestOptions(), settings or Settings()
    chosen = measure(name)
    if chosen.compute is None or not chosen.higher_is_better:
        raise InputError(f"metrics are not compared under {name}: use pearson, kendall-b, accuracy or acc-eq")
    tables = [as_table(table) for table in scores.values()]
    shared = np.isfinite(tables).all(axis=0)
    points = [Points.of(np.where(shared, as_table(gold), np.nan), table, grouping, clusters) for table in tables]
    contest = _contest(chosen, points, wanted)
    values = contest.values
    defined = np.flatnonzero(np.isfinite(values))
    order = defined[np.argsort(-values[defined], kind="stable")]
    pairs = list(combinations(order.tolist(), 2))
    p = _p_values(contest, points, pairs, how) if pairs else np.zeros(0)
    adjusted = np.where(np.isnan(p), np.nan, adjust(np.nan_to_num(p, nan=1.0), how.correction))
    names = list(scores)
    made = tuple(
        MetricPair(names[a], names[b], float(values[a]), float(values[b]), float(p[k]), float(adjusted[k]))
        for k, (a, b) in enumerate(pairs)
    )
    ordered = tuple(names[i] for i in order)
    ranks = greedy_clusters(ordered, {(one.metric, one.other) for one in made if one.p_adjusted <= how.level})
    return Contests(name, grouping, len(points[0]), made, ordered, tuple(values[order].tolist()), ranks, how)


def _contest(chosen: Measure, points: Sequence[Points], settings: Settings) -> Contest:
    """The metrics with the epsilons that suit them, and their values."""
    epsilons = np.zeros(len(points))
    if chosen.calibrated:
        epsilons[:] = [best_epsilon(one) if settings.epsilon is None else settings.epsilon for one in points]
    found = [
        of_points(chosen, one, replace(settings, epsilon=float(epsilon)))
        for one, epsilon in zip(points, epsilons, strict=True)
    ]
    values = np.array([one.value for one in found])
    return Contest(points[0], np.array([one.scores for one in points]), values, epsilons, chosen.name, settings)


def greedy_clusters(order: Sequence[str], better: set[tuple[str, str]]) -> tuple[int, ...]:
    """The cluster of each metric, as at WMT: a new one begins with a metric that one of the cluster is better than.

    >>> greedy_clusters(["a", "b", "c"], {("a", "c")})
    (1, 1, 2)
    """
    clusters: list[int] = []
    members: list[str] = []
    current = 1
    for name in order:
        if any((member, name) in better for member in members):
            current, members = current + 1, []
        members.append(name)
        clusters.append(current)
    return tuple(clusters)


def _p_values(
    contest: Contest, points: Sequence[Points], pairs: Sequence[tuple[int, int]], how: ContestOptions
) -> Floats:
    if how.test == "perm-both":
        return permutation_p(contest, pairs, n=how.n, seed=how.seed)
    if how.test == "bootstrap":
        return _bootstrap_p(contest, points, pairs, how)
    if contest.measure != "pearson" or contest.points.grouping != "none":
        raise InputError(f"{how.test} is about Pearson's correlation of all units together: use perm-both")
    with np.errstate(invalid="ignore", divide="ignore"):
        between = np.atleast_2d(np.corrcoef(contest.scores))
    values = contest.values.tolist()
    test, n = ANALYTIC[how.test], len(contest.points)
    return np.array([test(values[a], values[b], float(between[a, b]), n) for a, b in pairs])


def _bootstrap_p(
    contest: Contest, points: Sequence[Points], pairs: Sequence[tuple[int, int]], how: ContestOptions
) -> Floats:
    """The share of resamples of clusters (segments, documents, systems) in which the first is no better.

    A cluster that is drawn twice weighs twice; the value moves by the influence of each cluster, which leaving it out
    has shown (the infinitesimal jackknife), so that no measure has to be computed anew.
    """
    chosen = measure(contest.measure)
    if chosen.compute is None:
        raise InputError(f"there is no bootstrap of {contest.measure}")
    extra = [{"epsilon": float(e)} if chosen.calibrated else {} for e in contest.epsilons]
    if chosen.threshold:
        extra = [{"minimum": contest.settings.minimum} for _ in points]
    found = [chosen.compute(one, **more) for one, more in zip(points, extra, strict=True)]
    units = points[0].cluster_count
    influence = np.array([(units - 1) * (one.value - one.left_out) for one in found])
    draws = Draws("full", how.n, units, how.seed)
    reached = np.zeros(len(pairs))
    for block in range(len(draws)):
        weights = draws.block(block) / units
        for k, (a, b) in enumerate(pairs):
            moved = found[a].value - found[b].value + weights @ (influence[a] - influence[b])
            reached[k] += (moved <= 0).sum()
    return (reached + 1) / (how.n + 1)
