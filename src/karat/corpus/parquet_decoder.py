"""Decodes Parquet from stdin to Arrow on stdout; `karat.corpus.parquet` runs it as a program of its own.

The argument is how many bytes the table may have. A column can say one text a million times in a few bytes, so what
counts is what its cells hold, not what they take up in the file.
"""

from __future__ import annotations

import io
import sys

import polars as pl

TOO_MUCH = 3
"""The exit status for a table that holds more than it may."""
CELL = 16
"""Bytes that a cell counts for beside its text."""
_OWN_MEMORY = 1 << 30
_COPIES = 4
"""How many times the table may be in memory while it is decoded."""


def held_bytes(column: pl.Series) -> int:
    """How much the cells of a column hold, those inside of lists and structs included."""
    kind = column.dtype
    held = CELL * len(column)
    if kind == pl.String:
        return held + int(column.str.len_bytes().sum())
    if kind == pl.Binary:
        return held + int(column.bin.size().sum())
    if isinstance(kind, pl.Struct):
        return held + sum(held_bytes(field) for field in column.struct.unnest())
    if isinstance(kind, pl.List | pl.Array):
        return held + held_bytes(column.explode())
    return held + (held_bytes(column.cast(pl.String)) if kind in (pl.Categorical, pl.Enum) else 0)


def limit_memory(most: int) -> None:
    """Let damage that asks for memory without bounds end this process, where the system can."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (_OWN_MEMORY + _COPIES * most,) * 2)


def decoded(data: bytes, most: int) -> bytes | None:
    """The table as Arrow; None if it holds more than it may."""
    frame = pl.read_parquet(data)
    if sum(held_bytes(column) for column in frame) > most:
        return None
    arrow = io.BytesIO()
    frame.write_ipc(arrow, compression="lz4")
    return arrow.getvalue()


def main() -> int:
    """Decode one table."""
    most = int(sys.argv[1])
    limit_memory(most)
    arrow = decoded(sys.stdin.buffer.read(), most)
    if arrow is None:
        return TOO_MUCH
    sys.stdout.buffer.write(arrow)
    return 0


if __name__ == "__main__":
    sys.exit(main())
