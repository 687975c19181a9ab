"""simplemma: lemmas out of word lists, for many languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar

from karat.errors import MissingExtraError
from karat.resources.annotators.base import Backend, register
from karat.text.annotation import Annotation

if TYPE_CHECKING:
    from karat.text.annotation import Layer

_LANGUAGES = (
    "ar ast bg ca cs cy da de el en enm eo es et fa fi fr ga gd gl grc gv he hi hu hy id is it ka la lb lt lv mk ml ms "
    "nn nl no pl pt ro ru se sk sl sq sr sv sw tl tr uk"
)
_NAMES = {"no": "nb", "sr": "hbs"}
"""What simplemma calls languages that are known by other codes here."""


@register
class SimplemmaBackend(Backend):
    """Simplemma's tokens and lemmas."""

    name: ClassVar[str] = "simplemma"
    languages: ClassVar[tuple[str, ...]] = tuple(_LANGUAGES.split())
    layers: ClassVar[tuple[Layer, ...]] = ("lemmas",)

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """That of simplemma, which brings its word lists."""
        try:
            return {"simplemma": version("simplemma")}
        except PackageNotFoundError as error:
            raise MissingExtraError(f"{self.name}-{self.language}", "linguistic") from error

    @cached_property
    def _package(self) -> Any:
        _ = self.versions
        import simplemma

        return simplemma

    def annotate(self, texts: Sequence[str]) -> Iterator[Annotation]:
        """The lemma of each token."""
        language = _NAMES.get(self.language, self.language)
        for text in texts:
            tokens = tuple(self._package.simple_tokenizer(text))
            lemmas = tuple(self._package.lemmatize(token, lang=language) for token in tokens)
            yield Annotation(tokens=tokens, lemmas=lemmas)
