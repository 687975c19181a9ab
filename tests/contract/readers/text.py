"""Plain text: a column of lines."""

from __future__ import annotations

from tests.contract.readers.base import LINE, Row, Sample


def _text(rows: list[Row]) -> bytes:
    return "".join(f"{source}\n" for source, _, _ in rows).encode()


SAMPLES = {"text": Sample(".txt", _text, LINE, "t")}
