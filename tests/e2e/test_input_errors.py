"""Input that cannot be used ends in one line and exit status 2, whichever command reads it."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.commands import karat


def refused(*arguments: str, cwd: Path) -> str:
    """What is said on stderr."""
    result = karat(*arguments, cwd=cwd)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("karat: error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "none.jsonl").write_text('{"segment": "1", "reference": "a b c"}\n{"segment": "2", "reference": "d"}\n')
    (tmp_path / "ref.txt").write_text("a b c\nd e f\n")
    (tmp_path / "sys.txt").write_text("a b c\nd e g\n")
    (tmp_path / "ratings.tsv").write_text("rater\tsystem\tsegment\tprotocol\tvalue\nr\ta\t1\tda\t10\nr\tb\t1\tda\t20\n")
    return tmp_path


@pytest.mark.parametrize("command", ["score", "compare", "rank", "power"])
def test_a_corpus_without_systems(command: str, here: Path) -> None:
    assert "no system's output" in refused(command, "--corpus", "none.jsonl", "-m", "chrf", cwd=here)


def test_a_corpus_without_systems_has_nothing_that_people_judged(here: Path) -> None:
    message = refused("meta", "--corpus", "none.jsonl", "-m", "chrf", "--ratings", "ratings.tsv", cwd=here)
    assert "no system's output" in message


@pytest.mark.parametrize("level", ["system", "document", "segment"])
def test_an_error_leaves_no_headings_of_a_table(level: str, here: Path) -> None:
    arguments = ("score", "-r", "nosuch.txt", "sys.txt", "-m", "chrf", "--level", level, "--format", "csv")
    assert "there is no file nosuch.txt" in refused(*arguments, cwd=here)


def test_documents_of_a_corpus_need_no_systems(here: Path) -> None:
    (here / "docs.jsonl").write_text('{"segment": "1", "document": "d", "reference": "a"}\n')
    assert karat("human", "ratings.tsv", "--corpus", "docs.jsonl", "--json", cwd=here).returncode == 0


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_compressed_system_on_standard_input(name: str, here: Path) -> None:
    command = [sys.executable, "-m", "karat", "score", "-r", "ref.txt", name, "-m", "chrf", "-q"]
    data = gzip.compress((here / "sys.txt").read_bytes())
    result = subprocess.run(command, input=data, capture_output=True, cwd=here, check=False)
    plain = karat("score", "-r", "ref.txt", "stdin=sys.txt", "-m", "chrf", "-q", cwd=here)
    assert result.returncode == 0, result.stderr
    assert result.stdout.decode() == plain.stdout


def test_process_substitution_is_named_by_its_place(here: Path) -> None:
    script = f"{sys.executable} -m karat score -r ref.txt sys.txt <(cat sys.txt) ours=<(cat ref.txt) -m chrf -f csv -q"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=here, check=False)
    assert result.returncode == 0, result.stderr
    assert [line.split(",")[1] for line in result.stdout.splitlines()[1:]] == ["sys", "system2", "ours"]


def test_a_name_that_is_too_long(here: Path) -> None:
    assert "File name too long" in refused("score", "-r", "ref.txt", "x" * 300, cwd=here)
