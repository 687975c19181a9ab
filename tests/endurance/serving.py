"""Servers that tests do bad things to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.campaign_server import Served


def start(
    directory: Path,
    *,
    database: str | None = None,
    before: Sequence[str] = (),
    limit: Callable[[], None] | None = None,
) -> subprocess.Popen[str]:
    """A server that has been told to start; `before` is put before its command, `limit` is called in its process."""
    command = [*before, sys.executable, "-m", "karat", "campaign", "serve", str(directory), "--port", "0", "--json"]
    environment = os.environ | ({} if database is None else {"KARAT_DATABASE": database})
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=limit)


@contextmanager
def serving(
    directory: Path,
    *,
    database: str | None = None,
    before: Sequence[str] = (),
    limit: Callable[[], None] | None = None,
) -> Iterator[Served]:
    """A server for as long as the block lasts."""
    process = start(directory, database=database, before=before, limit=limit)
    try:
        yield Served.ready(process)
    finally:
        kill(process)


def kill(process: subprocess.Popen[str], by: signal.Signals = signal.SIGKILL) -> int:
    """End it, at once where nothing else is said, and wait."""
    process.send_signal(by)
    code = process.wait(60)
    assert process.stdout is not None
    process.stdout.close()
    return code
