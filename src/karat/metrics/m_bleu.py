"""M-BLEU: BLEU of hypotheses whose words were replaced by what METEOR matches them with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat import kernels
from karat.errors import SpecError
from karat.metrics.base import parameter, register
from karat.metrics.bleu import Bleu
from karat.metrics.meteor_partners import Partners
from karat.metrics.meteor_words import AUTO, chosen_modules
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
class MBleu(WordMetric):
    r"""BLEU after words that share a stem or a meaning with the reference have become its words.

    Formula
    -------
    $$\mathrm{BLEU}(h', r), \qquad h'_j = \begin{cases} r_i & \text{if METEOR matches } h_j \text{ with } r_i \\
    h_j & \text{otherwise} \end{cases}$$

    METEOR matches equal words, then words of one stem (Porter's for English), then synonyms, as `meteor-2005` does.
    With several references, words come from the one that METEOR 2005 scores best, and BLEU sees all of them.

    The paper tells no more than this, and no program of its authors is known, so that nothing could be compared with
    theirs.

    Use when
    --------
    BLEU is wanted for a language with many word forms, and stems of it can be had.

    Do not use when
    ---------------
    Numbers are compared with those of BLEU: these are higher by design.

    Known failure
    -------------
    Wrong forms cost nothing: *he have go* is *he has gone* to it.

    Example
    -------
    >>> prepared = MBleu(modules="exact+stem").prepare(["they sold two boats on the lake"])
    >>> round(prepared.rows(["they sold two boat on the lakes"]).score, 2)
    100.0
    """

    name: ClassVar[str] = "m-bleu"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "agarwal-lavie-2008-mbleu"

    language: str | None = parameter(None, "the language of the text; English if not given")
    modules: str = parameter(AUTO, "exact+stem or exact+stem+synonym; auto: what is installed")
    synonyms: str = parameter("", "WordNet's directory, METEOR's jar or a MyThes file; else found by language")

    def check(self) -> None:
        """Refuse modules that do not match single words."""
        super().check()
        if "paraphrase" in chosen_modules(self.name, self.modules):
            raise SpecError("m-bleu replaces single words: it has no paraphrases")

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of BLEU."""
        return self._bleu.columns

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "M-BLEU"

    @property
    def resources(self) -> dict[str, str]:
        """The modules, and where they look words up."""
        return {**super().resources, **self._partners.sources.lookups}

    @property
    def _bleu(self) -> Bleu:
        return Bleu(tokenize=self.tokenize, lowercase=self.lowercase)

    @property
    def _partners(self) -> Partners:
        return Partners.of(self.name, self.language, self.modules, self.synonyms)

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references for BLEU once."""
        wanted = self.tokens(references.column, threads)
        prepared = kernels.prepare_bleu(wanted, references.offsets, threads)
        partners, bleu = self._partners, self._bleu

        def rows(hypotheses: TextColumn) -> Values:
            words = partners.replaced(self.tokens(hypotheses, threads), wanted, references.offsets, threads)
            return kernels.bleu_rows(prepared, words, bleu.max_order, bleu.reference_length, threads)

        return rows

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """BLEU of summed counts."""
        return self._bleu.aggregate(sums)
