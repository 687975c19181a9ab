"""How often a set of references has each n-gram: what metrics with weighted n-grams learn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat import kernels
from karat.errors import InputError
from karat.metrics.base import parameter
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.context import Context
from karat.metrics.framework.values import ORDERS
from karat.metrics.words.metric import WordMetric
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


class NgramContext(Context):
    """The counts of all n-grams of a set of references up to some order."""

    def __init__(self, key: str, counts: kernels.NgramCounts) -> None:
        self._key = key
        self.counts = counts

    @property
    def key(self) -> str:
        """The orders that were counted, and how text was read."""
        return self._key

    @cached_property
    def digest(self) -> str:
        """A short hash of all counts."""
        return f"{self.counts.digest() >> 32:08x}"

    def merged(self, others: Sequence[NgramContext]) -> NgramContext:
        """The counts of all segments together."""
        if any(other.key != self.key for other in others):
            raise InputError("contexts that were learnt in different ways cannot be merged")
        return NgramContext(self.key, kernels.NgramCounts.merged([self.counts, *(other.counts for other in others)]))

    @cached_property
    def divergence(self) -> NDArray[np.float64]:
        """By order: how many n-grams of the whole set are different ones, as a share of all."""
        sizes = self.counts.sizes().astype(np.float64)
        return ratio(sizes[:, 0], sizes[:, 1])


class Weighing(NamedTuple):
    """Hypotheses beside references whose n-grams have weights."""

    prepared: kernels.PreparedWeighted
    hypotheses: kernels.Tokens
    context: NgramContext
    threads: int | None

    def rows(self, kinds: Sequence[str], **options: bool) -> NDArray[np.float64]:
        """What the core sums up for each hypothesis."""
        return kernels.weighted_rows(self.prepared, self.hypotheses, kinds, threads=self.threads, **options)


@dataclass(frozen=True, kw_only=True)
class NgramContextMetric(WordMetric):
    """A metric that weighs n-grams by what the whole set of references holds."""

    max_order: int = parameter(4, "the longest n-grams that count", within=ORDERS)

    @property
    def context_key(self) -> str:
        """Counts up to the greatest order, of words as the metric reads them."""
        reading = [f"n-grams up to {self.max_order}", f"tokenize={self.tokenize}"]
        return ", ".join([*reading, *(["lowercase"] if self.lowercase else [])])

    def fit(self, references: References, threads: int | None = None) -> NgramContext:
        """Count the n-grams of these references."""
        tokens = self.tokens(references.column, threads)
        return NgramContext(self.context_key, kernels.count_ngrams(tokens, references.offsets, self.max_order))

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Learn from these references, then prepare them."""
        return self.row_function_given(self.fit(references, threads), references, threads)

    def row_function_given(self, context: Context, references: References, threads: int | None) -> RowFunction:
        """Prepare references that are part of the set which was counted."""
        if not isinstance(context, NgramContext):
            raise InputError(f"{self.name} needs counts of n-grams, not {type(context).__name__}")
        prepared = kernels.prepare_weighted(
            self.tokens(references.column, threads),
            references.offsets,
            context.counts,
            ranking=self.ranking,
            threads=threads,
        )

        def rows(hypotheses: TextColumn) -> Values:
            return self.rows_of(Weighing(prepared, self.tokens(hypotheses, threads), context, threads))

        return rows

    @property
    def ranking(self) -> str:
        """Among which n-grams ranks by frequency are wanted: "none", "order" (those of the same order) or "all"."""
        return "none"

    @abstractmethod
    def rows_of(self, weighing: Weighing) -> Values:
        """The rows of hypotheses."""

    def totals(self, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """By order: how many n-grams hypotheses of these lengths have."""
        counts: NDArray[np.float64] = np.maximum(lengths[:, np.newaxis] - np.arange(self.max_order), 0.0)
        return counts
