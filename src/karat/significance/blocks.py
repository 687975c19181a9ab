"""Runs work over blocks of draws, in threads, with results that do not depend on them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Protocol, TypeVar

from karat.address_space import threads_with_room
from karat.arguments import check_threads
from karat.quick_dataclasses import dataclass

MOST_THREADS = 8
"""Products run in BLAS, which has threads of its own: more of ours would only be in its way."""

FEW_CELLS = 2**20
"""So many weights are drawn and multiplied sooner than threads have started."""

OnProgress = Callable[[int, int], None]
"""Called with the number of blocks done and of all blocks."""

T = TypeVar("T")


class Blocks(Protocol):
    """Draws that come in blocks: `n` of them, over so many units."""

    @property
    def n(self) -> int: ...
    @property
    def units(self) -> int: ...
    def __len__(self) -> int: ...


@dataclass
class Runner:
    """Runs blocks of work and reports progress; `total` counts the blocks of all its runs."""

    threads: int | None = None
    progress: OnProgress | None = None
    total: int = 0
    done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        check_threads(self.threads)

    def run(self, draws: Blocks, work: Callable[[int], T]) -> Iterator[T]:
        """The results of all blocks, in order."""
        threads = 1 if draws.n * draws.units <= FEW_CELLS else min(self.threads or _usable_threads(), len(draws))
        threads = threads_with_room(threads)
        if threads == 1:
            yield from (self._counted(work(block)) for block in range(len(draws)))
            return
        # Loaded where it is used: commands that draw nothing start sooner without it.
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(threads)
        try:
            for result in pool.map(work, range(len(draws))):
                yield self._counted(result)
        finally:
            # Ctrl-C must not wait for the blocks that have not begun.
            pool.shutdown(wait=True, cancel_futures=True)

    def _counted(self, result: T) -> T:
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, max(self.total, self.done))
        return result


def _usable_threads() -> int:
    """KARAT_THREADS, else one per usable core up to a limit."""
    asked = os.environ.get("KARAT_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    usable = getattr(os, "sched_getaffinity", None)
    return min(MOST_THREADS, len(usable(0)) if usable else os.cpu_count() or 1)
