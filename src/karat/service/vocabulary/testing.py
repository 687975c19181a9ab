"""Words about tests and intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy_names import loader

if TYPE_CHECKING:
    from karat.significance import CORRECTIONS, DEFAULT_SEED, TESTS, Options, Resampling
    from karat.significance.draws import ResampleKind
    from karat.significance.intervals import Method
    from karat.significance.multiple import Correction
    from karat.significance.paired import TestName

_HOMES = {
    "CORRECTIONS": "karat.significance.multiple",
    "Correction": "karat.significance.multiple",
    "DEFAULT_SEED": "karat.significance.draws",
    "Method": "karat.significance.intervals",
    "Options": "karat.significance.options",
    "ResampleKind": "karat.significance.draws",
    "Resampling": "karat.significance.intervals",
    "TESTS": "karat.significance.paired",
    "TestName": "karat.significance.paired",
}

__all__ = [
    "CORRECTIONS",
    "DEFAULT_SEED",
    "TESTS",
    "Correction",
    "Method",
    "Options",
    "ResampleKind",
    "Resampling",
    "TestName",
]

__getattr__ = loader(__name__, _HOMES)
