"""Where output goes: results to stdout or to a file that appears when it is complete, the rest to stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from math import ceil
from typing import TYPE_CHECKING, TextIO

from karat.cli.ending import let_go_if_broken
from karat.cli.streams import say
from karat.errors import OutputError
from karat.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.status import Status

    from karat.service.vocabulary.texts import Diagnostic


@contextmanager
def destination(path: str | None) -> Iterator[TextIO]:
    """Stdout, or a file that appears when it is complete."""
    if path is not None and path != "-":
        with whole_file(path) as stream:
            out = TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="\n")
            try:
                yield out
            finally:
                out.detach()
    elif sys.stdout is None:
        raise OutputError("standard output is closed: write to a file with -o FILE")
    else:
        yield sys.stdout
        sys.stdout.flush()


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Go on where the reader of stdout has seen enough: what was found still decides the exit code."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        let_go_if_broken(sys.stdout)


class Progress:
    """Tells on stderr how far the work has come, if that is a terminal and it takes longer than two seconds."""

    PATIENCE = 2.0

    def __init__(self, *, quiet: bool = False) -> None:
        self._start = time.monotonic()
        self._heard = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._first_part: tuple[float, float] | None = None
        self._segments = 0
        self._display: Status | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def segments(self, count: int, share: float | None = None) -> None:
        """Count segments that have been read, and tell which part of all they are where that is known."""
        self._segments += count
        known = "" if share is None else f": {self._part(share)}"
        pace = self._segments / max(time.monotonic() - self._start, 1e-9)
        self._show(f"{self._segments:,} segments ({pace:,.0f} a second){known}")

    def draws(self, done: int, total: int) -> None:
        """Tell which part of the random draws has been done, and how long the rest will take at this pace."""
        self._show(f"drawing: {self._part(done / total)}")

    def pairs(self, done: int, total: int) -> None:
        """Tell how many pairs have been scored, and how long the rest will take at this pace."""
        self._show(f"{done:,} of {total:,} pairs: {self._part(done / total)}")

    def _part(self, share: float) -> str:
        """The part that is done, and how long the rest will take at the pace since it was first asked for."""
        now = time.monotonic()
        if self._first_part is None or share < self._first_part[0]:
            self._first_part = share, now
        first, then = self._first_part
        left = f", {time_left((now - then) / (share - first) * (1 - share))} left" if first < share < 1 else ""
        return f"{share:.0%}{left}"

    def stop(self) -> None:
        """Take it from the screen."""
        if self._display is not None:
            self._display.stop()

    def _show(self, text: str) -> None:
        if self._display is None and self._heard and time.monotonic() - self._start > self.PATIENCE:
            from rich.console import Console

            self._display = Console(stderr=True).status("", spinner="line")
            self._display.start()
        if self._display is not None:
            self._display.update(text)


def time_left(seconds: float) -> str:
    """A time as people say it.

    >>> time_left(8.2), time_left(200), time_left(9000)
    ('9 s', '3 min 20 s', '2 h 30 min')
    """
    whole = ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def show_warnings(warnings: Iterable[Diagnostic]) -> None:
    """One line per warning on stderr, each said once."""
    for message in dict.fromkeys(warning.message for warning in warnings):
        say(f"karat: warning: {message}")
