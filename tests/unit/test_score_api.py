"""`karat.score` and what it gives back."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import karat
from karat.corpus import Corpus
from karat.text.annotation import Annotation, Annotations

HYPOTHESES = ["the cat sat on the mat", "a dog barks at night"]
REFERENCES = [["the cat sat on the mat", "there is a cat on the mat"], ["the dog barks at night"]]


def test_results_come_in_the_order_asked_for_and_by_name() -> None:
    scores = karat.score(HYPOTHESES, REFERENCES, metrics=["ter", "bleu", "chrf(word_order=2)"])
    assert [score.metric for score in scores] == ["ter", "bleu", "chrf"]
    assert scores["bleu"] is scores[1]
    assert scores["chrF2++"] is scores["chrf(word_order=2)"] is scores[2]
    assert len(scores[1:]) == 2
    assert float(scores["bleu"]) == scores["bleu"].score
    with pytest.raises(KeyError, match="there is: ter, bleu"):
        _ = scores["meteor"]


def test_a_result_has_segments_rows_and_a_signature() -> None:
    (score,) = karat.score(HYPOTHESES, REFERENCES, metrics=["chrf"])
    assert isinstance(score.segments, np.ndarray)
    assert score.segments.shape == (2,)
    assert score.segments[0] == pytest.approx(100)
    assert score.rows.score == score.score
    assert str(score.signature).startswith("chrf|refs:var|hash:")
    assert score.sacrebleu_signature is not None


class CountedName(str):
    """A name that counts how often it is compared with others."""

    comparisons = 0

    def __eq__(self, other: object) -> bool:
        CountedName.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_many_systems_are_not_looked_through_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of 10,000 systems took hours."""
    count = 300
    scores = karat.score({f"system {i}": ["a b"] for i in range(count)}, ["a c"], ["chrf"])
    names = [CountedName(f"system {i}") for i in range(count)]
    monkeypatch.setattr(CountedName, "comparisons", 0)
    assert [scores[name, "chrf"].system for name in names] == names
    corpus = Corpus.of(systems={name: ["a b"] for name in names}, references={"A": ["a c"]})
    assert list(corpus.select(systems=map(CountedName, names)).systems) == names
    assert CountedName.comparisons < 20 * count


def test_one_metric_needs_no_list() -> None:
    alone, listed = (karat.score(HYPOTHESES, REFERENCES, metrics)[0] for metrics in ("bleu", ["bleu"]))
    assert alone.score == listed.score


def test_scores_of_metrics_with_spaces_in_a_value_are_found() -> None:
    known = Annotation(tokens=("a", "b"), heads=(1, -1), relations=("nsubj", "root"))
    annotations = {"hypotheses": Annotations.of([known]), "reference": Annotations.of([known])}
    spec = 'constructions(pattern="relation=nsubj first")'
    scores = karat.score(["a b"], ["a b"], ["chrf", spec], annotations=annotations)
    assert scores[spec].score == scores["chrf"].score == 100
    assert "constructions" in scores._repr_html_()


def test_several_systems_are_scored_at_once() -> None:
    scores = karat.score({"good": HYPOTHESES, "bad": ["x", "y"]}, REFERENCES, ["bleu", "ter"])
    assert scores.systems == ("good", "bad")
    assert scores["good", "bleu"].score > scores["bad", "bleu"].score
    with pytest.raises(KeyError, match="more than one"):
        _ = scores["bleu"]


@pytest.mark.parametrize("column", [list, tuple, np.array, pl.Series, pd.Series, iter])
def test_any_column_of_strings_will_do(column) -> None:  # type: ignore[no-untyped-def]
    expected = karat.score(HYPOTHESES, ["a b", "c d"], "chrf")[0]
    found = karat.score(column(HYPOTHESES), column(["a b", "c d"]), "chrf")[0]
    assert (found.score, found.signature) == (expected.score, expected.signature)


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", "b"], ["a"], "2"),
        (["a"], [["a"], ["b"]], "1"),
        ([], [], "nothing to score|empty|no segment"),
        (["a"], [[]], "segment 1"),
        ("a", ["a"], "single string"),
        (["a"], "a", "single string"),
        ([None], ["a"], "1"),
        (["a"], [None], "1"),
        (["a"], [["a", None]], "1"),
        ([1], ["a"], "1"),
        (["a\ud800"], ["a"], "surrogate"),
    ],
)
def test_what_cannot_be_scored_is_refused(hypotheses, references, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(karat.InputError, match=message):
        karat.score(hypotheses, references, ["bleu"])


def test_no_metric_is_refused() -> None:
    with pytest.raises(karat.InputError, match="no metric"):
        karat.score(HYPOTHESES, REFERENCES, [])


def test_prepared_references_score_many_systems() -> None:
    prepared = karat.metric("bleu").prepare(REFERENCES)
    assert "hash:" in str(prepared.signature)
    assert prepared.rows(HYPOTHESES).score == karat.score(HYPOTHESES, REFERENCES, "bleu")[0].score
    assert prepared.rows(["x", "y"]).score == 0
    with pytest.raises(karat.InputError, match="3 hypotheses, but references for 2"):
        prepared.rows(["x", "y", "z"])


def test_the_reference_hash_tells_references_apart() -> None:
    def digest(references: object) -> str:
        return karat.score(["a", "b"], references, "bleu")[0].signature.get("hash")  # type: ignore[arg-type]

    assert digest(["x", "y"]) == digest([["x"], ["y"]])
    assert digest(["x", "y"]) != digest(["xy", ""])
    assert digest([["x", "y"], ["z"]]) != digest([["x"], ["y", "z"]])


def test_a_notebook_shows_an_escaped_table() -> None:
    html = karat.score({"<script>": HYPOTHESES}, REFERENCES, "bleu")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "BLEU ↑" in html


def test_json_keeps_full_precision() -> None:
    scores = karat.score(HYPOTHESES, REFERENCES, ["bleu", "chrf"])
    document = json.loads(json.dumps(scores.to_json()))
    assert document["schema"] == 2
    assert [entry["score"] for entry in document["scores"]] == [score.score for score in scores]
    assert {"system", "metric", "spec", "score", "signature"} <= set(document["scores"][0])
