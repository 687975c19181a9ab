"""Rows of tables as pieces of a corpus: whole columns where nothing is missing, else record by record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

import numpy as np

from karat.corpus.column_names import ColumnNames
from karat.corpus.columns import PartialColumn
from karat.corpus.contents import Contents
from karat.corpus.model import Corpus, split_language_pair
from karat.corpus.records import Layout, RecordReader, layout_of
from karat.corpus.streams.batches import Batch, TableFile
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.text import TextColumn

ONLY_SYSTEM = "hypothesis"
"""What the only system of several files is called."""

_NESTED = {"references", "systems", "post_edits"}
_LABELS = ("document", "domain", "segment")


@dataclass(frozen=True)
class Piece:
    """A corpus out of some rows of a batch; `rows` are their positions in it, or None where they are all of them."""

    corpus: Corpus
    rows: Sequence[int] | None = None


@dataclass(frozen=True)
class Shape:
    """What a table's columns are, in words that tell two tables apart."""

    file: str
    roles: frozenset[str]

    @classmethod
    def of(cls, file: str, layout: Layout) -> Shape:
        """The shape of a table with that layout."""
        groups = {"reference": layout.references, "system": layout.systems, "post_edit": layout.post_edits}
        named = [f"{role}:{name}" for role, names in groups.items() for name in names]
        return cls(file, frozenset([*layout.single, *named]))

    @property
    def is_long(self) -> bool:
        """Whether each row has the output of one of several systems."""
        return "system" in self.roles

    def refuse_other(self, other: Shape) -> None:
        """Refuse a table with other columns: parts of one test set have the same."""
        lacking, more = sorted(self.roles - other.roles), sorted(other.roles - self.roles)
        if lacking or more:
            parts = [f"no {', '.join(lacking)}"] if lacking else []
            parts += [f"also {', '.join(more)}"] if more else []
            raise InputError(
                f"{other.file} has {' and '.join(parts)}, unlike {self.file}: files that are one test set must have "
                "the same columns; name them alike, or score them apart"
            )


class PieceMaker:
    """Makes pieces of the batches of one table."""

    def __init__(self, table: TableFile, columns: ColumnNames, only_system: str, shape: Shape | None = None) -> None:
        self._table, self._columns, self._only_system = table, columns, only_system
        self._shape = shape
        self._layouts: dict[tuple[str, ...], Layout] = {}

    def pieces(self, batch: Batch) -> list[Piece]:
        """The corpus in a batch; one for each system where rows are of one system each."""
        layout = self._layout(batch)
        if not layout.is_long:
            return [Piece(self._corpus(batch, layout, self._only_system))]
        return [
            Piece(self._corpus(_taken(batch, rows), layout, name), rows)
            for name, rows in _rows_by_system(batch, layout).items()
        ]

    def _layout(self, batch: Batch) -> Layout:
        if batch.names not in self._layouts:
            layout = layout_of(batch.names, batch.file.name, self._columns)
            if self._shape is not None and batch.columns is not None and self._table.has_header:
                self._shape.refuse_other(Shape.of(batch.file.name, layout))
            self._layouts[batch.names] = layout
        return self._layouts[batch.names]

    def _corpus(self, batch: Batch, layout: Layout, system: str) -> Corpus:
        quick = None if batch.columns is None else _whole(batch, layout, system, self._table.empty_is_missing)
        return self._checked(batch) if quick is None else quick

    def _checked(self, batch: Batch) -> Corpus:
        """Record by record, which finds the place of whatever is wrong."""
        reader = RecordReader(
            batch.file,
            empty_is_missing=self._table.empty_is_missing,
            columns=self._columns,
            only_system=self._only_system,
        )
        contents = reader.contents(batch.records())
        _refuse_missing(contents, batch.places)
        return replace(contents.corpus(), first_segment=batch.first_row)


