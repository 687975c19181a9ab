"""Where tasks run: on threads here, or on the machines of a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Protocol, TypeVar

from karat.address_space import threads_with_room
from karat.errors import InputError

T = TypeVar("T")
R = TypeVar("R")

ATTEMPTS = 3
"""How often a task is tried that fails for a reason which may pass."""
AHEAD = 2
"""Tasks that wait for each worker, so that none is ever idle."""


class Executor(Protocol):
    """Runs one function on many tasks; results come as they are ready, in any order."""

    def run(self, work: Callable[[Any, T], R], shared: Any, tasks: Iterable[T]) -> Iterator[R]:
        """`work(shared, task)` for every task.

        A task that fails for want of memory, a disk or a machine is tried again. The first error that would come again
        ends it all; tasks that are running then are finished.
        """
        ...

    def close(self) -> None:
        """Let go of threads and machines."""
        ...


class ThreadExecutor:
    """Threads of this process."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = threads_with_room(workers or usable_cores())
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="karat")

    def run(self, work: Callable[[Any, T], R], shared: Any, tasks: Iterable[T]) -> Iterator[R]:
        """`work(shared, task)` for every task, some at a time."""
        waiting = iter(tasks)
        running: set[Future[R]] = set()
        try:
            while True:
                for task in islice(waiting, AHEAD * self.workers - len(running)):
                    running.add(self._pool.submit(attempted, work, shared, task))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            for future in running:
                future.cancel()
            wait(running)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)


def attempted(work: Callable[[Any, T], R], shared: Any, task: T) -> R:
    """The result, of a later attempt if the first ones fail for a reason that may pass."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return work(shared, task)
        except (OSError, MemoryError) as error:
            if attempt == ATTEMPTS:
                raise InputError(f"{task}: {ATTEMPTS} attempts failed, the last with: {_reason(error)}") from error
    raise AssertionError


def usable_cores() -> int:
    """How many cores this process may use, unless KARAT_THREADS says otherwise."""
    from karat.kernels import thread_count

    return thread_count(None) or os.cpu_count() or 1


def _reason(error: BaseException) -> str:
    if isinstance(error, InputError):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
