"""GSA: string accuracy that charges a moved word once."""

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
class Gsa(WordEditRate):
    r"""Generation string accuracy: string accuracy where a word deleted here and inserted there is one movement.

    Formula
    -------
    $$\mathrm{GSA} = 100 \cdot \Bigl(1 - \frac{M + I' + D' + S}{R}\Bigr), \qquad I' = I - M, \quad D' = D - M$$

    Insertions $I$, deletions $D$ and substitutions $S$ of words are those of one alignment with the least $I + D + S$.
    $M$ is the number of pairs of a deletion and an insertion of the same word. All, and the reference words $R$, are
    summed over segments. The paper does not say which of several such alignments counts. Here, common ends aside and
    read from the right, a deletion goes before an insertion, and both before a pair of words. With no reference words
    at all the score is 0 if there are edits and 100 otherwise. A segment with more than about 32,000 words on both
    sides is refused.

    Of several references the one with the best score of the segment counts, at the same score the longer one, then the
    one with more hits; an empty one has the score 0 if there are edits and 100 otherwise. ``references=fewest-edits``
    takes the one with the least $I + D + S$, the first of those that are equally close.

    Use when
    --------
    Words are mostly right and their order is in question, as in generation from a bag of words or a dependency tree.

    Do not use when
    ---------------
    Whole phrases move: each word of a phrase is a movement of its own. TER and CDER charge one edit for a phrase.

    Known failure
    -------------
    Substitutions are never movements, so two neighbours that swap cost one movement or two substitutions, as the
    alignment has it.

    Example
    -------
    >>> rows = Gsa().prepare(["on the mat sat the cat"]).rows(["the mat sat the cat on"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[5, 0, 1, 1, 1]], 83.33)
    """

    name: ClassVar[str] = "gsa"
    citation: ClassVar[str] = "bangalore-etal-2000-evaluation"
    bounds: ClassVar[tuple[float, float]] = (-math.inf, 100.0)
    kind: ClassVar[str] = "operations"
    rate: ClassVar[str] = "error-rate-with-moves"

    @property
    def columns(self) -> tuple[str, ...]:
        """The operations of an alignment, and how many pairs of a deletion and an insertion are moves."""
        return ("hits", "substitutions", "deletions", "insertions", "moves")

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """What edits per hundred reference words, each move taken for one, leave of 100."""
        edits = sums[..., 1:4].sum(axis=-1) - sums[..., 4]
        return 100 - per_hundred(edits, sums[..., :3].sum(axis=-1))
