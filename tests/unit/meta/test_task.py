"""Tasks: tables at every level, parts, outliers, and what is reported about them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.tables import measure_of, segment_table, task_of

import karat
from karat.errors import InputError
from karat.evidence import Measure
from karat.meta.study import Plan, PlannedContest, study, weighted_averages
from karat.meta.task import Task

SYSTEMS = ("a", "b", "c", "d", "refA")
DOCUMENTS = ("one", "one", "two", "two", "three", "three")


def a_task() -> Task:
    rng = np.random.default_rng(3)
    gold = np.arange(5.0)[:, np.newaxis] + rng.normal(size=(5, 6))
    gold[:, 5] = np.nan
    scores = gold + rng.normal(size=(5, 6))
    scores[:, 5] = 9.0
    metrics = (
        measure_of("good", {"segment": scores, "system": scores.mean(axis=1, keepdims=True)}, SYSTEMS),
        measure_of("bad", {"segment": -scores}, SYSTEMS, higher_is_better=False),
        measure_of("noise", {"segment": rng.normal(size=(5, 6))}, SYSTEMS),
    )
    judged = measure_of("mqm", {"segment": gold}, SYSTEMS)
    return task_of(judged, metrics, SYSTEMS, 6, humans=("refA",), documents=DOCUMENTS, language_pair="en-de")


def test_levels_are_made_from_segments() -> None:
    task = a_task()
    gold = segment_table(task, task.gold)
    assert task.table(task.gold, "system") == pytest.approx(np.nanmean(gold, axis=1, keepdims=True))
    documents = task.table(task.gold, "document")
    assert documents is not None
    assert documents[:, 2] == pytest.approx(gold[:, 4])
    assert task.table(task.gold, "domain") is None
    assert task.units("document") == ("one", "two", "three")


def test_metrics_of_documents_see_judged_segments_only() -> None:
    task = a_task()
    found = task.table(task.metrics[0], "document")
    assert found is not None
    assert found[:, 2] == pytest.approx(segment_table(task, task.metrics[0])[:, 4])


def test_systems_and_parts_are_taken_out() -> None:
    task = a_task().with_systems(["b", "refA"])
    assert task.systems == ("b", "refA")
    assert task.humans == ("refA",)
    part = task.part("document", "two")
    assert part.segments.ids == ("3", "4")
    assert part.subset == "document two"
    assert part.table(part.metrics[0], "system") == pytest.approx(
        segment_table(task, task.metrics[0])[:, 2:4].mean(axis=1, keepdims=True)
    )


def test_judgements_for_which_lower_is_better_are_turned() -> None:
    task = a_task()
    penalties = -segment_table(task, task.gold)
    turned = replace(task, gold=measure_of("penalty", {"segment": penalties}, SYSTEMS, higher_is_better=False))
    assert segment_table(turned, turned.gold) == pytest.approx(segment_table(task, task.gold), nan_ok=True)


def test_single_segments_may_have_a_formula_of_their_own() -> None:
    bleu, references = karat.metric("bleu"), ["a b c", "the cat sat on the mat"]
    prepared, single = bleu.prepare(references), bleu.for_segments.prepare(references)
    texts = {"a": ["a b c", "the cat sat on a mat"], "b": ["a b", "a mat"]}
    metric = Measure(
        prepared.identity,
        {name: prepared.rows(lines) for name, lines in texts.items()},
        for_segments={name: single.rows(lines) for name, lines in texts.items()},
    )
    gold = measure_of("mqm", {"segment": np.ones((2, 2))}, ("a", "b"))
    task = task_of(gold, (metric,), ("a", "b"), 2)
    assert segment_table(task, metric)[0, 0] == pytest.approx(100)
    system = task.table(metric, "system")
    assert system is not None
    assert system[0, 0] == pytest.approx(prepared.rows(texts["a"]).score)
    assert metric.segment_identity.spec == "bleu(effective_order=true)"


def test_a_study_leaves_people_out_and_says_so() -> None:
    report = study(a_task(), Plan())
    assert report.left_out == {"refA": "human output"}
    assert report.systems == SYSTEMS[:4]
    assert {entry.level for entry in report.measures} == {"system", "document", "segment"}
    inside = study(a_task(), Plan(include_human=True))
    assert inside.systems == SYSTEMS


def test_the_standard_reference_is_never_a_system() -> None:
    task = replace(a_task(), standard_reference="refA")
    for include_human in (False, True):
        report = study(task, Plan(include_human=include_human))
        assert report.left_out == {"refA": "standard reference"}
        assert report.systems == SYSTEMS[:4]
        assert all("refA" not in {one.system for one in systems} for systems in report.scatter.values())
        assert not any("refA" in drive.systems for drive in report.drives)


def test_the_standard_reference_is_among_those_whose_median_outliers_are_far_from() -> None:
    """Its judgement tells what judgements are like, whatever metrics are scored against."""
    gold = np.array([[0.0], [1.0], [2.0], [6.0], [12.0]]) + np.zeros((5, 6))
    judged = replace(a_task(), gold=measure_of("mqm", {"segment": gold}, SYSTEMS))
    reports = [study(replace(judged, standard_reference=standard), Plan()) for standard in (None, "refA")]
    assert [report.outliers for report in reports] == [(), ()]
    without = study(judged, Plan(without=("refA",)))
    assert without.outliers == ("d",)


def test_the_sign_of_a_metric_is_kept_in_correlations_and_turned_in_accuracies() -> None:
    found = {
        (entry.metric, entry.level, entry.agreement.measure, entry.agreement.grouping): entry.agreement.value
        for entry in study(a_task(), Plan()).measures
    }
    for measure in ("pearson", "spearman", "kendall-b"):
        key = ("segment", measure, "none")
        assert found["bad", *key] == pytest.approx(-found["good", *key])
    for measure in ("accuracy", "acc-eq", "kendall-like"):
        key = ("segment", measure, "none")
        assert found["bad", *key] == pytest.approx(found["good", *key])


def test_named_outliers_are_left_out_of_the_second_numbers() -> None:
    report = study(a_task(), Plan(named_outliers=("a",)))
    assert report.outliers == ("a",)
    first, second = (
        [entry.agreement.n for entry in entries if entry.level == "system"]
        for entries in (report.measures, report.without_outliers)
    )
    assert set(first) == {4}
    assert set(second) == {3}
    with pytest.raises(InputError, match="is no system"):
        study(a_task(), Plan(named_outliers=("z",)))


def test_metrics_are_compared_in_the_direction_that_is_better() -> None:
    planned = (PlannedContest("segment", "pearson", "none"), PlannedContest("domain", "pearson", "none"))
    ((level, contests),) = study(a_task(), Plan(contests=planned)).contests
    assert level == "segment"
    assert set(contests.order[:2]) == {"good", "bad"}
    assert contests.values[0] == pytest.approx(contests.values[1])


def test_averages_over_tasks_are_weighted() -> None:
    reports = [study(a_task(), Plan(named_outliers=())), study(a_task().part("document", "one"), Plan())]
    equal, weighted = (weighted_averages(reports, weights) for weights in ([1, 1], [1, 0]))
    first = {(entry.metric, *entry.key): entry.agreement.value for entry in reports[0].measures}
    key = ("good", "segment", "pearson", "none")
    for averages, check in ((weighted, True), (equal, False)):
        (found,) = [
            one["value"] for one in averages if (one["metric"], one["level"], one["measure"], one["grouping"]) == key
        ]
        assert (found == pytest.approx(first[key])) is check
    assert any(one["measure"] == "accuracy-pooled" for one in equal)
