"""Combining metrics: judgements made by a formula are matched, what is printed was held out, the model is usable."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from karat.corpus import read_corpus
from karat.errors import InputError
from karat.registry import metric
from karat.results.combining import HELD_OUT, CombineResult
from karat.sample import path as sample_path
from karat.service.combining import CombineRequest, combine
from karat.service.inputs import CorpusFile, Files

CORPUS = str(sample_path("corpus.jsonl"))
RATINGS = str(sample_path("ratings.tsv"))


def combination(**changes: object) -> CombineResult:
    parts = {
        "texts": CorpusFile(CORPUS),
        "ratings": RATINGS,
        "metrics": ("bleu", "chrf", "ter"),
        "criterion": "adequacy",
    }
    return combine(CombineRequest(**{**parts, **changes}))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def learnt() -> CombineResult:
    return combination()


@pytest.fixture
def formula_ratings(tmp_path: Path) -> str:
    """People who are a formula of two metrics."""
    corpus = read_corpus(CORPUS)
    lines = ["system\tsegment\tdocument\tscore"]
    for name, column in corpus.systems.items():
        references = corpus.references_for(name)
        chrf, ter = (metric(spec).prepare(references).rows(column).unit_scores() for spec in ("chrf", "ter"))
        scores = (3 + 0.5 * chrf - 0.25 * ter).tolist()
        units = zip(corpus.segment_ids, corpus.documents or (), scores, strict=True)
        lines += [f"{name}\t{segment}\t{document}\t{score!r}" for segment, document, score in units]
    file = tmp_path / "formula.tsv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def test_judgements_made_by_a_formula_are_matched(formula_ratings: str) -> None:
    found = combination(ratings=formula_ratings, criterion=None, metrics=("chrf", "ter"))
    compared = found.comparisons[0]
    assert compared.combined > 0.9999 > compared.single_value
    chrf, ter = found.model.features
    assert chrf.weight / chrf.spread / (ter.weight / ter.spread) == pytest.approx(-2, rel=0.02)


def test_only_what_was_held_out_is_told(learnt: CombineResult) -> None:
    document = learnt.to_json()
    assert {entry["metric"] for entry in document["measures"]} == {HELD_OUT, "bleu", "chrf", "ter"}
    best = document["best_single"][0]
    assert (best["measure"], best["single"]) == ("pearson", "chrf")
    measured = {
        (entry["metric"], entry["level"], entry["measure"], entry["grouping"]): entry["value"]
        for entry in document["measures"]
    }
    assert best["combined"] == measured[HELD_OUT, "segment", "pearson", "none"]
    assert best["single_value"] == measured["chrf", "segment", "pearson", "none"]
    assert (document["unit"], document["units"], document["segments"], document["judgements"]) == (
        "document",
        14,
        127,
        508,
    )


def test_judgements_that_are_chance_are_not_agreed_with(formula_ratings: str) -> None:
    """Support vectors would remember them, if they saw what they predict."""
    file = Path(formula_ratings)
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    chance = np.random.default_rng(3).normal(size=len(lines))
    places = [line.rpartition("\t")[0] for line in lines]
    noise = [f"{place}\t{value}" for place, value in zip(places, chance.tolist(), strict=True)]
    file.write_text("\n".join([head, *noise]) + "\n", encoding="utf-8")
    found = combination(ratings=formula_ratings, criterion=None, method="svr")
    assert abs(found.comparisons[0].combined) < 0.15


def test_the_model_scores_as_its_parts_say(learnt: CombineResult, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(learnt.model_text(), encoding="utf-8")
    corpus = read_corpus(CORPUS)
    references, column = corpus.references_for("neural"), corpus.systems["neural"]
    rows = metric(f'combined(model="{path}")').prepare(references).rows(column)
    total = np.full(len(column), learnt.model.intercept)
    for feature in learnt.model.features:
        scores = metric(feature.metric).prepare(references).rows(column).unit_scores()
        total += feature.weight * (scores - feature.centre) / feature.spread
    assert rows.unit_scores() == pytest.approx(total)
    assert rows.score == pytest.approx(total.mean())


def test_the_file_has_hashes_and_no_texts(learnt: CombineResult) -> None:
    document = json.loads(learnt.model_text())
    assert set(document["hashes"]) == {"model", "features", "data"}
    assert document["hashes"]["data"] != combination(criterion="fluency").data_digest
    assert document["hashes"] == json.loads(combination().model_text())["hashes"]
    assert document["made_from"]["criterion"] == "adequacy"


def test_segments_are_the_folds_where_no_documents_are_known(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = [[str(word) for word in rng.integers(0, 30, 8)] for _ in range(20)]
    lines = ["system\tsegment\tscore"]
    (tmp_path / "ref.txt").write_text("\n".join(map(" ".join, words)) + "\n", encoding="utf-8")
    for name, kept in (("a", 7), ("b", 5)):
        text = "\n".join(" ".join(line[:kept]) for line in words)
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
        lines += [f"{name}\t{number}\t{kept + rng.normal()}" for number in range(1, 21)]
    (tmp_path / "scores.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    texts = Files((str(tmp_path / "ref.txt"),), tuple((name, str(tmp_path / f"{name}.txt")) for name in "ab"))
    found = combination(texts=texts, ratings=str(tmp_path / "scores.tsv"), criterion=None, metrics=("chrf", "wer"))
    assert (found.unit, found.units) == ("segment", 20)
    assert [warning.code for warning in found.warnings if warning.code == "folds-of-segments"]


def test_judgements_that_are_drawn_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.service.combining.MOST_FOR_VECTORS", 50)
    told = {method: [one.code for one in combination(method=method).warnings] for method in ("svr", "ridge")}
    assert "judgements-drawn" in told["svr"]
    assert "judgements-drawn" not in told["ridge"]


def test_one_system_is_looked_at_by_its_segments_alone() -> None:
    found = combination(texts=CorpusFile(CORPUS, systems=("neural",)), metrics=("chrf", "ter"))
    entries = found.to_json()["measures"]
    assert {(entry["level"], entry["grouping"]) for entry in entries} == {("segment", "none")}
    assert [compared.measure for compared in found.comparisons] == ["pearson"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"metrics": ("chrf",)}, "two metrics or more"),
        ({"metrics": ("chrf", "combined")}, "not combined again"),
        ({"metrics": ("chrf", "hter")}, "hter wants post-edits"),
        ({"criterion": None}, "choose one with --criterion"),
        ({"folds": 1}, "1 folds"),
        ({"folds": 15}, "14 judged documents or segments cannot be divided into 15 folds"),
    ],
)
def test_what_cannot_be_combined_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        combination(**changes)
