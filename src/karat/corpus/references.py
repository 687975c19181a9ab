"""References: any number of translations per segment to measure against."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.arguments import items
from karat.errors import InputError
from karat.identity import ReferenceMark
from karat.quick_dataclasses import dataclass
from karat.text import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class References:
    """All references of all segments in one column; those of segment i stand at offsets[i] to offsets[i + 1].

    `sources` are what was translated, one for each segment, where a metric wants them.

    >>> References.of([["a b", "a c"], ["d"]]).count_label
    'var'
    """

    column: TextColumn
    offsets: NDArray[np.int64]
    sources: TextColumn | None = None

    @classmethod
    def of(cls, references: References | Iterable[str] | Iterable[Iterable[str]]) -> References:
        """References per segment: a list of strings, or a list of lists of strings."""
        if isinstance(references, References):
            return references
        if isinstance(references, TextColumn):
            return cls(references, np.arange(len(references) + 1, dtype=np.int64))
        entries = items(references, "references", dimensions=(1, 2))
        if all(issubclass(kind, str) for kind in set(map(type, entries))):
            return cls(TextColumn.of(entries), np.arange(len(entries) + 1, dtype=np.int64))
        alternatives = [_alternatives(entry, number) for number, entry in enumerate(entries, 1)]
        counts = [0, *(len(texts) for texts in alternatives)]
        return cls(TextColumn.of(list(chain.from_iterable(alternatives))), np.cumsum(counts, dtype=np.int64))

    @classmethod
    def from_streams(cls, streams: Sequence[Sequence[str | None]]) -> References:
        """References as parallel columns; None where a column has no reference for a segment."""
        lengths = {len(stream) for stream in streams}
        if len(lengths) > 1:
            raise InputError(f"the references have different numbers of segments: {sorted(lengths)}")
        return cls.of([[text for text in row if text is not None] for row in zip(*streams, strict=True)])

    @classmethod
    def none(cls, segments: int) -> References:
        """No reference for any of so many segments: for metrics that measure with sources alone."""
        return cls(TextColumn.of([]), np.zeros(segments + 1, dtype=np.int64))

    @classmethod
    def with_sources(
        cls,
        references: References | Iterable[str] | Iterable[Iterable[str]] | None,
        sources: TextColumn | Iterable[str] | None,
    ) -> References:
        """References, the sources of their segments, or both."""
        if sources is None:
            return cls.of([] if references is None else references)
        column = TextColumn.of(sources)
        return (cls.none(len(column)) if references is None else cls.of(references)).beside(column)

    def beside(self, sources: TextColumn | Iterable[str]) -> References:
        """The same references with the sources of their segments."""
        column = TextColumn.of(sources)
        if len(column) != len(self):
            raise InputError(f"{len(column)} sources for {len(self)} segments: each segment needs exactly one source")
        return replace(self, sources=column)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many references each segment has."""
        return np.diff(self.offsets)

    @cached_property
    def count_label(self) -> str:
        """The number of references per segment, or "var" where it differs."""
        return _count_label(_different(self.counts))

    @cached_property
    def digest(self) -> str:
        """A short hash: two scores are comparable only if theirs is the same."""
        return self._mark.digest

    @property
    def beside_digests(self) -> tuple[tuple[str, str], ...]:
        """Short hashes of the sources, and of annotations that came with them and the references."""
        return self._mark.beside_digests

    @cached_property
    def _mark(self) -> ReferenceMark:
        fingerprint = Fingerprint()
        fingerprint.update(self)
        return fingerprint.mark()


class Fingerprint:
    """How many references per segment, and a hash of them; the same whether they come at once or in blocks."""

    def __init__(self) -> None:
        self._counts: set[int] = set()
        self._hashers = [hashlib.sha256() for _ in range(3)]
        self._beside: dict[str, Any] = {}

    def update(self, references: References) -> None:
        """Take in the references of the segments that follow."""
        counts = references.counts
        self._counts.update(_different(counts))
        native = references.column.native
        lengths = np.diff(np.frombuffer(native.offsets(), dtype=np.int64))
        text, boundaries, segments = self._hashers
        text.update(native.arena())
        boundaries.update(lengths.tobytes())
        segments.update(counts.tobytes())
        if references.sources is not None:
            for source in references.sources:
                self._hasher("source").update(f"{len(source)} {source}".encode())
        for column in (references.column, references.sources):
            if column is not None and column.given_annotations is not None:
                column.given_annotations.feed(self._hasher("annotations"))

    def _hasher(self, name: str) -> Any:
        return self._beside.setdefault(name, hashlib.sha256())

    def mark(self) -> ReferenceMark:
        """The number and the hash of what was taken in so far."""
        whole = b"".join(hasher.digest() for hasher in self._hashers)
        beside = tuple((name, hasher.hexdigest()[:8]) for name, hasher in self._beside.items())
        return ReferenceMark(_count_label(self._counts), hashlib.sha256(whole).hexdigest()[:8], beside)


def _different(counts: NDArray[np.int64]) -> list[int]:
    """The numbers that there are, each once; `np.unique` would load masked arrays."""
    return np.flatnonzero(np.bincount(counts)).tolist()


def _count_label(counts: Iterable[int]) -> str:
    """The number of references per segment, or "var" where it differs."""
    different = set(counts)
    return str(different.pop()) if len(different) == 1 else "var"


def _alternatives(entry: object, number: int) -> list[str]:
    """The references of one segment, each checked to be text, so that an error names the segment."""
    if isinstance(entry, str):
        return [entry]
    try:
        texts = [] if entry is None else items(entry, "references")
    except InputError as error:
        raise InputError(f"segment {number}: a string or a list of strings is wanted; {error}") from error
    if not texts:
        raise InputError(f"segment {number} has no reference at all: give it one, or leave the segment out")
    for text in texts:
        if not isinstance(text, str):
            raise InputError(
                f"segment {number} has a reference that is not a string ({text!r}): "
                "leave out a reference that is missing"
            )
    return texts
