"""Metrics over words that can see tags, lemmas or chunks in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.metrics.annotated.metric import GIVEN, AnnotatedMetric, annotator_resources
from karat.metrics.base import parameter
from karat.metrics.words.metric import WordMetric
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.text import TextColumn
    from karat.text.annotation import Annotation, Layer, Span

WORD = "word"


@dataclass(frozen=True, kw_only=True)
class SequenceMetric(WordMetric, AnnotatedMetric):
    """A metric over sequences of words, or of what is known of these, in their order."""

    of: str = parameter(
        WORD,
        "what the sequences are of: words, or lemmas, universal tags, tags of the annotator's own set, chunks, or "
        "words as beginning, inside or outside of chunks (iob)",
        choices=(WORD, "lemma", "pos", "tag", "chunk", "iob"),
    )

    def check(self) -> None:
        """Refuse what annotates words that are taken as they are, and case where there is none."""
        super().check()
        if not self.layers and self.annotate != GIVEN:
            raise SpecError(f"{self.name}(annotate={self.annotate}) sees words alone: add of=pos, or leave it out")
        if self.lowercase and self.of not in (WORD, "lemma"):
            raise SpecError(f"{self.name}(lowercase=true) has no effect with of={self.of}: leave it out")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The one that the sequences are of."""
        return () if self.of == WORD else (_SEQUENCES[self.of].layer,)

    @property
    def resources(self) -> dict[str, str]:
        """The tokenizer's versions, or the backend's."""
        return super().resources if self.of == WORD else annotator_resources(self.annotate)

    def reads(self, language: str) -> bool:
        """Whoever annotates text knows its words, written with spaces or not."""
        return self.of != WORD or super().reads(language)

    def tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The words of every string, or what stands for them."""
        if self.of == WORD:
            return super().tokens(column, threads)
        known = map(_SEQUENCES[self.of].read, self.annotations(column))
        if self.lowercase and self.of == "lemma":
            return spelled([lemma.lower() for lemma in sequence] for sequence in known)
        return spelled(known)

    def over(self, name: str) -> str:
        """The name of the measure over these sequences, such as POS-BLEU."""
        return name if self.of == WORD else f"{_SEQUENCES[self.of].name}-{name}"


def spelled(sequences: Iterable[Iterable[str]]) -> kernels.Tokens:
    """Sequences as segments of tokens.

    >>> spelled([["DET", "NOUN"], [], ["NOUN"]]).to_lists()
    [['DET', 'NOUN'], [], ['NOUN']]
    """
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(token, len(numbers)) for token in sequence] for sequence in sequences]
    offsets = np.cumsum([0, *map(len, ids)], dtype=np.int64)
    return kernels.spell_words(list(numbers), np.fromiter(chain.from_iterable(ids), np.int32), offsets)


@dataclass(frozen=True)
class _Sequence:
    """What a sequence is of: its name, the layer that it is in, and how it is read."""

    name: str
    layer: Layer
    read: Callable[[Annotation], Iterable[str]]


def _iob(annotation: Annotation) -> Iterator[str]:
    """The marks of all tokens: B-NP, I-NP, O."""
    marks = ["O"] * len(annotation.tokens)
    for span in annotation.chunks or ():
        marks[span.start : span.end] = _marks(span)
    return iter(marks)


def _marks(span: Span) -> list[str]:
    return [f"B-{span.label}", *[f"I-{span.label}"] * (span.end - span.start - 1)]


_SEQUENCES = {
    "lemma": _Sequence("lemma", "lemmas", lambda text: text.lemmas or ()),
    "pos": _Sequence("POS", "pos", lambda text: text.pos or ()),
    "tag": _Sequence("tag", "tags", lambda text: text.tags or ()),
    "chunk": _Sequence("chunk", "chunks", lambda text: [span.label for span in text.chunks or ()]),
    "iob": _Sequence("IOB", "chunks", _iob),
}
