"""Parquet files as frames; a damaged one is an error like any other.

A damaged file can make polars ask for memory without bounds, which ends its process, so a process of its own decodes
each file. What comes back is a well-formed table.
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from typing import TYPE_CHECKING

from karat.corpus.files import InputFile
from karat.errors import InputError

if TYPE_CHECKING:
    from polars import DataFrame

MARK = b"PAR1"
"""What a Parquet file starts and ends with."""

_DECODER = (
    "import sys, polars; polars.read_parquet(sys.stdin.buffer.read()).write_ipc(sys.stdout.buffer, compression='lz4')"
)


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

    decoded = subprocess.run([sys.executable, "-P", "-c", _DECODER], input=data, capture_output=True, check=False)
    if decoded.returncode:
        raise InputError(f"{file.name} cannot be read as Parquet, so it may be damaged: {_reason(decoded)}")
    return polars.read_ipc(BytesIO(decoded.stdout))


def _reason(decoded: subprocess.CompletedProcess[bytes]) -> str:
    """The last line of a traceback, or that there was not even one."""
    if decoded.returncode < 0:
        return "decoding it ends in a crash"
    lines = decoded.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"exit status {decoded.returncode}"
