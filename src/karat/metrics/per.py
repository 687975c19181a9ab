"""PER: edits of words whose order does not matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.words.edits import WordEditRate

if TYPE_CHECKING:
    from numpy.typing import NDArray


@register
@dataclass(frozen=True, kw_only=True)
class Per(WordEditRate):
    r"""Position-independent error rate: the word error rate of two bags of words.

    Formula
    -------
    $$\mathrm{PER} = 100 \cdot \frac{\sum_i \bigl(\max(|h_i|, |r_i|) - m_i\bigr)}{\sum_i |r_i|}$$

    $m_i$ is the number of words that both have, each counted as often as it occurs in both. With no reference words at
    all the score is 100 if there are errors and 0 otherwise.

    Of several references $r_i$ is the one with the lowest rate of the segment, the longer one at the same rate; an
    empty one has the rate 100 if there are errors and 0 otherwise. ``references=fewest-edits`` takes the one with the
    fewest errors, the first of those that are equally good.

    A segment that is too long has more errors than reference words without a match. ``excess=segment`` counts these
    words where they stand, as the paper does. ``excess=total`` takes the maximum of the summed lengths instead, as
    Moses' scorer does: there a segment that is too long is made up for by another that is too short. Scores of single
    segments are the same.

    Use when
    --------
    The choice of words is to be judged apart from their order: with one reference PER is never above WER, and the
    difference between both is what order costs.

    Do not use when
    ---------------
    It is the only metric: it cannot see whether the output is a sentence.

    Known failure
    -------------
    Sorting the words of the output by alphabet does not change the score.

    Example
    -------
    >>> rows = Per().prepare(["the cat sat on the mat"]).rows(["on the mat sat a cat"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[1, 5, 6, 6]], 16.67)
    """

    name: ClassVar[str] = "per"
    citation: ClassVar[str] = "tillmann-etal-1997-accelerated"
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    kind: ClassVar[str] = "bag"

    excess: str = parameter(
        "segment", "where surplus words are counted: in each segment, or over all of them", choices=("segment", "total")
    )

    @property
    def columns(self) -> tuple[str, ...]:
        """Errors of the segment by itself, words in common, and both lengths."""
        return ("errors", "matches", "hypothesis_length", "reference_length")

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Errors per hundred reference words."""
        errors, matches, hypothesis, reference = (sums[..., i] for i in range(4))
        if self.excess == "total":
            errors = np.maximum(hypothesis, reference) - matches
        return per_hundred(errors, reference)
