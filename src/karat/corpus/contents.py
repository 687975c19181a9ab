"""What a file holds, before it is checked and becomes (part of) a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from karat.corpus.columns import PartialColumn
from karat.corpus.files import InputFile
from karat.corpus.model import Corpus
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.text import TextColumn

SegmentKey = tuple[str, str]
"""A segment by its document and its id within it, as XML and SGM files name it."""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """The columns found in one file.

    `text` is a column whose role the file does not tell: the lines of a plain text file, the targets of a translation
    memory. `keys` are set by formats that name their segments, so that files can be joined by name; `loosely_keyed` by
    those whose names of documents and segments need not be the same in every file.
    """

    file: InputFile
    text: PartialColumn | None = None
    source: PartialColumn | None = None
    references: Mapping[str, PartialColumn] = field(default_factory=dict)
    systems: Mapping[str, PartialColumn] = field(default_factory=dict)
    targeted: Mapping[str, PartialColumn] = field(default_factory=dict)
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    keys: tuple[SegmentKey, ...] | None = None
    loosely_keyed: bool = False
    source_language: str | None = None
    target_language: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next((column for column in self._columns() if column is not None), ()))

    def _columns(self) -> Sequence[PartialColumn | None]:
        return [self.text, self.source, *self.references.values(), *self.systems.values(), *self.targeted.values()]

    @property
    def unit(self) -> str:
        """What the file counts: lines, if it is plain text."""
        return "line" if self.source is None and self.text is not None else "segment"

    def complete(self, column: PartialColumn, what: str) -> TextColumn:
        """The column, refused if a segment is missing from it."""
        if len(column.missing):
            position = int(column.missing[0])
            document, segment = self.keys[position] if self.keys else ("", "")
            name = f" (document {document}, segment {segment})" if self.keys else ""
            raise InputError(f"{self.file.name}: {what} has nothing for segment {position + 1}{name}")
        return column.text

    def in_order_of(self, first: Contents) -> Contents:
        """The same columns in the order of another file that names the same segments."""
        keys, other = first.keys, first.file.name
        if keys is None or self.keys is None or keys == self.keys:
            return self
        if self.loosely_keyed and first.loosely_keyed and (loose := self._loosely_in_order_of(first)) is not None:
            return loose
        positions = {key: i for i, key in enumerate(self.keys)}
        odd = next((key for key in keys if key not in positions), None)
        wanted = set(keys)
        extra = next((key for key in self.keys if key not in wanted), None)
        if odd is not None or extra is not None:
            (document, segment), holder, lacking = (
                (odd, other, self.file.name) if odd is not None else (extra or ("", ""), self.file.name, other)
            )
            raise InputError(f"segment {segment} of document {document} is in {holder}, but not in {lacking}")
        return self._taken([positions[key] for key in keys])

    def _loosely_in_order_of(self, first: Contents) -> Contents | None:
        """The same by the ids alone where these tell all segments apart, or by place where the sources are the same."""
        if set(first.keys or ()) == set(self.keys or ()):
            return None
        ours, theirs = self.ids or (), first.ids or ()
        if len(set(ours)) == len(ours) and len(ours) == len(theirs) and set(ours) == set(theirs):
            places = {segment: place for place, segment in enumerate(ours)}
            return self._taken([places[segment] for segment in theirs])
        same = self.source is not None and first.source is not None and self.source.digest() == first.source.digest()
        return self if same else None

    def _taken(self, order: list[int]) -> Contents:
        def labels(values: Sequence[Any] | None) -> Any:
            return None if values is None else tuple(values[i] for i in order)

        def column(values: PartialColumn | None) -> Any:
            return None if values is None else PartialColumn.of(labels(values.to_list()))

        return replace(
            self,
            text=column(self.text),
            source=column(self.source),
            references={name: column(texts) for name, texts in self.references.items()},
            systems={name: column(texts) for name, texts in self.systems.items()},
            targeted={name: column(texts) for name, texts in self.targeted.items()},
            documents=labels(self.documents),
            domains=labels(self.domains),
            ids=labels(self.ids),
            keys=labels(self.keys),
        )

    def corpus(self) -> Corpus:
        """A corpus of this file alone."""
        if len(self) == 0:
            raise InputError(f"{self.file.name} is empty: it has no segment")
        references = dict(self.references)
        if self.text is not None:
            references.setdefault("target", self.text)
        try:
            return Corpus(
                systems={name: self.complete(texts, f"system {name}") for name, texts in self.systems.items()},
                references=references,
                source=None if self.source is None else self.complete(self.source, "the source"),
                targeted=self.targeted,
                documents=self.documents,
                domains=self.domains,
                ids=self.ids,
                source_language=self.source_language,
                target_language=self.target_language,
                metadata=self.metadata,
            )
        except InputError as error:
            if str(error).startswith(self.file.name):
                raise
            raise InputError(f"{self.file.name}: {error}") from error


class SegmentTable:
    """Collects texts by kind, name and segment key, from formats that spread a segment over several places."""

    def __init__(self, file: InputFile) -> None:
        self._file = file
        self._keys: dict[SegmentKey, None] = {}
        self._texts: dict[tuple[str, str], dict[SegmentKey, str]] = {}
        self._domains: dict[str, str] = {}

    def add(self, kind: str, name: str, key: SegmentKey, text: str, where: Callable[[], str] = str) -> None:
        """One text of a source, text, reference or system column; `where` is asked only for an error."""
        column = self._texts.setdefault((kind, name), {})
        if key in column:
            what = kind if kind in ("source", "text") else f"{kind} {name}"
            raise InputError(f"{self._file.name}{where()}: the {what} has segment {key[1]} of document {key[0]} twice")
        self._keys.setdefault(key)
        column[key] = text

    def set_domain(self, document: str, domain: str | None) -> None:
        """The domain or genre of a document."""
        if domain:
            self._domains[document] = domain

    def contents(self, **more: Any) -> Contents:
        """All that was collected, segments in the order of first appearance."""
        keys = tuple(self._keys)
        documents = tuple(document for document, _ in keys)
        return Contents(
            file=self._file,
            text=self._only("text"),
            source=self._only("source"),
            references=self._named("reference"),
            systems=self._named("system"),
            documents=documents,
            domains=tuple(self._domains.get(document, "") for document in documents) if self._domains else None,
            ids=tuple(segment for _, segment in keys),
            keys=keys,
            **more,
        )

    def _named(self, kind: str) -> dict[str, PartialColumn]:
        return {name: self._column(texts) for (its, name), texts in self._texts.items() if its == kind}

    def _only(self, kind: str) -> PartialColumn | None:
        return next(iter(self._named(kind).values()), None)

    def _column(self, texts: Mapping[SegmentKey, str]) -> PartialColumn:
        return PartialColumn.of([texts.get(key) for key in self._keys])
