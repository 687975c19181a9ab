"""Non-inferiority and power against formulas, scipy and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.oracles.significance import ratio_rows, resampled

from karat.errors import InputError
from karat.rows import Rows
from karat.significance import (
    detectable_difference,
    difference_deviation,
    needed_units,
    non_inferiority,
    power,
    reached_power,
)
from karat.significance.draws import Draws


def rated(values: np.ndarray, *, up: bool = True) -> Rows:
    return Rows.from_scores(values, spec="x", higher_is_better=up)


def noisy(shift: float, units: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    base = rng.normal(50, 10, units)
    change = rng.normal(0, 5, units)
    return base, base + change - change.mean() + shift


@pytest.mark.parametrize(("shift", "shown"), [(1.0, True), (0.0, True), (-0.2, True), (-0.9, False), (-3.0, False)])
def test_a_loss_below_the_margin_is_shown(shift: float, shown: bool) -> None:
    found = non_inferiority(*(rated(v) for v in noisy(shift)), margin=0.8)
    assert found.difference == pytest.approx(shift)
    assert found.shown is shown
    assert found.shown == (found.p <= 0.05) == (found.loss_bound < 0.8)


@given(st.floats(-2, 2), st.floats(0, 2), st.integers(0, 5))
def test_bound_and_p_agree(shift: float, margin: float, seed: int) -> None:
    first, second = noisy(shift, 40)
    found = non_inferiority(rated(first), rated(second), margin, n=199, seed=seed)
    assert found.shown == (found.loss_bound < margin)


def test_the_bound_is_close_to_student() -> None:
    first, second = noisy(0.3)
    found = non_inferiority(rated(first), rated(second), 1.0)
    delta = second - first
    student = stats.t.ppf(0.95, 399) * delta.std(ddof=1) / 20 - delta.mean()
    assert found.loss_bound == pytest.approx(student, abs=0.02)
    p = stats.ttest_1samp(delta, -1.0, alternative="greater").pvalue
    assert found.p == pytest.approx(p, abs=0.005)


def test_where_lower_is_better_a_rise_is_a_loss() -> None:
    first, second = noisy(1.5)
    assert non_inferiority(rated(first), rated(second), 0.5).shown
    found = non_inferiority(rated(first, up=False), rated(second, up=False), 0.5)
    assert not found.shown
    assert found.difference == pytest.approx(1.5)
    assert found.loss_bound > 1.5


def test_p_equals_direct_scoring_but_for_the_widening() -> None:
    first = ratio_rows([(i % 13, 20) for i in range(500)])
    second = ratio_rows([((i * 5) % 13, 20) for i in range(500)])
    n = 199
    found = non_inferiority(first, second, 0.4, n=n)
    counts = Draws("full", n, 500).block(0)
    differences = np.array([resampled(second, row) - resampled(first, row) for row in counts])
    share = (differences - differences.mean() >= second.score - first.score + 0.4).mean()
    assert found.p == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize(("margin", "alpha", "n"), [(-1, 0.05, 1000), (1, 0.7, 1000), (1, 0.05, 10)])
def test_bad_numbers_are_refused(margin: float, alpha: float, n: int) -> None:
    with pytest.raises(InputError):
        non_inferiority(*(rated(v) for v in noisy(0)), margin=margin, alpha=alpha, n=n)


def test_the_deviation_of_a_mean_is_that_of_the_differences() -> None:
    first, second = noisy(1)
    assert difference_deviation(rated(first), rated(second)) == pytest.approx((second - first).std(ddof=1))


def test_the_deviation_of_any_metric_predicts_its_bootstrap() -> None:
    rng = np.random.default_rng(3)
    first, second = (ratio_rows([(int(m), int(m) + 9) for m in rng.integers(3, 30, 300)]) for _ in range(2))
    counts = Draws("full", 512, 300).block(0)
    spread = np.std([resampled(second, row) - resampled(first, row) for row in counts])
    assert difference_deviation(first, second) / np.sqrt(300) == pytest.approx(spread, rel=0.1)


@given(st.floats(0.1, 50), st.floats(0.05, 5))
def test_needed_units_are_the_fewest(deviation: float, difference: float) -> None:
    units = needed_units(deviation, difference)
    assert detectable_difference(deviation, units) <= difference * (1 + 1e-9)
    assert units == 2 or detectable_difference(deviation, units - 1) > difference * (1 - 1e-9)


@pytest.mark.parametrize("units", [20, 100, 1000])
def test_the_detectable_difference_is_found_four_times_in_five(units: int) -> None:
    size = detectable_difference(3.0, units)
    assert reached_power(3.0, units, size) == pytest.approx(0.8, abs=0.01)
    rng = np.random.default_rng(units)
    samples = rng.normal(size, 3.0, (4000, units))
    found = (stats.ttest_1samp(samples, 0, axis=1).pvalue <= 0.05).mean()
    assert found == pytest.approx(0.8, abs=0.025)


def test_a_report_says_what_was_asked() -> None:
    found = power(10.0, 25, unit="document")
    assert (found.difference, found.reached, found.needed_units) == (None, None, None)
    assert "only 25 documents" in found.warnings[0]
    asked = power(10.0, 400, 2.0, power=0.9)
    assert asked.needed_units == needed_units(10.0, 2.0, power=0.9)
    assert reached_power(0.0, 10, 1.0) == 1.0


def test_power_rises_with_units_and_difference() -> None:
    powers = [reached_power(5.0, units, 1.0) for units in (10, 50, 200, 1000)]
    assert powers == sorted(powers)
    assert reached_power(5.0, 100, 0.0) == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize(("deviation", "units"), [(-1.0, 10), (float("nan"), 10), (1.0, 1)])
def test_impossible_test_sets_are_refused(deviation: float, units: int) -> None:
    with pytest.raises(InputError):
        detectable_difference(deviation, units)


def test_no_number_of_units_finds_nothing() -> None:
    with pytest.raises(InputError, match="difference of 0"):
        needed_units(1.0, 0.0)
