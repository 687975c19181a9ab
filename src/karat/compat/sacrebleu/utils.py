"""The functions that people import from `sacrebleu.utils`; those for test sets come from its own package."""

from __future__ import annotations

import gzip
import math
import os
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any, cast

from karat.compat.sacrebleu import testsets
from karat.errors import InputError

SACREBLEU_DIR = os.environ.get("SACREBLEU", str(Path.home() / ".sacrebleu"))

LOG_OF_ZERO = -9999999999


def smart_open(file: str | Path, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    r"""A text file, compressed if its name ends in .gz; lines end at ``\n`` only."""
    if str(file).endswith(".gz"):
        return cast("IO[Any]", gzip.open(file, mode, encoding=encoding, newline="\n"))
    return Path(file).open(mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """The logarithm; a very low number for 0."""
    return math.log(num) if num else LOG_OF_ZERO


def sum_of_lists(lists: Iterable[Sequence[float]]) -> list[float]:
    """The sums of the first elements, of the second ones, and so on."""
    return [sum(column) for column in zip(*lists, strict=True)]


def args_to_dict(args: Namespace, prefix: str, strip_prefix: bool = False) -> dict[str, Any]:
    """The options whose names start with a prefix and an underscore."""
    start = f"{prefix}_"
    return {
        name.removeprefix(start) if strip_prefix else name: value
        for name, value in vars(args).items()
        if name.startswith(start)
    }


def sanity_check_lengths(
    system: Sequence[str], refs: Sequence[Sequence[str | None]], test_set: str | None = None
) -> None:
    """Refuse a system and references of different lengths."""
    for number, stream in enumerate(refs, 1):
        if len(stream) != len(system):
            stream_name = f"the test set {test_set}" if test_set else f"reference {number}"
            raise InputError(
                f"System and reference streams have different lengths: "
                f"{len(system)} hypotheses, but {len(stream)} segments in {stream_name}"
            )


def __getattr__(name: str) -> Any:
    if name in testsets.FUNCTIONS:
        return testsets.function(name)
    if name in ("DATASETS", "SUBSETS"):
        return getattr(testsets.original("dataset"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
