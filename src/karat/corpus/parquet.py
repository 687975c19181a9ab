"""Parquet files as frames; whatever polars trips over in a damaged one is an error like any other."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from karat.corpus.files import InputFile
from karat.errors import InputError

if TYPE_CHECKING:
    from polars import DataFrame

MARK = b"PAR1"
"""What a Parquet file starts and ends with."""


def parquet_frame(file: InputFile) -> DataFrame:
    """The table of a file."""
    data = file.stored()
    if not data:
        raise InputError(f"{file.name} is empty")
    if not data.startswith(MARK):
        raise InputError(f"{file.name} is not a Parquet file: it does not start as one")
    if not data.endswith(MARK):
        raise InputError(f"{file.name} is a Parquet file that is cut short: copy it again")
    import polars

    try:
        return polars.read_parquet(BytesIO(data))
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        raise InputError(f"{file.name} cannot be read as Parquet, so it may be damaged: {error}") from error
