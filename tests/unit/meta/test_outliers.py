"""Outliers, systems that drive a correlation, predictions and tags of words."""

from __future__ import annotations

import numpy as np
import pytest

from karat.errors import InputError
from karat.meta import TagCounts, delta_avg, drives, outliers, soft_pairwise_accuracy, tag_counts


def test_outliers_by_the_median_deviation() -> None:
    assert outliers([0.0, 0.1, 0.2, 0.3, -3.0]).tolist() == [False] * 4 + [True]
    assert not outliers([1.0, 1.0, 1.0, 5.0]).any()


def test_one_system_that_drives_a_correlation_is_named() -> None:
    names = [f"s{i}" for i in range(7)]
    gold = np.array([3.0, 3.1, 3.2, 3.3, 3.4, 3.5, 0.5])
    scores = np.array([31.0, 30.0, 32.0, 30.5, 31.5, 30.2, 10.0])
    (found,) = drives("bleu", names, gold, scores, {})
    assert found.systems == ("s6",)
    assert found.value > 0.9 > 0.5 > abs(found.value_without)
    assert found.r2 == pytest.approx(found.value**2)
    assert (found.n, found.n_without) == (7, 6)


def test_a_kind_of_systems_is_named_too() -> None:
    names = [f"s{i}" for i in range(8)]
    gold = np.arange(8.0)
    scores = np.array([1.0, 2, 3, 4, 5, 6, 0, 0])
    found = drives("bleu", names, gold, scores, {"human": ("s6", "s7")})
    assert ("s6", "s7") in [one.systems for one in found]


def test_steady_correlations_are_driven_by_nobody() -> None:
    assert drives("bleu", list("abcdef"), np.arange(6.0), np.arange(6.0) * 2, {"human": ("a",)}) == []
    assert drives("bleu", list("ab"), np.arange(2.0), np.arange(2.0), {}) == []


def test_delta_avg() -> None:
    assert delta_avg([5, 4, 3, 2, 1, 0], [1, 2, 3, 4, 5, 6]) == pytest.approx(-1.5)
    # Halves: 4 - 2.5. Thirds: (4.5 + 3.5) / 2 - 2.5. Both are 1.5.
    assert delta_avg([5, 4, 3, 2, 1, 0], [6, 5, 4, 3, 2, 1], 3) == pytest.approx(1.5)
    with pytest.raises(InputError, match="too few"):
        delta_avg([1, 2, 3], [1, 2, 3])
    with pytest.raises(InputError, match="one for each"):
        delta_avg([1, 2, 3, 4], [1, 2, 3])
    with pytest.raises(InputError, match="cannot be cut"):
        delta_avg([1, 2, 3, 4], [1, 2, 3, 4], 5)


def test_tags_of_words() -> None:
    total = sum(tag_counts(["OK OK BAD", "BAD BAD"], ["OK BAD BAD", "BAD OK"]), TagCounts(0, 0, 0, 0))
    assert (total.bad, total.missed, total.alarm, total.ok, total.words) == (2, 1, 1, 1, 5)
    assert total.mcc == pytest.approx(1 / 6)
    assert total.f1_multi == pytest.approx(2 / 3 * 1 / 2)
    assert tag_counts(["OK"], ["OK"])[0].to_json()["mcc"] is None
    with pytest.raises(InputError, match="line 1: 1 predicted tags, but 2"):
        tag_counts(["OK OK"], ["OK"])
    with pytest.raises(InputError, match="neither OK nor BAD"):
        tag_counts(["OK"], ["ok"])
    with pytest.raises(InputError, match="lines of predicted"):
        tag_counts(["OK"], [])


def test_soft_accuracy_by_draws_is_near_the_exact_one() -> None:
    rng = np.random.default_rng(0)
    gold = rng.normal(size=(4, 12)) + np.arange(4)[:, np.newaxis]
    scores = gold + rng.normal(size=(4, 12))
    exact = soft_pairwise_accuracy(gold, scores)
    more = np.full((4, 2), 7.0)  # segments on which nobody differs change nothing but the way p is found
    drawn = soft_pairwise_accuracy(np.hstack([gold, more]), np.hstack([scores, more]), n=10_000)
    assert exact.draws is None
    assert drawn.draws == 10_000
    assert drawn.value == pytest.approx(exact.value, abs=0.01)
    with pytest.raises(InputError, match="judgements"):
        soft_pairwise_accuracy(gold, scores[:2])


def test_scores_that_nobody_gave_have_no_outliers(recwarn: pytest.WarningsRecorder) -> None:
    assert not outliers([np.nan, np.nan]).any()
    assert not recwarn.list
