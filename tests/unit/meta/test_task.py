"""Tasks: tables at every level, parts, outliers, and what is reported about them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from tests.tables import measure_of, segment_table, task_of

import karat
from karat.errors import InputError
from karat.evidence import Measure
from karat.kernels import pair_counts
from karat.meta.contests import ContestOptions, Test
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


def with_unscored(task: Task) -> Task:
    """The task with one more system, which people judged and no metric has a score of."""
    systems = (*task.systems, "late")
    gold = np.vstack([segment_table(task, task.gold), np.full((1, len(task.segments)), 99.0)])
    return replace(task, gold=measure_of("mqm", {"segment": gold}, systems), systems=systems)


def test_systems_without_scores_are_not_counted() -> None:
    task, plan = a_task(), Plan(contests=(), find_outliers=False)
    alone, beside = study(task, plan), study(with_unscored(task), plan)
    assert beside.systems == alone.systems == ("a", "b", "c", "d")
    assert beside.left_out == {"refA": "human output", "late": "unscored system"}
    assert beside.unscored == {}
    for one, other in zip(alone.measures, beside.measures, strict=True):
        assert other.agreement.to_json() == one.agreement.to_json()


def test_soft_accuracy_counts_only_pairs_of_systems_that_both_sides_know() -> None:
    """One metric lacks a system that another has: to it, there are the other systems only."""
    task, plan = a_task(), Plan(measures=("spa",), levels=("system",), contests=(), find_outliers=False)
    lacking = tuple(name for name in SYSTEMS if name != "b")
    good = task.metrics[0]
    partial = measure_of("partial", {"segment": segment_table(task, good)[[0, 2, 3, 4]]}, lacking)
    found = study(replace(task, metrics=(good, partial)), plan)
    spa = {entry.metric: entry.agreement for entry in found.measures}
    assert {name: (entry.n, entry.pairs) for name, entry in spa.items()} == {"good": (4, 6), "partial": (3, 3)}
    without = study(replace(task, metrics=(good,)), replace(plan, without=("b",)))
    assert spa["partial"].value == without.measures[0].agreement.value
    assert found.unscored == {"partial": ("b",)}


def test_threads_reach_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    def counting(*arrays: object, threads: int | None = None, **options: object) -> object:
        asked.append(threads)
        return pair_counts(*arrays, threads=threads, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("karat.meta.pair_totals.pair_counts", counting)
    monkeypatch.setattr("karat.meta.permutation.pair_counts", counting)
    contests = (PlannedContest("segment", "acc-eq", "item"),)
    plan = Plan(measures=("kendall-b", "acc-eq"), contests=contests, options=ContestOptions(n=10))
    study(a_task(), plan, threads=1)
    assert set(asked) == {1}
    asked.clear()
    study(a_task(), plan, threads=6)
    assert set(asked) == {2, 6}, "three metrics at a time share the threads, and one test has all of them"


@pytest.mark.parametrize(
    ("contest", "test", "complaint"),
    [
        (
            ("system", "pearson", "item"),
            "perm-both",
            r"under system:pearson:item by perm-both\. .* there is system:pearson,",
        ),
        (("system", "spa", "none"), "perm-both", "under system:spa by perm-both"),
        (
            ("segment", "acc-eq", "item"),
            "williams",
            "under segment:acc-eq:item by williams.* there is segment:pearson$",
        ),
    ],
)
def test_comparisons_that_make_no_sense_are_refused(contest: tuple, test: Test, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Plan(contests=(PlannedContest(*contest),), options=ContestOptions(test=test))


def test_an_interrupt_ends_a_metric_after_the_measure_that_it_is_at(monkeypatch: pytest.MonkeyPatch) -> None:
    task = a_task()
    measured = []
    begun = Event()

    def work(_task: Task, metric: Measure, *_: object) -> Iterator[int]:
        if metric.name == "good":
            begun.wait(timeout=60)
            raise KeyboardInterrupt
        for number in range(200):
            measured.append(number)
            begun.set()
            time.sleep(0.02)
            yield number

    monkeypatch.setattr("karat.meta.study._of_metric", work)
    two = replace(task, metrics=task.metrics[:2])
    with pytest.raises(KeyboardInterrupt):
        study(two, Plan(levels=("segment",)), threads=2)
    assert 0 < len(measured) < 200
