"""Adjusted p-values against definitions and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.oracles import significance as oracle

from karat.errors import SpecError
from karat.significance import adjust, needed_resamples

P_VALUES = st.lists(st.floats(0.0001, 1), min_size=1, max_size=20)


@given(P_VALUES)
def test_holm_is_its_definition(p: list[float]) -> None:
    assert adjust(p).tolist() == pytest.approx(oracle.holm(p))


@given(P_VALUES)
def test_bh_is_that_of_scipy(p: list[float]) -> None:
    assert adjust(p, "bh") == pytest.approx(stats.false_discovery_control(p))


@given(P_VALUES)
def test_adjusted_values_keep_the_order_and_never_fall(p: list[float]) -> None:
    for correction in ("holm", "bh", "none"):
        adjusted = adjust(p, correction)
        assert (adjusted >= np.array(p) - 1e-15).all()
        assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


def test_none_leaves_them_alone_and_no_family_is_fine() -> None:
    assert adjust([0.2, 0.1], "none").tolist() == [0.2, 0.1]
    assert adjust([]).tolist() == []


def test_an_unknown_correction_names_a_near_one() -> None:
    with pytest.raises(SpecError, match="Did you mean holm"):
        adjust([0.1], "hom")  # type: ignore[arg-type]


@given(st.integers(1, 2000), st.sampled_from([0.05, 0.01, 0.001]))
def test_the_needed_number_is_the_smallest(comparisons: int, alpha: float) -> None:
    n = needed_resamples(comparisons, alpha)
    assert comparisons / (n + 1) <= alpha * (1 + 1e-9)
    assert comparisons / n > alpha * (1 - 1e-9)


def test_known_needs() -> None:
    assert needed_resamples(91) == 1819
    assert needed_resamples(91, correction="none") == 19
