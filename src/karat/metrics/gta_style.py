"""GTA-style: string accuracy of treelets that charges a moved word once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.annotated.treelets import TreeletAccuracy
from karat.metrics.base import register
from karat.metrics.gsa import Gsa

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@register
@dataclass(frozen=True, kw_only=True)
class GtaStyle(TreeletAccuracy):
    r"""Generation tree accuracy: tree accuracy where a word deleted here and inserted there is one movement.

    Formula
    -------
    $$\mathrm{GTA} = 100 \cdot \Bigl(1 - \frac{\sum_t (M_t + I'_t + D'_t + S_t)}{\sum_t R_t}\Bigr), \qquad
    I'_t = I_t - M_t, \quad D'_t = D_t - M_t$$

    $M_t$ is the number of pairs of a deletion and an insertion of the same word within treelet $t$, as in `gsa`. What
    treelets are and how they are paired is told under `sta-style`, and so is what the paper leaves open.

    Use when
    --------
    Words are mostly right, and their order around their heads is in question.

    Do not use when
    ---------------
    The two sides were parsed by different parsers.

    Known failure
    -------------
    A word that hangs on another head is no movement: it is deleted in one treelet and inserted in another.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotation, Annotations
    >>> def column(words, heads):
    ...     parsed = Annotation(tokens=tuple(words.split()), heads=heads, relations=("dep",) * len(heads))
    ...     return TextColumn.of([words]).annotated(Annotations.of([parsed]))
    >>> prepared = GtaStyle().prepare(column("yesterday he sat there", (2, 2, -1, 2)))
    >>> rows = prepared.rows(column("he sat there yesterday", (1, -1, 1, 1)))
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[4, 0, 1, 1, 1]], 80.0)
    """

    name: ClassVar[str] = "gta-style"

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """What edits per hundred words of the reference's treelets, each move taken for one, leave of 100."""
        return Gsa().aggregate(sums)
