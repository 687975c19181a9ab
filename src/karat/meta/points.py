"""Judgements and scores of the same units: tables of systems by items, and points in groups made from these."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from karat.errors import InputError, SpecError, did_you_mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from karat.meta.averages import Totals

    Floats = NDArray[np.float64]
    Labels = NDArray[np.intp]

Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)


@dataclass(frozen=True, eq=False)
class Points:
    """Units that have both a judgement (`gold`) and a score, sorted by group.

    `clusters` tells what is left out together when an interval is made: a segment under all systems, a whole document,
    or a system. A group of which nothing was judged is none.

    >>> points = Points.of([[1, 2, 3], [4, 5, None]], [[2, 1, 4], [3, 3, 7]], "system")
    >>> points.gold.tolist(), points.offsets.tolist()
    ([1.0, 2.0, 3.0, 4.0, 5.0], [0, 3, 5])
    """

    gold: Floats
    scores: Floats
    offsets: NDArray[np.int64]
    clusters: Labels
    grouping: Grouping

    @classmethod
    def of(
        cls, gold: ArrayLike, scores: ArrayLike, grouping: Grouping = "none", clusters: Labels | None = None
    ) -> Points:
        """Points of two tables, systems by items; None or NaN is missing. A list is one item of many systems."""
        judged = JudgedScores.of(gold, scores)
        if grouping not in GROUPINGS:
            raise SpecError(f"there is no grouping {grouping!r}.{did_you_mean(grouping, GROUPINGS)}")
        systems, items = np.nonzero(np.isfinite(judged.gold) & np.isfinite(judged.scores))
        labels = {"none": np.zeros_like(systems), "item": items, "system": systems}[grouping]
        labels = np.unique(labels, return_inverse=True)[1]
        order = np.argsort(labels, kind="stable")
        # A list of systems has nothing else to leave out than one of these.
        left_out = systems if judged.gold.shape[1] == 1 else items if clusters is None else clusters[items]
        cells = systems[order], items[order]
        counts = np.bincount(labels, minlength=1)
        return cls(
            gold=judged.gold[cells],
            scores=judged.scores[cells],
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            clusters=np.unique(left_out[order], return_inverse=True)[1].astype(np.intp),
            grouping=grouping,
        )

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def group_count(self) -> int:
        """How many groups there are."""
        return len(self.offsets) - 1

    @cached_property
    def groups(self) -> Labels:
        """The group of each point."""
        return np.repeat(np.arange(self.group_count), np.diff(self.offsets))

    @cached_property
    def cluster_count(self) -> int:
        """How many clusters there are to leave out."""
        return int(self.clusters.max()) + 1 if len(self) else 0

    @cached_property
    def nested(self) -> bool:
        """Whether every group lies in one cluster, so that leaving out a cluster leaves out whole groups."""
        return self.grouping == "item" and self.cluster_count > 1

    @cached_property
    def cluster_of_group(self) -> Labels:
        """The cluster of each group, where groups are nested; -1 for those without points."""
        clusters = np.full(self.group_count, -1, dtype=np.intp)
        clusters[self.groups] = self.clusters
        return clusters

    @cached_property
    def known_totals(self) -> dict[tuple[object, ...], Totals]:
        """Totals made once for all measures that are made of them, by what they are."""
        return {}

    @cached_property
    def best_epsilon(self) -> float:
        """The smallest epsilon, one for all groups, that makes accuracy with ties the greatest."""
        from karat.kernels import calibrate_ties

        return calibrate_ties(self.gold, self.scores, self.offsets)[0]

    def sums(self, rows: Floats) -> Floats:
        """Rows added up by group."""
        totals = np.zeros((self.group_count, rows.shape[1]))
        np.add.at(totals, self.groups, rows)
        return totals

    def sums_by_cluster(self, rows: Floats) -> Floats:
        """Rows added up by cluster and group."""
        totals = np.zeros((self.cluster_count, self.group_count, rows.shape[1]))
        np.add.at(totals, (self.clusters, self.groups), rows)
        return totals

    def with_scores(self, scores: Floats) -> Points:
        """The same units with other scores."""
        return Points(self.gold, scores, self.offsets, self.clusters, self.grouping)


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """The scores of one metric beside judgements of the same units, both systems by items, NaN where one is missing."""

    gold: Floats
    scores: Floats
    clusters: Labels | None = None
    higher_is_better: bool = True

    @classmethod
    def of(cls, gold: ArrayLike, scores: ArrayLike, clusters: Labels | None = None) -> JudgedScores:
        """Two tables of the same shape; a list is one item of many systems."""
        judgements, by_metric = as_table(gold), as_table(scores)
        if judgements.shape != by_metric.shape:
            raise InputError(f"there are {judgements.shape} judgements, systems by items, and {by_metric.shape} scores")
        return cls(judgements, by_metric, clusters)

    @cached_property
    def oriented(self) -> Floats:
        """The scores, turned round where lower ones are better."""
        return self.scores if self.higher_is_better else -self.scores

    def points(self, grouping: Grouping, *, oriented: bool) -> Points:
        """The points of one grouping, made once; `oriented` ones have scores of which higher ones are better."""
        key = grouping, oriented and not self.higher_is_better
        if key not in self._points:
            scores = self.oriented if oriented else self.scores
            self._points[key] = Points.of(self.gold, scores, grouping, self.clusters)
        return self._points[key]

    @cached_property
    def _points(self) -> dict[tuple[Grouping, bool], Points]:
        return {}


def as_table(values: ArrayLike) -> Floats:
    """Numbers as systems by items; None and NaN are missing, infinity is refused."""
    table = np.array(values, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, np.newaxis]
    if table.ndim != 2:
        raise InputError(f"scores are a table of systems by items, and not of shape {table.shape}")
    if np.isinf(table).any():
        raise InputError("a score is infinite; leave it out (None) if it is missing")
    return table
