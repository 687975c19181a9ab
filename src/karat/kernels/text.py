"""Text and tokens, and how many threads work on them."""

from __future__ import annotations

import os

from karat import _native
from karat._native import Text, Tokens
from karat.address_space import threads_with_room
from karat.errors import InputError


class InvalidUtf8(InputError):  # noqa: N818 - named after what it is about
    """Bytes that are not UTF-8: `offset` is the first bad byte, `line` the line it stands in, from 1."""

    def __init__(self, offset: int, line: int) -> None:
        super().__init__(f"line {line} is not valid UTF-8 (byte offset {offset}): convert the text to UTF-8 first")
        self.offset = offset
        self.line = line


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: as asked for, as KARAT_THREADS says, or one per usable core, where there is room."""
    if threads is None:
        named = os.environ.get("KARAT_THREADS") or "0"
        if not named.isdecimal():
            raise InputError(f"KARAT_THREADS is {named!r}: set it to a number of threads, or unset it")
        threads = int(named)
    return threads_with_room(threads if threads > 0 else _usable_cores())


def _usable_cores() -> int:
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def split_lines(data: bytes) -> Text:
    r"""The lines of a file, split at ``\n`` or ``\r\n`` and nothing else.

    >>> split_lines(b"one\r\ntwo\x0ctoo\nthree").to_list()
    ['one', 'two\x0ctoo', 'three']
    """
    try:
        return Text.from_lines(data)
    except _native.InvalidUtf8 as error:
        raise InvalidUtf8(*error.args) from None


def tokenize(text: Text, tokenizer: str) -> Tokens:
    """Cut a column into tokens with one of the core's tokenizers; the kernels that read them do the work."""
    return _native.tokenize(text, tokenizer)
