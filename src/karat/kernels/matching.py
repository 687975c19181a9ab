"""Hypotheses against references pair by pair: order, runs, subsequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat._native import PreparedWords
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import Tokens


def prepare_words(references: Tokens, offsets: NDArray[np.int64], threads: int | None = None) -> PreparedWords:
    """Make references ready to be compared with hypotheses pair by pair; rows come one per reference."""
    return PreparedWords(references, offsets, thread_count(threads))


def ribes_pairs(
    prepared: PreparedWords, hypotheses: Tokens, *, right_first: bool, threads: int | None = None
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference, aligned words, and pairs of them that stand in ascending order."""
    return prepared.ribes(hypotheses, right_first, thread_count(threads))


def lepor_pairs(
    prepared: PreparedWords, hypotheses: Tokens, *, window: int, alignment: str, threads: int | None = None
) -> NDArray[np.float64]:
    """Lengths of hypothesis and reference, aligned words, and the sum of how far they moved, as a share of lengths."""
    return prepared.lepor(hypotheses, window, alignment, thread_count(threads))


def order_pairs(prepared: PreparedWords, hypotheses: Tokens, threads: int | None = None) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference; aligned words, chunks, moves, jumps, squared moves, ascending pairs."""
    return prepared.order(hypotheses, thread_count(threads))


def overlap_pairs(
    prepared: PreparedWords, hypotheses: Tokens, orders: int, threads: int | None = None
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference, and how many n-grams of each order they share."""
    return prepared.overlap(hypotheses, orders, thread_count(threads))


def beer_pairs(prepared: PreparedWords, hypotheses: Tokens, threads: int | None = None) -> NDArray[np.int64]:
    """Lengths; common n-grams with the ends of the sentence (orders 1 to 4), common pairs of words (by gap)."""
    try:
        return prepared.beer(hypotheses, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def lcs_pairs(prepared: PreparedWords, hypotheses: Tokens, threads: int | None = None) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference, and of their longest common subsequence."""
    return prepared.lcs(hypotheses, thread_count(threads))


def summary_lcs_pairs(
    prepared: PreparedWords,
    hypotheses: Tokens,
    offsets: NDArray[np.int64],
    *,
    reference_starts: NDArray[np.int64],
    hypothesis_starts: NDArray[np.int64],
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference; words of the reference on a common subsequence with some sentence of the
    hypothesis; and these again, each at most as often as the hypothesis has it.

    `prepared` and `hypotheses` hold sentences; each text has those from one start to the next, one at least.
    """
    try:
        return prepared.summary_lcs(hypotheses, offsets, reference_starts, hypothesis_starts, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def weighted_lcs_pairs(
    prepared: PreparedWords, hypotheses: Tokens, weight: float, threads: int | None = None
) -> NDArray[np.float64]:
    """Lengths of hypothesis and reference, and the weight of a common subsequence: runs to the power of `weight`."""
    return prepared.weighted_lcs(hypotheses, weight, thread_count(threads))


def skip_bigram_pairs(
    prepared: PreparedWords, hypotheses: Tokens, gap: int, threads: int | None = None
) -> NDArray[np.int64]:
    """Lengths of hypothesis and reference; common pairs of words, common words, and those without the last words."""
    return prepared.skip_bigrams(hypotheses, gap, thread_count(threads))


def gtm_pairs(
    prepared: PreparedWords, hypotheses: Tokens, exponent: float, threads: int | None = None
) -> NDArray[np.float64]:
    """Lengths of hypothesis and reference, and the size of their matching by runs."""
    try:
        return prepared.gtm(hypotheses, exponent, thread_count(threads))
    except RuntimeError as error:
        raise InputError(f"{error} for GTM: split it into sentences") from error


def gtm_segments(
    prepared: PreparedWords, hypotheses: Tokens, exponent: float, threads: int | None = None
) -> NDArray[np.float64]:
    """By segment: lengths of hypothesis and, in the mean, of references; the matching with all of them together."""
    try:
        return prepared.joined_gtm(hypotheses, exponent, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error
