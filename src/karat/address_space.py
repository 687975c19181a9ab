"""How many threads there is room for where the address space is limited (`ulimit -v`).

Python waits without end for a thread that lacks the memory to begin, so none is started where memory could be so short.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

BYTES_PER_THREAD = 256 << 20
"""A stack, what the allocator sets aside for a thread (128 MiB for a moment), and room to work."""
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
