"""One test set out of one table or many, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from karat.corpus.column_names import ColumnNames, Pairs
from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.corpus.model import Corpus
from karat.corpus.records import layout_of, text_columns
from karat.corpus.streams.batches import BATCH_ROWS, TableFile
from karat.corpus.streams.joining import joined, recut
from karat.corpus.streams.measured import MeasuredTexts, refuse_other_references
from karat.corpus.streams.pieces import ONLY_SYSTEM, PieceMaker, Shape
from karat.errors import InputError

SMALL = 1 << 20
"""Bytes of a file of Parquet that is read at once, whatever its number of rows."""


def is_streamed(file: InputFile, format: str | None = None) -> bool:  # noqa: A002
    """Whether a file is a table that can be read some rows at a time, and again."""
    if not file.is_lasting:
        return False
    named = format or {".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "tsv", ".tab": "tsv"}.get(file.suffix)
    is_parquet = format == "parquet" or (format is None and file.path.suffix.lower() in (".parquet", ".pq"))
    return is_parquet or named in ("jsonl", "tsv")


class TableStream:
    """Tables with the same columns, as one test set."""

    def __init__(self, files: Sequence[InputFile], format: str | None, columns: Pairs) -> None:  # noqa: A002
        self.columns = text_columns(ColumnNames.of(columns, whole=True))
        self.tables = [TableFile.of(file, format, self.columns) for file in files]
        self._only_system = files[0].stem if len(files) == 1 else ONLY_SYSTEM

    def outgrows_a_block(self) -> bool:
        """Whether one table has more rows than a block; a small file of Parquet is not even opened for that."""
        (table,) = self.tables
        if table.is_parquet:
            if table.file.path.stat().st_size <= SMALL:
                return False
            return (table.described().rows or 0) > BATCH_ROWS
        more = BATCH_ROWS + 1 + table.has_header
        return len(LineFile(table.file).take(more)) == more

    def blocks(self) -> Iterator[Corpus]:
        """Blocks of whole blocks of summation; of a table in long form, those of single systems in turn."""
        parts = self._parts()
        first = self._first(parts)
        if not self._is_long:
            yield from recut(chain([first], parts), BATCH_ROWS)
            return
        yield from _by_system(chain([first], parts))

    def references(self) -> Iterator[Corpus]:
        """The blocks to learn references from: those of one system, where each has them for itself."""
        only: str | None = None
        for block in self.blocks():
            only = next(iter(block.systems), "") if only is None else only
            if not self._is_long or only in block.systems:
                yield block

    def whole(self) -> Corpus:
        """All of it as one corpus."""
        from karat.corpus.records import RecordReader

        parts = self._parts()
        first = self._first(parts)
        if not self._is_long:
            return replace(joined([first, *parts]), first_segment=1)
        records = chain.from_iterable(batch.records() for table in self.tables for batch in table.batches())
        return RecordReader(self.tables[0].file, columns=self.columns).contents(records).corpus()

    def _first(self, parts: Iterator[Corpus]) -> Corpus:
        """The first part; a file without rows is fine where another one has some."""
        first = next(parts, None)
        if first is None:
            raise InputError(f"{self.tables[0].file.name} is empty: it has no segment")
        return first

    def _parts(self) -> Iterator[Corpus]:
        shape: Shape | None = None
        self._is_long = False
        for number, table in enumerate(self.tables):
            known = table.described()
            rows = known.rows
            own = Shape.of(table.file.name, layout_of(known.columns, table.file.name, self.columns))
            shape = shape or own
            if table.has_header:
                shape.refuse_other(own)
            self._is_long = shape.is_long
            maker = PieceMaker(table, self.columns, self._only_system, shape)
            for batch in table.batches():
                done = 1.0 if not rows else (batch.first_row - 1 + len(batch)) / rows
                share = (number + done) / len(self.tables) if rows or len(self.tables) > 1 else None
                for piece in maker.pieces(batch):
                    yield replace(piece.corpus, share_read=share)


def _by_system(parts: Iterator[Corpus]) -> Iterator[Corpus]:
    """Blocks of one system each; as many segments of every one."""
    held: dict[str, list[Corpus]] = {}
    counts: dict[str, int] = {}
    measured: dict[str, MeasuredTexts] = {}
    for part in parts:
        (name,) = part.systems
        measured.setdefault(name, MeasuredTexts()).update(part)
        counts[name] = counts.get(name, 0) + len(part)
        held.setdefault(name, []).append(part)
        while sum(map(len, held[name])) >= BATCH_ROWS:
            whole = joined(held[name])
            yield replace(whole.slice(0, BATCH_ROWS), first_segment=1 + (counts[name] - len(whole)))
            held[name] = [whole.slice(BATCH_ROWS, len(whole))] if len(whole) > BATCH_ROWS else []
    refuse_unequal(counts)
    refuse_other_references({name: segments.value for name, segments in measured.items()})
    for name, rest in held.items():
        if rest:
            whole = joined(rest)
            yield replace(whole, first_segment=1 + counts[name] - len(whole))


def refuse_unequal(counts: dict[str, int]) -> None:
    """Refuse systems of which some have fewer segments than others."""
    most = max(counts, key=lambda name: counts[name])
    for name, count in counts.items():
        if count != counts[most]:
            raise InputError(
                f"system {most} has {counts[most]:,} segments, but {name} has {count:,}: every system needs a "
                "hypothesis for every segment"
            )
