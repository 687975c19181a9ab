"""`karat.compare`, `karat.rank` and `karat.bootstrap` from Python."""

from __future__ import annotations

import numpy as np
import pytest

import karat
from karat.sample import path as sample_path


def lines(name: str) -> list[str]:
    return sample_path(name).read_text(encoding="utf-8").splitlines()


REFERENCES = lines("refA.en.txt")
TEXTS = {name: lines(f"{name}.txt") for name in ("literal", "fluent", "neural")}
DOCUMENTS = [line.split("\t")[1] for line in lines("segments.tsv")[1:]]
SCORES = karat.score(TEXTS, REFERENCES, ["bleu", "chrf"])


def test_results_are_compared_metric_by_metric() -> None:
    found = karat.compare(SCORES, n=200)
    assert [(one.metric, one.baseline, one.system) for one in found] == [
        (metric, "literal", system) for metric in ("bleu", "chrf") for system in ("fluent", "neural")
    ]
    assert found[0].score == SCORES["fluent", "bleu"].score
    assert {one.unit for one in found} == {"segment"}


def test_documents_make_documents_the_unit() -> None:
    found = karat.compare(SCORES, documents=DOCUMENTS, baseline="neural", n=200)
    assert {(one.unit, one.units, one.baseline) for one in found} == {("document", 14, "neural")}
    estimate = karat.bootstrap(SCORES["neural", "bleu"], documents=DOCUMENTS)
    assert (estimate.unit, estimate.units) == ("document", 14)
    with pytest.raises(karat.InputError, match="127 rows, but 3 labels"):
        karat.compare(SCORES, documents=["a", "b", "c"])


def test_rows_scores_and_arrays_say_the_same() -> None:
    chrf = {name: SCORES[name, "chrf"] for name in TEXTS}
    by_score = karat.rank(chrf, n=200)
    by_rows = karat.rank({name: score.rows for name, score in chrf.items()}, n=200)
    assert by_score == by_rows
    (segments,) = karat.compare({name: chrf[name].segments for name in ("literal", "neural")}, test="wilcoxon")
    (rows,) = karat.compare({name: chrf[name] for name in ("literal", "neural")}, test="wilcoxon")
    assert segments.p == rows.p


def test_separate_results_are_compared_under_their_names() -> None:
    old, new = (karat.score(TEXTS[name], REFERENCES, ["bleu", "chrf"]) for name in ("literal", "neural"))
    found = karat.compare({"old": old, "new": new}, n=200)
    assert [(one.metric, one.baseline, one.system) for one in found] == [("bleu", "old", "new"), ("chrf", "old", "new")]
    with pytest.raises(karat.InputError, match="several systems"):
        karat.compare({"old": SCORES, "new": new})
    with pytest.raises(karat.InputError, match="give all systems alike"):
        karat.compare({"old": old, "new": [1.0, 2.0]})


def test_results_on_other_references_are_refused() -> None:
    old = karat.score(TEXTS["literal"], REFERENCES, "bleu")["bleu"]
    new = karat.score(TEXTS["neural"], lines("refB.en.txt"), "bleu")["bleu"]
    with pytest.raises(karat.InputError, match="score both against the same references"):
        karat.compare({"old": old, "new": new})


def test_numbers_may_be_missing_but_not_nan() -> None:
    numbers = [1.0, 2.0, None, 4.0] * 10
    (one,) = karat.compare({"a": numbers, "b": [2.0, 3.0, 4.0, None] * 10}, n=200)
    # Only what both have is compared: the first two of four.
    assert (one.baseline_score, one.units) == (pytest.approx(1.5), 20)
    with pytest.raises(karat.InputError, match="score 3 of scores is not a finite number"):
        karat.bootstrap(np.array([1.0, 2.0, np.nan]))
    with pytest.raises(karat.InputError, match="same segments"):
        karat.compare({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]})
    with pytest.raises(karat.InputError, match="fewer than 2"):
        karat.compare({"a": [1.0], "b": [2.0]})


def test_lower_may_be_better() -> None:
    errors = {"few": [1.0, 0.0, 2.0, 1.0] * 10, "many": [3.0, 1.0, 4.0, 2.0] * 10}
    assert karat.rank(errors, higher_is_better=False, n=200).ranking[0].system == "few"
    assert karat.rank(errors, n=200).ranking[0].system == "many"


def test_several_scores_have_no_single_interval() -> None:
    with pytest.raises(karat.InputError, match="take one of them"):
        karat.bootstrap(SCORES)  # type: ignore[arg-type]
    with pytest.raises(karat.InputError, match="two scores under bleu"):
        karat.compare(karat.Scores([SCORES[0], SCORES[0]]))


def test_unknown_tests_are_refused() -> None:
    with pytest.raises(karat.SpecError, match="bootstrap"):
        karat.compare(SCORES, test="bootstrapp")  # type: ignore[arg-type]
    with pytest.raises(karat.InputError, match="n is 0"):
        karat.compare(SCORES, n=0)


def test_systems_are_compared_on_what_they_share() -> None:
    easy_then_hard = [90.0] * 20 + [50.0] * 20
    first = [*easy_then_hard, *[None] * 20]
    second = [*[None] * 20, *[51.0] * 20, *[20.0] * 20]
    (found,) = karat.compare({"first": first, "second": second})
    assert (found.better, found.units, found.difference) == ("second", 20, 1.0)
    assert karat.rank({"first": first, "second": second}).ranking[0].system == "second"
    (apart,) = karat.compare({"first": first, "second": second}, unpaired=True)
    assert apart.difference == pytest.approx(35.5 - 70)


def test_the_unit_may_be_named() -> None:
    (found,) = karat.compare(SCORES[:4:2], documents=DOCUMENTS, unit="segment", n=200)
    assert (found.unit, found.units) == ("segment", len(DOCUMENTS))
    with pytest.raises(karat.InputError, match="need to know which segment belongs to which document"):
        karat.rank(SCORES, unit="document")
