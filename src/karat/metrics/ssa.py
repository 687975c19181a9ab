"""SSA: the word error rate turned into an accuracy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.base import register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.words.edits import WordEditRate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@register
@dataclass(frozen=True, kw_only=True)
class Ssa(WordEditRate):
    r"""Simple string accuracy: one minus the word error rate.

    Formula
    -------
    $$\mathrm{SSA} = 100 \cdot \Bigl(1 - \frac{I + D + S}{R}\Bigr)$$

    Insertions $I$, deletions $D$ and substitutions $S$ of words, at their least, and reference words $R$ are summed
    over segments. With no reference words at all the score is 0 if there are edits and 100 otherwise. A segment with
    more than about 370,000 words on both sides is refused.

    Of several references the one with the best score of the segment counts, the longer one at the same score; an empty
    one has the score 0 if there are edits and 100 otherwise. ``references=fewest-edits`` takes the one with the fewest
    edits, the first of those that are equally close.

    Use when
    --------
    Numbers of the literature on text generation are to be reproduced; otherwise WER says the same.

    Do not use when
    ---------------
    Word order is free: a word that moves costs two edits. GSA charges one.

    Known failure
    -------------
    An output much longer than the reference has an accuracy below 0.

    Example
    -------
    >>> rows = Ssa().prepare(["the cat sat on the mat"]).rows(["the cat sat on a mat today"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[2, 6]], 66.67)
    """

    name: ClassVar[str] = "ssa"
    citation: ClassVar[str] = "bangalore-etal-2000-evaluation"
    bounds: ClassVar[tuple[float, float]] = (-math.inf, 100.0)
    kind: ClassVar[str] = "levenshtein"

    @property
    def columns(self) -> tuple[str, ...]:
        """Edits of the reference that counts, and its length."""
        return ("edits", "reference_length")

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """What edits per hundred reference words leave of 100."""
        return 100 - per_hundred(sums[..., 0], sums[..., 1])
