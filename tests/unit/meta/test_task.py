"""Tasks: tables at every level, parts, outliers, and what is reported about them."""

from __future__ import annotations

import numpy as np
import pytest

from karat.errors import InputError
from karat.meta.report import Plan, Wish, study, weighted_averages
from karat.meta.task import Scorer, Task
from karat.rows import Rows

SYSTEMS = ("a", "b", "c", "d", "refA")
DOCUMENTS = ("one", "one", "two", "two", "three", "three")


def a_task(*, rows: bool = False) -> Task:
    rng = np.random.default_rng(3)
    gold = np.arange(5.0)[:, np.newaxis] + rng.normal(size=(5, 6))
    gold[:, 5] = np.nan
    scores = gold + rng.normal(size=(5, 6))
    scores[:, 5] = 9.0
    made = tuple(Rows.from_scores(of.tolist(), spec="own") for of in scores) if rows else None
    metrics = (
        Scorer("good", {"segment": scores, "system": scores.mean(axis=1, keepdims=True)}, rows=made),
        Scorer("bad", {"segment": -scores}, higher_is_better=False),
        Scorer("noise", {"segment": rng.normal(size=(5, 6))}),
    )
    segments = tuple("123456")
    return Task(Scorer("mqm", {"segment": gold}), metrics, SYSTEMS, ("refA",), segments, DOCUMENTS, None, "en-de")


def test_levels_are_made_from_segments() -> None:
    task = a_task()
    gold = task.gold.tables["segment"]
    assert task.table(task.gold, "system") == pytest.approx(np.nanmean(gold, axis=1, keepdims=True))
    documents = task.table(task.gold, "document")
    assert documents is not None
    assert documents[:, 2] == pytest.approx(gold[:, 4])
    assert task.table(task.gold, "domain") is None
    assert task.units("document") == ("one", "two", "three")


@pytest.mark.parametrize("rows", [True, False])
def test_metrics_of_documents_see_judged_segments_only(rows: bool) -> None:
    task = a_task(rows=rows)
    found = task.table(task.metrics[0], "document")
    assert found is not None
    assert found[:, 2] == pytest.approx(task.metrics[0].tables["segment"][:, 4])


def test_systems_and_parts_are_taken_out() -> None:
    task = a_task(rows=True).with_systems(["b", "refA"])
    assert task.systems == ("b", "refA")
    assert task.humans == ("refA",)
    part = task.part("document", "two")
    assert part.segments == ("3", "4")
    assert part.subset == "document two"
    assert part.table(part.metrics[0], "system") == pytest.approx(
        task.metrics[0].tables["segment"][:, 2:4].mean(axis=1, keepdims=True)
    )


def test_tables_must_fit_the_systems() -> None:
    with pytest.raises(InputError, match="4 segment scores for 5 systems"):
        Task(Scorer("mqm", {"segment": np.zeros((4, 2))}), (), SYSTEMS)


def test_a_study_leaves_people_out_and_says_so() -> None:
    report = study(a_task(), Plan())
    assert report.left_out == {"refA": "human output"}
    assert report.systems == SYSTEMS[:4]
    assert {entry.level for entry in report.measures} == {"system", "document", "segment"}
    inside = study(a_task(), Plan(include_human=True))
    assert inside.systems == SYSTEMS


def test_the_sign_of_a_metric_is_kept_in_correlations_and_turned_in_accuracies() -> None:
    found = {
        (entry.metric, entry.level, entry.found.measure, entry.found.grouping): entry.found.value
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
        [entry.found.n for entry in entries if entry.level == "system"]
        for entries in (report.measures, report.without_outliers)
    )
    assert set(first) == {4}
    assert set(second) == {3}
    with pytest.raises(InputError, match="is no system"):
        study(a_task(), Plan(named_outliers=("z",)))


def test_metrics_are_compared_in_the_direction_that_is_better() -> None:
    wishes = (Wish("segment", "pearson", "none"), Wish("domain", "pearson", "none"))
    ((level, contests),) = study(a_task(), Plan(contests=wishes)).contests
    assert level == "segment"
    assert set(contests.order[:2]) == {"good", "bad"}
    assert contests.values[0] == pytest.approx(contests.values[1])


def test_averages_over_tasks_are_weighted() -> None:
    reports = [study(a_task(), Plan(named_outliers=())), study(a_task().part("document", "one"), Plan())]
    equal, weighted = (weighted_averages(reports, weights) for weights in ([1, 1], [1, 0]))
    first = {(e.metric, e.level, e.found.grouping, e.found.measure): e.found.value for e in reports[0].measures}
    key = ("good", "segment", "none", "pearson")
    for averages, check in ((weighted, True), (equal, False)):
        (found,) = [
            one["value"] for one in averages if (one["metric"], one["level"], one["grouping"], one["measure"]) == key
        ]
        assert (found == pytest.approx(first[key])) is check
    assert any(one["measure"] == "accuracy-pooled" for one in equal)
