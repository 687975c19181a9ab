"""Tagged-BLEU-style: BLEU of words, and beside it BLEU of their tags."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.annotated.metric import AnnotatedMetric
from karat.metrics.base import parameter, register
from karat.metrics.bleu import Bleu
from karat.metrics.framework.values import SHARES
from karat.metrics.words.metric import WordMetric

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values
    from karat.text import TextColumn
    from karat.text.annotation import Layer


@register
@dataclass(frozen=True, kw_only=True)
class TaggedBleuStyle(WordMetric, AnnotatedMetric):
    r"""Mean of BLEU over words and BLEU over sequences of their parts of speech.

    Formula
    -------
    $$(1 - \lambda) \cdot \mathrm{BLEU}(\text{words}) + \lambda \cdot \mathrm{BLEU}(\text{tags})$$

    Both are `bleu` with what it does by default, the second ``bleu(of=pos)`` or ``bleu(of=tag)``; $\lambda$ is
    ``tag_weight``. Words are cut by ``tokenize``, tags are those of the words as they were annotated. Both sums of
    counts are made over all segments first.

    The authors proposed at a panel to match sequences of tags in addition to n-grams of words, so that phrases which
    move to where they do not belong cost more. How the two are to be brought together was not written down: the mean
    is ours, and the name says so. `karat combine` learns how to weigh ``bleu`` and ``bleu(of=pos)``.

    Use when
    --------
    Systems move phrases about whose words are right.

    Do not use when
    ---------------
    Single segments are scored: neither part is smoothed for these.

    Known failure
    -------------
    Tags of bad output are guesses, and many sentences of one language have the same tags: unrelated output has a score
    well above 0.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotation, Annotations
    >>> def column(words, pos):
    ...     parsed = Annotation(tokens=tuple(words.split()), pos=tuple(pos.split()))
    ...     return TextColumn.of([words]).annotated(Annotations.of([parsed]))
    >>> prepared = TaggedBleuStyle().prepare(column("the old cat sat down", "DET ADJ NOUN VERB ADV"))
    >>> round(prepared.rows(column("the old dog sat down", "DET ADJ NOUN VERB ADV")).score, 2)
    65.11
    """

    name: ClassVar[str] = "tagged-bleu-style"
    family: ClassVar[str] = "structure"
    citation: ClassVar[str] = "hovy-ravichandra-2003-holy"

    of: str = parameter("pos", "universal tags, or those of the annotator's own set", choices=("pos", "tag"))
    tag_weight: float = parameter(0.5, "the share of BLEU over tags", within=SHARES)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Tags."""
        return self._of_tags.layers

    @cached_property
    def _of_words(self) -> Bleu:
        return Bleu(tokenize=self.tokenize, lowercase=self.lowercase)

    @cached_property
    def _of_tags(self) -> Bleu:
        return Bleu(of=self.of, annotate=self.annotate)

    @property
    def resources(self) -> dict[str, str]:
        """Those of the tokenizer and of the backend."""
        return {**self._of_words.resources, **self._of_tags.resources}

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of BLEU for words, then for tags."""
        names = self._of_words.columns
        return (*(f"word_{name}" for name in names), *(f"tag_{name}" for name in names))

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare words and tags of the references once."""
        parts = [bleu.row_function(references, threads) for bleu in (self._of_words, self._of_tags)]

        def rows(hypotheses: TextColumn) -> Values:
            return np.hstack([part(hypotheses) for part in parts])

        return rows

    def aggregate(self, sums: Floats) -> Floats:
        """The weighted mean of both."""
        words, tags = np.split(sums, 2, axis=-1)
        return (1 - self.tag_weight) * self._of_words.aggregate(words) + self.tag_weight * self._of_tags.aggregate(tags)
