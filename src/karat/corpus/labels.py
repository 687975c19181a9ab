"""Document labels, one per line: a document, or domain<TAB>document as mt-metrics-eval has it."""

from __future__ import annotations

from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.errors import InputError


def read_labels(file: InputFile) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The document of each line, and its domain where the file names it."""
    rows = [line.split("\t") for line in LineFile(file).rest().to_list()]
    if not rows:
        raise InputError(f"{file.name} is empty: expected one document per line")
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) > 2 or len(row) != width:
            raise InputError(
                f"{file.name}, line {number}: {len(row)} columns; expected the document, or the domain, a tab and "
                "the document, the same way on every line"
            )
        if not row[-1]:
            raise InputError(f"{file.name}, line {number}: the document has no name")
    documents = tuple(row[-1] for row in rows)
    return documents, tuple(row[0] for row in rows) if width == 2 else None
