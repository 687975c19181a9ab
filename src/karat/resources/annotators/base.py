"""What a backend is: a program that annotates texts of some languages."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, TypeVar

from karat.errors import SpecError
from karat.resources.annotators.cache import AnnotationCache
from karat.text.annotation import Annotations, Annotator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from karat.text import TextColumn
    from karat.text.annotation import Annotation

B = TypeVar("B", bound="type[Backend]")

registered: dict[str, type[Backend]] = {}
"""The backends known so far, by name."""


class Backend(Annotator):
    """A program that annotates texts of one language; what it has found once is kept on disk.

    A backend of your own names itself, its languages (two-letter codes) and layers, tells the versions of its program
    and model, and annotates texts.
    """

    languages: ClassVar[tuple[str, ...]]

    def __init__(self, language: str) -> None:
        self.language = language

    @property
    @abstractmethod
    def versions(self) -> Mapping[str, str]:
        """The versions of program and model, by name; raises `MissingExtraError` where something is not installed."""

    @abstractmethod
    def annotate(self, texts: Sequence[str]) -> Iterable[Annotation]:
        """What it finds in each of some texts, all of its layers."""

    @property
    def signature(self) -> str:
        """Name, language and versions: ``spacy-en:spacy-3.8.18,model-3.8.0``."""
        versions = ",".join(f"{name}-{version}" for name, version in self.versions.items())
        return f"{self.name}-{self.language}:{versions}"

    def annotations(self, column: TextColumn) -> Annotations:
        """What it finds in every text; each different one is looked at once."""
        texts = column.to_list()
        known = AnnotationCache(self.signature).filled(dict.fromkeys(texts), self.annotate)
        return Annotations.of((known[text] for text in texts), self.signature)


def register(backend: B) -> B:
    """Class decorator: make a backend known under its name."""
    if not (isinstance(backend, type) and issubclass(backend, Backend)):
        raise SpecError(f"{backend!r} is no backend: derive its class from karat.resources.annotators.Backend")
    if backend.name in registered:
        raise SpecError(f"there are two backends named {backend.name!r}")
    registered[backend.name] = backend
    return backend
