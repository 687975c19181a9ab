"""Scores of segments of a kind: by length, document, domain, label, agreement of references, difficulty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.analysis.cells import distinct
from karat.analysis.resampling import FEWEST_UNITS, holds_any
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.figures import Figure, Subject
    from karat.analysis.resampling import Formula, Resampler
    from karat.evidence import Measure
    from karat.identity import Identity
    from karat.rows import Rows

    Positions = NDArray[np.intp]
    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BucketScore:
    """The score of one system under one metric on the segments of a bucket.

    `metric` is its position. `segments` are the system's own, where those of a bucket depend on the system; `few` where
    they tell nothing.
    """

    system: str
    metric: int
    score: Figure
    few: bool
    segments: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Bucket:
    """Segments of one kind, by position, and what systems score on them."""

    label: str
    segments: tuple[int, ...]
    scores: tuple[BucketScore, ...]

    @property
    def few(self) -> bool:
        """Whether that tells nothing of some system."""
        return any(scored.few for scored in self.scores)


@dataclass(frozen=True)
class Bucketing:
    """One way to sort segments into buckets; every segment is in one."""

    by: str
    buckets: tuple[Bucket, ...]


@dataclass(frozen=True)
class Buckets:
    """Scores of all systems under all metrics by kinds of segments."""

    subject: Subject
    metrics: tuple[Identity, ...]
    bucketings: tuple[Bucketing, ...]

    def to_json(self) -> dict[str, Any]:
        """One entry per bucket, system and metric; and the segments of each bucket."""
        return {
            **self.subject.to_json(),
            "metrics": [{**identity.names(), "signature": str(identity.signature)} for identity in self.metrics],
            "buckets": [
                {
                    "by": bucketing.by,
                    "bucket": bucket.label,
                    "count": len(bucket.segments if scored.segments is None else scored.segments),
                    "few": scored.few,
                    "system": scored.system,
                    **self.metrics[scored.metric].names(),
                    **scored.score.to_json("score"),
                }
                for bucketing in self.bucketings
                for bucket in bucketing.buckets
                for scored in bucket.scores
            ],
            "members": [
                {"by": bucketing.by, "bucket": bucket.label, "segments": self.subject.ids(bucket.segments)}
                for bucketing in self.bucketings
                for bucket in bucketing.buckets
            ],
        }


@dataclass(frozen=True, eq=False)
class Grouping:
    """Which bucket each segment is in, for all systems or for each of them; -1 is none."""

    by: str
    labels: tuple[str, ...]
    members: Positions | None = None
    systems: Mapping[str, Positions] = field(default_factory=dict)

    def of_system(self, name: str) -> Positions:
        """The bucket of each segment, as far as a system is concerned."""
        return self.systems[name] if self.members is None else self.members


def buckets(
    measures: Sequence[Measure], groupings: Sequence[Grouping], subject: Subject, resampler: Resampler
) -> Buckets:
    """The scores of all systems under all measures on each bucket."""
    of_systems = (np.concatenate([m.rows[name].values for m in measures], axis=1) for name in subject.systems)
    values = np.stack([of_system.astype(np.float64) for of_system in of_systems], axis=1)
    bucketings = tuple(_bucketing(measures, values, grouping, subject, resampler) for grouping in groupings)
    return Buckets(subject, tuple(measure.identity for measure in measures), bucketings)


def _bucketing(
    measures: Sequence[Measure], values: Floats, grouping: Grouping, subject: Subject, resampler: Resampler
) -> Bucketing:
    """`values` are the rows of all measures side by side: segments by systems by columns."""
    own = grouping.members is None
    figures = _figures(measures, values, grouping, subject, resampler)
    made = []
    for b, label in enumerate(grouping.labels):
        segments = {name: np.flatnonzero(grouping.of_system(name) == b) for name in subject.systems}
        everywhere = distinct(np.concatenate(list(segments.values())))
        if not len(everywhere):
            continue
        few = {name: _few(of_system, subject, resampler) for name, of_system in segments.items()}
        scores = tuple(
            BucketScore(name, m, of_measure[b][s], few[name], tuple(segments[name].tolist()) if own else None)
            for m, of_measure in enumerate(figures)
            for s, name in enumerate(subject.systems)
            if len(segments[name])
        )
        made.append(Bucket(label, tuple(everywhere.tolist()), scores))
    return Bucketing(grouping.by, tuple(made))


def _few(segments: Positions, subject: Subject, resampler: Resampler) -> bool:
    return len(segments) < subject.least or len(distinct(resampler.unit_of[segments])) < FEWEST_UNITS


def _figures(
    measures: Sequence[Measure], values: Floats, grouping: Grouping, subject: Subject, resampler: Resampler
) -> list[list[list[Figure]]]:
    """Measures by buckets by systems; systems whose buckets hold other segments are not compared."""
    first = subject.systems[0]
    widths = [len(measure.rows[first].columns) for measure in measures]
    formulas = [
        _formula(measure.rows[first], slice(end - width, end))
        for measure, width, end in zip(measures, widths, accumulate(widths), strict=True)
    ]
    if grouping.members is not None:
        members, baseline = grouping.members, subject.systems.index(subject.baseline)
    else:
        members, baseline = np.stack([grouping.systems[name] for name in subject.systems], axis=1), None
    return resampler.figures_of_each(resampler.cells(values, members, len(grouping.labels)), formulas, baseline)


def _formula(rows: Rows, columns: slice) -> Formula:
    """The score by the columns of one measure, where there are any segments."""

    def formula(sums: Floats) -> Floats:
        own = sums[..., columns]
        scores = rows.aggregate(own)
        there = holds_any(own)
        return scores if there.all() else np.where(there, scores, np.nan)

    return formula
