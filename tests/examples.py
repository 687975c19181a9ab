"""How many examples a property is tried on: fewer in `make test-fast`."""

from __future__ import annotations

import os

FAST = bool(os.environ.get("KARAT_FAST"))


def examples(count: int) -> int:
    """So many, or a fifth of them where a developer waits."""
    return max(5, count // 5) if FAST else count
