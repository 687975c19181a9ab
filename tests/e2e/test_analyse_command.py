"""`karat analyse` as a user runs it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from tests.e2e.commands import CORPUS, REFERENCE, SAMPLE, document, karat, sample_file

REFERENCES = ("-r", REFERENCE, "-r", str(SAMPLE / "refB.en.txt"))


def test_coverage_as_json_and_csv() -> None:
    found = document("analyse", "coverage", *REFERENCES, sample_file("neural"), "--max-order", "2")
    assert (found["schema"], found["segments"], found["references"]) == (2, 127, 2)
    assert [(one["system"], one["order"]) for one in found["coverage"]] == [
        (None, 1),
        (None, 2),
        ("neural", 1),
        ("neural", 2),
    ]
    assert all(len(one["types"]) == 2 for one in found["coverage"])
    text = karat("analyse", "coverage", *REFERENCES, sample_file("neural"), "--max-order", "2", "-f", "csv").stdout
    lines = list(csv.DictReader(io.StringIO(text)))
    first = found["coverage"][0]
    assert [int(line["types"]) for line in lines[:2]] == first["types"]
    assert [float(line["types"]) for line in lines[-2:]] == found["growth"][0]["types"]


def test_coverage_of_a_corpus_as_a_table() -> None:
    result = karat("analyse", "coverage", "--corpus", CORPUS, "neural", "--lowercase")
    assert result.returncode == 0, result.stderr
    assert "N-grams of" in result.stdout
    assert "neural" in result.stdout
    assert "literal" not in result.stdout
    assert "words by 13a, lowercased" in result.stdout


def test_names_cannot_break_a_table(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("a b\n\n", encoding="utf-8")
    (tmp_path / "out.txt").write_text("\na\n", encoding="utf-8")
    result = karat("analyse", "coverage", "-r", "ref.txt", "<b>|x=out.txt", "-f", "markdown", "-q", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert r"\<b\>\|x" in result.stdout
    assert "–" in result.stdout  # nothing is shared, so there are no shares of it
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no reference was given"),
        (("-r", "empty.txt"), "empty.txt is empty"),
        (("-r", "ref.txt", "--corpus", "x.jsonl"), "leave out -r"),
        (("-r", "ref.txt", "ref.txt", "--tokenize", "13b"), "13a"),
    ],
)
def test_what_cannot_be_done_is_refused(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("a\n", encoding="utf-8")
    result = karat("analyse", "coverage", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
