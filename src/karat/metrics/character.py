"""CharacTER: shifts of words, then edits of characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.words.metric import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class Character(WordMetric):
    r"""Translation edit rate on characters: blocks of words move first, then characters are edited.

    Formula
    -------
    $$\mathrm{CharacTER} = \frac{100}{n} \sum_i \min_r \min\left(1,
    \frac{d(h_i^*, r) + s(h_i, h_i^*)}{|h_i^*|}\right)$$

    $h^*$ is the hypothesis after shifts: a block of words that also stands elsewhere in the reference, as long as both
    agree, moves to the place where it stands there. Of all such shifts the one that lowers Levenshtein's distance over
    words most is made (of several, the one whose words come last in the dictionary), for as long as one lowers it.
    $d$ is Levenshtein's distance over characters, with one blank between words, and $|h^*|$ counts characters of the
    hypothesis, not of the reference. $s$ is the cost of the shifts: for each block that does not stand where it stood,
    the mean length of its words.

    The score of a set is the mean of its segments; of several references the best counts. An empty hypothesis scores
    100, unless the reference is empty too. A segment that would take minutes is refused.

    ``character`` equals PyPI's `cer` 1.2.0, but for cases where rounding makes that take one shift too many. Words are
    cut at white space, as in the authors' program.

    Use when
    --------
    The target language has rich morphology, so that a wrong ending should cost less than a wrong word.

    Do not use when
    ---------------
    The language is written without spaces: then there are no blocks to shift, unless a tokenizer makes words first.

    Known failure
    -------------
    Dividing by the length of the hypothesis rewards long output: words added at the end cost their letters, but lower
    what all other errors cost.

    Example
    -------
    >>> rows = Character().prepare(["i like their bags"]).rows(["i like your bag"])
    >>> round(rows.score, 2)
    33.33
    """

    name: ClassVar[str] = "character"
    family: ClassVar[str] = "edit distance"
    citation: ClassVar[str] = "wang-etal-2016-character"
    higher_is_better: ClassVar[bool] = False

    tokenize: str = parameter("none", "how text is cut into words: none (at white space), 13a, intl, zh, char, ...")

    @property
    def columns(self) -> tuple[str, ...]:
        """The score of the segment from 0 to 1, and 1 for each segment."""
        return ("score", "segments")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "CharacTER"

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Tokenise the references once."""
        reference_tokens = self.tokens(references.column, threads)

        def rows(hypotheses: TextColumn) -> Values:
            tokens = self.tokens(hypotheses, threads)
            scores = kernels.character_scores(tokens, reference_tokens, references.offsets, threads)
            return np.column_stack([scores, np.ones(len(scores))])

        return rows

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean score of the segments, in hundredths."""
        return per_hundred(sums[..., 0], sums[..., 1])
