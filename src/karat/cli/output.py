"""Where output goes: results to stdout or to a file that appears when it is complete, the rest to stderr."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

import click

from karat.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.status import Status

    from karat.service.vocabulary.texts import Diagnostic


class Destination:
    """Stdout, or a file written under another name and renamed at the end: what looks finished is finished."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path) if path and path != "-" else None
        self._partial = self._path.with_name(self._path.name + ".partial") if self._path else None

    def __enter__(self) -> TextIO:
        if self._partial is None:
            self._stream: TextIO = sys.stdout
        else:
            try:
                self._stream = self._partial.open("w", encoding="utf-8", newline="\n")
            except OSError as error:
                raise InputError(f"cannot write {self._path}: {error.strerror}") from error
        return self._stream

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._partial is None or self._path is None:
            self._stream.flush()
            return
        self._stream.close()
        if kind is None:
            self._partial.replace(self._path)
        else:
            self._partial.unlink(missing_ok=True)


class Progress:
    """Tells on stderr how far the work has come, if that is a terminal and it takes longer than two seconds."""

    PATIENCE = 2.0

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._segments = 0
        self._display: Status | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def segments(self, count: int) -> None:
        """Count segments that have been read."""
        self._segments += count
        self._show(f"{self._segments:,} segments")

    def draws(self, done: int, total: int) -> None:
        """Tell which part of the random draws has been done."""
        self._show(f"drawing: {done / total:.0%}")

    def stop(self) -> None:
        """Take it from the screen."""
        if self._display is not None:
            self._display.stop()

    def _show(self, text: str) -> None:
        if self._display is None and time.monotonic() - self._start > self.PATIENCE and sys.stderr.isatty():
            from rich.console import Console

            self._display = Console(stderr=True).status("")
            self._display.start()
        if self._display is not None:
            self._display.update(text)


def show_warnings(warnings: Iterable[Diagnostic]) -> None:
    """One line per warning on stderr."""
    for warning in warnings:
        click.echo(f"karat: warning: {warning.message}", err=True)
