"""Pieces of a corpus one after the other, and corpora of a given length out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from karat.corpus.columns import PartialColumn
from karat.corpus.model import Corpus
from karat.errors import InputError
from karat.text import TextColumn


def joined(parts: Sequence[Corpus]) -> Corpus:
    """The segments of all, in order; ids stay only where they tell all segments apart."""
    first = parts[0]
    if len(parts) == 1:
        return first
    for part in parts:
        if set(part.systems) != set(first.systems):
            raise InputError(
                f"the systems {', '.join(first.systems)} are in segment {first.first_segment}, but "
                f"{', '.join(part.systems) or 'none'} from segment {part.first_segment} on: every segment needs a "
                "hypothesis of every system"
            )
    ids = _labels(parts, lambda part: part.ids)
    return replace(
        first,
        systems={name: TextColumn.concat([part.systems[name] for part in parts]) for name in first.systems},
        references=_partial(parts, lambda part: part.references),
        targeted=_partial(parts, lambda part: part.targeted),
        source=None
        if any(part.source is None for part in parts)
        else TextColumn.concat([part.source for part in parts if part.source is not None]),
        documents=_labels(parts, lambda part: part.documents),
        domains=_labels(parts, lambda part: part.domains),
        ids=ids if ids is not None and len(set(ids)) == len(ids) else None,
        share_read=parts[-1].share_read,
    )


def recut(parts: Iterable[Corpus], length: int) -> Iterator[Corpus]:
    """Corpora of so many segments, but for the last one, numbered through."""
    held: list[Corpus] = []
    first = 1
    for part in parts:
        held.append(part)
        while sum(map(len, held)) >= length:
            whole = joined(held)
            yield replace(whole if len(whole) == length else whole.slice(0, length), first_segment=first)
            first += length
            held = [whole.slice(length, len(whole))] if len(whole) > length else []
    if held:
        yield replace(joined(held), first_segment=first)


def _labels(parts: Sequence[Corpus], column_of: Callable[[Corpus], tuple[str, ...] | None]) -> tuple[str, ...] | None:
    columns = [column_of(part) for part in parts]
    if any(column is None for column in columns):
        return None
    return tuple(label for column in columns for label in column or ())


def _partial(parts: Sequence[Corpus], column_of: Callable[[Corpus], object]) -> dict[str, PartialColumn]:
    columns: list[dict[str, PartialColumn]] = [dict(column_of(part)) for part in parts]  # type: ignore[call-overload]
    names = dict.fromkeys(name for named in columns for name in named)
    return {name: _concatenated([named.get(name) for named in columns], parts) for name in names}


def _concatenated(columns: Sequence[PartialColumn | None], parts: Sequence[Corpus]) -> PartialColumn:
    """One column; what a part does not have is missing there."""
    whole = [
        PartialColumn(TextColumn.of([""] * len(part)), np.zeros(len(part), dtype=bool)) if column is None else column
        for column, part in zip(columns, parts, strict=True)
    ]
    text = TextColumn.concat([column.text for column in whole])
    if all(column.present is None for column in whole):
        return PartialColumn(text)
    there = [np.ones(len(column), dtype=bool) if column.present is None else column.present for column in whole]
    return PartialColumn(text, np.concatenate(there))
