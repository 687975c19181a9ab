"""Constructions: whether what the reference has of certain constructions is in the hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.annotated.metric import AnnotatedMetric
from karat.metrics.annotated.pairs import rows_beside_best
from karat.metrics.annotated.patterns import Pattern, patterns_of
from karat.metrics.base import parameter, register
from karat.text.annotation import LAYERS

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.text import TextColumn
    from karat.text.annotation import Layer


@register
@dataclass(frozen=True, kw_only=True)
class Constructions(AnnotatedMetric):
    r"""Overlap of how often hypothesis and reference have certain constructions, which a pattern describes.

    Formula
    -------
    $$100 \cdot \frac{\sum_k \min(c_k(h), c_k(r))}{\sum_k \max(c_k(h), c_k(r))}$$

    $c_k$ is how often a text has construction $k$. A pattern asks for a word by ``relation``, ``word``, ``lemma``,
    ``pos`` or ``tag``, by the same of its head (``head.pos=VERB``), and by its place: ``before`` or ``after`` its head,
    ``first`` or ``last`` in the text with all that depends on it. All that stands in it must hold; ``|`` separates
    values of which one must, ``;`` patterns, each of which is counted by itself. A fronted subordinate clause is
    ``pattern="relation=advcl first"``, an adverbial clause or phrase in front ``pattern="relation=advcl|obl first"``, a
    passive ``pattern="relation=nsubj:pass"``. Minima and maxima are summed over segments. Where neither side has any,
    the score is 100. Of several references the one with the best score counts.

    The paper checks by hand whether a system can deal with the constructions of a kind of text, and has no formula: the
    overlap is that of Asiya. What is counted says that a construction is there, and not whether it was translated well.

    Use when
    --------
    You know which constructions a kind of text lives on, and want to see whether a system keeps them.

    Do not use when
    ---------------
    The quality of whole translations is the question, or the constructions are rare: then a few segments decide.

    Known failure
    -------------
    One construction too many in a segment and one too few in another are two errors, but within one segment they cancel
    out: which words they are of is not looked at.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotation, Annotations
    >>> def column(words, heads, relations):
    ...     parsed = Annotation(tokens=tuple(words.split()), heads=heads, relations=tuple(relations.split()))
    ...     return TextColumn.of([words]).annotated(Annotations.of([parsed]))
    >>> fronted = column("when it rains we stay", (2, 2, 4, 4, -1), "mark nsubj advcl nsubj root")
    >>> behind = column("we stay when it rains", (1, -1, 4, 4, 1), "nsubj root mark nsubj advcl")
    >>> patterns = ("relation=advcl first", "relation=advcl")
    >>> [Constructions(pattern=pattern).prepare(fronted).rows(behind).score for pattern in patterns]
    [0.0, 100.0]
    """

    name: ClassVar[str] = "constructions"
    family: ClassVar[str] = "structure"
    citation: ClassVar[str] = "povlsen-etal-1998-evaluating"

    pattern: str = parameter("relation=advcl first", "what is counted, such as 'relation=advcl|obl first; pos=AUX'")

    def check(self) -> None:
        """Refuse a pattern that cannot be read."""
        _ = self.patterns
        super().check()

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """What is counted."""
        return patterns_of(self.pattern)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Dependencies, and what the pattern asks for."""
        return tuple(layer for layer in LAYERS if any(layer in pattern.layers for pattern in self.patterns))

    @property
    def columns(self) -> tuple[str, ...]:
        """What both sides have, and what either has."""
        return ("both", "either")

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        """Count in the references once."""
        return rows_beside_best(self, references, self._counts, _both_and_either)

    def aggregate(self, sums: Floats) -> Floats:
        """What both have of what either has, in percent."""
        both, either = sums[..., 0], sums[..., 1]
        return 100 * np.divide(both, either, out=np.ones_like(both), where=either > 0)

    def _counts(self, column: TextColumn) -> list[tuple[int, ...]]:
        """How often each text has each construction."""
        known = self.annotations(column)
        return [tuple(pattern.count(annotation) for pattern in self.patterns) for annotation in known]


def _both_and_either(hypothesis: tuple[int, ...], reference: tuple[int, ...]) -> tuple[int, int]:
    """The least and the greatest counts, added up."""
    return sum(map(min, hypothesis, reference)), sum(map(max, hypothesis, reference))
