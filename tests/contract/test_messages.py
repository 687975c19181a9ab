"""What commands advise can be followed: every option that a message names is one of the command."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest
from tests.contract.commands import commands, run

import karat

OPTION = re.compile(r"(?<![\w-])(?<!var\()--[a-z][a-z-]*\b")  # "var(--ink)" names a colour of a style sheet
OF_OTHER_PROGRAMS = {"--help", "--version", "--list", "--international-tokenization"}
COMPARING = ("compare", "rank", "power")
EVERY_COMMAND = dict(commands())


def options_of(command: click.Command) -> set[str]:
    parameters = command.get_params(click.Context(command))
    return {name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)}


def nothing_shared(tmp_path: Path) -> list[str]:
    lines = [f"{name}\t{i}\t{i if (i < 4) == (name == 'a') else ''}" for name in "ab" for i in range(1, 8)]
    return scores(tmp_path, ["system\tsegment\tscore", *lines])


def submission_of_two_pairs(tmp_path: Path) -> list[str]:
    pairs = ("en-de", "en-fr")
    return scores(
        tmp_path, [f"m\t{pair}\tt\tr\t{name}\td\t{i}\t{i}" for pair in pairs for name in "ab" for i in range(1, 8)]
    )


def unknown_headings(tmp_path: Path) -> list[str]:
    return scores(tmp_path, ["system segment worth", "a 1 2", "b 1 3"])


def few_documents(tmp_path: Path) -> list[str]:
    lines = [f"{name}\td{i // 4}\t{i}\t{i * 3 % 7 + i % 4 * (name == 'b')}" for name in "ab" for i in range(12)]
    return scores(tmp_path, ["system\tdocument\tsegment\tscore", *lines])


def one_document(tmp_path: Path) -> list[str]:
    lines = [f"{name}\td\t{i}\t{i * number % 5}" for number, name in enumerate("ab", 2) for i in range(12)]
    return scores(tmp_path, ["system\tdocument\tsegment\tscore", *lines])


def no_documents(tmp_path: Path) -> list[str]:
    lines = [f"{name}\t{i}\t{i * number % 5}" for number, name in enumerate("ab", 2) for i in range(12)]
    return [*scores(tmp_path, ["system\tsegment\tscore", *lines]), "--unit", "document"]


def one_system(tmp_path: Path) -> list[str]:
    return scores(tmp_path, ["system\tsegment\tscore", *(f"a\t{i}\t{i}" for i in range(9))])


def alike(tmp_path: Path) -> list[str]:
    return scores(tmp_path, ["system\tsegment\tscore", *(f"{name}\t{i}\t{i}" for name in "ab" for i in range(9))])


def nothing(_: Path) -> list[str]:
    return []


def metrics_without_texts(tmp_path: Path) -> list[str]:
    return [*one_system(tmp_path), "-m", "bleu"]


def scores(tmp_path: Path, lines: list[str]) -> list[str]:
    (tmp_path / "s.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["--scores", str(tmp_path / "s.tsv")]


INPUTS = [
    *(nothing_shared, submission_of_two_pairs, unknown_headings, few_documents, one_document, no_documents),
    *(one_system, alike, nothing, metrics_without_texts),
]


@pytest.mark.parametrize("command", COMPARING)
@pytest.mark.parametrize("given", INPUTS, ids=lambda given: given.__name__)
def test_a_command_advises_its_own_options(tmp_path: Path, command: str, given: object) -> None:
    arguments = given(tmp_path)  # type: ignore[operator]
    outcome = run(command, *arguments)
    said = (outcome.out + outcome.err).replace(str(tmp_path), "")
    assert outcome.code in (0, 2)
    assert outcome.code == 0 or "error" in outcome.err.lower()
    assert set(OPTION.findall(said)) <= options_of(EVERY_COMMAND[command]), said


def test_every_option_that_is_named_anywhere_exists() -> None:
    known = {option for command in EVERY_COMMAND.values() for option in options_of(command)} | OF_OTHER_PROGRAMS
    unknown = {}
    for path in sorted(Path(karat.__file__).parent.rglob("*.py")):
        if "compat" in path.parts:  # speaks of another program's options
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for option in set(OPTION.findall(node.value)) - known:
                    unknown[option] = f"{path.name}, line {node.lineno}"
    assert not unknown
