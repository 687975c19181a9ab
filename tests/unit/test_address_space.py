"""Threads where the address space is limited: only as many as have room."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from karat import address_space
from karat.kernels import thread_count
from karat.significance.blocks import Runner

MEGABYTE = 1 << 20


class ManyDraws:
    """Enough of them that threads are wanted."""

    n, units = 10**6, 100

    def __len__(self) -> int:
        return 8


@pytest.fixture
def leave(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    return lambda free: monkeypatch.setattr(address_space, "free_bytes", lambda: free)


@pytest.mark.parametrize(
    ("free", "threads"), [(None, 8), (0, 1), (255 * MEGABYTE, 1), (800 * MEGABYTE, 3), (100_000 * MEGABYTE, 8)]
)
def test_each_thread_has_room(leave: Callable[[int | None], None], free: int | None, threads: int) -> None:
    leave(free)
    assert address_space.threads_with_room(8) == threads
    assert thread_count(8) == threads


def test_no_thread_is_started_that_could_lack_memory(leave: Callable[[int | None], None]) -> None:
    leave(100 * MEGABYTE)
    used = set(Runner(threads=4).run(ManyDraws(), lambda _: threading.current_thread()))
    assert used == {threading.current_thread()}


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
def test_what_is_left_is_what_the_limit_leaves() -> None:
    program = """if True:
        import resource
        from karat.address_space import free_bytes
        assert free_bytes() is None
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, -1))
        free = free_bytes()
        held = bytearray(100 << 20)
        assert 0 < free < 1 << 30
        assert 100 << 20 <= free - free_bytes() < 110 << 20
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_scipy_is_loaded_only_where_blas_has_room(
    leave: Callable[[int | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = address_space.RoomToLoad()
    monkeypatch.delitem(sys.modules, "scipy.linalg._fblas", raising=False)
    leave(90 * MEGABYTE)
    assert room.find_spec("numpy.linalg", None) is None
    with pytest.raises(MemoryError, match=r"scipy\.linalg"):
        room.find_spec("scipy.linalg", None)
    monkeypatch.setitem(sys.modules, "scipy.linalg._fblas", sys)
    assert room.find_spec("scipy.linalg", None) is None
    monkeypatch.delitem(sys.modules, "scipy.linalg._fblas")
    leave(None)
    assert room.find_spec("scipy.linalg", None) is None
