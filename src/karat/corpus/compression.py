"""Compressed files by suffix: .gz, .bz2 and .xz with Python's own modules, .zst with an extra."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from karat.errors import MissingExtraError

KINDS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstandard"}
"""The suffixes of compressed files, and what they are called."""

MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
"""How compressed files start."""

CHUNK = 1 << 20


class DamagedError(Exception):
    """Compressed data that does not decompress: not of that kind, or damaged."""


class TruncatedError(Exception):
    """Compressed data that ends too early."""


def chunks(path: Path, size: int = -1) -> Iterator[bytes]:
    """The bytes of a file, decompressed if its suffix says so, some at a time; -1 is all at once."""
    suffix = path.suffix.lower()
    if suffix not in KINDS:
        with path.open("rb") as stream:
            yield from _reads(stream, size)
        return
    with path.open("rb") as raw:
        yield from _decompressed(raw, suffix, size)


def _decompressed(raw: BinaryIO, suffix: str, size: int) -> Iterator[bytes]:
    """Translates the errors of reading only: a consumer's own errors never pass through here."""
    from lzma import LZMAError

    parts = _zstandard(raw) if suffix == ".zst" else _reads(_decompressor(raw, suffix), size)
    while True:
        try:
            part = next(parts, None)
        except EOFError as error:
            raise TruncatedError from error
        except (OSError, zlib.error, LZMAError) as error:
            raise DamagedError(str(error)) from error
        if part is None:
            return
        yield part


def _reads(stream: BinaryIO, size: int) -> Iterator[bytes]:
    while data := stream.read(size):
        yield data


def _decompressor(raw: BinaryIO, suffix: str) -> BinaryIO:
    if suffix == ".gz":
        import gzip

        return cast(BinaryIO, gzip.GzipFile(fileobj=raw, mode="rb"))
    if suffix == ".bz2":
        import bz2

        return cast(BinaryIO, bz2.BZ2File(raw))
    import lzma

    return cast(BinaryIO, lzma.LZMAFile(raw))


def _zstandard(raw: BinaryIO) -> Iterator[bytes]:
    """All frames of a file; unlike the package's own stream reader, this notices a frame that is cut short."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("reading .zst files", "zstd") from error
    frame = None
    for data in _reads(raw, CHUNK):
        while data:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            try:
                part = frame.decompress(data)
            except zstandard.ZstdError as error:
                raise DamagedError(str(error)) from error
            data = frame.unused_data if frame.eof else b""
            frame = None if frame.eof else frame
            if part:
                yield part
    if frame is not None:
        raise EOFError
