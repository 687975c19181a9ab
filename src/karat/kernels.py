"""The only door to the compiled core: typed names, and errors that karat's users know."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from karat import _native
from karat._native import PreparedBleu, PreparedChrf, Text, Tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "PreparedBleu",
    "PreparedChrf",
    "Text",
    "Tokens",
    "bleu_rows",
    "chrf_rows",
    "prepare_bleu",
    "prepare_chrf",
    "thread_count",
    "tokenize",
]


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: what was asked for, else KARAT_THREADS, else one per usable core."""
    if threads is None:
        threads = int(os.environ.get("KARAT_THREADS", "0"))
    if threads > 0:
        return threads
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def tokenize(text: Text, tokenizer: str, threads: int | None = None) -> Tokens:
    """Cut a column into tokens with one of the core's tokenizers."""
    return _native.tokenize(text, tokenizer, thread_count(threads))


def prepare_bleu(references: Tokens, offsets: NDArray[np.int64], threads: int | None = None) -> PreparedBleu:
    """Make references ready for BLEU; those of segment i stand at offsets[i] to offsets[i + 1]."""
    return PreparedBleu(references, offsets, thread_count(threads))


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
