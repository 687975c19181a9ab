"""What `karat meta` takes from files: directions, post-edits, documents, and the warnings that other commands give."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.e2e.meta_runs import Measures, document, measures, run, write

import karat.registry
from karat.errors import MissingResourceError
from karat.metrics.wer import Wer
from karat.sample import path as sample_path

CORPUS = str(sample_path("corpus.jsonl"))
RATINGS = str(sample_path("ratings.tsv"))
SAMPLE = ("--corpus", CORPUS, "--ratings", RATINGS, "--criterion", "adequacy", "--test", "none")
SYSTEMS = ("a", "b", "c", "d")
ACCURACIES = ("accuracy", "acc-eq", "acc-eq-plain", "kendall-like")


def chosen(*names: str) -> list[str]:
    return [part for name in names for part in ("--measure", name)]


def values(found: Measures, metric: str) -> dict[tuple[str, str, str], float | None]:
    return {key[1:]: entry["value"] for key, entry in found.items() if key[0] == metric}


def records(path: Path, rows: list[dict[str, Any]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def long_form(table: np.ndarray, **more: Any) -> list[dict[str, Any]]:
    """A record per system and segment."""
    return [
        {"system": system, "segment": str(number), "score": float(score), **more}
        for system, scores in zip(SYSTEMS, table, strict=True)
        for number, score in enumerate(scores, 1)
    ]


@pytest.fixture
def tables() -> tuple[np.ndarray, np.ndarray]:
    """Judgements and scores of four systems on six segments, higher is better."""
    rng = np.random.default_rng(7)
    gold = rng.integers(-9, 0, size=(len(SYSTEMS), 6)).astype(float)
    return gold, gold + rng.normal(scale=3, size=gold.shape)


def test_a_file_may_say_that_lower_scores_are_better(tmp_path: Path) -> None:
    scored = run("score", "--corpus", CORPUS, "-m", "ter", "--level", "segment", "--format", "csv", "--quiet").stdout
    rows = [
        {"system": row["system"], "segment": row["segment"], "score": row["score"], "metric": "mine"}
        for row in csv.DictReader(scored.splitlines())
    ]
    file = records(tmp_path / "mine.csv", [{**row, "higher_is_better": "false"} for row in rows])
    level = ("--level", "segment", *chosen(*ACCURACIES, "pearson"))
    found = measures(*SAMPLE, "-m", "ter", "--scores", file, *level)
    own, outside = values(found, "ter"), values(found, "mine")
    assert {key[2] for key in own} == {*ACCURACIES, "pearson"}
    assert outside == pytest.approx(own)
    untold = measures(*SAMPLE, "-m", "ter", "--scores", records(tmp_path / "mine.csv", rows), *level)
    assert untold["mine", "segment", "item", "acc-eq"]["value"] < own["segment", "item", "acc-eq"]


def test_penalties_as_judgements_are_turned_round(tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]) -> None:
    gold, metric = tables
    scores = records(tmp_path / "metric.csv", long_form(metric))
    turned = records(tmp_path / "gold.csv", long_form(gold))
    penalties = records(tmp_path / "penalties.csv", long_form(-gold, higher_is_better="false"))
    ratings = [
        {
            "rater": "r",
            "system": row["system"],
            "segment": row["segment"],
            "protocol": "mqm",
            "criterion": "penalty",
            "value": row["score"],
        }
        for row in long_form(-gold)
    ]
    raters = records(tmp_path / "ratings.csv", ratings)
    common = ("--scores", scores, "--test", "none")
    expected = values(measures("--judgements", turned, *common), "metric")
    assert len(expected) > 20
    for given in (("--judgements", penalties), ("--ratings", raters)):
        assert values(measures(*given, *common), "metric") == pytest.approx(expected)


@pytest.fixture
def post_edited(tmp_path: Path) -> Path:
    """Four systems with a reference, and post-edits that correct some of their words, which people agree with."""
    rng = np.random.default_rng(2)
    words = np.array(["the", "a", "cat", "dog", "sat", "lay", "on", "mat", "rug", "today"])
    lines, gold = [], []
    for segment in range(1, 7):
        outputs = {system: rng.choice(words, size=6) for system in SYSTEMS}
        edited = {system: np.where(rng.random(6) < 0.4, "corrected", text).tolist() for system, text in outputs.items()}
        lines.append(
            {
                "references": [" ".join(rng.choice(words, size=6))],
                "systems": {system: " ".join(text) for system, text in outputs.items()},
                "post_edits": {system: " ".join(text) for system, text in edited.items()},
            }
        )
        # Every word that was corrected is one edit out of six words, so people agree with HTER to the last digit.
        gold += [
            {"system": system, "segment": str(segment), "score": -text.count("corrected") / 6}
            for system, text in edited.items()
        ]
    write(tmp_path / "corpus.jsonl", [json.dumps(line) for line in lines])
    records(tmp_path / "gold.csv", gold)
    return tmp_path


def test_post_edits_are_used_as_asked_for(post_edited: Path) -> None:
    common = ("--corpus", str(post_edited / "corpus.jsonl"), "--judgements", str(post_edited / "gold.csv"))
    key = ("segment", "none", "pearson")
    chosen_level = ("--level", "segment", *chosen("pearson"), "--test", "none")
    instead = measures(*common, "-m", "hter", "-m", "ter", "--post-edits", "instead", *chosen_level)
    assert instead["hter", *key]["value"] == pytest.approx(-1)
    assert instead["ter", *key]["value"] == pytest.approx(-1)
    beside = measures(*common, "-m", "ter", "--post-edits", "beside", *chosen_level)
    assert "|refs:2|" in beside["ter", *key]["signature"]
    never = measures(*common, "-m", "ter", *chosen_level)
    assert "|refs:1|" in never["ter", *key]["signature"]
    assert never["ter", *key]["value"] > -0.9
    for post_edits in ("instead", "beside"):
        quiet = run("meta", *common, "-m", "hter", "--post-edits", post_edits, *chosen_level)
        assert quiet.returncode == 0
        assert "--post-edits" not in quiet.stderr
    refused = run("meta", *common, "-m", "hter", *chosen_level)
    assert refused.returncode == 2
    assert "add --post-edits instead" in refused.stderr


@dataclass(frozen=True, kw_only=True)
class WithoutThesaurus(Wer):
    """A metric whose thesaurus nobody has, for the test only."""

    @property
    def resources(self) -> dict[str, str]:
        raise MissingResourceError("the thesaurus", "Write one.")


def test_warnings_are_those_of_score(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = (karat.registry.metric("bleu"), WithoutThesaurus())
    monkeypatch.setattr("karat.service.choices.suite", lambda _: lacking)
    metrics = ("-m", "suite:any", "-m", "meteor-2005")
    scored = run("score", "--corpus", CORPUS, *metrics)
    assert "wer is left out: the thesaurus is not here" in scored.stderr
    assert "meteor-2005: no language was named" in scored.stderr
    judged = run("meta", *SAMPLE, *metrics, "--level", "system", *chosen("pearson"))
    assert set(scored.stderr.splitlines()) <= set(judged.stderr.splitlines())


def test_segments_of_several_documents_may_have_the_same_names(
    tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]
) -> None:
    gold, metric = tables

    def in_documents(table: np.ndarray) -> list[dict[str, Any]]:
        """Three documents, each with a segment 1 and a segment 2."""
        named = ((f"d{number // 2}", str(number % 2 + 1)) for _ in SYSTEMS for number in range(6))
        rows = zip(long_form(table), named, strict=True)
        return [{**row, "document": document, "segment": segment} for row, (document, segment) in rows]

    judged = records(tmp_path / "gold.csv", in_documents(gold))
    scores = records(tmp_path / "metric.csv", in_documents(metric))
    found = measures("--judgements", judged, "--scores", scores, "--test", "none")
    flat_judged = records(tmp_path / "flat-gold.csv", long_form(gold))
    flat_scores = records(tmp_path / "flat.csv", long_form(metric, metric="metric"))
    flat = measures("--judgements", flat_judged, "--scores", flat_scores, "--test", "none")
    kept = {key: value for key, value in values(found, "metric").items() if key[0] != "document"}
    assert kept == pytest.approx(values(flat, "metric"))
    assert ("document", "none", "pearson") in values(found, "metric")
    compared = run("compare", "--scores", scores, "-n", "50", "--quiet", "a", "b")
    assert compared.returncode == 0, compared.stderr


def test_bleu_is_one_row_that_scores_segments_by_sentence_bleu() -> None:
    found = document(*SAMPLE, "-m", "bleu", *chosen("pearson"), "--grouping", "none")
    signed = {entry["level"]: entry["signature"] for entry in found["measures"]}
    assert {entry["metric"] for entry in found["measures"]} == {"bleu"}
    assert signed["system"].startswith("bleu|")
    assert signed["document"].startswith("bleu|")
    assert signed["segment"].startswith("bleu(effective_order=true)|")
    single = measures(*SAMPLE, "-m", "sentence-bleu", "--level", "segment", *chosen("pearson"))
    (own,) = [entry["value"] for entry in found["measures"] if entry["level"] == "segment"]
    assert own == single["bleu(effective_order=true)", "segment", "none", "pearson"]["value"]
    shown = run("meta", *SAMPLE, "-m", "bleu", "--quiet").stdout
    for signature in (signed["system"], signed["segment"]):
        assert f"bleu: {signature}" in shown.splitlines()


def test_single_segments_under_a_formula_for_corpora_are_warned_about() -> None:
    scored = run("score", "--corpus", CORPUS, "-m", "bleu", "--level", "segment")
    assert "bleu is a formula for whole corpora: for single segments use sentence-bleu" in scored.stderr
    assert "formula" not in run("score", "--corpus", CORPUS, "-m", "sentence-bleu", "--level", "segment").stderr
