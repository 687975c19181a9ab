"""Tests that say they need nothing from outside get nothing."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from karat.errors import MissingResourceError
from karat.resources import synonyms

pytestmark = pytest.mark.contained


@pytest.mark.parametrize("program", ["java", "chromium", "google-chrome", "firefox", "psql", "postgres"])
def test_other_programs_are_not_found(program: str) -> None:
    assert shutil.which(program) is None


def test_a_shell_and_what_it_starts_are_found() -> None:
    assert subprocess.run("printf bare | cat", shell=True, capture_output=True, check=True).stdout == b"bare"


@pytest.mark.parametrize(("language", "source"), [("en", "wordnet"), ("de", "mythes")])
def test_dictionaries_are_not_found(language: str, source: str) -> None:
    with pytest.raises(MissingResourceError, match="nowhere is not here"):
        synonyms(language, source)
