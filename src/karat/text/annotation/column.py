"""Annotations of a column of texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, overload

from karat.errors import InputError
from karat.text.annotation.jsonform import to_text
from karat.text.annotation.segment import EMPTY, LAYERS, Annotation

if TYPE_CHECKING:
    from karat.text.annotation.segment import Layer

GIVEN = "given"
"""The origin of annotations that came with the texts."""


class Annotations(Sequence[Annotation]):
    """What is known of the words of every text of a column; immutable.

    `layers` are those that all texts have; `origin` tells who made them: "given", or the signature of an annotator.

    >>> column = Annotations.of([Annotation(tokens=("a",), lemmas=("a",)), Annotation(tokens=())])
    >>> column.layers, column[0].lemmas, column[1].lemmas
    (('lemmas',), ('a',), ())
    """

    def __init__(self, annotations: Iterable[Annotation], origin: str = GIVEN) -> None:
        self._annotations = tuple(annotations)
        self.origin = origin

    @classmethod
    def of(cls, annotations: Iterable[Annotation | None], origin: str = GIVEN) -> Annotations:
        """A column of annotations, None where there is no text."""
        listed = list(annotations)
        for number, annotation in enumerate(listed, 1):
            if not isinstance(annotation, Annotation | None):
                raise InputError(f"segment {number} has no Annotation but {type(annotation).__name__}")
        # A text without words has every layer: there is nothing that could be unknown.
        return cls((known if known is not None and known.tokens else EMPTY for known in listed), origin)

    @classmethod
    def concat(cls, columns: Sequence[Annotations]) -> Annotations:
        """All annotations of one column after another."""
        return cls(chain.from_iterable(columns), _joint_origin(columns))

    @classmethod
    def interleave(cls, columns: Sequence[Annotations]) -> Annotations:
        """The first annotations of all columns, then the second ones, and so on."""
        return cls(chain.from_iterable(zip(*columns, strict=True)), _joint_origin(columns))

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """What is known of all texts besides their tokens."""
        different = {annotation.layers for annotation in self._annotations}
        return tuple(layer for layer in LAYERS if all(layer in layers for layers in different))

    @cached_property
    def digest(self) -> str:
        """A short hash of all that is known."""
        hasher = hashlib.sha256()
        self.feed(hasher)
        return hasher.hexdigest()[:8]

    def feed(self, hasher: hashlib._Hash) -> None:
        """Take all that is known into a hash."""
        for annotation in self._annotations:
            hasher.update(to_text(annotation).encode() + b"\n")

    def take(self, positions: Iterable[int]) -> Annotations:
        """The annotations at some positions."""
        return Annotations((self._annotations[position] for position in positions), self.origin)

    def __len__(self) -> int:
        return len(self._annotations)

    def __iter__(self) -> Iterator[Annotation]:
        return iter(self._annotations)

    @overload
    def __getitem__(self, index: int) -> Annotation: ...
    @overload
    def __getitem__(self, index: slice) -> Annotations: ...
    def __getitem__(self, index: int | slice) -> Annotation | Annotations:
        if isinstance(index, slice):
            return Annotations(self._annotations[index], self.origin)
        return self._annotations[index]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Annotations) and self._annotations == other._annotations and self.origin == other.origin
        )

    def __hash__(self) -> int:
        return hash(self._annotations)

    def __repr__(self) -> str:
        return f"Annotations({len(self)} texts: {', '.join(self.layers) or 'tokens'}; {self.origin})"


def _joint_origin(columns: Iterable[Annotations]) -> str:
    return "+".join(sorted({column.origin for column in columns})) or GIVEN
