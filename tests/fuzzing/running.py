"""Feeds damaged files to a reader: it may refuse them, in one line, and nothing else may happen."""

from __future__ import annotations

import random
import resource
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.fuzzing.mutations import mutated
from tests.fuzzing.targets import Target

from karat.errors import KaratError

PATIENCE = 5.0
"""Seconds of the processor that a file of some kilobytes may take."""
LONGEST_WAIT = 120.0
"""Seconds that it may take however busy the machine is."""
GROWTH = 1 << 30
"""Bytes that the process may grow by."""


class FuzzFailureError(AssertionError):
    """A file that a reader does not survive; it is kept where the message says."""


class HangError(BaseException):
    """Reading takes too long."""


def fuzz(target: Target, count: int, seed: int, directory: Path) -> dict[str, int]:
    """Read so many damaged files, or fewer where each is costly; how many were read and how many refused."""
    rng = random.Random(f"{seed} {target.file_name}")
    outcomes = {"read": 0, "refused": 0}
    before = _peak()
    for number in range(count // target.cost):
        path = _damaged(rng, target, directory)
        try:
            outcomes[_outcome(target, path)] += 1
        except (Exception, HangError) as error:
            kept = directory / f"failed-{number}-{path.name}"
            path.rename(kept)
            raise FuzzFailureError(f"{kept} ({type(error).__name__}: {error})") from error
        if _peak() - before > GROWTH:
            raise FuzzFailureError(f"{path} (input {number}): memory grew by {(_peak() - before) >> 20} MiB")
    return outcomes


def _damaged(rng: random.Random, target: Target, directory: Path) -> Path:
    """A damaged file, or a directory with damaged files."""
    path = directory / target.file_name
    if not target.tree:
        path.write_bytes(mutated(rng, target.seeds))
        return path
    shutil.rmtree(path, ignore_errors=True)
    for name, data in target.damage(rng, target.tree).items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


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
    """Seconds of the processor and no more: a busy machine is no hang, waiting without end is one."""
    clocks = {signal.SIGPROF: (signal.ITIMER_PROF, PATIENCE), signal.SIGALRM: (signal.ITIMER_REAL, LONGEST_WAIT)}
    previous = {number: signal.signal(number, _stop) for number in clocks}
    for timer, seconds in clocks.values():
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer, _ in clocks.values():
            signal.setitimer(timer, 0)
        for number, handler in previous.items():
            signal.signal(number, handler)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise HangError(f"not read within {PATIENCE:g} s of the processor or {LONGEST_WAIT:g} s")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
