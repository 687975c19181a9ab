"""Test sets: sacreBLEU's own package knows and downloads them; karat asks it where it is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from karat.errors import MissingExtraError

FUNCTIONS = (
    "download_test_set",
    "filter_subset",
    "get_available_origlangs",
    "get_available_subsets",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "print_test_set",
)
"""What `sacrebleu.utils` has for test sets."""


def original(module: str) -> Any:
    """A module of the installed sacreBLEU."""
    try:
        return import_module(f"sacrebleu.{module}")
    except ModuleNotFoundError as error:
        raise MissingExtraError("a test set of sacreBLEU", "testsets") from error


def function(name: str) -> Any:
    """One of sacreBLEU's functions for test sets."""
    return getattr(original("utils"), name)
