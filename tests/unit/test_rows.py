"""Rows: sums, groups, scores from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.identity import Identity
from karat.rows import SUM_BLOCK, Rows, RunningSum, mean_score


def test_a_missing_score_does_not_count() -> None:
    rows = Rows.from_scores([1.0, None, 3.0], spec="stars")
    assert rows.score == 2.0
    assert rows.values.tolist() == [[1, 1], [0, 0], [3, 1]]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_score_that_is_not_finite_is_refused_with_its_place(bad: float) -> None:
    with pytest.raises(InputError, match="score 2 of stars"):
        Rows.from_scores([1.0, bad], spec="stars")


def test_groups_keep_the_order_of_first_appearance() -> None:
    grouped = Rows.from_scores([1, 2, 3, 4], spec="s").grouped(["b", "a", "b", "a"])
    assert grouped.units == ("b", "a")
    assert grouped.unit_scores().tolist() == [2.0, 3.0]


def test_labels_must_fit() -> None:
    with pytest.raises(InputError, match="2 rows, but 1 labels"):
        Rows.from_scores([1, 2], spec="s").grouped(["a"])


def test_a_table_must_fit_its_columns() -> None:
    with pytest.raises(InputError, match="do not fit"):
        Rows(np.zeros((2, 3)), ("a", "b"), mean_score, Identity.of_scores("s"))


@given(st.integers(1, 3 * SUM_BLOCK), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_a_stream_of_whole_blocks_adds_up_to_the_same_bits(count: int, blocks: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(count, 2)) * 1e6
    whole, stream = RunningSum(), RunningSum()
    whole.add(values)
    step = blocks * SUM_BLOCK
    for start in range(0, count, step):
        stream.add(values[start : start + step])
    assert whole.total().tolist() == stream.total().tolist()
    assert whole.count == stream.count == count


def test_a_float_stream_in_odd_pieces_is_refused() -> None:
    running = RunningSum()
    running.add(np.ones((3, 1)))
    with pytest.raises(InputError, match="whole blocks"):
        running.add(np.ones((3, 1)))
