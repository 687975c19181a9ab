"""`karat convert` as a user runs it: formats told and named, what is lost is counted, bad rows refused or skipped."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.commands import karat

from karat.corpus.ratings import read_ratings
from karat.sample import path as sample

RATINGS = str(sample("ratings.tsv"))
BAD = (
    "rater,system,segment,protocol,value,control,domain\nanna,a,1,da,50,,x\nanna,a,2,da,500,,x\nbert,b,3,da,70,gold,x\n"
)


def test_the_suffix_tells_the_format(tmp_path: Path) -> None:
    result = karat("convert", RATINGS, "-o", "ratings.jsonl", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    assert "karat: 3168 ratings, tsv to jsonl: ratings.jsonl" in result.stderr
    assert "warning" not in result.stderr
    assert read_ratings(tmp_path / "ratings.jsonl").frame.equals(read_ratings(RATINGS).frame)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ratings.jsonl"]


def test_standard_input_and_output_can_be_piped(tmp_path: Path) -> None:
    first = karat("convert", RATINGS, "--to", "csv", "-q", cwd=tmp_path).stdout
    piped = subprocess.run(
        [sys.executable, "-m", "karat", "convert", "-", "--to", "tsv", "-q"],
        input=first,
        capture_output=True,
        text=True,
        check=True,
    )
    assert piped.stdout == karat("convert", RATINGS, "--to", "tsv", "-q", cwd=tmp_path).stdout
    assert piped.stderr == ""


def test_what_the_format_has_no_place_for_is_counted(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        '{"rater": "r", "system": "s", "segment": "1", "protocol": "mqm", "target": "abc", "seconds": 3, '
        '"spans": [{"start": 0, "end": 1, "severity": "Minor", "score": 1}]}\n',
        encoding="utf-8",
    )
    result = karat("convert", "in.jsonl", "--to", "google-mqm", "-o", "out.tsv", cwd=tmp_path)
    assert result.returncode == 0
    assert "google-mqm has no place for seconds: 1 values are lost" in result.stderr
    assert "google-mqm has no place for spans.score: 1 values are lost" in result.stderr
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()[1] == "s\t\t\t1\tr\t\t<v>a</v>bc\t\tMinor\t"


def test_bad_rows_and_those_that_do_not_fit_are_refused_or_listed(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(BAD, encoding="utf-8")
    refused = karat("convert", "in.csv", "--to", "wmt-da", cwd=tmp_path)
    assert refused.returncode == 2
    assert "in.csv, line 3, value: '500.0' is not a number from 0 to 100" in refused.stderr
    result = karat("convert", "in.csv", "--to", "wmt-da", "--skip-bad", "--json", "-o", "out.csv", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "1 bad rows are left out:\n  in.csv, line 3, value" in result.stderr
    assert "1 ratings that do not fit are left out:\n  protocol da, criterion overall, rater bert" in result.stderr
    report = json.loads(result.stdout)
    assert (report["ratings"], len(report["skipped"]), len(report["unfit"])) == (1, 1, 1)
    assert report["lost"] == {"domain": 1}


def test_ratings_that_do_not_fit_are_refused_with_their_count(tmp_path: Path) -> None:
    result = karat("convert", RATINGS, "--to", "google-mqm", "-o", "out.tsv", cwd=tmp_path)
    assert result.returncode == 2
    assert "3168 of 3168 ratings do not fit into google-mqm (such as: protocol adequacy-fluency" in result.stderr
    assert list(tmp_path.iterdir()) == []
    none = karat("convert", RATINGS, "--to", "google-mqm", "-o", "out.tsv", "--skip-bad", cwd=tmp_path)
    assert "none of the 3168 ratings fits into google-mqm" in none.stderr


def test_the_formats_are_listed() -> None:
    lines = karat("convert", "--formats").stdout.splitlines()
    assert any(line.startswith("appraise") and "read, write" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a file of ratings and a format"),
        ([RATINGS], "name a file of ratings and a format"),
        ([RATINGS, "--to", "marrot"], "there is no format of ratings 'marrot'. Did you mean marot"),
        ([RATINGS, "--to", "csv", "--json"], "needs -o FILE"),
        ([RATINGS, "--to", "comet-pairs"], "karat reads comet-pairs, but does not write it"),
        (["nothing.csv", "--to", "tsv"], "there is no file nothing.csv"),
        ([RATINGS, "--to", "csv", "-o", "no/such/directory.csv"], "cannot write no/such/directory.csv"),
    ],
)
def test_wrong_use_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = karat("convert", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
