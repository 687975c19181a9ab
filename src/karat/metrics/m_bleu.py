"""M-BLEU: BLEU of hypotheses whose words were replaced by what METEOR matches them with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat import kernels
from karat.metrics.base import register
from karat.metrics.bleu import Bleu
from karat.metrics.meteor_parts.partners import InWordsOfTheReference

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from karat.rows import Values


@register
@dataclass(frozen=True, kw_only=True)
class MBleu(InWordsOfTheReference):
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

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of BLEU."""
        return self._bleu.columns

    @property
    def _bleu(self) -> Bleu:
        return Bleu(tokenize=self.tokenize, lowercase=self.lowercase)

    def replaced_rows(
        self, references: kernels.Tokens, offsets: NDArray[np.int64], threads: int | None
    ) -> Callable[[kernels.Tokens], Values]:
        """What gives the rows of BLEU."""
        prepared, bleu = kernels.prepare_bleu(references, offsets), self._bleu
        return lambda words: kernels.bleu_rows(prepared, words, bleu.max_order, bleu.reference_length, threads)

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """BLEU of summed counts."""
        return self._bleu.aggregate(sums)
