"""Decodes Parquet and lines of text for another process, some rows at a time; run as a program of its own.

Each line of stdin is a request in JSON. What follows on stdout are frames: a line of JSON that tells how many bytes
come after it, then a table as Arrow; the last line says that the end is reached, or what went wrong.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import polars as pl

MOST_MEMORY = 10 << 30
"""What damage may make this process ask for at most, where the system can tell."""


def limit_memory() -> None:
    """Let damage that asks for memory without bounds end this process."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def frames(request: dict[str, Any]) -> Iterator[pl.DataFrame]:
    """The table that is asked for, some rows at a time; its length and columns where `describe` is asked."""
    path = request["path"]
    if request["kind"] == "list":
        yield listed(path)
        return
    table = pl.scan_lines(path, glob=False) if request["kind"] == "lines" else pl.scan_parquet(path, glob=False)
    if request.get("describe"):
        schema = table.collect_schema()
        rows = table.select(pl.len()).collect().item()
        yield pl.DataFrame({"name": schema.names(), "kind": [str(kind) for kind in schema.dtypes()]}).with_columns(
            rows=pl.lit(rows, dtype=pl.Int64)
        )
        return
    if request.get("columns") is not None:
        table = table.select(request["columns"])
    table = table.slice(request["start"], request["rows"])
    yield from table.collect_batches(chunk_size=request["block"], maintain_order=True)


def listed(pattern: str) -> pl.DataFrame:
    """The paths of an object store that fit a pattern."""
    is_parquet = pattern.endswith((".parquet", ".pq"))
    table = (pl.scan_parquet if is_parquet else pl.scan_lines)(pattern, include_file_paths="path", glob=True)
    return table.select("path").unique().collect()


def answer(request: dict[str, Any], out: BinaryIO) -> None:
    """Write what is asked for, and an end."""
    try:
        for frame in frames(request):
            arrow = io.BytesIO()
            frame.write_ipc(arrow)
            out.write(json.dumps({"bytes": arrow.tell()}).encode() + b"\n")
            out.write(arrow.getbuffer())
        end: dict[str, Any] = {"end": True}
    except Exception as error:
        text = str(error).lower()
        missing = isinstance(error, FileNotFoundError) or "not found" in text or "paths were empty" in text
        end = {"error": str(error).strip().partition("\n")[0], "missing": missing}
    out.write(json.dumps(end).encode() + b"\n")
    out.flush()


def main() -> int:
    """Answer requests until there are no more."""
    limit_memory()
    for line in sys.stdin.buffer:
        answer(json.loads(line), sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
