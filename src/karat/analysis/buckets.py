"""Scores of segments of a kind: by length, document, domain, label, agreement of references, difficulty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.analysis.resampling import FEWEST_UNITS, summed_by_place

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

    `metric` is its position. `segments` are the system's own, where those of a bucket depend on the system.
    """

    system: str
    metric: int
    score: Figure
    segments: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Bucket:
    """Segments of one kind, by position, and what systems score on them; `few` where that tells nothing."""

    label: str
    segments: tuple[int, ...]
    few: bool
    scores: tuple[BucketScore, ...]


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
                    "few": bucket.few,
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
    bucketings = tuple(_bucketing(measures, grouping, subject, resampler) for grouping in groupings)
    return Buckets(subject, tuple(measure.identity for measure in measures), bucketings)


def _bucketing(measures: Sequence[Measure], grouping: Grouping, subject: Subject, resampler: Resampler) -> Bucketing:
    own = grouping.members is None
    figures = _figures(measures, grouping, subject, resampler)
    made = []
    for b, label in enumerate(grouping.labels):
        segments = {name: np.flatnonzero(grouping.of_system(name) == b) for name in subject.systems}
        everywhere = np.unique(np.concatenate(list(segments.values())))
        if not len(everywhere):
            continue
        scores = tuple(
            BucketScore(name, m, of_measure[b][s], tuple(segments[name].tolist()) if own else None)
            for m, of_measure in enumerate(figures)
            for s, name in enumerate(subject.systems)
            if len(segments[name])
        )
        few = min(len(of_system) for of_system in segments.values()) < subject.least or _few_units(
            everywhere, resampler
        )
        made.append(Bucket(label, tuple(everywhere.tolist()), few, scores))
    return Bucketing(grouping.by, tuple(made))


def _few_units(segments: Positions, resampler: Resampler) -> bool:
    return len(np.unique(resampler.unit_of[segments])) < FEWEST_UNITS


def _figures(
    measures: Sequence[Measure], grouping: Grouping, subject: Subject, resampler: Resampler
) -> list[list[list[Figure]]]:
    """Measures by buckets by systems; systems whose buckets hold other segments are not compared."""
    widths = [len(measure.rows[subject.systems[0]].columns) for measure in measures]
    ends = list(accumulate(widths))
    table = np.zeros((resampler.units.count, len(grouping.labels), len(subject.systems), ends[-1]))
    for s, name in enumerate(subject.systems):
        members = grouping.of_system(name)
        kept = members >= 0
        values = np.concatenate([measure.rows[name].values for measure in measures], axis=1)
        places = resampler.unit_of[kept] * len(grouping.labels) + members[kept]
        present, sums = summed_by_place(values[kept], places)
        table.reshape(-1, *table.shape[2:])[present, s] = sums
    formulas = [
        _formula(measure.rows[subject.systems[0]], slice(end - width, end))
        for measure, width, end in zip(measures, widths, ends, strict=True)
    ]
    baseline = None if grouping.members is None else subject.systems.index(subject.baseline)
    return resampler.figures_of_each(table, formulas, baseline)


def _formula(rows: Rows, columns: slice) -> Formula:
    """The score by the columns of one measure, where there are any segments."""

    def formula(sums: Floats) -> Floats:
        own = sums[..., columns]
        return np.where(own.any(axis=-1), rows.aggregate(own), np.nan)

    return formula
