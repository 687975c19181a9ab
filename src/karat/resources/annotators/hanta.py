"""HanTa: tags and lemmas of German, English and Dutch words, after their morphology."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar

from karat import kernels
from karat.errors import MissingExtraError
from karat.resources.annotators.base import Backend, register
from karat.text import tokenizer
from karat.text.annotation import Annotation

if TYPE_CHECKING:
    from karat.text.annotation import Layer

_MODELS = {"de": "morphmodel_ger.pgz", "en": "morphmodel_en.pgz", "nl": "morphmodel_dutch.pgz"}
"""The file in the package that holds each language's model."""


@register
class HantaBackend(Backend):
    """The Hanover Tagger over tokens of 13a; its tags are those of each language's treebank, such as STTS."""

    name: ClassVar[str] = "hanta"
    languages: ClassVar[tuple[str, ...]] = tuple(_MODELS)
    layers: ClassVar[tuple[Layer, ...]] = ("lemmas", "tags")

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """That of HanTa, which brings its models."""
        try:
            return {"hanta": version("HanTa"), "tok": "13a"}
        except PackageNotFoundError as error:
            raise MissingExtraError(f"{self.name}-{self.language}", "linguistic") from error

    @cached_property
    def _tagger(self) -> Any:
        _ = self.versions
        from HanTa.HanoverTagger import HanoverTagger

        return HanoverTagger(_MODELS[self.language])

    def annotate(self, texts: Sequence[str]) -> Iterator[Annotation]:
        """The lemma and tag of each token."""
        for tokens in tokenizer("13a").tokens(kernels.Text(list(texts))).to_lists():
            analysed = self._tagger.tag_sent(tokens)
            yield Annotation(
                tokens=tuple(tokens),
                lemmas=tuple(lemma for _, lemma, _ in analysed),
                tags=tuple(tag for _, _, tag in analysed),
            )
