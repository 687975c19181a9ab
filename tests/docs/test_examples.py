"""Every example in the documentation runs, and prints what the page says."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from karat.cli import COMMANDS
from karat.corpus.ratings.protocols import protocol_names
from karat.registry import metric_classes
from karat.sample import path as sample_path
from karat.text import tokenizer_names

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of a language that are no files of their own."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [body for kind, title, body in found if kind == language and not title]


def pages_with(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def write_parts(directory: Path) -> None:
    """The sample as two tables of Parquet, as large corpora come."""
    records = [json.loads(line) for line in (directory / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    table = pl.DataFrame(
        {
            "source": [record["source"] for record in records],
            "reference": [next(iter(record["references"].values())) for record in records],
            "hypothesis": [record["systems"]["neural"] for record in records],
            "document": [record["document"] for record in records],
        }
    )
    (directory / "parts").mkdir()
    table[:64].write_parquet(directory / "parts" / "1.parquet")
    table[64:].write_parquet(directory / "parts" / "2.parquet")


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the files of the sample, where `karat` is the one under test."""
    shutil.copytree(sample_path(), tmp_path, dirs_exist_ok=True)
    write_parts(tmp_path)
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", pages_with("python"), ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples(page: Path, workplace: Path) -> None:  # noqa: ARG001
    names: dict[str, object] = {}
    for number, body in enumerate(blocks(page, "python")):
        if ">>>" not in body:
            exec(compile(body, f"{page.name}[{number}]", "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(body, names, f"{page.name}[{number}]", str(page), 0)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
        assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("page", pages_with("console"), ids=lambda page: str(page.relative_to(ROOT)))
def test_console_examples(page: Path, workplace: Path) -> None:
    for _, title, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        if title:
            (workplace / title).write_text(body, encoding="utf-8")
    for body in blocks(page, "console"):
        for command, expected in commands(body):
            if command.split()[0] in ("make", "pip", "git", "cd"):
                continue
            result = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=workplace, check=False)
            assert result.returncode in (0, 1), f"{command}\n{result.stderr}"
            if expected.strip():
                shown = result.stdout + result.stderr
                assert doctest.OutputChecker().check_output(expected, shown, FLAGS), f"$ {command}\n{shown}"


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a block (after "$ ", continued by a backslash) with the output shown below each."""
    found: list[tuple[str, str]] = []
    for piece in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        match = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", piece, re.DOTALL)
        if match:
            found.append((re.sub(r"\s+#.*$", "", match[1]), match[2]))
    return found


@pytest.mark.parametrize("name", sorted(metric_classes()))
def test_every_metric_is_documented(name: str) -> None:
    assert (ROOT / "docs" / "metrics" / f"{name}.md").is_file()


@pytest.mark.parametrize("name", sorted(tokenizer_names()))
def test_every_tokenizer_is_documented(name: str) -> None:
    assert (ROOT / "docs" / "tokenizers" / f"{name.partition(':')[0]}.md").is_file()


@pytest.mark.parametrize("name", protocol_names())
def test_every_protocol_is_documented(name: str) -> None:
    assert (ROOT / "docs" / "protocols" / f"{name}.md").is_file()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_documented(name: str) -> None:
    assert f"## karat {name}" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_generated_pages_are_fresh() -> None:
    result = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
