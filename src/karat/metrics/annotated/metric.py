"""Metrics over what is known of words: who says it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.metrics.base import Metric, parameter
from karat.metrics.framework.wanted import lack_of_layers
from karat.quick_dataclasses import dataclass
from karat.resources.annotators import GIVEN, annotator, annotator_for, check_annotator

if TYPE_CHECKING:
    from karat.text import TextColumn
    from karat.text.annotation import Annotations, Layer


@dataclass(frozen=True, kw_only=True)
class AnnotatedMetric(Metric):
    """A metric that sees text as words of which something is known.

    What is known came with the texts, or a backend finds it; where nothing was written, the one for the language.
    """

    annotate: str = parameter(GIVEN, "what annotates the texts: given with them, or a backend such as spacy-en")

    def check(self) -> None:
        """Refuse what does not exist, or does not find what is wanted."""
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
            return column.annotations(annotator(self.annotate))
        if column.given_annotations is None:
            raise InputError(f"{self.name}: {lack_of_layers(self, [('the texts', column)])}")
        return column.given_annotations

    @property
    def resources(self) -> dict[str, str]:
        """The backend, with the versions of its program and model."""
        return {} if self.annotate == GIVEN else {"annotator": annotator(self.annotate).signature}

    def for_language(self, language: str) -> Metric:
        """The metric with the backend for a language, unless another was written out."""
        fitting = super().for_language(language)
        backend = annotator_for(language, self.layers)
        return fitting if backend is None or "annotate" in self.given else fitting.changed(annotate=backend)

    def with_given_annotations(self) -> Metric:
        """The metric for texts that came with annotations, unless a backend was written out."""
        return self if "annotate" in self.given else self.changed(annotate=GIVEN)
