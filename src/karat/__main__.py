"""The command `karat`, also as `python -m karat`.

It seldom looks for cycles of objects to collect, which took a small run a sixth of its time.
"""

from __future__ import annotations

import gc
import sys
from contextlib import AbstractContextManager, nullcontext

NEW_OBJECTS_BEFORE_A_LOOK = 50_000
"""Python's own 700 make it look hundreds of times while modules load, and find next to nothing."""
CRASHED = 70
ENDED_BY_A_LIBRARY = "karat: error: a library has ended the program, most likely for want of memory\n"


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(NEW_OBJECTS_BEFORE_A_LOOK, *gc.get_threshold()[1:])
    from karat.cli import main as run

    try:
        with _guard_against_libraries():
            run()
    finally:
        gc.freeze()  # All memory goes back at once, so nobody need look through it again when Python ends.


def _guard_against_libraries() -> AbstractContextManager[None]:
    """Before NumPy loads BLAS, which ends a program that lacks memory with 1, as a gate does that is not passed."""
    if all(argument.startswith("-") for argument in sys.argv[1:]):
        return nullcontext()  # Help and versions need no core.
    try:
        from karat.kernels.exits import unexpected_exit
    except (ImportError, MemoryError):
        return nullcontext()  # The command will meet the same, and say so.
    return unexpected_exit(ENDED_BY_A_LIBRARY, CRASHED)


if __name__ == "__main__":
    main()
