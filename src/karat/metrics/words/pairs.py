"""Metrics that compare a hypothesis with one reference at a time: scores of pairs, and rows of segments."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat import kernels
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.words.metric import WordMetric
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values
    from karat.text import TextColumn


class WordPairs(NamedTuple):
    """Every hypothesis beside each of its references: those of segment i are from offsets[i] to offsets[i + 1]."""

    references: kernels.PreparedWords
    hypotheses: kernels.Tokens
    offsets: NDArray[np.int64]
    threads: int | None


@dataclass(frozen=True, kw_only=True)
class PairMetric(WordMetric):
    """A metric that compares a hypothesis with one reference at a time."""

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once; the result turns hypotheses into rows."""
        prepared = kernels.prepare_words(self.tokens(references.column, threads), references.offsets, threads)

        def rows(hypotheses: TextColumn) -> Values:
            return self.rows_of(WordPairs(prepared, self.tokens(hypotheses, threads), references.offsets, threads))

        return rows

    @abstractmethod
    def rows_of(self, pairs: WordPairs) -> Values:
        """One row per hypothesis."""


@dataclass(frozen=True, kw_only=True)
class SegmentMean(WordMetric):
    """A metric whose corpus score is the mean of its segments, each measured against the best of its references."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The score of the segment, and 1 to count it."""
        return ("score", "segments")

    def aggregate(self, sums: Floats) -> Floats:
        """The mean."""
        return ratio(sums[..., 0], sums[..., 1])


@dataclass(frozen=True, kw_only=True)
class MeanOfSegments(SegmentMean, PairMetric):
    """Such a metric that looks at nothing but words, one pair of hypothesis and reference at a time."""

    @abstractmethod
    def pair_scores(self, pairs: WordPairs) -> Floats:
        """The score, from 0 to 100, of every pair of a hypothesis and a reference."""

    def rows_of(self, pairs: WordPairs) -> Values:
        """The best score of each segment."""
        return best_rows(self.pair_scores(pairs), pairs.offsets)


def best_rows(scores: Floats, offsets: NDArray[np.int64]) -> Floats:
    """The rows of segments from the scores of pairs: the best one of each, and 1 to count it."""
    best = np.maximum.reduceat(scores, offsets[:-1])
    return np.stack([best, np.ones_like(best)], axis=1)


def best_pairs(scores: Floats, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each segment the pair with the highest score, the first of several."""
    highest = np.repeat(np.maximum.reduceat(scores, offsets[:-1]), np.diff(offsets))
    candidates = np.flatnonzero(scores == highest)
    return candidates[np.searchsorted(candidates, offsets[:-1])]
