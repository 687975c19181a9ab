"""Shared n-grams: BLEU and chrF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat._native import PreparedBleu, PreparedChrf
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import Text, Tokens


def prepare_bleu(references: Tokens, offsets: NDArray[np.int64]) -> PreparedBleu:
    """Make references ready for BLEU; those of segment i stand at offsets[i] to offsets[i + 1]."""
    return PreparedBleu(references, offsets)


def bleu_rows(
    prepared: PreparedBleu, hypotheses: Tokens, max_order: int, reference_length: str, threads: int | None = None
) -> NDArray[np.int64]:
    """Hypothesis length, reference length ("closest", "shortest", or "total"), matches and n-grams of each order."""
    return prepared.rows(hypotheses, max_order, reference_length, thread_count(threads))


def prepare_chrf(
    references: Text,
    offsets: NDArray[np.int64],
    *,
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
    threads: int | None = None,
) -> PreparedChrf:
    """Make references ready for chrF; beta and eps_smoothing decide which of several references is the best."""
    return PreparedChrf(
        references, offsets, char_order, word_order, beta, whitespace, eps_smoothing, thread_count(threads)
    )


def chrf_rows(prepared: PreparedChrf, hypotheses: Text, threads: int | None = None) -> NDArray[np.int64]:
    """(hypothesis, reference, match) of each character order, then of each word order."""
    return prepared.rows(hypotheses, thread_count(threads))
