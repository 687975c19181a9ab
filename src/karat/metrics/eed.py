"""EED: edits of characters, jumps between words, and a charge for what is covered twice or never."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.framework.values import POWERS, WEIGHTS
from karat.metrics.words.edits import WordEdits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class Eed(WordEdits):
    r"""Extended edit distance: CDER over characters, with jumps at blanks and a charge for uneven coverage.

    Formula
    -------
    $$\mathrm{EED} = \frac{100}{n} \sum_i \min\Bigl(1, \frac{e_i + \alpha j_i + \rho v_i}{|r_i| + \rho v_i}\Bigr)$$

    $e$ is the cost of edits of characters: 1 for a substitution, `insertion` for a character that only the reference
    has, `deletion` for one that only the hypothesis has. $j$ counts jumps from any place of the hypothesis to any
    other, which are allowed after a blank of the reference. Both together are as cheap as can be. $v$ counts the
    characters of the hypothesis that were never visited, and the visits after the first: after each character of the
    reference the cheapest place in the hypothesis, the first of several, counts as visited. Words are joined by blanks,
    with one before the first and after the last, and $|r|$ counts these too. Of several references the one with the
    lowest score counts; the score of a text is the mean over its segments. A segment with more than about 32,000
    characters on both sides is refused.

    ``coverage=characters`` counts as the paper says. ``coverage=positions`` counts as the authors' program does: the
    place before the first character is never visited in a good translation, so that $v$ is 1 even for a perfect one.
    The authors' program also splits off punctuation by rules of its own; with ``tokenize=none`` text is taken as it is.

    Use when
    --------
    Single segments of morphologically rich languages are judged, and blocks of words may move.

    Do not use when
    ---------------
    Missing content must be told from surplus content, or text is long: time grows with the product of both lengths.

    Known failure
    -------------
    Surplus characters cost a fifth of missing ones, so padding is cheap.

    Example
    -------
    >>> rows = Eed().prepare(["the cat sat on the mat"]).rows(["on the mat the cat sat"])
    >>> round(rows.score, 2)
    29.63
    """

    name: ClassVar[str] = "eed"
    citation: ClassVar[str] = "stanchev-etal-2019-eed"
    higher_is_better: ClassVar[bool] = False

    alpha: float = parameter(2.0, "the cost of a jump", within=POWERS)
    rho: float = parameter(0.3, "the cost of a character that is covered twice or not at all", within=WEIGHTS)
    deletion: float = parameter(0.2, "the cost of a character that only the hypothesis has", within=POWERS)
    insertion: float = parameter(1.0, "the cost of a character that only the reference has", within=POWERS)
    coverage: str = parameter(
        "characters",
        "what has to be covered: characters, or the place before the first one too",
        choices=("characters", "positions"),
    )

    @property
    def perfect_is_best(self) -> bool:  # type: ignore[override]
        """Not where the place before the first character has to be visited."""
        return self.coverage == "characters"

    @property
    def columns(self) -> tuple[str, ...]:
        """The score of the segment from 0 to 1, and 1 for each segment."""
        return ("score", "segments")

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Tokenise the references once."""
        reference_tokens = self.tokens(references.column, threads)

        def rows(hypotheses: TextColumn) -> Values:
            scores = kernels.eed_scores(
                self.tokens(hypotheses, threads),
                reference_tokens,
                references.offsets,
                jump=self.alpha,
                coverage=self.rho,
                deletion=self.deletion,
                insertion=self.insertion,
                count_start=self.coverage == "positions",
                threads=threads,
            )
            return np.column_stack([scores, np.ones(len(scores))])

        return rows

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean score of the segments, in hundredths."""
        return per_hundred(sums[..., 0], sums[..., 1])
