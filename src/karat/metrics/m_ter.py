"""M-TER: TER of hypotheses whose words were replaced by what METEOR matches them with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat import kernels
from karat.metrics.base import register
from karat.metrics.meteor_parts.partners import InWordsOfTheReference
from karat.metrics.ter import Ter

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from karat.rows import Values


@register
@dataclass(frozen=True, kw_only=True)
class MTer(InWordsOfTheReference):
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
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of TER."""
        return ("edits", "reference_length")

    def replaced_rows(
        self, references: kernels.Tokens, offsets: NDArray[np.int64], threads: int | None
    ) -> Callable[[kernels.Tokens], Values]:
        """What gives the rows of TER."""
        return lambda words: kernels.ter_rows(words, references, offsets, threads=threads)

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """TER of summed edits."""
        return Ter().aggregate(sums)
