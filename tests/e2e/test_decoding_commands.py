"""`karat mbr` and `karat pairwise`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.e2e.commands import REFERENCE, document, karat, sample_file

LISTS = [["the cat sat", "a cat sat", "the dog"], ["yes", "no"]]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "nbest.jsonl").write_text(
        "".join(json.dumps({"hypotheses": texts}) + "\n" for texts in LISTS), encoding="utf-8"
    )
    (tmp_path / "two.txt").write_text("a b\na b\nc d\nc e\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("the dog\nno\n", encoding="utf-8")
    (tmp_path / "empty.jsonl").write_text('{"hypotheses": ["a"]}\n{"hypotheses": []}\n', encoding="utf-8")
    return tmp_path


def test_the_best_of_each_segment_is_a_line(here: Path) -> None:
    result = karat("mbr", "nbest.jsonl", cwd=here)
    assert result.stdout == "the cat sat\nyes\n"
    assert result.stderr == (
        "karat: warning: in 1 segment different hypotheses have the highest expected chrF2: the first in the list is "
        "taken\n"
    )


def test_references_rerank(here: Path) -> None:
    assert karat("mbr", "nbest.jsonl", "-r", "ref.txt", cwd=here).stdout == "the dog\nno\n"


def test_utilities_and_margins_are_told(here: Path) -> None:
    found = document("mbr", "nbest.jsonl", "-m", "ter", "-r", "ref.txt", cwd=here)
    first, _ = found["segments"]
    assert first["utilities"] == [pytest.approx(100.0), pytest.approx(150.0), 0.0]
    assert (first["place"], first["utility"], first["margin"]) == (3, 0.0, pytest.approx(100.0))
    assert found["utility"]["higher_is_better"] is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mbr", "empty.jsonl"), "empty.jsonl, line 2: the segment has no hypothesis"),
        (("mbr", "two.txt", "-k", "3"), "two.txt has 4 lines"),
        (("mbr", "nbest.jsonl", "-m", "nist"), "learns how n-grams count"),
        (("mbr", "nbest.jsonl", "-r", "two.txt"), "two.txt: there are references of more segments"),
        (("pairwise", "two.txt", "-m", "nist"), "learns how n-grams count"),
        (("pairwise", "two.txt", "empty.jsonl"), "empty.jsonl is not plain text"),
        (("pairwise", "--per-segment", "two.txt"), "two systems or more"),
    ],
)
def test_what_cannot_be_used_leaves_nothing(arguments: tuple[str, ...], message: str, here: Path) -> None:
    before = sorted(here.iterdir())
    result = karat(*arguments, "-o", "out.parquet", cwd=here)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("karat: error: ")
    assert message in result.stderr
    assert sorted(here.iterdir()) == before


def test_a_line_break_is_found_before_any_line_is_written(here: Path) -> None:
    (here / "broken.jsonl").write_text(json.dumps({"hypotheses": ["a"]}) + "\n" + json.dumps({"hypotheses": ["b\nc"]}))
    result = karat("mbr", "broken.jsonl", cwd=here)
    assert (result.returncode, result.stdout) == (2, "")
    assert "segment 2: the best hypothesis has a line break" in result.stderr


def test_a_matrix_and_a_table_in_two_files_are_refused(here: Path) -> None:
    result = karat("pairwise", "two.txt", "-o", "m.parquet", "-o", "m.txt", cwd=here)
    assert (result.returncode, result.stdout) == (2, "")
    assert "--output is given 2 times, but only one would be read" in result.stderr
    assert not list(here.glob("m.*"))


def test_the_matrix_is_beside_what_is_printed(here: Path) -> None:
    result = karat("pairwise", "two.txt", "-o", "matrix.parquet", "-m", "bleu(effective_order=true)", cwd=here)
    assert result.returncode == 0, result.stderr
    assert "strings near an earlier one" in result.stdout
    frame = pl.read_parquet(here / "matrix.parquet")
    assert frame.filter(pl.col("score") > 99).select("hypothesis", "reference").rows() == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (3, 3),
        (4, 4),
    ]


def test_systems_have_the_scores_of_karat_score() -> None:
    found = document("pairwise", "--per-segment", sample_file("neural"), f"reference={REFERENCE}", "-m", "ter")
    (score,) = document("score", "-r", REFERENCE, sample_file("neural"), "-m", "ter")["scores"]
    (pair,) = [pair for pair in found["systems"] if pair["reference"] == "reference"]
    assert pair["score"] == pytest.approx(score["score"])


def test_no_near_pair_is_a_table_without_rows(here: Path) -> None:
    result = karat("pairwise", "ref.txt", "--format", "csv", cwd=here)
    assert result.stdout == "hypothesis,reference,score,equal,hypothesis_text,reference_text\n"


def test_the_examples_of_help_warn_of_nothing(here: Path) -> None:
    assert "-m sentence-bleu --strategy aggregate" in karat("mbr", "--help").stdout
    assert "single segments" not in karat("mbr", "nbest.jsonl", "-m", "sentence-bleu", cwd=here).stderr


def test_an_empty_string_is_not_said_to_be_like_nothing(here: Path) -> None:
    (here / "blank.txt").write_text("a b\n \n", encoding="utf-8")
    assert "their scores say little of texts" in karat("pairwise", "-m", "ter", "blank.txt", cwd=here).stderr


def test_one_segment_is_no_plural(here: Path) -> None:
    (here / "one.txt").write_text("the dog\n", encoding="utf-8")
    assert "references of 1 segment, but" in karat("mbr", "nbest.jsonl", "-r", "one.txt", cwd=here).stderr
