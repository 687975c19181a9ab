"""What metrics over words share: how text becomes words, and how scores of pairs become rows."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.metrics.base import Metric, parameter
from karat.text import tokenizer, tokenizer_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn

    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class WordMetric(Metric):
    """A metric that sees text as words."""

    tokenize: str = parameter(
        "13a", "how text is cut into tokens: 13a, intl, zh, zh-fixed, char, none, ja-mecab, ko-mecab, spm:PATH, ..."
    )
    lowercase: bool = parameter(False, "ignore case")

    def check(self) -> None:
        """Refuse a tokenizer that does not exist."""
        if self.tokenize not in tokenizer_names():
            tokenizer(self.tokenize)

    def check_not_negative(self, *names: str) -> None:
        """Refuse parameters below 0 or without end."""
        for name in names:
            value = getattr(self, name)
            if not 0 <= value < np.inf:
                raise SpecError(f"{self.name}({name}={value}) must be a number that is not negative")

    def tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The words of every string."""
        text = column.lowered() if self.lowercase else column
        return text.tokens(tokenizer(self.tokenize), threads)

    @property
    def resources(self) -> dict[str, str]:
        """The versions of Unicode or of a dictionary, where the tokenizer depends on them."""
        return tokenizer_resources(self.tokenize)


@dataclass(frozen=True, kw_only=True)
class PairMetric(WordMetric):
    """A metric that compares a hypothesis with one reference at a time."""

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once; the result turns hypotheses into rows."""
        prepared = kernels.prepare_words(self.tokens(references.column, threads), references.offsets, threads)

        def rows(hypotheses: TextColumn) -> Values:
            return self.rows_of(prepared, self.tokens(hypotheses, threads), references.offsets, threads)

        return rows

    @abstractmethod
    def rows_of(
        self,
        prepared: kernels.PreparedWords,
        hypotheses: kernels.Tokens,
        offsets: NDArray[np.int64],
        threads: int | None,
    ) -> Values:
        """The rows of hypotheses; the references of segment i are the pairs from offsets[i] to offsets[i + 1]."""


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
    def pair_scores(self, prepared: kernels.PreparedWords, hypotheses: kernels.Tokens, threads: int | None) -> Floats:
        """The score, from 0 to 100, of every pair of a hypothesis and a reference."""

    def rows_of(
        self,
        prepared: kernels.PreparedWords,
        hypotheses: kernels.Tokens,
        offsets: NDArray[np.int64],
        threads: int | None,
    ) -> Values:
        """The best score of each segment."""
        return best_rows(self.pair_scores(prepared, hypotheses, threads), offsets)


def best_rows(scores: Floats, offsets: NDArray[np.int64]) -> Floats:
    """The rows of segments from the scores of pairs: the best one of each, and 1 to count it."""
    best = np.maximum.reduceat(scores, offsets[:-1])
    return np.stack([best, np.ones_like(best)], axis=1)


def tokenizer_resources(name: str) -> dict[str, str]:
    """What a signature must say about a tokenizer besides its name."""
    chosen = tokenizer(name)
    signed = {} if chosen.signature == name else {"tok": chosen.signature}
    return {**signed, **chosen.resources}


def as_columns(rows: NDArray[np.int64] | Floats) -> list[Floats]:
    """The columns of pair rows; contiguous, because NumPy may round otherwise where it takes strides."""
    return list(np.ascontiguousarray(rows.T, dtype=np.float64))


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Their ratio, 0 where there is nothing to divide by."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=denominator != 0)


def weighted_harmonic_mean(values: list[Floats], weights: list[float]) -> Floats:
    """Their harmonic mean; 0 where one of them is 0 that has a weight."""
    total = np.zeros(values[0].shape)
    positive = np.ones(values[0].shape, dtype=bool)
    for value, weight in zip(values, weights, strict=True):
        if weight > 0:
            total += weight * ratio(np.ones(value.shape), value)
            positive &= value > 0
    return np.where(positive, ratio(np.full(total.shape, sum(weights)), total), 0.0)


def geometric_mean(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """The geometric mean over the last axis of those values that count; 0 where none does."""
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(counted, values, 1.0)).sum(axis=-1)
    mean = np.exp(ratio(logs, counted.sum(axis=-1).astype(np.float64)))
    return np.where(counted.any(axis=-1), mean, 0.0)


def length_penalty(longer: Floats, shorter: Floats) -> Floats:
    """1 where lengths are equal, less the more they differ; 0 where the shorter one is nothing."""
    return np.where(shorter > 0, np.exp(1.0 - ratio(longer, shorter)), 0.0)


def best_pairs(scores: Floats, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each segment the pair with the highest score, the first of several."""
    highest = np.repeat(np.maximum.reduceat(scores, offsets[:-1]), np.diff(offsets))
    candidates = np.flatnonzero(scores == highest)
    return candidates[np.searchsorted(candidates, offsets[:-1])]
