"""What `karat meta` takes intervals over, and what it says where only some segments were judged."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.e2e.meta_runs import document, run

from karat.sample import path as sample_path

SYSTEMS = ("a", "b", "c", "d", "e")
DOCUMENTS = ("one", "two", "three")


def _records(path: Path, judged: tuple[str, ...]) -> str:
    """Scores of five systems on four segments of each document; those of some documents only are known."""
    rng = np.random.default_rng(5)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("system", "document", "segment", "score"))
        for number, system in enumerate(SYSTEMS):
            for place in range(12):
                name = DOCUMENTS[place // 4]
                score = round(number + rng.normal(), 3) if name in judged else ""
                writer.writerow((system, name, place, score))
    return str(path)


@pytest.fixture
def partly(tmp_path: Path) -> tuple[str, ...]:
    """Judgements of one document, and scores of three."""
    gold, scores = _records(tmp_path / "gold.csv", ("one",)), _records(tmp_path / "metric.csv", DOCUMENTS)
    return ("--judgements", gold, "--scores", scores, "--test", "none")


def _said(found: dict[str, Any]) -> dict[str, str]:
    return {warning["code"]: warning["message"] for warning in found["warnings"]}


def test_judgements_of_one_document_leave_segments_as_the_units(partly: tuple[str, ...]) -> None:
    found = document(*partly)
    assert "all judged segments are of one document, so segments are the unit" in _said(found)["one-document"]
    of_segments = [
        entry for entry in found["measures"] if entry["level"] == "segment" and entry["measure"] == "pearson"
    ]
    assert of_segments
    assert all(entry["interval"] is not None for entry in of_segments if entry["grouping"] == "none")
    assert "segments: segments" in run("meta", *partly).stdout


def test_more_segments_scored_than_judged_are_counted(partly: tuple[str, ...]) -> None:
    said = _said(document(*partly))["partly-judged"]
    assert said == "metrics score systems on 12 segments, of which 4 were judged"
    assert "partly-judged" not in _said(document(*partly, "--level", "segment"))


def test_parts_without_judgements_are_left_out_and_counted(partly: tuple[str, ...]) -> None:
    found = document(*partly, "--by", "document")
    assert [task["subset"] for task in found["tasks"]] == ["document one"]
    assert _said(found)["unjudged-parts"].startswith("documents without judgements are left out: 2 of 3 (")
    shown = run("meta", *partly, "--by", "document")
    assert shown.returncode == 0
    assert "All-NaN" not in shown.stderr
    assert "document two" not in shown.stdout


def test_each_signature_says_what_it_is_of() -> None:
    sample = ("--corpus", str(sample_path("corpus.jsonl")), "--ratings", str(sample_path("ratings.tsv")))
    shown = " ".join(run("meta", *sample, "--criterion", "adequacy", "--test", "none", "-m", "bleu").stdout.split())
    assert "bleu (systems" in shown
    assert "(SPA, single segments): bleu(effective_order=true)" in shown


@pytest.mark.parametrize(("shift", "told"), [(0, False), (1, True)])
def test_judgements_that_number_other_lines_are_told(tmp_path: Path, shift: int, *, told: bool) -> None:
    rng = np.random.default_rng(3)
    quality = rng.normal(size=240)
    lines = {
        "gold": np.roll(quality, shift),
        "metric": quality + rng.normal(size=240),
        "other": quality + rng.normal(size=240),
    }
    for name, scores in lines.items():
        records = [f"a\t{number}\t{score}" for number, score in enumerate(scores.tolist(), 1)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["system\tsegment\tscore", *records, ""]), encoding="utf-8")
    files = {name: str(tmp_path / f"{name}.tsv") for name in lines}
    arguments = ("--judgements", files["gold"], "--scores", files["metric"], "--scores", files["other"])
    said = _said(document(*arguments, "--level", "segment", "--test", "none"))
    assert ("unrelated-segments" in said) is told
    assert "1 system is too few" in said["few-systems"]
