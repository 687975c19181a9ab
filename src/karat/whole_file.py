"""Files that appear when they are complete: what looks finished is finished."""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from karat.errors import InputError, OutputError

FilePath = str | os.PathLike[str]

_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}


@contextmanager
def whole_file(path: FilePath) -> Iterator[BinaryIO]:
    """A stream of bytes that replaces the file of that name once all is written, and leaves nothing after an error.

    A link stays, and what it names is replaced. A device or a pipe is written to as it stands, and so is what is open
    already (/dev/stdout).
    """
    name = os.fspath(path)
    if (descriptor := _open_already(name)) is not None:
        with io.BufferedWriter(_Output(os.dup(descriptor), name)) as stream:
            yield stream
        return
    mode = _mode(name)
    if mode is not None and not stat.S_ISREG(mode):
        with _opened(name, name, os.O_WRONLY) as stream:
            yield stream
        return
    target = Path(name).resolve()
    # Nobody can know the name beforehand and lay a link there.
    partial = target.with_name(f".karat-{os.urandom(8).hex()}.partial")
    try:
        with _opened(str(partial), name, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as stream:
            if mode is not None:
                partial.chmod(stat.S_IMODE(mode))
            yield stream
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _open_already(name: str) -> int | None:
    """The descriptor that a name such as /dev/stdout stands for; what it leads to is not replaced."""
    if name in _STREAMS:
        return _STREAMS[name]
    match = re.fullmatch(r"/(?:dev|proc/self)/fd/(\d{1,6})", name)
    return int(match[1]) if match else None


def write_whole_file(path: FilePath, data: bytes) -> None:
    """Write a file at once."""
    with whole_file(path) as stream:
        stream.write(data)


def make_directory(path: FilePath) -> Path:
    """The directory of that name, made if need be."""
    directory = Path(path)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refused(os.fspath(path), error) from error
    return directory


def _mode(name: str) -> int | None:
    """The kind of file and its permissions; None where there is none."""
    if not name:
        raise InputError("cannot write to a file without a name")
    try:
        mode = Path(name).stat().st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise _refused(name, error) from error
    if name.endswith(os.sep) or (mode is not None and stat.S_ISDIR(mode)):
        raise InputError(f"cannot write {name}: it is a directory; name a file")
    return mode


def _opened(path: str, name: str, flags: int) -> BinaryIO:
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise _refused(name, error) from error
    return io.BufferedWriter(_Output(descriptor, name))


def _refused(name: str, error: OSError) -> InputError:
    return InputError(f"cannot write {name}: {error.strerror or error}")


class _Output(io.FileIO):
    """An open file whose errors tell which file it was."""

    def __init__(self, descriptor: int, called: str) -> None:
        super().__init__(descriptor, "wb")
        self._called = called

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"cannot write {self._called}: {error.strerror or error}") from error
