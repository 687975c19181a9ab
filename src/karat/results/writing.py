"""Writes a result of any use case for programs: JSON and CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from karat.csv_cells import harmless_cell

if TYPE_CHECKING:
    from karat.results.base import Result


def write_json(result: Result, out: TextIO) -> None:
    """The JSON form, numbers at full precision."""
    out.write(json_text(result.to_json(), out, indent=2) + "\n")


def json_text(document: Any, out: TextIO, indent: int | None = None) -> str:
    """JSON as it stands in a stream: characters that its encoding may lack are escaped."""
    encoding = (getattr(out, "encoding", None) or "utf-8").lower()
    import json

    return json.dumps(document, ensure_ascii=not encoding.startswith("utf"), indent=indent)


def write_csv(records: Sequence[Mapping[str, Any]], out: TextIO, fields: Sequence[str] = ()) -> None:
    """One line per record, under the names of all fields (`fields` if there is none); numbers at full precision."""
    names = list(dict.fromkeys(name for record in records for name in record)) or list(fields)
    import csv

    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(harmless_cell(name) for name in names)
    writer.writerows([harmless_cell(record.get(name)) for name in names] for record in records)
