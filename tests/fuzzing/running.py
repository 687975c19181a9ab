"""Feeds damaged files to a reader: it may refuse them, in one line, and nothing else may happen."""

from __future__ import annotations

import random
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.fuzzing.mutations import mutated
from tests.fuzzing.targets import Target

from karat.errors import KaratError

PATIENCE = 5.0
"""Seconds that a file of some kilobytes may take."""
GROWTH = 1 << 30
"""Bytes that the process may grow by."""


class FuzzFailureError(AssertionError):
    """A file that a reader does not survive; it is kept where the message says."""


class HangError(BaseException):
    """Reading takes too long."""


def fuzz(target: Target, count: int, seed: int, directory: Path) -> dict[str, int]:
    """Read so many damaged files, or fewer where each is costly; how many were read and how many refused."""
    rng = random.Random(f"{seed} {target.file_name}")
    path = directory / target.file_name
    outcomes = {"read": 0, "refused": 0}
    before = _peak()
    for number in range(count // target.cost):
        path.write_bytes(mutated(rng, target.seeds))
        try:
            outcomes[_outcome(target, path)] += 1
        except (Exception, HangError) as error:
            kept = path.with_name(f"failed-{number}-{path.name}")
            path.rename(kept)
            raise FuzzFailureError(f"{kept} ({type(error).__name__}: {error})") from error
        if _peak() - before > GROWTH:
            raise FuzzFailureError(f"{path} (input {number}): memory grew by {(_peak() - before) >> 20} MiB")
    return outcomes


def _outcome(target: Target, path: Path) -> str:
    try:
        with _limited():
            target.read(str(path))
    except KaratError as error:
        message = str(error)
        if "\n" in message or len(message) > 5000:
            raise AssertionError(f"more than a line: {message[:300]!r}") from error
        return "refused"
    return "read"


@contextmanager
def _limited() -> Iterator[None]:
    """Seconds and no more."""
    previous = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise HangError(f"not read within {PATIENCE:g} s")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
