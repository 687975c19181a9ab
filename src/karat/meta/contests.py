"""Is one metric better than another? All pairs of metrics under one measure, and ranks that this allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from karat.arguments import check_share
from karat.errors import InputError, SpecError, did_you_mean
from karat.meta.dependent import hotelling, steiger, williams
from karat.meta.measures import AgreementMeasure, MeasureSettings, PointMeasure, all_measures, measure
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
    """How metrics are compared: the test, its draws and seed, alpha, and the correction over all pairs."""

    test: Test = "perm-both"
    n: int = 1000
    seed: int = DEFAULT_SEED
    alpha: float = 0.05
    correction: Correction = "none"

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise SpecError(f"there is no test {self.test!r}.{did_you_mean(self.test, TESTS)}")
        check_correction(self.correction)
        if self.n < 1:
            raise InputError(f"{self.n} draws were asked for; it takes at least 1, better 1000")
        check_share("alpha", self.alpha, 0.05)

    @property
    def analytic(self) -> bool:
        """Whether p comes from a formula, without any draws."""
        return self.test in ANALYTIC


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

    @property
    def shown(self) -> frozenset[tuple[str, str]]:
        """The pairs of which the test shows the first metric to be better than the second."""
        return frozenset((pair.metric, pair.other) for pair in self.pairs if pair.p_adjusted <= self.options.alpha)

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        options = self.options
        drawn = {} if options.analytic else {"draws": options.n, "seed": options.seed}
        ranks = zip(self.order, self.values, self.clusters, strict=True)
        return {
            "measure": self.measure,
            "grouping": self.grouping,
            "n": self.n,
            "test": options.test,
            **drawn,
            "alpha": options.alpha,
            "correction": options.correction,
            "ranking": [{"metric": name, "value": value, "cluster": cluster} for name, value, cluster in ranks],
            "pairs": [pair.to_json() for pair in self.pairs],
        }


def accepts(test: Test, agreement_measure: AgreementMeasure, grouping: Grouping) -> bool:
    """Whether metrics can be compared by a test under a measure and grouping."""
    if not (isinstance(agreement_measure, PointMeasure) and agreement_measure.comparable):
        return False
    return test not in ANALYTIC or (agreement_measure.tests_of_correlations and grouping == "none")


def compare_metrics(
    gold: ArrayLike,
    scores: Mapping[str, ArrayLike],
    name: str = "pearson",
    grouping: Grouping = "none",
    *,
    options: ContestOptions | None = None,
    settings: MeasureSettings | None = None,
    clusters: Labels | None = None,
) -> Contests:
    """Compare all pairs of metrics on the units that all of them have scores of; for all, higher is better."""
    resolved = options or ContestOptions()
    agreement_measure = _accepted_measure(name, grouping, resolved.test)
    tables = [as_table(table) for table in scores.values()]
    shared = np.where(np.isfinite(tables).all(axis=0), as_table(gold), np.nan)
    points = tuple(Points.of(shared, table, grouping, clusters) for table in tables)
    contest = Contest(agreement_measure, points, settings or MeasureSettings())
    values = contest.values
    defined = np.flatnonzero(np.isfinite(values))
    order = defined[np.argsort(-values[defined], kind="stable")]
    names = list(scores)
    pairs = _tested_pairs(contest, names, list(combinations(order.tolist(), 2)), resolved)
    ordered = tuple(names[i] for i in order)
    unranked = Contests(name, grouping, len(points[0]), pairs, ordered, tuple(values[order].tolist()), (), resolved)
    return replace(unranked, clusters=greedy_clusters(ordered, unranked.shown))


def _accepted_measure(name: str, grouping: Grouping, test: Test) -> PointMeasure:
    """The measure, if metrics can be compared under it by the test."""
    agreement_measure = measure(name)
    if not isinstance(agreement_measure, PointMeasure) or not agreement_measure.comparable:
        fit = ", ".join(other for other, known in all_measures().items() if accepts("perm-both", known, grouping))
        raise InputError(f"metrics are not compared under {name}: use one of {fit}")
    if not accepts(test, agreement_measure, grouping):
        raise InputError(f"{test} is about Pearson's correlation of all units together: use perm-both")
    return agreement_measure


def _tested_pairs(
    contest: Contest, names: Sequence[str], pairs: Sequence[tuple[int, int]], options: ContestOptions
) -> tuple[MetricPair, ...]:
    """The pairs with their p-values; a p that is not defined stays so when it is corrected."""
    p = _p_values(contest, pairs, options) if pairs else np.zeros(0)
    adjusted = np.where(np.isnan(p), np.nan, adjust(np.nan_to_num(p, nan=1.0), options.correction))
    values = contest.values.tolist()
    return tuple(
        MetricPair(
            names[metric], names[other], values[metric], values[other], float(p[number]), float(adjusted[number])
        )
        for number, (metric, other) in enumerate(pairs)
    )


def greedy_clusters(order: Sequence[str], better: Set[tuple[str, str]]) -> tuple[int, ...]:
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


def _p_values(contest: Contest, pairs: Sequence[tuple[int, int]], options: ContestOptions) -> Floats:
    if options.test == "perm-both":
        return permutation_p(contest, pairs, n=options.n, seed=options.seed)
    if options.test == "bootstrap":
        return _bootstrap_p(contest, pairs, options)
    with np.errstate(invalid="ignore", divide="ignore"):
        between = np.atleast_2d(np.corrcoef(contest.scores))
    values = contest.values.tolist()
    test, n = ANALYTIC[options.test], len(contest.points)
    return np.array([test(values[metric], values[other], float(between[metric, other]), n) for metric, other in pairs])


def _bootstrap_p(contest: Contest, pairs: Sequence[tuple[int, int]], options: ContestOptions) -> Floats:
    """The share of resamples of clusters (segments, documents, systems) in which the first is no better.

    A cluster that is drawn twice weighs twice; the value moves by the influence of each cluster, which leaving it out
    has shown (the infinitesimal jackknife), so that no measure has to be computed anew.
    """
    units = contest.points.cluster_count
    influence = np.array([(units - 1) * (averaged.value - averaged.left_out) for averaged in contest.averaged])
    values = contest.values
    draws = Draws("full", options.n, units, options.seed)
    reached = np.zeros(len(pairs))
    for block in range(len(draws)):
        weights = draws.block(block) / units
        for number, (metric, other) in enumerate(pairs):
            moved = values[metric] - values[other] + weights @ (influence[metric] - influence[other])
            reached[number] += (moved <= 0).sum()
    return (reached + 1) / (options.n + 1)
