"""What makes annotations of texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from karat.text.annotation.column import Annotations
    from karat.text.annotation.segment import Layer
    from karat.text.column import TextColumn


class Annotator(ABC):
    """Finds the tokens of texts, and what is known of them in some layers."""

    name: ClassVar[str]
    layers: ClassVar[tuple[Layer, ...]]

    @property
    @abstractmethod
    def signature(self) -> str:
        """What a reader must know to get the same annotations: the name, and the versions of program and model."""

    @abstractmethod
    def annotations(self, column: TextColumn) -> Annotations:
        """What it finds in every text."""
