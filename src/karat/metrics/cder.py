"""CDER: edits of words, where blocks of the hypothesis may move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.metrics.base import register
from karat.metrics.words.edits import ErrorRate, WordEditRate


@register
@dataclass(frozen=True, kw_only=True)
class Cder(ErrorRate, WordEditRate):
    r"""Cover disjoint error rate: the edits and jumps that cover the reference with pieces of the hypothesis.

    Formula
    -------
    $$\mathrm{CDER} = 100 \cdot \frac{\sum_i c(h_i, r_i)}{\sum_i |r_i|}, \qquad
    D(i, l) = \min \begin{cases} D(i-1, l-1) + [h_i \ne r_l] \\ D(i-1, l) + 1 \\ D(i, l-1) + 1 \\
    \min_{i'} D(i', l) + 1 \end{cases}$$

    $c(h, r) = D(|h|, |r|)$, with $D(0, 0) = 0$ and $D(i, 0) = 1$. The last line is a jump from any place in the
    hypothesis to any other, for one edit. So each word of the reference is covered once and in order, while words of
    the hypothesis may be used several times or not at all. With no reference words at all the score is 100 if there are
    edits and 0 otherwise. A segment with more than about 370,000 words on both sides is refused.

    Of several references $r_i$ is the one with the lowest rate $c(h_i, r)/|r|$, the longer one at the same rate; an
    empty one has the rate 100 if there are edits and 0 otherwise. ``references=fewest-edits`` takes the one with the
    fewest edits, the first of those that are equally close.

    Use when
    --------
    Phrases may move as a whole, and the exact least number of edits is wanted, which TER only approximates.

    Do not use when
    ---------------
    Surplus text must be punished: any stretch of the hypothesis can be skipped by one jump.

    Known failure
    -------------
    The reference followed by a hundred lines of nonsense costs a single edit.

    Example
    -------
    >>> rows = Cder().prepare(["the cat sat on the mat"]).rows(["on the mat the cat sat"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[3, 6]], 50.0)
    """

    name: ClassVar[str] = "cder"
    citation: ClassVar[str] = "leusch-etal-2006-cder"
    kind: ClassVar[str] = "cder"
