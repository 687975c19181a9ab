"""Input files: found, opened, decompressed and decoded, with errors that name the file and the remedy.

Text is UTF-8, with or without a byte-order mark. ``-`` is standard input. What is compressed is told by the suffix, or
by its first bytes where a file has no name of its own: on standard input and in process substitution.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from karat.arguments import shown
from karat.corpus import compression
from karat.corpus.lines import decode
from karat.errors import InputError
from karat.kernels import InvalidUtf8
from karat.quick_dataclasses import dataclass

FilePath = str | os.PathLike[str]

LONGEST_WHOLE = 2 << 30
"""Bytes of a file that is held whole: of every format but plain text, which is read in blocks."""

_NAMELESS = re.compile(r"/dev/(stdin|fd/\d+)|/proc/(self|\d+)/fd/\d+")
"""Paths that are made up for an open file: by the shell's process substitution, for instance."""
_REMOTE = re.compile(r"(s3a?|gs|gcs|az|azure|abfss?|adl|https?|hf)://")
_FIRST = 16
_SPREADSHEETS = (".xlsx", ".xls", ".ods")
_ARCHIVES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
"""What zip archives begin with, of which .xlsx and .ods are some, and what .xls does."""
_SAVE_AS_CSV = (
    ", which karat does not read: open it, save the sheet as CSV (in Excel: File, Save As, CSV UTF-8) and give "
    "that file"
)

_BOM = b"\xef\xbb\xbf"
_OTHER_BOMS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16 (little-endian)",
    b"\xfe\xff": "UTF-16 (big-endian)",
}


@dataclass(frozen=True)
class InputFile:
    """A file by the name that the user gave it, or ``-`` for standard input.

    >>> InputFile("out/online-a.de.gz").stem, InputFile("out/online-a.de.gz").suffix
    ('online-a', '.de')
    """

    given: str

    @classmethod
    def of(cls, path: FilePath | InputFile) -> InputFile:
        """The file of that path."""
        if isinstance(path, InputFile):
            return path
        if not isinstance(path, str | os.PathLike):
            raise InputError(f"{shown(path)} is not the path of a file")
        return cls(os.fspath(path))

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.given)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "<stdin>" if self.is_stdin else self.given

    @property
    def is_stdin(self) -> bool:
        """Whether this is standard input."""
        return self.given in ("-", "/dev/stdin")

    @property
    def is_nameless(self) -> bool:
        """Whether its path is that of an open file, which says nothing about what it holds."""
        return self.is_stdin or _NAMELESS.fullmatch(self.given) is not None

    @property
    def is_remote(self) -> bool:
        """Whether it is in an object store, such as s3://bucket/name."""
        return _REMOTE.match(self.given) is not None

    @property
    def is_lasting(self) -> bool:
        """Whether it can be read again from its start, unlike standard input and pipes."""
        return self.is_remote or (not self.is_nameless and os.path.isfile(self.given))  # noqa: PTH113 - Path raises for a long name

    @property
    def is_directory(self) -> bool:
        """Whether this is a directory."""
        return not self.is_stdin and os.path.isdir(self.given)  # noqa: PTH112 - Path raises for a long name

    @property
    def _bare(self) -> Path:
        """The path without the suffix of a compressed file."""
        return self.path.with_suffix("") if self.path.suffix.lower() in compression.KINDS else self.path

    @property
    def suffix(self) -> str:
        """The suffix in lower case, that of compressed files aside."""
        return self._bare.suffix.lower()

    @property
    def stem(self) -> str:
        """The file's name without directory and suffixes."""
        if self.is_nameless:
            return "stdin" if self.is_stdin else "unnamed"
        return self._bare.stem

    @property
    def bare_name(self) -> str:
        """The file's name without directory and the suffix of a compressed file."""
        return self._bare.name

    @property
    def size(self) -> int | None:
        """How many bytes of text it has; None where that shows only in reading."""
        if (
            self.is_remote
            or self.is_nameless
            or self.path.suffix.lower() in compression.KINDS
            or not self.path.is_file()
        ):
            return None
        return self.path.stat().st_size or None

    def chunks(self, size: int = compression.CHUNK) -> Iterator[bytes]:
        """The decompressed bytes, some at a time."""
        if "\0" in self.given:
            raise InputError(f"{_shortened(repr(self.given))} is no path: there is a zero byte in it")
        suffix = self.path.suffix.lower()
        self.refuse_spreadsheet()
        if self.is_remote:
            yield from self._remote_lines()
            return
        with self._translated():
            raw = self._raw(size)
            if self.is_nameless:
                raw, suffix = _told_by_start(raw)
            text = compression.decompressed(raw, suffix) if suffix in compression.KINDS else raw
            first = next(text, b"")
            if first.startswith(_ARCHIVES):
                raise InputError(f"{self.name} is no text but an archive or a spreadsheet{_SAVE_AS_CSV}")
            yield from chain((first,) if first else (), text)

    def _remote_lines(self) -> Iterator[bytes]:
        """What an object store has under the name, which polars decompresses."""
        from karat.corpus.streams.decoders import decoded

        request = {"path": self.given, "kind": "lines", "start": 0, "rows": None, "block": 20_480}
        for frame in decoded(request, self.name):
            if frame.height:
                yield ("\n".join(frame["line"].to_list()) + "\n").encode()

    def refuse_spreadsheet(self) -> None:
        """Say how to get a table that can be read."""
        if self.suffix in _SPREADSHEETS:
            raise InputError(f"{self.name} is a spreadsheet{_SAVE_AS_CSV}")

    def _raw(self, size: int) -> Iterator[bytes]:
        """The bytes as they are stored."""
        if self.is_stdin:
            while data := sys.stdin.buffer.read(size):
                yield data
            return
        with self.path.open("rb") as stream:
            while data := stream.read(size):
                yield data

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """What goes wrong in reading, in words that say what to do."""
        kind = compression.KINDS.get(self.path.suffix.lower(), "compressed")
        try:
            yield
        except FileNotFoundError as error:
            raise InputError(f"there is no file {self.name}.{_near_names(self.path)}") from error
        except IsADirectoryError as error:
            raise InputError(f"{self.name} is a directory, but a file is wanted") from error
        except PermissionError as error:
            if self.is_directory:  # what Windows says of a directory
                raise InputError(f"{self.name} is a directory, but a file is wanted") from error
            raise InputError(f"{self.name} cannot be read: its permissions forbid it") from error
        except compression.TruncatedError as error:
            raise InputError(f"{self.name} ends in the middle of its {kind} data: copy it again") from error
        except compression.DamagedError as error:
            raise InputError(
                f"{self.name} is not a {kind} file, or is damaged ({error}): copy it again, or give it the right suffix"
            ) from error
        except compression.BombError as error:
            raise InputError(
                f"{self.name} unpacks to more than {compression.HIGHEST_RATIO} times its size, as no text does: "
                "unpack it first if it is meant to"
            ) from error
        except OSError as error:
            raise InputError(f"{_shortened(self.name)} cannot be read: {error.strerror or error}") from error

    def stored(self) -> bytes:
        """All of it as it is, refused where it is too much to be held at once."""
        pieces, length = [], 0
        for piece in self.chunks():
            pieces.append(piece)
            length += len(piece)
            if length > LONGEST_WHOLE:
                raise InputError(
                    f"{self.name} has more than {LONGEST_WHOLE >> 30} GiB, which is too much to be held at once: split "
                    "it, or give its columns as plain text files, which are read in blocks"
                )
        return b"".join(pieces)

    def bytes(self) -> bytes:
        """All of it, without a byte-order mark; another encoding than UTF-8 is refused where it shows."""
        return without_bom(self.stored(), self.name)[0]

    def text(self) -> str:
        """All of it as text."""
        data = self.bytes()
        try:
            return decode(data)
        except InvalidUtf8 as error:
            raise invalid_utf8(self.name, data, error) from error