def _rows_by_system(batch: Batch, layout: Layout) -> Mapping[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(batch.column(layout.single["system"])):
        if name is None or name == "":
            raise InputError(f"{batch.places[row]}: the system has no name")
        rows.setdefault(str(name), []).append(row)
    return rows


def _taken(batch: Batch, rows: Sequence[int]) -> Batch:
    """Some rows of a batch."""
    if len(rows) == len(batch):
        return batch
    places = [batch.places[row] for row in rows]
    if batch.columns is None:
        return replace(batch, places=places, ragged=[batch.ragged[row] for row in rows])
    columns = {name: [values[row] for row in rows] for name, values in batch.columns.items()}
    return replace(batch, places=places, columns=columns)


def _whole(batch: Batch, layout: Layout, system: str, empty_is_missing: bool) -> Corpus | None:
    """The corpus of whole columns; None where something is missing, nested or of another kind."""
    if _NESTED & layout.single.keys():
        return None
    columns = batch.columns or {}
    single = {role: columns[name] for role, name in layout.single.items()}
    systems = {name: columns[column] for name, column in layout.systems.items()}
    if "hypothesis" in single:
        systems[system] = single["hypothesis"]
    references = {name: columns[column] for name, column in layout.references.items()}
    targeted = {name: columns[column] for name, column in layout.post_edits.items()}
    texts = [*systems.values(), *references.values(), *targeted.values()]
    texts += [single["source"]] if "source" in single else []
    if not systems or not all(_is_text(values) for values in texts):
        return None
    if empty_is_missing and any("" in values for values in (*references.values(), *targeted.values())):
        return None
    labels = {role: _labels(single[role]) for role in _LABELS if role in single}
    languages = _languages(single.get("language_pair"))
    if None in labels.values() or languages is None or _has_twins(labels):
        return None
    try:
        return Corpus(
            systems={name: TextColumn.of(values) for name, values in systems.items()},
            references={name: PartialColumn(TextColumn.of(values)) for name, values in references.items()},
            targeted={name: PartialColumn(TextColumn.of(values)) for name, values in targeted.items()},
            source=TextColumn.of(single["source"]) if "source" in single else None,
            documents=labels.get("document"),
            domains=labels.get("domain"),
            ids=labels.get("segment"),
            source_language=languages[0],
            target_language=languages[1],
            first_segment=batch.first_row,
        )
    except InputError:
        return None


def _is_text(values: Sequence[Any]) -> bool:
    return set(map(type, values)) == {str}


def _labels(values: Sequence[Any]) -> tuple[str, ...] | None:
    kinds = set(map(type, values))
    return tuple(map(str, values)) if kinds <= {str, int} else None


def _languages(values: Sequence[Any] | None) -> tuple[str | None, str | None] | None:
    if values is None:
        return None, None
    pairs = set(values)
    pair = pairs.pop()
    return split_language_pair(pair) if not pairs and isinstance(pair, str) and pair else None


def _has_twins(labels: Mapping[str, tuple[str, ...] | None]) -> bool:
    """Whether two segments of a document have the same name."""
    ids = labels.get("segment")
    if ids is None:
        return False
    documents: Iterable[str | None] = labels.get("document") or repeat(None)
    return len(set(zip(documents, ids, strict=False))) < len(ids)


def _refuse_missing(contents: Contents, places: Sequence[str]) -> None:
    """Refuse a row without its source or without any reference, by its place."""
    if len(contents) != len(places):  # records of one segment were joined
        return
    if contents.source is not None and len(missing := contents.source.missing):
        raise InputError(f"{places[int(missing[0])]}: there is no source here (null), but other rows have one")
    columns = list(contents.references.values())
    if not columns or contents.targeted:
        return
    there = np.logical_or.reduce([np.ones(len(c), bool) if c.present is None else c.present for c in columns])
    if not there.all():
        row = int(np.flatnonzero(~there)[0])
        raise InputError(f"{places[row]}: there is no reference here (null): give it one, or leave the row out")
