"""MER: which share of an alignment is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.base import register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.words.edits import WordOperations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@register
@dataclass(frozen=True, kw_only=True)
class Mer(WordOperations):
    r"""Match error rate: the share of the places of a word alignment that hold an error.

    Formula
    -------
    $$\mathrm{MER} = 100 \cdot \frac{S + D + I}{H + S + D + I}$$

    Hits $H$, substitutions $S$, deletions $D$ (words that only the reference has) and insertions $I$ (words that only
    the hypothesis has) are summed over segments. Several alignments can have the least number of edits and still differ
    in hits. The one that counts is the one that jiwer finds: common ends aside, read from the right, a deletion goes
    before an insertion, and both before a pair of words. Without any words the score is 0. A
    segment with more than about 32,000 words on both sides is refused.

    Of several references the one with the lowest rate of the segment counts, at the same rate the longer one, then the
    one with more hits; against an empty one any word has the rate 100. ``references=fewest-edits`` takes the one with
    the fewest edits, the first of those that are equally close.

    ``mer(tokenize=none)`` equals jiwer's `mer` on text with single spaces; jiwer aligns very long segments
    (the same at 6,000 words, not at 20,000) piece by piece, and may there find another alignment.

    Use when
    --------
    An error rate is wanted that can be read as a probability: it never exceeds 100, unlike WER.

    Do not use when
    ---------------
    The score is compared with published word error rates: it is lower wherever words are inserted.

    Known failure
    -------------
    As with WER, a phrase that moves is wrong twice: where it was and where it should be.

    Example
    -------
    >>> rows = Mer().prepare(["the cat sat on the mat"]).rows(["the cat sat on a mat today"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[5, 1, 0, 1]], 28.57)
    """

    name: ClassVar[str] = "mer"
    citation: ClassVar[str] = "morris-etal-2004-wer"
    higher_is_better: ClassVar[bool] = False
    rate: ClassVar[str] = "match-error-rate"

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Errors per hundred places of the alignment."""
        errors = sums[..., 1:].sum(axis=-1)
        return per_hundred(errors, sums[..., 0] + errors)
