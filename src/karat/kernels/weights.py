"""N-grams counted over a whole set of references, and matches that have weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat._native import NgramCounts, PreparedWeighted
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import Tokens


def count_ngrams(references: Tokens, offsets: NDArray[np.int64], orders: int) -> NgramCounts:
    """How often references have each n-gram; those of segment i stand at offsets[i] to offsets[i + 1]."""
    return NgramCounts(references, offsets, orders)


def prepare_weighted(
    references: Tokens,
    offsets: NDArray[np.int64],
    counts: NgramCounts,
    *,
    ranking: str = "none",
    threads: int | None = None,
) -> PreparedWeighted:
    """Make references ready for weighted matches; `ranking` ("none", "order", "all") says among which n-grams."""
    try:
        return PreparedWeighted(references, offsets, counts, ranking, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def weighted_rows(
    prepared: PreparedWeighted,
    hypotheses: Tokens,
    weights: Sequence[str],
    *,
    occurrences: bool = False,
    after_zero: bool = False,
    sum_of_words: bool = False,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Lengths (hypothesis, mean and closest reference); then by order matches, divergence, and each weight."""
    return prepared.rows(hypotheses, list(weights), occurrences, after_zero, sum_of_words, thread_count(threads))


def reference_coverage(prepared: PreparedWeighted, hypotheses: Tokens | None, most: int) -> NDArray[np.int64]:
    """By order, number of references that have an n-gram (1 to `most`): different n-grams, and all."""
    counts = prepared.coverage(hypotheses, most)
    return counts.reshape(len(counts), most, 2)
