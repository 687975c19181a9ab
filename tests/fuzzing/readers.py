"""`python -m tests.fuzzing.readers`: many damaged files for every reader."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.fuzzing.running import FuzzFailureError, fuzz
from tests.fuzzing.targets import targets


def main() -> int:
    """Fuzz the targets whose names hold some text; the files that failed stay in the directory."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.readers", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="files per reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="TEXT", help="readers whose name has this in it")
    parser.add_argument("--directory", type=Path, default=Path("build/fuzz-readers"))
    given = parser.parse_args()
    failed = 0
    for name, target in targets().items():
        if given.only not in name:
            continue
        directory = given.directory / name.replace(" ", "-")
        directory.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        try:
            outcomes = fuzz(target, given.count, given.seed, directory)
        except FuzzFailureError as error:
            failed += 1
            print(f"{name}: FAILED: {error}", flush=True)
            continue
        print(
            f"{name}: {outcomes['read']} read, {outcomes['refused']} refused, {time.monotonic() - start:.0f} s",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
