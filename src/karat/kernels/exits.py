"""Ends that a library makes by itself where memory is short: BLAS calls exit(1), and 1 would be an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from karat import _native


@contextmanager
def unexpected_exit(sentence: str, status: int) -> Iterator[None]:
    """While this lasts, C's exit() and abort() end this process, not its forks, with this sentence and this status."""
    _native.guard_exit(sentence, status)
    try:
        yield
    finally:
        _native.unguard_exit()
