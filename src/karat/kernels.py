"""The only door to the compiled core: typed names, and errors that karat's users know."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from karat import _native
from karat._native import Text, Tokens

if TYPE_CHECKING:
    pass

__all__ = ["Text", "Tokens", "thread_count", "tokenize"]


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: what was asked for, else KARAT_THREADS, else one per usable core."""
    if threads is None:
        threads = int(os.environ.get("KARAT_THREADS", "0"))
    if threads > 0:
        return threads
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def tokenize(text: Text, tokenizer: str, threads: int | None = None) -> Tokens:
    """Cut a column into tokens with one of the core's tokenizers."""
    return _native.tokenize(text, tokenizer, thread_count(threads))
