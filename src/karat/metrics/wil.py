"""WIL: how much of what was said is lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import register
from karat.metrics.words.edits import WordOperations

if TYPE_CHECKING:
    from numpy.typing import NDArray


@register
@dataclass(frozen=True, kw_only=True)
class Wil(WordOperations):
    r"""Word information lost: one minus the share of hits in the hypothesis times their share in the reference.

    Formula
    -------
    $$\mathrm{WIL} = 100 \cdot \Bigl(1 - \frac{H}{H + S + I} \cdot \frac{H}{H + S + D}\Bigr)$$

    Hits $H$, substitutions $S$, deletions $D$ (words that only the reference has) and insertions $I$ (words that only
    the hypothesis has) are summed over segments. Several alignments can have the least number of edits and still differ
    in hits. The one that counts is the one that jiwer finds: common ends aside, read from the right, a deletion goes
    before an insertion, and both before a pair of words. If one side has no words the score is
    100, and 0 if neither has. A segment with more than about 32,000 words on both sides is refused.

    Of several references the one with the lowest score of the segment counts, at the same score the longer one, then
    the one with more hits. ``references=fewest-edits`` takes the one with the fewest edits, the first of those that are
    equally close.

    ``wil(tokenize=none)`` equals jiwer's `wil` on text with single spaces; jiwer aligns very long segments
    (the same at 6,000 words, not at 20,000) piece by piece, and may there find another alignment.

    Use when
    --------
    It matters how much of the message arrives, rather than how much work it is to correct the text.

    Do not use when
    ---------------
    The number must be explained to people: it is neither a share of words nor of segments.

    Known failure
    -------------
    It depends on which of several equally short alignments is taken, because these may differ in the number of hits.

    Example
    -------
    >>> rows = Wil().prepare(["the cat sat on the mat"]).rows(["the cat sat on a mat today"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[5, 1, 0, 1]], 40.48)
    """

    name: ClassVar[str] = "wil"
    citation: ClassVar[str] = "morris-etal-2004-wer"
    higher_is_better: ClassVar[bool] = False
    rate: ClassVar[str] = "information-lost"

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the product of precision and recall lacks to 100."""
        hits, substitutions, deletions, insertions = (sums[..., i] for i in range(4))
        pairs = (hits + substitutions + deletions) * (hits + substitutions + insertions)
        errors = substitutions + deletions + insertions
        without_pairs = np.where(errors > 0, 0.0, 1.0)
        return 100 * (1 - np.divide(hits**2, pairs, out=without_pairs, where=pairs > 0))
