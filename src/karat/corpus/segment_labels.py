"""Labels of segments, one per line, or a column of a table with a row per segment."""

from __future__ import annotations

from collections.abc import Iterator

from karat.corpus.files import InputFile
from karat.corpus.linefile import text_lines
from karat.corpus.readers.base import RecordsFile, reader_for
from karat.errors import InputError, did_you_mean


def read_segment_labels(path: str, column: str | None, segments: int) -> tuple[str, ...]:
    """The label of each segment; of a table, the column of that name."""
    file = InputFile(path)
    if column is None:
        labels = [(f"{file.name}, line {number}", label) for number, label in enumerate(text_lines(file), 1)]
    else:
        labels = list(_column(file, column))
    if not labels:
        raise InputError(f"{file.name} is empty: give a label for each of the {segments:,} segments")
    if len(labels) != segments:
        where, _ = labels[min(len(labels), segments + 1) - 1]
        raise InputError(
            f"{where}: {_labels(len(labels))} there, but the texts have {segments:,} segments: "
            "give one for each, in the same order"
        )
    for number, (where, label) in enumerate(labels, 1):
        if not label.strip():
            raise InputError(f"{where}: segment {number} has no label; give every segment one")
    return tuple(label for _, label in labels)


def _labels(count: int) -> str:
    return "1 label is" if count == 1 else f"{count:,} labels are"


def _column(file: InputFile, column: str) -> Iterator[tuple[str, str]]:
    """Where each label stands, and the label."""
    reader = reader_for(file)
    if not isinstance(reader, RecordsFile):
        raise InputError(f"{file.name} is no table with columns: name a TSV, CSV or JSONL file, or leave out :{column}")
    for where, record in reader.records(file):
        if record.get(column) is None:
            raise InputError(f"{where}: there is no column {column!r}.{did_you_mean(column, list(record))}")
        yield str(where), str(record[column])
