"""Systems under people and under a metric: which intervals they get, and which not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.tables import Tables, measure_of, task_of

import karat
from karat.evidence import Measure
from karat.meta.jackknife import jackknife_interval
from karat.meta.system_scores import system_scores
from karat.meta.task import Task

GOLD = np.array([[1.0, 2.0, 4.0, 5.0], [2.0, 3.0, 3.0, np.nan], [0.0, 1.0, 0.0, 2.0]])
SCORES = GOLD * 10


REFERENCES = ["the cat sat on the mat", "a dog ran very far away", "birds sing in the old tree", "it is late now again"]
TEXTS = [
    [text.replace("a", "the", 1) for text in REFERENCES],
    [text.replace("the", "a") for text in REFERENCES],
    [text[5:] for text in REFERENCES],
]
SYSTEMS = ("a", "b", "refA")


def a_metric(tables: Tables) -> Measure:
    return measure_of("m", tables, SYSTEMS)


def a_task(metric: Measure) -> Task:
    return task_of(measure_of("mqm", {"segment": GOLD}, SYSTEMS), (metric,), SYSTEMS, 4, humans=("refA",))


def test_the_interval_of_a_mean_is_students() -> None:
    metric = a_metric({"segment": SCORES})
    first = system_scores(a_task(metric), metric, (), 0.9)[0]
    error = stats.sem(GOLD[0])
    assert first.gold_interval == pytest.approx(stats.t.interval(0.9, 3, loc=3.0, scale=error))
    assert first.score_interval == pytest.approx([10 * bound for bound in first.gold_interval or ()])


def test_segments_that_do_not_add_up_to_the_score_give_no_interval() -> None:
    metric = a_metric({"segment": SCORES, "system": np.array([[30.0], [99.0], [7.5]])})
    made = system_scores(a_task(metric), metric, (), 0.95)
    assert [system.score_interval is None for system in made] == [False, True, False]
    alone = a_metric({"system": np.ones((3, 1))})
    assert all(system.score_interval is None for system in system_scores(a_task(alone), alone, (), 0.95))


def test_two_segments_are_too_few_for_an_interval() -> None:
    few = np.where(np.arange(4) < 2, SCORES, np.nan)
    metric = a_metric({"segment": few})
    assert all(system.score_interval is None for system in system_scores(a_task(metric), metric, (), 0.95))


def test_own_metrics_are_left_out_row_by_row() -> None:
    """A metric that is no mean of its segments has the interval of its formula."""
    bleu = karat.metric("bleu").prepare(REFERENCES)
    rows = {name: bleu.rows(texts) for name, texts in zip(SYSTEMS, TEXTS, strict=True)}
    metric = Measure(bleu.identity, rows)
    first = system_scores(a_task(metric), metric, (), 0.95)[0]
    kept = [[i for i in range(4) if i != left_out] for left_out in range(4)]
    without = np.array([rows["a"].taken(np.array(segments)).score for segments in kept])
    expected = jackknife_interval(rows["a"].score, without, 0.95, bounds=(-np.inf, np.inf))
    assert first.score_interval == pytest.approx(expected)


def test_marks_and_missing_systems() -> None:
    metric = a_metric({"segment": np.where([[True], [False], [True]], SCORES, np.nan)})
    made = system_scores(a_task(metric), metric, ("a",), 0.95)
    assert [(system.system, system.outlier, system.human) for system in made] == [
        ("a", True, False),
        ("refA", False, True),
    ]
