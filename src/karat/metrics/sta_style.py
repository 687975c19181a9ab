"""STA-style: string accuracy of treelets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.annotated.treelets import TreeletAccuracy
from karat.metrics.base import register
from karat.metrics.framework.arithmetic import per_hundred

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@register
@dataclass(frozen=True, kw_only=True)
class StaStyle(TreeletAccuracy):
    r"""Simple tree accuracy: string accuracy of each word with its dependents, summed over the tree.

    Formula
    -------
    $$\mathrm{STA} = 100 \cdot \Bigl(1 - \frac{\sum_t (I_t + D_t + S_t)}{\sum_t R_t}\Bigr)$$

    A treelet $t$ is a word and those that directly depend on it, as they stand in the text; the roots of a text are one
    more. $I_t$, $D_t$ and $S_t$ are the insertions, deletions and substitutions between the treelets of hypothesis and
    reference that are headed by the same word, $R_t$ the words of the latter. Where several have equal heads, the first
    goes with the first; a treelet without a counterpart is deleted or inserted as a whole. All are summed over
    segments. With no reference words at all the score is 0 if there are edits and 100 otherwise. Of several references
    the one with the best score counts.

    In the paper a generator orders the words of a tree that is known, so that both sides have the same treelets; how to
    pair those of two trees is left open, and was decided here. So the name is STA-style. `gta-style` charges a moved
    word once, `ssa` and `gsa` are the accuracies of whole strings.

    Use when
    --------
    Order within phrases matters, and a phrase that moves as a whole should cost little.

    Do not use when
    ---------------
    The two sides were parsed by different parsers.

    Known failure
    -------------
    A wrong word costs its place in the treelet of its head, and its own treelet twice: deleted, and inserted under
    another head.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotation, Annotations
    >>> def column(words, heads):
    ...     parsed = Annotation(tokens=tuple(words.split()), heads=heads, relations=("dep",) * len(heads))
    ...     return TextColumn.of([words]).annotated(Annotations.of([parsed]))
    >>> prepared = StaStyle().prepare(column("the cat sat there", (1, 2, -1, 2)))
    >>> rows = prepared.rows(column("there sat the cat", (1, -1, 3, 1)))
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[4, 2, 0, 0, 0]], 66.67)
    """

    name: ClassVar[str] = "sta-style"

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """What edits per hundred words of the reference's treelets leave of 100."""
        return 100 - per_hundred(sums[..., 1:4].sum(axis=-1), sums[..., :3].sum(axis=-1))
