"""Texts whose words are known by number, and what is known about these words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat._native import WordFacts
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.kernels.types import WordTypes


def tesla_pairs(
    facts: WordFacts,
    words: WordTypes,
    starts: NDArray[np.int64],
    *,
    orders: int,
    synonym: float,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """For each order the worth of the best matching of both bags of n-grams, and the weights of both bags.

    `words` has the hypotheses as its first column and the references as its second; those of segment i are the rows
    from starts[i] to starts[i + 1].
    """
    (hypotheses, references), (hypothesis_offsets, reference_offsets) = words.ids, words.offsets
    columns = (hypotheses, hypothesis_offsets, references, reference_offsets, starts)
    try:
        return facts.tesla(*columns, orders, synonym, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error


def atec_pairs(
    facts: WordFacts,
    words: WordTypes,
    starts: NDArray[np.int64],
    *,
    worths: tuple[float, float, float, float],
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Weight of aligned words and of all words on both sides; their number, their moves, and pairs of them in order.

    `worths` are those of words aligned by form, by lemma, by sound and by sense.
    """
    (hypotheses, references), (hypothesis_offsets, reference_offsets) = words.ids, words.offsets
    columns = (hypotheses, hypothesis_offsets, references, reference_offsets, starts)
    try:
        return facts.atec(*columns, worths, thread_count(threads))
    except ValueError as error:
        raise InputError(str(error)) from error
