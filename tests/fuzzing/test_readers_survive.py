"""Every reader refuses damaged files in one line: no traceback, no hang, no growth. `make fuzz` has many more."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzzing.running import FuzzFailureError, fuzz
from tests.fuzzing.targets import Target, targets

from karat.corpus.ratings import formats
from karat.corpus.readers import reader_classes

COUNT = 200
TARGETS = targets()


def test_every_reader_and_every_format_of_ratings_has_a_target() -> None:
    wanted = {*(f"reader {name}" for name in reader_classes()), *(f"ratings {name}" for name in formats())}
    assert wanted <= set(TARGETS)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_damaged_files(name: str, tmp_path: Path) -> None:
    outcomes = fuzz(TARGETS[name], COUNT, seed=1, directory=tmp_path)
    assert sum(outcomes.values()) == COUNT // TARGETS[name].cost


@pytest.mark.parametrize("name", ["manifest", "scores of a directory", "reader mtme", "ratings mtme"])
def test_damage_inside_a_structure_is_both_read_and_refused(name: str, tmp_path: Path) -> None:
    outcomes = fuzz(TARGETS[name], COUNT, seed=2, directory=tmp_path)
    assert min(outcomes.values()) > COUNT / 20


@pytest.mark.parametrize("failure", [KeyError("x"), RecursionError(), ValueError("x")])
def test_what_is_no_refusal_is_found(failure: Exception, tmp_path: Path) -> None:
    def trip(_path: str) -> None:
        raise failure

    with pytest.raises(FuzzFailureError, match=type(failure).__name__):
        fuzz(Target("x.txt", trip, (b"abc",)), 1, seed=1, directory=tmp_path)


def test_what_takes_too_long_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(_path: str) -> None:
        while True:
            pass

    monkeypatch.setattr("tests.fuzzing.running.PATIENCE", 0.05)
    with pytest.raises(FuzzFailureError, match="HangError"):
        fuzz(Target("x.txt", hang, (b"abc",)), 1, seed=1, directory=tmp_path)
