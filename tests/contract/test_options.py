"""Every option of every command changes something: a result, what is said about it, or what becomes of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from tests.contract.commands import Outcome, commands, run
from tests.contract.option_cases import CASES, Case
from tests.contract.option_files import write_option_files

ELSEWHERE = {
    "human": "tests/e2e/test_human_options.py",
    **{name: "tests/e2e/test_campaign.py" for name, _ in commands() if name.startswith("campaign ")},
}
"""Commands whose options another file goes over in the same way."""
NAMED = [(command, option) for command, cases in CASES.items() for option in cases]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("options")
    write_option_files(made)
    return made


@pytest.fixture
def here(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files as the working directory, and a published test set that needs no network."""
    monkeypatch.chdir(directory)
    monkeypatch.delenv("KARAT_THREADS", raising=False)
    package, published = ModuleType("sacrebleu"), ModuleType("sacrebleu.utils")
    contents = {
        "get_available_testsets": lambda: ["wmt22"],
        "get_source_file": lambda _name, _pair: "src.txt",
        "get_reference_files": lambda _name, _pair: ["ref.txt", "ref2.txt"],
    }
    vars(published).update(contents)
    monkeypatch.setitem(sys.modules, "sacrebleu", package)
    monkeypatch.setitem(sys.modules, "sacrebleu.utils", published)
    return directory


@cache
def outcome(arguments: tuple[str, ...], environment: tuple[tuple[str, str], ...]) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment:
            patch.setenv(name, value)
        return run(*arguments)


def options(command: click.Command) -> set[str]:
    return {param.opts[0] for param in command.params if isinstance(param, click.Option)}


def values(document: Any, field: str) -> Iterator[Any]:
    """The values of a field, wherever it stands."""
    if isinstance(document, dict):
        for name, inner in document.items():
            if name == field:
                yield inner
            yield from values(inner, field)
    elif isinstance(document, list):
        for inner in document:
            yield from values(inner, field)


def test_every_option_has_a_case() -> None:
    known = dict(commands())
    assert set(known) == {*CASES, *ELSEWHERE}
    assert {name: options(known[name]) for name in CASES} == {name: set(cases) for name, cases in CASES.items()}


@pytest.mark.parametrize(("command", "option"), NAMED, ids=[f"{command} {option}" for command, option in NAMED])
def test_an_option_makes_a_difference(command: str, option: str, here: Path) -> None:
    case = CASES[command][option]
    plain = [*command.split(), *case.plain.split()]
    added = case.added.split()
    assert added[0] == option
    if case.differs.startswith("file "):
        _writes_a_file(plain, added, here / case.differs.removeprefix("file "))
    elif case.differs == "code":
        _succeeds_or_not(plain, added, case)
    elif case.differs in ("out", "err"):
        before, after = (_good([*plain, *more], case) for more in ((), added))
        assert getattr(before, case.differs) != getattr(after, case.differs)
    else:
        _changes_a_field(plain, added, case)


def _good(arguments: list[str], case: Case) -> Outcome:
    found = outcome(tuple(arguments), case.environment)
    assert found.code == 0, found.err
    return found


def _changes_a_field(plain: list[str], added: list[str], case: Case) -> None:
    before, after = (json.loads(_good([*plain, *more, "--json"], case).out) for more in ([], added))
    found = list(values(after, case.differs))
    assert found
    assert list(values(before, case.differs)) != found


def _succeeds_or_not(plain: list[str], added: list[str], case: Case) -> None:
    """One of the two runs is refused, or finds a problem, with a word about it."""
    before, after = (outcome((*plain, *more), case.environment) for more in ((), added))
    assert {before.code, after.code} in ({0, 1}, {0, 2}), (before.err, after.err)
    refused = before if before.code else after
    assert refused.code == 1 or refused.err.startswith("karat: error: ")


def _writes_a_file(plain: list[str], added: list[str], target: Path) -> None:
    assert not target.exists()
    assert run(*plain).code == 0
    assert not target.exists()
    assert run(*plain, *added).code == 0
    files = list(target.iterdir()) if target.is_dir() else [target]
    assert files
    assert all(file.stat().st_size for file in files)
    for file in files:
        file.unlink()
    if target.is_dir():
        target.rmdir()
