"""Parquet files as frames; a damaged one is an error like any other.

A damaged file can make polars ask for memory without bounds, which ends its process, so a process of its own decodes
each file, in limited memory. What comes back is a well-formed table of a size that its file accounts for.
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from karat.corpus.compression import FREE_BYTES, HIGHEST_RATIO
from karat.corpus.files import LONGEST_WHOLE, InputFile
from karat.errors import InputError

if TYPE_CHECKING:
    from polars import DataFrame

MARK = b"PAR1"
"""What a Parquet file starts and ends with."""

_DECODER = Path(__file__).with_name("parquet_decoder.py")


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

    from karat.corpus.parquet_decoder import TOO_MUCH

    most = min(max(FREE_BYTES, HIGHEST_RATIO * len(data)), LONGEST_WHOLE)
    decoded = decode(data, most)
    if decoded.returncode == TOO_MUCH:
        raise InputError(
            f"{file.name} is a Parquet file of {len(data):,} bytes that unpacks to more than {most >> 20:,} MiB: "
            "split it, or give its columns as plain text files, which are read in blocks"
        )
    if decoded.returncode:
        raise InputError(f"{file.name} cannot be read as Parquet, so it may be damaged: {_reason(decoded)}")
    return polars.read_ipc(BytesIO(decoded.stdout))


def decode(data: bytes, most: int) -> subprocess.CompletedProcess[bytes]:
    """Run the decoder, which prints the table if it holds no more than so many bytes."""
    program = [sys.executable, "-P", str(_DECODER), str(most)]
    return subprocess.run(program, input=data, capture_output=True, check=False)


def _reason(decoded: subprocess.CompletedProcess[bytes]) -> str:
    """The last line of a traceback, or that there was not even one."""
    if decoded.returncode < 0:
        return "decoding it ends in a crash, or takes too much memory"
    lines = decoded.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"exit status {decoded.returncode}"
