"""Words about tests and intervals."""

from karat.significance import CORRECTIONS, DEFAULT_SEED, TESTS, Options, Resampling
from karat.significance.draws import ResampleKind
from karat.significance.intervals import Method
from karat.significance.multiple import Correction
from karat.significance.paired import TestName

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
