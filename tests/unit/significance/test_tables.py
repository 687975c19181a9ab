"""Summed rows are those of whole numbers, to the last bit, in whichever precision they are multiplied."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.identity import Identity
from karat.rows import Rows
from karat.significance.draws import Draws
from karat.significance.tables import EXACT_IN_SINGLE, RowTable

UNITS = 300


def table_of(values: NDArray[np.float64]) -> RowTable:
    """Two systems: the values, and the values turned round."""
    rows = (
        Rows(some, ("x", "y"), lambda sums: sums[..., 0], Identity.of_scores("m")) for some in (values, values[::-1])
    )
    return RowTable.of(dict(zip("ab", rows, strict=True)))


def whole(largest: int, seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).integers(-largest, largest, size=(UNITS, 2), endpoint=True).astype(float)


@given(st.integers(1, 53 - 9), st.integers(0, 2**32 - 1), st.sampled_from(["full", "half", "swap"]))
def test_sums_are_those_of_whole_numbers(bits: int, seed: int, kind: str) -> None:
    table = table_of(whole(2**bits, seed))
    weights = Draws(kind, 20, UNITS, seed).block(0)
    expected = weights.astype(np.int64) @ table.values.astype(np.int64).reshape(UNITS, -1)
    sums = table.sums(weights, once=kind != "full")
    assert sums.dtype == np.float64
    assert sums.reshape(20, -1).tolist() == expected.tolist()


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("above", [0, 1])
def test_single_precision_is_used_up_to_where_it_is_exact(*, once: bool, above: int) -> None:
    values = np.ones((UNITS, 2))
    values[0] = EXACT_IN_SINGLE + above - (UNITS - 1) if once else EXACT_IN_SINGLE // UNITS + above
    table = table_of(values)
    weights = np.ones((1, UNITS))
    if not once:  # all units of a draw may be the same one
        weights = np.zeros((1, UNITS))
        weights[0, 0] = UNITS
    total = (weights @ values)[0, 0]
    assert table.sums(weights, once=once)[0, 0, 0] == total
    used = "_singles" in vars(table)
    assert used is (above == 0)


def test_fractions_are_summed_in_double_precision() -> None:
    table = table_of(np.full((UNITS, 2), 0.1))
    weights = Draws("full", 3, UNITS).block(0)
    assert table.sums(weights).tolist() == (weights @ table.values.reshape(UNITS, -1)).reshape(3, 2, 2).tolist()
