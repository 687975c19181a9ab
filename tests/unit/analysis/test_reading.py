"""Segments worth reading: the right ones first, and not all of one document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.contract.commands import run

from karat.analysis.reading import REASONS
from karat.sample import path

CORPUS, RATINGS = str(path("corpus.jsonl")), str(path("ratings.tsv"))


def chosen(*more: str) -> dict[str, Any]:
    outcome = run("analyse", "segments", "--corpus", CORPUS, *more, "--json", "-q")
    assert outcome.code == 0, outcome.err
    document: dict[str, Any] = json.loads(outcome.out)
    return document


def scores_of(spec: str, *systems: str) -> dict[str, list[float]]:
    outcome = run("score", "--corpus", CORPUS, *systems, "-m", spec, "--level", "segment", "--json", "-q")
    assert outcome.code == 0, outcome.err
    entries = json.loads(outcome.out)["segments"]
    return {name: [entry["score"] for entry in entries if entry["system"] == name] for name in systems}


def test_every_reason_has_choices_where_there_are_ratings() -> None:
    document = chosen("--ratings", RATINGS, "--count", "3")
    reasons = [choice["reason"] for choice in document["choices"]]
    assert reasons == [reason for reason in REASONS for _ in range(3)]
    assert document["skipped"] == []
    assert [choice["rank"] for choice in document["choices"]] == [1, 2, 3] * 4


def test_systems_that_people_judged_and_nobody_wrote_are_left_out() -> None:
    document = chosen("neural", "fluent", "--ratings", RATINGS, "--count", "2")
    assert document["systems"] == ["neural", "fluent"]
    assert {choice["reason"] for choice in document["choices"]} == {*REASONS}


def test_systems_that_nobody_judged_are_read_all_the_same_in_the_order_of_the_texts(tmp_path: Path) -> None:
    lines = Path(RATINGS).read_text(encoding="utf-8").splitlines(keepends=True)
    some = tmp_path / "some.tsv"
    some.write_text("".join(line for line in lines if "\tfluent\t" not in line), encoding="utf-8")
    outcome = run("analyse", "segments", "--corpus", CORPUS, "--ratings", str(some), "--json")
    document = json.loads(outcome.out)
    assert document["systems"] == chosen()["systems"]
    assert "1 system that nobody judged cannot be held against people: fluent" in outcome.err
    by_reason = {
        reason: {choice["system"] for choice in document["choices"] if choice["reason"] == reason} for reason in REASONS
    }
    assert "fluent" not in by_reason["people"]
    assert "fluent" in by_reason["influence"] | by_reason["metrics"]


def test_reasons_without_material_are_named() -> None:
    document = chosen("neural", "-m", "chrf")
    assert {entry["reason"] for entry in document["skipped"]} == {*REASONS}
    two = chosen("neural", "fluent", "-m", "chrf")
    assert [entry["reason"] for entry in two["skipped"]] == ["metrics", "people"]


def test_the_largest_distance_comes_first() -> None:
    scores = scores_of("chrf", "neural", "literal")
    distances = np.abs(np.subtract(scores["neural"], scores["literal"]))
    document = chosen("neural", "literal", "-m", "chrf", "--count", "4", "--per-document", "0")
    choices = [choice for choice in document["choices"] if choice["reason"] == "systems"]
    assert [choice["segment"] for choice in choices] == (np.argsort(-distances)[:4] + 1).tolist()
    assert choices[0]["value"] == pytest.approx(distances.max())
    assert choices[0]["scores"][0]["score"] >= choices[0]["scores"][1]["score"]


def test_influence_is_what_the_difference_loses_without_the_segment(tmp_path: Any) -> None:
    document = chosen("neural", "literal", "-m", "bleu", "--count", "1")
    choice = next(choice for choice in document["choices"] if choice["reason"] == "influence")
    lines = [json.loads(line) for line in path("corpus.jsonl").read_text("utf-8").splitlines()]
    kept = tmp_path / "kept.jsonl"
    kept.write_text("\n".join(json.dumps(line) for i, line in enumerate(lines, 1) if i != choice["segment"]) + "\n")

    def difference(corpus: str) -> float:
        outcome = run("score", "--corpus", corpus, "neural", "literal", "-m", "bleu", "--json", "-q")
        first, second = (entry["score"] for entry in json.loads(outcome.out)["scores"])
        return float(second - first)

    assert choice["value"] == pytest.approx(difference(CORPUS) - difference(str(kept)))


def test_documents_share_the_choices_unless_there_is_no_limit() -> None:
    def most(*more: str) -> int:
        choices = [choice for choice in chosen("-m", "chrf", *more)["choices"] if choice["reason"] == "systems"]
        documents = [choice["document"] for choice in choices]
        assert len(documents) == 10
        return max(map(documents.count, documents))

    assert most("--per-document", "1") == 1
    assert most("--per-document", "0") > 1


def test_an_unknown_baseline_is_refused() -> None:
    outcome = run("analyse", "segments", "--corpus", CORPUS, "--baseline", "nobody")
    assert (outcome.code, "nobody" in outcome.err) == (2, True)


def chosen_of(directory: Any, *lines: tuple[str, ...]) -> dict[str, Any]:
    """What is chosen of a reference and two systems, given segment by segment."""
    files = [directory / f"{name}.txt" for name in ("ref", "a", "b")]
    for file, column in zip(files, zip(*lines, strict=True), strict=True):
        file.write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    reference, *systems = map(str, files)
    outcome = run("analyse", "segments", "-r", reference, *systems, "-m", "bleu", "-m", "ter", "--json", "-q")
    assert outcome.code == 0, outcome.err
    document: dict[str, Any] = json.loads(outcome.out)
    return document


def test_of_one_segment_there_is_no_influence_but_all_else(tmp_path: Any) -> None:
    document = chosen_of(tmp_path, ("a b c d", "a b c d", "a b x d"))
    assert {choice["reason"] for choice in document["choices"]} == {"systems"}
    assert {entry["reason"] for entry in document["skipped"]} == {"metrics", "people", "influence"}


def test_metrics_that_differ_by_rounding_agree(tmp_path: Any) -> None:
    document = chosen_of(tmp_path, *[("Hello world.", "Hello there world.", "Hello world.")] * 6)
    assert "metrics" in {entry["reason"] for entry in document["skipped"]}
