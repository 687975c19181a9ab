"""A column of text in which some segments may be missing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.arguments import items
from karat.corpus.lines import slice_of
from karat.quick_dataclasses import dataclass
from karat.text import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.text.annotation import Annotations


@dataclass(frozen=True, eq=False)
class PartialColumn:
    """Text for some of the segments; `present` is None where every segment has its text.

    A missing text is None, which is not the empty string: an empty reference is a reference.

    >>> PartialColumn.of(["a", None, ""]).to_list()
    ['a', None, '']
    """

    text: TextColumn
    present: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, texts: PartialColumn | TextColumn | Iterable[str | None]) -> PartialColumn:
        """A column of texts, None where there is none."""
        if isinstance(texts, PartialColumn):
            return texts
        if isinstance(texts, TextColumn):
            return cls(texts)
        listed = items(texts, "strings")
        if not any(text is None for text in listed):
            return cls(TextColumn.of(listed))
        present = np.fromiter((text is not None for text in listed), dtype=bool, count=len(listed))
        return cls(TextColumn.of([text if text is not None else "" for text in listed]), present)

    def __len__(self) -> int:
        return len(self.text)

    @property
    def missing(self) -> NDArray[np.intp]:
        """The positions of the segments without text, from 0."""
        return np.flatnonzero(~self.present) if self.present is not None else np.empty(0, dtype=np.intp)

    def to_list(self) -> list[str | None]:
        """The strings, None where there is none."""
        texts: list[str | None] = list(self.text.to_list())
        for position in self.missing.tolist():
            texts[position] = None
        return texts

    def slice(self, start: int, stop: int) -> PartialColumn:
        """The texts from start to before stop."""
        present = None if self.present is None else self.present[start:stop]
        return PartialColumn(slice_of(self.text, start, stop), None if present is None or present.all() else present)

    @property
    def is_present(self) -> NDArray[np.bool_]:
        """Whether each segment has its text."""
        return np.ones(len(self), dtype=bool) if self.present is None else self.present

    def take(self, positions: Sequence[int]) -> PartialColumn:
        """The texts at some positions, in the order of these."""
        return PartialColumn(self.text.take(positions), None if self.present is None else self.present[[*positions]])

    def annotated(self, annotations: Annotations) -> PartialColumn:
        """The same texts with annotations that came with them; what is said of missing ones does not count."""
        return PartialColumn(self.text.annotated(annotations), self.present)

    def digest(self) -> bytes:
        """A hash of the texts and of which are there."""
        digest = self.text.digest()
        if not len(self.missing):
            return digest
        return hashlib.blake2b(digest + self.missing.astype("<i8").tobytes(), digest_size=16).digest()
