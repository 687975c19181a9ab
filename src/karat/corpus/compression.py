"""Compressed files: .gz, .bz2 and .xz with Python's own modules, .zst with an extra.

Data may have several members, one after the other; zeros may follow the last one of gzip and xz, and nothing else.
What unpacks to far more than any text does is refused while it is read, before it fills the memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

from karat.errors import MissingExtraError

KINDS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstandard"}
"""The suffixes of compressed files, and what they are called."""

_STARTS = {".gz": b"\x1f\x8b", ".bz2": b"BZh?1AY&SY", ".xz": b"\xfd7zXZ\x00", ".zst": b"\x28\xb5\x2f\xfd"}
"""How compressed files start; any byte may stand for a question mark."""

_PADDED = (".gz", ".xz")

CHUNK = 1 << 20
FREE_BYTES = 64 << 20
"""What a file may unpack to whatever its size."""
HIGHEST_RATIO = 200
"""How many bytes may come out of one beyond that: text has 3 to 10, and many copies of it less than 100."""

_XZ_MEMORY = 512 << 20
_ZSTANDARD_STEP = 4096
"""Zstandard's frames know no limit of output, so they get little at a time; more than 128 MiB never comes of this."""


class DamagedError(Exception):
    """Compressed data that does not decompress: not of that kind, or damaged."""


class TruncatedError(Exception):
    """Compressed data that ends too early."""


class BombError(Exception):
    """Compressed data that unpacks to far more than any text does."""


def kind_of(start: bytes) -> str | None:
    """The suffix that fits how a file starts.

    >>> kind_of(b"\\x1f\\x8b\\x08..."), kind_of(b"BZh, said the bee")
    ('.gz', None)
    """
    return next((suffix for suffix, mark in _STARTS.items() if len(start) >= len(mark) and _fits(start, mark)), None)


def _fits(start: bytes, mark: bytes) -> bool:
    """Whether data may start with the mark, as far as they go."""
    return all(sign in (byte, ord("?")) for byte, sign in zip(start, mark, strict=False))


def decompressed(raw: Iterator[bytes], suffix: str) -> Iterator[bytes]:
    """The unpacked bytes, some at a time; the errors are those of reading only, never a consumer's own."""
    taken = _Count()
    parts = _members(taken.counted(raw), suffix, _decompressors(suffix))
    unpacked = 0
    for part in parts:
        unpacked += len(part)
        if unpacked > FREE_BYTES and unpacked > HIGHEST_RATIO * taken.count:
            raise BombError
        yield part


class _Count:
    """How many bytes have been taken from somewhere."""

    def __init__(self) -> None:
        self.count = 0

    def counted(self, data: Iterator[bytes]) -> Iterator[bytes]:
        for piece in data:
            self.count += len(piece)
            yield piece


def _decompressors(suffix: str) -> Callable[[], _Member]:
    if suffix == ".gz":
        return _GzipMember
    if suffix == ".zst":
        return _zstandard()
    if suffix == ".bz2":
        import bz2

        return lambda: _Member(bz2.BZ2Decompressor(), OSError)
    import lzma

    return lambda: _Member(lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY), lzma.LZMAError)


def _members(raw: Iterator[bytes], suffix: str, start: Callable[[], _Member]) -> Iterator[bytes]:
    member: _Member | None = None
    is_first = True
    for piece in raw:
        data = piece
        while data:
            if member is None and not is_first and suffix in _PADDED:
                data = data.lstrip(b"\0")
                if not data:
                    break
            if member is None and not is_first and not _fits(data, _STARTS[suffix]):
                raise DamagedError("other data follow its end")
            member = member or start()
            yield from member.unpacked(data)
            data, member, is_first = (member.left, None, False) if member.ended else (b"", member, is_first)
    if member is not None:
        raise TruncatedError


class _Member:
    """One run of compressed data, as bz2 and lzma take it."""

    def __init__(self, decompressor: Any, error: type[Exception]) -> None:
        self._decompressor, self._error = decompressor, error

    @property
    def ended(self) -> bool:
        """Whether all of it has been read."""
        return bool(self._decompressor.eof)

    @property
    def left(self) -> bytes:
        """What was given beyond its end."""
        data: bytes = self._decompressor.unused_data
        return data

    def unpacked(self, data: bytes) -> Iterator[bytes]:
        """What comes of more data, never too much at once."""
        try:
            while True:
                part = self._step(data)
                if part:
                    yield part
                data = self._pending()
                if self.ended or (not part and not data):
                    return
        except self._error as error:
            raise DamagedError(str(error)) from error

    def _step(self, data: bytes) -> bytes:
        part: bytes = self._decompressor.decompress(data, CHUNK)
        return part

    def _pending(self) -> bytes:
        """Bz2 and lzma keep what they have not looked at."""
        return b""


class _GzipMember(_Member):
    """A member of gzip, whose decompressor hands back what it has not looked at."""

    def __init__(self) -> None:
        super().__init__(zlib.decompressobj(wbits=16 + zlib.MAX_WBITS), zlib.error)

    def _pending(self) -> bytes:
        data: bytes = self._decompressor.unconsumed_tail
        return data


class _ZstandardFrame(_Member):
    """A frame of zstandard, fed step by step."""

    def _step(self, data: bytes) -> bytes:
        self._rest = data[_ZSTANDARD_STEP:]
        part: bytes = self._decompressor.decompress(data[:_ZSTANDARD_STEP])
        return part

    def _pending(self) -> bytes:
        return self._rest

    @property
    def left(self) -> bytes:
        """What was given beyond its end."""
        return super().left + self._rest


def _zstandard() -> Callable[[], _Member]:
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("reading .zst files", "zstd") from error
    return lambda: _ZstandardFrame(zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError)
