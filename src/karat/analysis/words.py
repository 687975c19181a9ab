"""Which words systems get right: precision, recall and F by frequency, case, kind and label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.analysis.cells import Cells
from karat.analysis.figures import Figure
from karat.analysis.resampling import divided
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.aligned import AlignedWords, Side
    from karat.analysis.figures import Subject
    from karat.analysis.resampling import Resampler

    Positions = NDArray[np.intp]
    Floats = NDArray[np.float64]


MOST_SEGMENTS = 50
"""So many segments of a bucket are kept."""


@dataclass(frozen=True)
class WordScore:
    """The words of one system in a bucket.

    `right` of the `produced` words are in the reference, and `matched` of the `expected` ones are in the output; these
    two differ only where the two sides have labels of their own. `few` where so many words tell nothing.
    """

    system: str
    produced: int
    right: int
    expected: int
    matched: int
    few: bool
    precision: Figure
    recall: Figure
    f: Figure

    def to_json(self) -> dict[str, Any]:
        """Counts, the three rates, and the intervals of each."""
        counts = {"produced": self.produced, "right": self.right, "expected": self.expected, "matched": self.matched}
        bounds = {
            f"{name}_interval": None if figure.interval is None else list(figure.interval)
            for name, figure in (("precision", self.precision), ("recall", self.recall))
        }
        return {
            "system": self.system,
            **counts,
            "few": self.few,
            "precision": self.precision.value,
            "recall": self.recall.value,
            **bounds,
            **self.f.to_json("f"),
        }


@dataclass(frozen=True)
class WordBucket:
    """Words of one kind, and how each system does on them.

    `segments` are those, by position, in which systems differ most in how many of these words are wrong or missing, the
    widest apart first; where they do not, those with most errors, or with most of these words.
    """

    label: str
    scores: tuple[WordScore, ...]
    segments: tuple[int, ...] = ()


@dataclass(frozen=True)
class WordBucketing:
    """One way to sort words into buckets; `about` says what was looked at, where that needs saying."""

    by: str
    buckets: tuple[WordBucket, ...]
    about: str = ""


@dataclass(frozen=True)
class WordAnalysis:
    """How well all systems do on kinds of words; with several references, against the closest by edits."""

    subject: Subject
    tokenize: str
    lowercase: bool
    bucketings: tuple[WordBucketing, ...]

    def to_json(self) -> dict[str, Any]:
        """One entry per bucket and system."""
        return {
            **self.subject.to_json(),
            "tokenize": self.tokenize,
            "lowercase": self.lowercase,
            "reference": "closest" if self.subject.references > 1 else "only",
            "words": [
                {"by": bucketing.by, "bucket": bucket.label, **score.to_json()}
                for bucketing in self.bucketings
                for bucket in bucketing.buckets
                for score in bucket.scores
            ],
            "members": [
                {"by": bucketing.by, "bucket": bucket.label, "segments": self.subject.ids(bucket.segments)}
                for bucketing in self.bucketings
                for bucket in bucketing.buckets
            ],
        }


@dataclass(frozen=True, eq=False)
class Sorting:
    """Which bucket each word is in.

    `types` has the bucket of each type. Where single tokens have labels, `systems` has those of the tokens of each
    system that has any, and `references` those of all references; -1 is no bucket.
    """

    by: str
    labels: tuple[str, ...]
    types: Positions | None = None
    systems: Mapping[str, Positions] = field(default_factory=dict)
    references: Positions | None = None
    about: str = ""

    def of_system(self, name: str, side: Side) -> Positions | None:
        """The bucket of each word of a system; None where its words have no labels."""
        return self.types[side.ids] if self.types is not None else self.systems.get(name)

    def of_reference(self, side: Side) -> Positions:
        """The bucket of each word of the references that count."""
        if self.types is not None:
            return self.types[side.ids]
        assert self.references is not None
        return self.references[side.places]


def words(aligned: AlignedWords, sortings: Sequence[Sorting], subject: Subject, resampler: Resampler) -> WordAnalysis:
    """How well systems do on the words of each bucket."""
    bucketings = tuple(_bucketing(aligned, sorting, subject, resampler) for sorting in sortings)
    return WordAnalysis(subject, aligned.texts.tokenize, aligned.texts.lowercase, bucketings)


def _bucketing(aligned: AlignedWords, sorting: Sorting, subject: Subject, resampler: Resampler) -> WordBucketing:
    counts_of = np.stack([_counts(aligned, sorting, name) for name in subject.systems], axis=2)
    table = resampler.summed(counts_of)  # units, buckets, systems, columns
    baseline = subject.systems.index(subject.baseline)
    labelled = np.array([sorting.of_system(name, aligned.hypothesis(name)) is not None for name in subject.systems])

    def f_of_labelled(sums: Floats) -> Floats:
        # Without labels it is not known what a system produced, which is not to have produced nothing.
        return f_measure(sums * labelled.reshape(-1, *[1] * (sums.ndim - 2)))

    precision, recall, f = resampler.figures_of_each(Cells.of(table), (_precision, _recall, f_of_labelled), baseline)
    counts = table.sum(axis=0).astype(int)
    segments = _telling(counts_of)
    buckets = []
    for b, label in enumerate(sorting.labels):
        if not counts[b].any():
            continue
        scores = tuple(
            _score(name, counts[b, s].tolist(), subject.least, precision[b][s], recall[b][s], f[b][s])
            for s, name in enumerate(subject.systems)
        )
        buckets.append(WordBucket(label, scores, segments[b]))
    return WordBucketing(sorting.by, tuple(buckets), sorting.about)


def _score(system: str, counts: list[int], least: int, precision: Figure, recall: Figure, f: Figure) -> WordScore:
    produced, right, expected, matched = counts
    few = max(produced, expected) < least or (recall.interval is None and precision.interval is None)
    return WordScore(system, produced, right, expected, matched, few, precision, recall, f)


def _counts(aligned: AlignedWords, sorting: Sorting, system: str) -> Floats:
    """Segments by buckets by (produced, right, expected, matched)."""
    size, segments = len(sorting.labels), aligned.texts.segment_count
    hypothesis, reference = aligned.hypothesis(system), aligned.reference(system)
    columns = np.zeros((segments, size, 4))
    for side, buckets, column in (
        (hypothesis, sorting.of_system(system, hypothesis), 0),
        (reference, sorting.of_reference(reference), 2),
    ):
        if buckets is None:
            continue
        cells = 2 * (side.segments * size + buckets) + side.matched
        kept = cells if buckets.min(initial=0) >= 0 else cells[buckets >= 0]
        missed, matched = np.bincount(kept, minlength=2 * segments * size).reshape(segments, size, 2).transpose(2, 0, 1)
        columns[..., column], columns[..., column + 1] = missed + matched, matched
    return columns


def _telling(counts: Floats) -> list[tuple[int, ...]]:
    """For each bucket the segments to look at: where systems differ most in errors, make most, or have most words."""
    produced, right, expected, matched = np.moveaxis(counts, -1, 0)
    errors = produced - right + expected - matched
    most, fewest = errors.max(axis=-1), errors.min(axis=-1) * (errors.shape[-1] > 1)
    apart = most - fewest
    telling = np.where(most.any(axis=0), most, produced[..., 0] + expected[..., 0])
    telling = np.where(apart.any(axis=0), apart, telling)
    order = np.argsort(-telling, axis=0, kind="stable")[:MOST_SEGMENTS]
    return [tuple(order[telling[order[:, b], b] > 0, b].tolist()) for b in range(telling.shape[1])]


def _precision(sums: Floats) -> Floats:
    return divided(sums[..., 1], sums[..., 0])


def _recall(sums: Floats) -> Floats:
    return divided(sums[..., 3], sums[..., 2])


def f_measure(sums: Floats) -> Floats:
    """The harmonic mean of precision and recall; NaN where no word is expected, and 0 where none is produced.

    >>> f_measure(np.array([4.0, 2.0, 2.0, 2.0])).item(), f_measure(np.array([0.0, 0.0, 3.0, 0.0])).item()
    (0.6666666666666666, 0.0)
    """
    precision, recall = _precision(sums), _recall(sums)
    total = precision + recall
    mean = divided(2 * precision * recall, total)
    return np.where((total == 0) | (recall == 0), 0.0, mean)
