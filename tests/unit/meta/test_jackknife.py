"""Intervals from leaving out one unit after the other."""

from __future__ import annotations

import numpy as np
import pytest

from karat.meta.jackknife import jackknife_interval
from karat.meta.measures import measure
from karat.meta.measures.correlation import Pearson
from karat.meta.points import Points
from karat.significance.quantiles import student_quantile


def test_values_that_do_not_vary_tell_of_no_interval() -> None:
    for bounds in ((-1.0, 1.0), (0.0, 1.0)):
        assert jackknife_interval(0.878, np.ones(3), 0.95, bounds=bounds) is None
    assert jackknife_interval(50.0, np.full(9, 50.0) + [1e-14] * 9, 0.95, bounds=(-np.inf, np.inf)) is None


def test_three_systems_have_no_interval_of_a_correlation() -> None:
    averaged = Pearson().averaged(Points.of([1.0, 2.0, 3.0], [1.0, 3.0, 3.5]))
    assert np.allclose(averaged.left_out, 1)
    assert 0.9 < averaged.value < 0.99
    for name in ("pearson", "r2"):
        assert jackknife_interval(averaged.value, averaged.left_out, 0.95, bounds=measure(name).bounds) is None


def test_the_interval_of_a_mean_is_students() -> None:
    values = np.array([1.0, 2.0, 4.0, 7.0])
    left_out = (values.sum() - values) / 3
    low, high = jackknife_interval(3.5, left_out, 0.95, bounds=(-np.inf, np.inf)) or (0.0, 0.0)
    assert (high - low) / 2 == pytest.approx(student_quantile(0.975, 3) * values.std(ddof=1) / 2)
