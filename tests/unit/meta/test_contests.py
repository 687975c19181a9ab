"""Whether one metric is better than another: fast permutations against slow ones, and tests on made-up metrics."""

from __future__ import annotations

import numpy as np
import pytest

from karat.errors import InputError, SpecError
from karat.meta import TESTS, ContestOptions, MeasureSettings, Points, all_measures, compare_metrics, evaluate, measure
from karat.meta.measures import PointMeasure
from karat.meta.measures.correlation import MomentMeasure
from karat.meta.measures.pairs import PairShare
from karat.meta.permutation import Contest, _differences, _differences_anew

FAST = [name for name, chosen in all_measures().items() if isinstance(chosen, MomentMeasure | PairShare)]


def made_up(systems: int = 5, items: int = 8) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(11)
    gold = rng.integers(0, 6, (systems, items)) * 1.0
    noise = {"good": 0.5, "fair": 2.0, "poor": 8.0}
    return gold, {name: gold + sd * rng.normal(size=gold.shape).round(1) for name, sd in noise.items()}


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("name", FAST)
def test_fast_permutations_equal_slow_ones(name: str, grouping: str) -> None:
    gold, metrics = made_up()
    points = tuple(Points.of(gold, table, grouping) for table in metrics.values())  # type: ignore[arg-type]
    chosen = measure(name)
    assert isinstance(chosen, PointMeasure)
    # Metrics with no epsilon of their own mean the same to both ways.
    contest = Contest(chosen, points, MeasureSettings(minimum=2, epsilon=0.0))
    swaps = np.random.default_rng(0).integers(0, 2, (6, len(contest.points))) * 1.0
    pairs = [(0, 1), (1, 2), (0, 2)]
    assert _differences(contest, pairs)(swaps) == pytest.approx(_differences_anew(contest, pairs)(swaps), abs=1e-9)


@pytest.mark.parametrize("test", TESTS)
def test_every_test_tells_good_from_poor(test: str) -> None:
    gold, metrics = made_up(6, 30)
    found = compare_metrics(gold, metrics, options=ContestOptions(test=test, n=200))  # type: ignore[arg-type]
    assert found.order == ("good", "fair", "poor")
    assert found.clusters == (1, 2, 3)
    assert all(one.p < 0.01 and one.difference > 0 for one in found.pairs)


@pytest.mark.parametrize("test", ["perm-both", "williams", "steiger", "bootstrap"])
def test_metrics_that_are_alike_stay_in_one_cluster(test: str) -> None:
    rng = np.random.default_rng(4)
    gold = rng.normal(size=(5, 40))
    alike = {name: gold + rng.normal(size=gold.shape) for name in ("a", "b")}
    found = compare_metrics(gold, alike, options=ContestOptions(test=test, n=200))  # type: ignore[arg-type]
    assert set(found.clusters) == {1}


def test_values_are_those_of_the_measure() -> None:
    gold, metrics = made_up()
    found = compare_metrics(gold, metrics, "acc-eq", "item")
    for name, value in zip(found.order, found.values, strict=True):
        assert value == pytest.approx(evaluate("acc-eq", gold, metrics[name], "item").value)
    assert found.to_json()["test"] == "perm-both"


def test_correction_makes_p_greater() -> None:
    gold, metrics = made_up()
    found = compare_metrics(gold, metrics, options=ContestOptions(correction="holm", n=100))
    assert all(one.p_adjusted >= one.p for one in found.pairs)


def test_only_units_that_all_metrics_have_are_compared() -> None:
    gold, metrics = made_up()
    metrics["poor"][0, 0] = np.nan
    assert compare_metrics(gold, metrics).n == 39


def test_what_cannot_be_compared_is_refused() -> None:
    gold, metrics = made_up()
    with pytest.raises(InputError, match="not compared under spa"):
        compare_metrics(gold, metrics, "spa")
    with pytest.raises(InputError, match="use perm-both"):
        compare_metrics(gold, metrics, "acc-eq", options=ContestOptions(test="williams"))
    with pytest.raises(SpecError, match="no test"):
        ContestOptions(test="t")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="draws"):
        ContestOptions(n=0)
    with pytest.raises(InputError, match="alpha"):
        ContestOptions(alpha=0)


@pytest.mark.parametrize("test", TESTS)
def test_a_metric_that_does_not_vary_is_not_ranked(test: str) -> None:
    gold, metrics = made_up()
    flat = {**metrics, "flat": np.ones_like(gold)}
    found = compare_metrics(gold, flat, options=ContestOptions(test=test, n=20))  # type: ignore[arg-type]
    assert "flat" not in found.order
    assert len(found.pairs) == 3
