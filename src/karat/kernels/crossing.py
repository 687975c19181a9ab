"""Rows of every pair of some strings: BLEU, chrF and TER, all with all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat import _native
from karat._native import Crossing
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import Text, Tokens


def bleu_crossing(tokens: Tokens, groups: NDArray[np.int64], max_order: int, threads: int | None = None) -> Crossing:
    """Make strings ready for BLEU; those of group g stand at groups[g] to groups[g + 1]."""
    return _native.bleu_crossing(tokens, groups, max_order, thread_count(threads))


def chrf_crossing(
    text: Text,
    groups: NDArray[np.int64],
    *,
    char_order: int,
    word_order: int,
    whitespace: bool,
    threads: int | None = None,
) -> Crossing:
    """Make strings ready for chrF."""
    return _native.chrf_crossing(text, groups, char_order, word_order, whitespace, thread_count(threads))


def ter_crossing(hypotheses: Tokens, references: Tokens, groups: NDArray[np.int64], *, full: bool) -> Crossing:
    """Make strings ready for TER, as hypotheses and as references are cut into words."""
    return _native.ter_crossing(hypotheses, references, groups, full)


def crossed_rows(strings: Crossing, rectangles: NDArray[np.int64], threads: int | None = None) -> NDArray[np.float64]:
    """The row of each pair, in columns: of each hypothesis (rectangles[:, 0:2]) with each reference (2:4)."""
    try:
        return strings.rows(rectangles, thread_count(threads)).T
    except ValueError as error:
        raise InputError(str(error)) from error


def mean_rows(
    strings: Crossing, rectangles: NDArray[np.int64], weights: NDArray[np.float64], threads: int | None = None
) -> NDArray[np.float64]:
    """The row of each hypothesis against the weighted mean of the references of its rectangle, in columns."""
    return strings.mean_rows(rectangles, weights, thread_count(threads)).T
