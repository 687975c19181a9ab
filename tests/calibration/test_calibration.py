"""Do the tests keep their word? True nulls are rejected in 5 % at most, intervals cover, power rises.

The last part shows that the harness bites: what is known to be wrong fails in it.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.calibration.conftest import Measured
from tests.calibration.simulation import (
    Null,
    compared,
    documents,
    holds_its_level,
    independent,
    margin,
    ratings,
    ratios,
    rejections,
    scored,
    simulated,
    table_of,
)

from karat.rows import Rows
from karat.significance import (
    Options,
    compare_runs,
    detectable_difference,
    needed_units,
    non_inferiority,
)
from karat.significance.draws import Draws
from karat.significance.tables import RowTable

pytestmark = pytest.mark.slow

HONEST = ("randomization", "bootstrap", "permutation", "wilcoxon")
REPLICATES = {50: 5000, 500: 5000, 2000: 2000}


def at(null: Null, segments: int, unit: str = "segment") -> RowTable:
    return simulated(null, segments, REPLICATES[segments], unit)


@pytest.mark.parametrize("segments", REPLICATES)
@pytest.mark.parametrize("test", HONEST)
@pytest.mark.parametrize(("null", "unit"), [(independent, "segment"), (documents, "document")])
def test_equal_systems_are_told_apart_in_five_percent_at_most(
    null: Null, unit: str, test: str, segments: int, measured: Measured
) -> None:
    rate = measured(rejections(at(null, segments, unit), test))
    assert holds_its_level(rate, REPLICATES[segments]), rate


@pytest.mark.parametrize("null", [ratios, ratings])
@pytest.mark.parametrize("test", HONEST)
def test_metrics_that_are_no_means_and_tied_ratings_hold_too(null: Null, test: str, measured: Measured) -> None:
    rate = measured(rejections(at(null, 500), test))
    assert holds_its_level(rate, REPLICATES[500]), rate


@pytest.mark.parametrize("segments", REPLICATES)
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_of_differences_cover(method: str, segments: int, measured: Measured) -> None:
    found = compared(at(independent, segments), Options(test="bootstrap", n=999, correction="none", interval=method))
    rate = measured(float(np.mean([one.interval.low <= 0 <= one.interval.high for one in found])))
    assert abs(rate - 0.95) <= margin(0.95, len(found)) + 0.005, rate


def test_intervals_over_documents_cover(measured: Measured) -> None:
    found = compared(at(documents, 2000, "document"), Options(test="bootstrap", n=999, correction="none"))
    rate = measured(float(np.mean([one.interval.low <= 0 <= one.interval.high for one in found])))
    assert abs(rate - 0.95) <= margin(0.95, len(found)) + 0.005, rate


def test_intervals_of_halves_cover(measured: Measured) -> None:
    options = Options(test="bootstrap", n=999, correction="none", resample="half")
    found = compared(at(independent, 500), options)
    rate = measured(float(np.mean([one.interval.low <= 0 <= one.interval.high for one in found])))
    assert abs(rate - 0.95) <= margin(0.95, len(found)) + 0.005, rate
    claimed = float(np.mean([one.p <= 0.05 for one in found]))
    assert holds_its_level(claimed, len(found)), claimed


@pytest.mark.parametrize("test", HONEST)
def test_power_rises_with_the_number_of_segments(test: str) -> None:
    rates = [rejections(shifted(independent, segments, 1.0), test) for segments in REPLICATES]
    assert rates[0] < rates[1] < rates[2]
    assert rates[2] > 0.8


def shifted(null: Null, segments: int, by: float) -> RowTable:
    """Replicates in which the second system is better by so much."""
    rows = null(np.random.default_rng(segments), segments, 500)
    rows[:, :, 1, 0] += by
    return table_of(rows)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_the_detectable_difference_is_found_four_times_in_five(test: str) -> None:
    deviation = 10 * np.sqrt(2)
    size = detectable_difference(deviation, 200)
    rng = np.random.default_rng(4)
    rows = scored(rng.normal(0, 10, (200, 2000, 2)))
    rows[:, :, 1, 0] += size
    assert rejections(table_of(rows), test) == pytest.approx(0.8, abs=margin(0.8, 2000) + 0.005)
    assert needed_units(deviation, size) == pytest.approx(200, abs=1)


@pytest.mark.parametrize("units", [20, 200])
def test_a_system_at_the_margin_is_passed_in_five_percent_at_most(units: int, measured: Measured) -> None:
    rng = np.random.default_rng(units)
    shown = 0
    for _ in range(1000):
        base, change = rng.normal(50, 10, (2, units))
        first, second = (Rows.from_scores(scores, spec="x") for scores in (base, base + change - 50 - 2.0))
        shown += non_inferiority(first, second, 2.0, n=499, threads=1).shown
    assert holds_its_level(measured(shown / 1000), 1000), shown
    assert shown >= 20  # it is not valid by never passing anyone


def test_the_test_over_runs_holds_where_the_test_of_these_runs_does_not(
    measured: Measured,
) -> None:
    """Systems equal but for the luck of their runs: five runs each, whose quality varies."""
    rng = np.random.default_rng(9)
    these, over = [], []
    for _ in range(400):
        luck = rng.normal(0, 3, 10)
        runs = [Rows.from_scores(50 + shift + rng.normal(0, 5, 60), spec="x") for shift in luck]
        one = compare_runs({"a": runs[:5], "b": runs[5:]}, Options(n=99, interval_n=2), threads=1).comparisons[0]
        these.append(one.p_these_runs is not None and one.p_these_runs <= 0.05)
        over.append(one.p_over_runs <= 0.05)
    assert holds_its_level(measured(float(np.mean(over))), 400), np.mean(over)
    assert np.mean(these) > 0.2


# The harness bites.


@pytest.mark.parametrize("segments", REPLICATES)
def test_moses_fails(segments: int, measured: Measured) -> None:
    rate = measured(rejections(at(independent, segments), "moses"))
    assert not holds_its_level(rate, REPLICATES[segments]), rate


def test_a_strict_comparison_fails_on_tied_ratings(measured: Measured) -> None:
    """What `>` instead of `>=` makes of the same swaps."""
    table = at(ratings, 500)
    difference = np.diff(table.unit_scores.reshape(500, -1, 2), axis=2)[:, :, 0]
    draws = Draws("swap", 999, 500)
    swapped = np.concatenate([draws.block(i) for i in range(len(draws))]) @ difference
    flipped = np.abs(difference.sum(axis=0) - 2 * swapped)
    p = ((flipped > np.abs(difference.sum(axis=0)) + 1e-9).sum(axis=0) + 1) / 1000
    rate = measured(float((p <= 0.05).mean()))
    assert not holds_its_level(rate, REPLICATES[500]), rate


@pytest.mark.parametrize("segments", [500, 2000])
@pytest.mark.parametrize("test", HONEST)
def test_segments_of_correlated_documents_fail(test: str, segments: int, measured: Measured) -> None:
    rate = measured(rejections(at(documents, segments, "segment"), test))
    assert not holds_its_level(rate, REPLICATES[segments]), rate


def test_halves_with_replacement_are_too_wide() -> None:
    """What resampling half of the data with replacement makes of an interval."""
    scores = np.random.default_rng(0).normal(50, 10, 400)
    draws = Draws("full", 4000, 400)
    full = np.concatenate([draws.block(i) for i in range(len(draws))]) @ scores / 400
    half = np.random.default_rng(1).choice(scores, (4000, 200)).mean(axis=1)
    assert half.std() / full.std() == pytest.approx(np.sqrt(2), rel=0.05)
