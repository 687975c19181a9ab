"""Cells of CSV that no spreadsheet runs, and that karat reads back as they were."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.corpus.given_scores.records import read_score_records
from karat.csv_cells import harmless_cell, plain_cell
from karat.results.writing import write_csv

STARTS = ("=", "+", "-", "@", "\t", "\r")


@given(st.text(alphabet="'=+-@\t\rab1.e", max_size=6))
def test_every_cell_comes_back(text: str) -> None:
    assert plain_cell(harmless_cell(text)) == text


@given(st.text(alphabet="'=+-@\t\rab1.e", max_size=6))
def test_no_text_begins_like_a_formula(text: str) -> None:
    cell = harmless_cell(text)
    assert not cell.startswith(STARTS) or float(cell) is not None


@pytest.mark.parametrize("number", ["-1", "+2.5", "-.5e-3", "-1."])
def test_numbers_are_left_alone(number: str) -> None:
    assert harmless_cell(number) == number


def test_headings_and_cells_of_results_are_harmless() -> None:
    out = io.StringIO()
    write_csv([{"=heading": "@SUM(A1)", "score": -1.5, "note": None}], out)
    assert list(csv.reader(io.StringIO(out.getvalue()))) == [["'=heading", "score", "note"], ["'@SUM(A1)", "-1.5", ""]]


def test_scores_that_karat_wrote_are_read_with_the_names_they_had(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    with path.open("w", encoding="utf-8") as out:
        write_csv([{"system": "=cmd|x", "metric": "-m", "segment": "+1st", "score": -0.5}], out)
    (scores,) = read_score_records(path)
    assert scores.name == "-m"
    assert list(scores.systems) == ["=cmd|x"]


def test_names_in_other_formats_are_taken_as_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text('{"system": "\'-x", "metric": "m", "segment": "1", "score": 1}\n', encoding="utf-8")
    (scores,) = read_score_records(path)
    assert list(scores.systems) == ["'-x"]
