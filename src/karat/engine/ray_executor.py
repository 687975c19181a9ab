"""Tasks on a cluster of Ray; the only module that imports it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from karat.engine.executor import AHEAD, attempted
from karat.errors import InputError, KaratError, MissingExtraError

T = TypeVar("T")
R = TypeVar("R")

LOST_WORKERS = 5
"""How often a task is tried whose worker or machine is lost; then the task itself is what ends them."""
PATIENCE = 60
"""Seconds between looks at a cluster that finishes nothing."""
DESERTED = 300
"""Seconds that a cluster may have no processor at all; one that grows when there is work needs a few minutes."""


class RayExecutor:
    """The workers of a cluster: of one that is running at an address, or of this machine alone."""

    def __init__(
        self, address: str | None = None, workers: int | None = None, deserted_after: float = DESERTED
    ) -> None:
        try:
            import ray
        except ImportError as error:
            raise MissingExtraError("--engine ray", "ray") from error
        self._ray = ray
        self._deserted_after = deserted_after
        self._most = workers
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            self._start(address, workers)

    def _start(self, address: str | None, workers: int | None) -> None:
        # Ray would otherwise tell a server of its makers that it was started.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # It would warn of how it is set up, whatever level it is given to log at.
        logging.getLogger("ray").setLevel(logging.ERROR)
        own = {"num_cpus": workers, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        if address is not None:
            _refuse_unreachable(address)
        quiet = {"log_to_driver": False, "logging_level": "error", "configure_logging": False}
        try:
            self._ray.init(address=address or "local", **quiet, **(own if address is None else {}))
        except (ConnectionError, OSError, RuntimeError, ValueError, AssertionError) as error:
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            raise InputError(
                f"no cluster answers at {address or 'this machine'} ({reason}): start one with `ray start`, and "
                "give its address, such as 10.0.0.1:6379"
            ) from error

    @property
    def workers(self) -> int:
        """How many processors there are now; a cluster may grow and shrink."""
        there = self._processors()
        return max(1, there if self._most is None else min(there, self._most))

    def _processors(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 0))

    def run(self, work: Callable[[Any, T], R], shared: Any, tasks: Iterable[T]) -> Iterator[R]:
        """`work(shared, task)` for every task, wherever there is room; what is shared is sent to each machine once."""
        ray = self._ray
        remote = ray.remote(_run).options(num_cpus=1, max_retries=LOST_WORKERS)
        stored = ray.put(shared)
        waiting = iter(tasks)
        running: dict[Any, T] = {}
        try:
            while True:
                for task in islice(waiting, max(0, AHEAD * self.workers - len(running))):
                    running[remote.remote(work, stored, task)] = task
                if not running:
                    return
                for reference in self._finished(list(running)):
                    task = running.pop(reference)
                    yield self._result(reference, task)
        finally:
            self._finish(list(running))

    def _finished(self, running: list[Any]) -> list[Any]:
        """The running tasks that have a result, as soon as one has."""
        patience = min(PATIENCE, self._deserted_after)
        without_workers = 0.0
        while without_workers < self._deserted_after:
            done, _ = self._ray.wait(running, timeout=patience)
            if done:
                return list(done)
            without_workers = 0 if self._processors() else without_workers + patience
        raise InputError(
            f"the cluster has had no worker for {without_workers:g} seconds: look at `ray status`, add machines with "
            "`ray start --address=...`, and give the same command again; it goes on where it was"
        )

    def _result(self, reference: Any, task: object) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, KaratError):
                raise InputError(str(cause)) from error
            raise
        except errors.RayError as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(
                f"{task}: the workers that took it were lost {LOST_WORKERS + 1} times ({reason}): look for a row that "
                "takes too much memory, or give workers more"
            ) from error

    def _finish(self, running: list[Any]) -> None:
        """Let those that have begun end, and take the others back."""
        for reference in running:
            self._ray.cancel(reference, force=False, recursive=False)

    def close(self) -> None:
        """Leave the cluster, and stop it if it was started here."""
        if self._is_ours:
            self._ray.shutdown()


def _run(work: Callable[[Any, T], R], shared: Any, task: T) -> R:
    """What a worker does."""
    return attempted(work, shared, task)


def _refuse_unreachable(address: str) -> None:
    """Ray itself waits for a long time, and then ends the process."""
    import socket

    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address in ("auto", "local"):
        return
    if not colon or not port.isdecimal():
        raise InputError(f"--address {address}: write HOST:PORT, such as 10.0.0.1:6379")
    try:
        with socket.create_connection((host, int(port)), timeout=5):
            pass
    except (OSError, OverflowError) as error:
        raise InputError(
            f"no cluster answers at {address} ({error}): start one with `ray start`, and look "
            "whether a firewall stands between"
        ) from error