def without_bom(start: bytes, name: str) -> tuple[bytes, int]:
    """The start of a file without its byte-order mark, and the length of the mark."""
    if start.startswith(_BOM):
        return start[len(_BOM) :], len(_BOM)
    encoding = next((encoding for mark, encoding in _OTHER_BOMS.items() if start.startswith(mark)), None)
    if encoding := encoding or _unmarked_utf16(start[:4096]):
        raise InputError(f"{name} is {encoding}, but karat reads UTF-8: convert it, for instance with iconv")
    return start, 0


def _unmarked_utf16(start: bytes) -> str | None:
    """UTF-16 without a mark shows by zeros in every second byte of Western text."""
    if len(start) < 32 or 0 not in start:
        return None
    even, odd = start[0::2].count(0) / len(start[0::2]), start[1::2].count(0) / len(start[1::2])
    if odd > 0.45 and even < 0.05:
        return "UTF-16 (little-endian)"
    return "UTF-16 (big-endian)" if even > 0.45 and odd < 0.05 else None


def invalid_utf8(
    name: str, data: bytes, error: InvalidUtf8, lines_before: int = 0, bytes_before: int = 0
) -> InputError:
    """The error for bytes that are not UTF-8; line and offset count from the start of the file."""
    line, offset = lines_before + error.line, bytes_before + error.offset
    message = f"{name}, line {line}: byte 0x{data[error.offset]:02X} at offset {offset} is not valid UTF-8"
    suffix = compression.kind_of(data)
    if suffix and not bytes_before:
        kind = compression.KINDS[suffix]
        return InputError(f"{message}; this looks like a {kind} file: its name must end in {suffix}")
    return InputError(f"{message}; convert the file to UTF-8, for instance with iconv")


def _told_by_start(raw: Iterator[bytes]) -> tuple[Iterator[bytes], str]:
    """The same bytes, and the suffix that would tell how they are compressed; none if they are not."""
    start = b""
    for piece in raw:
        start += piece
        if len(start) >= _FIRST:
            break
    return chain((start,) if start else (), raw), compression.kind_of(start) or ""


def _shortened(name: str) -> str:
    return name if len(name) <= 200 else f"{name[:100]}...{name[-20:]}"


def _near_names(path: Path) -> str:
    """Names in the same directory that the user may have meant."""
    if not path.parent.is_dir():
        return f" There is no directory {path.parent} either."
    names = [entry.name for entry in path.parent.iterdir()]
    from difflib import get_close_matches

    near = get_close_matches(path.name, names, n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(str(path.with_name(name)) for name in near)}?" if near else ""


def refuse_second_stdin(files: list[InputFile]) -> None:
    """Standard input can be read only once."""
    if sum(file.is_stdin for file in files) > 1:
        raise InputError("standard input (-) is given twice, but can be read only once")
