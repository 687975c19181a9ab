"""Raters against themselves, and the places that they mark."""

from __future__ import annotations

import numpy as np
import pytest

from karat.human.agreement.base import MarkedSpan
from karat.human.agreement.intra_rater import identical_strings, intra_rater
from karat.human.agreement.spans import span_f1
from karat.human.couples import crossed, pairs_within


def test_pairs_within_groups_are_all_pairs() -> None:
    groups = np.array([2, 0, 2, 1, 2, 0])
    pairs = set(zip(*(part.tolist() for part in pairs_within(groups)), strict=True))
    assert pairs == {(0, 2), (0, 4), (2, 4), (1, 5)}


def test_combinations_have_codes_of_their_own() -> None:
    assert crossed(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0])).tolist() == [0, 1, 2, 2]


def test_repeats_compare_a_rater_with_himself_only() -> None:
    raters, items = np.array([0, 0, 1, 1, 0, 0]), np.array([0, 0, 0, 0, 1, 1])
    share, alpha = intra_rater(raters, items, np.array([1.0, 1.0, 5.0, 4.0, 3.0, 3.0]), "interval")
    assert (share.n, share.value, share.details["mean_difference"]) == (3, pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert alpha.value is not None
    assert alpha.measure == "krippendorff interval, same rater"


def test_identical_strings_should_have_identical_values() -> None:
    zeros = np.zeros(3, dtype=np.intp)
    found = identical_strings(zeros, zeros, np.array([4, 4, 5]), np.array([80.0, 60.0, 60.0]))
    assert (found.n, found.value, found.details["mean_difference"]) == (1, 0.0, 20.0)


def test_spans_are_compared_by_character() -> None:
    marked = [
        [[MarkedSpan(0, 10)], [MarkedSpan(5, 10), MarkedSpan(8, 12)]],
        [[], []],
        [[MarkedSpan(0, 3, "major")]],
    ]
    plain, weighted = span_f1(marked)
    assert plain.n == 2
    assert plain.value == pytest.approx(2 * 5 / (10 + 7))
    assert plain.details["macro"] == pytest.approx((2 * 5 / 17 + 1) / 2)
    assert weighted.value == pytest.approx(plain.value)
    major, _ = span_f1([[[MarkedSpan(0, 2, "Major")], [MarkedSpan(0, 2, "major")]]])
    assert major.value == 1
