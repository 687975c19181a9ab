"""Where an interval and a test say different things, the page says so; and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import karat
from karat.identity import Identity
from karat.report.page.contradictions import of_differences, of_scores
from karat.scores import Score
from karat.significance import Comparison, Interval
from karat.significance.intervals import Estimate

SCORES = {"new": [4, 4, 3, 5, 4, 5] * 5, "old": [3, 4, 2, 5, 3, 4] * 5}


def pair(p: float, p_adjusted: float, low: float, high: float, family: int = 10) -> Comparison:
    first = karat.rank(SCORES).comparisons[0]
    interval = replace(first.interval, low=low, high=high)
    assert isinstance(interval, Interval)
    return replace(first, p=p, p_adjusted=p_adjusted, interval=interval, correction="holm", family=family)


def score(low: float, high: float) -> Score:
    interval = replace(pair(1, 1, 0, 0).interval, low=low, high=high)
    estimate = Estimate((low + high) / 2, interval, 0, 0, 1000, "full", 1, "segment", 30)
    return Score("a", Identity.of_scores("scores"), estimate.value, 30, estimate=estimate)


def test_an_interval_without_zero_beside_a_dot_that_may_be_chance_is_explained_by_the_correction() -> None:
    (said,) = of_differences({"a": pair(0.01, 0.1, 0.2, 1), "b": pair(0.001, 0.01, 0.2, 1)})
    assert said == (
        "Without 0 in its interval, and yet it may be chance: a. "
        "p has Holm's correction over 10 comparisons, intervals have none."
    )


def test_the_correction_is_not_named_where_it_is_not_why() -> None:
    (said,) = of_differences({"a": pair(0.06, 0.1, 0.2, 1)})
    assert "correction" not in said
    assert "a; test and interval are found in different ways" in said


def test_an_interval_with_zero_beside_a_dot_that_is_told_apart_is_explained() -> None:
    (said,) = of_differences({"a": pair(0.01, 0.04, -0.1, 1)})
    assert said.startswith("With 0 in its interval, and yet told apart by the test: a;")


def test_nothing_is_said_where_intervals_and_tests_agree() -> None:
    assert of_differences({"a": pair(0.01, 0.04, 0.1, 1), "b": pair(0.5, 1, -1, 1)}) == ()


def test_many_systems_are_counted() -> None:
    (said,) = of_differences({name: pair(0.01, 0.1, 0.2, 1) for name in "abcd"})
    assert "may be chance: 4 systems." in said


def test_intervals_of_scores_that_contradict_the_test_are_counted() -> None:
    told, untold = pair(0.01, 0.01, 0.1, 1), pair(0.5, 0.5, -1, 1)
    systems = [told.baseline, told.system]
    overlapping = dict(zip(systems, (score(0, 2), score(1, 3)), strict=True))
    apart = dict(zip(systems, (score(0, 1), score(2, 3)), strict=True))
    assert of_scores([told, untold], overlapping)[0].startswith(
        "Intervals of scores overlap in 1 of 2 pairs, which are"
    )
    assert of_scores([told, untold], apart)[0].startswith(
        "Intervals of scores lie apart in 1 of 2 pairs, which are not"
    )
    assert of_scores([told], apart) == of_scores([untold], overlapping) == of_scores([told, untold], {}) == ()
