"""What there is room for where the address space is limited (`ulimit -v`): threads, and libraries that are large.

Python waits without end for a thread that lacks the memory to begin, so none is started where memory could be so short.
SciPy's BLAS asks again and again for memory that it does not get while it is loaded, and hears no signal meanwhile.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

BYTES_PER_THREAD = 256 << 20
"""A stack, what the allocator sets aside for a thread (128 MiB for a moment), and room to work."""
BYTES_TO_LOAD = 96 << 20
"""More than a module of SciPy takes with BLAS, and BLAS with its first buffer."""
_WITH_BLAS = "scipy.linalg._fblas"
_IN_USE = Path("/proc/self/statm")


def threads_with_room(wanted: int) -> int:
    """So many threads as are wanted, or fewer: each has room beside what is in use; at least one."""
    free = free_bytes()
    return wanted if free is None else max(1, min(wanted, free // BYTES_PER_THREAD))


def free_bytes() -> int | None:
    """What is left of a limited address space; None if it has no limit, or the system does not tell."""
    with suppress(ImportError, OSError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            return max(0, limit - _pages_in_use() * os.sysconf("SC_PAGE_SIZE"))
    return None


def _pages_in_use() -> int:
    return int(_IN_USE.read_bytes().split()[0])


class RoomToLoad:
    """Finds no module, and refuses those of SciPy that may load BLAS where memory is short."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Leave it to the others to find a module that there is room for."""
        if name.partition(".")[0] != "scipy" or _WITH_BLAS in sys.modules:
            return
        free = free_bytes()
        if free is not None and free < BYTES_TO_LOAD:
            raise MemoryError(f"too little to load {name}")
