"""TSV and CSV: columns under a header."""

from __future__ import annotations

import csv
import io

from tests.contract.readers.base import ANY, CELL, Row, Sample

HEADER = ("source", "reference:A", "system:sys")


def _tsv(rows: list[Row]) -> bytes:
    return "".join("\t".join(row) + "\n" for row in [HEADER, *rows]).encode()


def _csv(rows: list[Row]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([HEADER, *rows])
    return out.getvalue().encode()


SAMPLES = {
    "tsv": Sample(".tsv", _tsv, CELL),
    "csv": Sample(".csv", _csv, ANY.map(lambda text: text or "x")),
}
