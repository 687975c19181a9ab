"""STM: subtrees of the hypothesis that the reference has, by depth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.annotated.substructures import Bag, SubstructureMetric
from karat.metrics.annotated.trees import tree_of
from karat.metrics.base import parameter, register

if TYPE_CHECKING:
    from karat.text.annotation import Annotation, Layer


@register
@dataclass(frozen=True, kw_only=True)
class Stm(SubstructureMetric):
    r"""Share of the subtrees of the hypothesis that the reference has too, averaged over their depths.

    Formula
    -------
    $$\mathrm{STM} = \frac{100}{D} \sum_{d=1}^{D} \frac{\sum_{t \in T_d(h)} \min(c_h(t), c_r(t))}
    {\sum_{t \in T_d(h)} c_h(t)}$$

    $T_d$ are the subtrees of depth $d$: a node with everything below it down to $d$ levels, itself the first, of nodes
    that have so many. Nodes are constituents and the tags of words; ``words=true`` counts words as a level below the
    tags. A depth that neither side has is left out; where none is left, the score is 100. $D = 4$;
    ``min_order=3,max_order=3`` is depth 3 alone. Of several references, each subtree counts as often as the one that
    has it most. ``form=f`` is the harmonic mean of this and the recall, both averaged over depths first; there the
    reference with the best score counts. Corpus scores are made of summed counts.

    The paper gives the formula and an example of labels. That subtrees are complete down to their depth, that tags are
    nodes and words are not, and that depths which neither side has do not count, is our reading of it.

    Use when
    --------
    Fluency and grammar are the question, and both sides come with trees of one parser.

    Do not use when
    ---------------
    Output is so bad that a parser invents structure, or the meaning matters: no word is looked at.

    Known failure
    -------------
    Any sentence of the same construction scores 100, whatever it says.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotations, bracketed
    >>> def column(tree):
    ...     return TextColumn.of([" ".join(bracketed(tree).tokens)]).annotated(Annotations.of([bracketed(tree)]))
    >>> reference = column("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
    >>> rows = Stm(max_order=2).prepare(reference).rows(column("(S (NP (NN cats)) (VP (VBD sat)))"))
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[5, 5, 6, 2, 3, 3]], 83.33)
    """

    name: ClassVar[str] = "stm"
    citation: ClassVar[str] = "liu-gildea-2005-syntactic"

    words: bool = parameter(False, "count words as a level of the tree")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Trees with tags."""
        return ("tags", "constituents")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "STM"

    def bags(self, annotation: Annotation) -> list[Bag]:
        """The subtrees of each depth."""
        tree = tree_of(annotation, words=self.words)
        return [Counter(tree.shapes(depth)) for depth in self.orders]
