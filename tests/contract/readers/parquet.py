"""Parquet: columns with names."""

from __future__ import annotations

import io

import polars
from tests.contract.readers.base import ANY, Row, Sample


def _parquet(rows: list[Row]) -> bytes:
    out = io.BytesIO()
    polars.DataFrame(rows, schema=["src", "refA", "system:sys"], orient="row").write_parquet(out)
    return out.getvalue()


SAMPLES = {"parquet": Sample(".parquet", _parquet, ANY, is_text=False)}
