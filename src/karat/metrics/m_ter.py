"""M-TER: TER of hypotheses whose words were replaced by what METEOR matches them with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat import kernels
from karat.errors import SpecError
from karat.metrics.base import parameter, register
from karat.metrics.meteor_partners import Partners
from karat.metrics.meteor_words import AUTO, chosen_modules
from karat.metrics.ter import Ter
from karat.metrics.words import WordMetric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class MTer(WordMetric):
    r"""TER after words that share a stem or a meaning with the reference have become its words.

    Formula
    -------
    $$\mathrm{TER}(h', r), \qquad h'_j = \begin{cases} r_i & \text{if METEOR matches } h_j \text{ with } r_i \\
    h_j & \text{otherwise} \end{cases}$$

    METEOR matches equal words, then words of one stem (Porter's for English), then synonyms, as `meteor-2005` does.
    With several references, words come from the one that METEOR 2005 scores best, and TER sees all of them. Text is
    cut by `tokenize`, unlike that of `ter`.

    The paper tells no more than this, and no program of its authors is known, so that nothing could be compared with
    theirs.

    Use when
    --------
    Edits are to be counted, and another form of the right word is no edit.

    Do not use when
    ---------------
    The work of a post-editor is measured: a wrong form must be corrected, too.

    Known failure
    -------------
    Wrong forms cost nothing: *he have go* is *he has gone* to it.

    Example
    -------
    >>> prepared = MTer(modules="exact+stem").prepare(["they sold two boats on the lake"])
    >>> round(prepared.rows(["they sold boat on two lakes"]).score, 2)
    28.57
    """

    name: ClassVar[str] = "m-ter"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "agarwal-lavie-2008-mbleu"
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    language: str | None = parameter(None, "the language of the text; English if not given")
    modules: str = parameter(AUTO, "exact+stem or exact+stem+synonym; auto: what is installed")
    synonyms: str = parameter("", "WordNet's directory, METEOR's jar or a MyThes file; else found by language")

    def check(self) -> None:
        """Refuse modules that do not match single words."""
        super().check()
        if "paraphrase" in chosen_modules(self.name, self.modules):
            raise SpecError("m-ter replaces single words: it has no paraphrases")

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of TER."""
        return ("edits", "reference_length")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "M-TER"

    @property
    def resources(self) -> dict[str, str]:
        """The modules, and where they look words up."""
        return {**super().resources, **self._partners.sources.lookups}

    @property
    def _partners(self) -> Partners:
        return Partners.of(self.name, self.language, self.modules, self.synonyms)

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Cut the references into words once."""
        wanted = self.tokens(references.column, threads)
        partners = self._partners

        def rows(hypotheses: TextColumn) -> Values:
            words = partners.replaced(self.tokens(hypotheses, threads), wanted, references.offsets, threads)
            return kernels.ter_rows(words, wanted, references.offsets, threads=threads)

        return rows

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """TER of summed edits."""
        return Ter().aggregate(sums)
