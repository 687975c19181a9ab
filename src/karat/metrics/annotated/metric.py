"""Metrics over what is known of words: who says it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.metrics.base import Metric, parameter
from karat.metrics.framework.wanted import lack_of_layers
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.text import TextColumn
    from karat.text.annotation import Annotations, Annotator, Layer

GIVEN = "given"
"""In place of a backend: annotations that came with the texts."""


@dataclass(frozen=True, kw_only=True)
class AnnotatedMetric(Metric):
    """A metric that sees text as words of which something is known.

    What is known came with the texts, or a backend finds it; where nothing was written, the one for the language.
    """

    annotate: str = parameter(GIVEN, "what annotates the texts: given with them, or a backend such as spacy-en")

    def check(self) -> None:
        """Refuse what does not exist, or does not find what is wanted."""
        super().check()
        if self.annotate != GIVEN:
            from karat.resources.annotators import check_annotator

            check_annotator(self.annotate, self.layers, self.name)

    @property
    @abstractmethod
    def layers(self) -> tuple[Layer, ...]:
        """What it must know of the words of hypotheses and references."""

    @property
    def given_layers(self) -> tuple[Layer, ...]:
        """All of them, where no backend was named."""
        return self.layers if self.annotate == GIVEN else ()

    def annotations(self, column: TextColumn) -> Annotations:
        """What is known of the words of every text."""
        if self.annotate != GIVEN:
            return column.annotations(_annotator(self.annotate))
        if column.given_annotations is None:
            raise InputError(f"{self.name}: {lack_of_layers(self, [('the texts', column)])}")
        return column.given_annotations

    @property
    def resources(self) -> dict[str, str]:
        """The backend, with the versions of its program and model."""
        return annotator_resources(self.annotate)

    def for_language(self, language: str) -> Metric:
        """The metric with the backend for a language, unless another was written out."""
        fitting = super().for_language(language)
        if not self.layers or "annotate" in self.given:
            return fitting
        from karat.resources.annotators import annotator_for

        backend = annotator_for(language, self.layers)
        return fitting if backend is None else fitting.changed(annotate=backend)

    def with_given_annotations(self) -> Metric:
        """The metric for texts that came with annotations, unless a backend was written out."""
        return self if "annotate" in self.given else self.changed(annotate=GIVEN)


def annotator_resources(name: str) -> dict[str, str]:
    """What a signature must say about a backend."""
    return {} if name == GIVEN else {"annotator": _annotator(name).signature}


def _annotator(name: str) -> Annotator:
    from karat.resources.annotators import annotator

    return annotator(name)
