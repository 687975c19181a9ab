"""Pairs counted in the core against pairs looked at one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.pairs import best_epsilon, unit_counts

from karat.errors import InputError
from karat.kernels import calibrate_ties, pair_counts

COARSE = st.integers(0, 6).map(lambda number: number / 2)
TRIPLES = st.lists(st.tuples(COARSE, COARSE, COARSE), min_size=0, max_size=70)


def offsets_of(sizes: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


@given(TRIPLES, st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0]))
def test_counts_equal_the_slow_ones(units: list[tuple[float, float, float]], minimum: float, epsilon: float) -> None:
    gold, scores, others = np.array(units, dtype=float).reshape(-1, 3).T.copy()
    found = pair_counts(gold, scores, offsets_of([len(units)]), others=others, minimum=minimum, epsilon=epsilon)
    assert found.tolist() == unit_counts(gold.tolist(), scores.tolist(), others.tolist(), minimum, epsilon)


def test_many_units_are_counted_like_few() -> None:
    rng = np.random.default_rng(7)
    gold, scores = rng.integers(0, 9, 300) * 1.0, rng.normal(size=300).round(1)
    found = pair_counts(gold, scores, offsets_of([300]), minimum=2, epsilon=0.3)
    assert found.tolist() == unit_counts(gold.tolist(), scores.tolist(), scores.tolist(), 2, 0.3)


@given(st.lists(st.lists(st.tuples(COARSE, COARSE), max_size=6), min_size=1, max_size=6))
def test_calibration_equals_the_slow_one(groups: list[list[tuple[float, float]]]) -> None:
    flat = np.array([unit for group in groups for unit in group], dtype=float).reshape(-1, 2)
    offsets = offsets_of([len(group) for group in groups])
    found = calibrate_ties(flat[:, 0].copy(), flat[:, 1].copy(), offsets)
    if max(map(len, groups)) < 2:
        assert found == (0.0, 0.0)
        return
    split = [([g for g, _ in group], [s for _, s in group]) for group in groups]
    assert found == pytest.approx(best_epsilon(split), abs=1e-9)


def test_calibration_of_many_different_scores() -> None:
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 4, 24) * 1.0
    scores = gold / 9 + rng.normal(size=24)
    found = calibrate_ties(gold, scores, offsets_of([24]))
    assert found == pytest.approx(best_epsilon([(gold.tolist(), scores.tolist())]), abs=1e-12)


def test_what_makes_no_sense_is_refused() -> None:
    one, two = np.zeros(1), np.zeros(2)
    with pytest.raises(InputError, match="as many scores"):
        pair_counts(two, one, offsets_of([2]))
    with pytest.raises(InputError, match="finite"):
        pair_counts(two, two * np.nan, offsets_of([2]))
    with pytest.raises(InputError, match="offsets"):
        calibrate_ties(two, two, offsets_of([3]))
    with pytest.raises(InputError, match="negative"):
        pair_counts(two, two, offsets_of([2]), epsilon=-1)
