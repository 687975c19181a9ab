"""Measures against scipy, against published unit values, and against values left out one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError, SpecError
from karat.meta import MeasureSettings, Points, all_measures, evaluate
from karat.meta.measures import PointMeasure

GOLD = [[1, 2, 3], [4, 5, 6]]
METRIC = [[2, 1, 4], [3, 3, 7]]
TIED_GOLD, TIED_METRIC = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("pearson", {"none": 0.776, "system": 0.760, "item": 1.0}),
        ("kendall-b", {"none": 0.552, "system": 0.575}),
        ("kendall-c", {"none": 0.556, "system": 0.611}),
        ("pearson-difference", {"item": 0.926, "none": 0.776, "system": 0.766}),
    ],
)
def test_published_unit_values(name: str, values: dict[str, float]) -> None:
    for grouping, value in values.items():
        assert round(evaluate(name, GOLD, METRIC, grouping).value, 3) == value  # type: ignore[arg-type]


def test_published_values_with_ties() -> None:
    assert evaluate("acc-eq-plain", TIED_GOLD, TIED_METRIC).value == pytest.approx(0.6)
    assert evaluate("acc-eq", TIED_GOLD, TIED_METRIC, settings=MeasureSettings(epsilon=2)).value == pytest.approx(0.4)
    assert evaluate("acc-eq", TIED_GOLD, TIED_METRIC).value == pytest.approx(0.7)
    assert evaluate("tau-eq-plain", TIED_GOLD, TIED_METRIC).value == pytest.approx(0.2)
    assert evaluate("kendall-b", TIED_GOLD, TIED_METRIC).value == pytest.approx(0.316227766, abs=1e-9)
    assert evaluate("kendall-c", TIED_GOLD, TIED_METRIC).value == pytest.approx(0.32)


@pytest.mark.parametrize(("minimum", "value", "pairs"), [(25, 3 / 5, 5), (1, 2 / 6, 6)])
def test_published_kendall_like(minimum: float, value: float, pairs: int) -> None:
    found = evaluate("kendall-like", [10, 11, 100, 150], [2, 1, 4, 3], settings=MeasureSettings(minimum=minimum))
    assert found.value == pytest.approx(value)
    assert found.pairs == pairs


def test_published_soft_accuracy() -> None:
    found = evaluate("spa", [*GOLD[:1], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]])
    assert found.value == 0.875
    assert found.draws is None
    drawn = evaluate("spa", np.tile([[1, 2, 3], [2, 3, 4]], 10), np.tile([[2, 2, 4], [1, 3, 5]], 10))
    assert drawn.draws == 1000


NUMBERS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=60)
PEERS = {
    "pearson": lambda x, y: scipy.stats.pearsonr(x, y)[0],
    "spearman": lambda x, y: scipy.stats.spearmanr(x, y)[0],
    "kendall-b": lambda x, y: scipy.stats.kendalltau(x, y)[0],
    "kendall-c": lambda x, y: scipy.stats.kendalltau(x, y, variant="c")[0],
}


@pytest.mark.parametrize("name", PEERS)
@given(points=NUMBERS)
def test_correlations_equal_scipy(name: str, points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, dtype=float).T
    found = evaluate(name, x, y).value
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(PEERS[name](x, y), abs=1e-9)


@pytest.mark.parametrize("name", [name for name, chosen in all_measures().items() if isinstance(chosen, PointMeasure)])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_leaving_out_a_cluster_is_computing_without_it(name: str, grouping: str) -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 5, (4, 9)) * 1.0
    scores = gold + rng.integers(-3, 4, (4, 9))
    clusters = np.array([0, 0, 0, 1, 1, 2, 2, 2, 3])
    settings = MeasureSettings(minimum=2, epsilon=1.0)
    chosen = all_measures()[name]
    assert isinstance(chosen, PointMeasure)
    found = chosen.averaged(Points.of(gold, scores, grouping, clusters), settings)  # type: ignore[arg-type]
    for cluster in range(4):
        kept = clusters != cluster
        points = Points.of(gold[:, kept], scores[:, kept], grouping, clusters[kept])  # type: ignore[arg-type]
        without = chosen.averaged(points, settings).value
        # Ranks, and the number of values of a scale, are not taken anew where something is left out.
        close = 0.2 if name in ("spearman", "kendall-c") else 1e-9
        assert found.left_out[cluster] == pytest.approx(without, abs=close)


def test_groups_without_variance_are_counted() -> None:
    found = evaluate("pearson", [[1, 5], [1, 6], [1, 8]], [[1, 2], [2, 3], [3, 5]], "item")
    assert found.value == pytest.approx(1.0)
    assert (found.groups, found.groups_undefined) == (2, 1)


def test_a_value_that_is_not_defined_is_null() -> None:
    found = evaluate("pearson", [1, 1, 1], [1, 2, 3])
    assert np.isnan(found.value)
    assert found.to_json()["value"] is None
    assert found.interval is None


@pytest.mark.parametrize("name", ["pearson", "r2", "pearson-difference", "spearman", "kendall-b"])
def test_judgements_that_do_not_vary_but_for_rounding_have_no_correlation(name: str) -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        size, constant = int(rng.integers(100, 300)), float(rng.normal())
        agreement = evaluate(name, np.full((1, size), constant), rng.normal(size=(1, size)), "system")
        assert np.isnan(agreement.value)
        assert agreement.groups_undefined == agreement.groups == 1


def test_missing_units_are_left_out() -> None:
    found = evaluate("accuracy", [1, 2, None, 3], [5, 6, 7, None])
    assert (found.n, found.pairs, found.value) == (2, 1, 1.0)


def test_intervals_hold_the_value_and_stay_inside_the_bounds() -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=(6, 30))
    scores = gold + rng.normal(size=(6, 30))
    for name, chosen in all_measures().items():
        found = evaluate(name, gold, scores, "none")
        if found.interval is not None:
            assert chosen.bounds[0] <= found.interval[0] <= found.value <= found.interval[1] <= chosen.bounds[1]


def test_the_interval_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(300):
        gold = rng.normal(size=40)
        low, high = evaluate("pearson", gold, 0.6 * gold + 0.8 * rng.normal(size=40)).interval or (1, -1)
        covered += low <= 0.6 <= high
    assert 270 <= covered <= 299


def test_shapes_and_names_are_checked() -> None:
    with pytest.raises(InputError, match="judgements"):
        evaluate("pearson", [1, 2], [1, 2, 3])
    with pytest.raises(SpecError, match="Did you mean pearson"):
        evaluate("peerson", [1, 2], [1, 2])
    with pytest.raises(SpecError, match="grouping"):
        evaluate("pearson", [1, 2], [1, 2], "items")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="infinite"):
        evaluate("pearson", [1, 2], [1, float("inf")])
    with pytest.raises(InputError, match="confidence"):
        MeasureSettings(confidence=2)
    with pytest.raises(InputError, match="thresholds"):
        MeasureSettings(minimum=-1)


@pytest.mark.parametrize("name", all_measures())
@pytest.mark.parametrize("table", [([None, None], [1, 2]), ([1], [2]), ([[1, 2], [None, None]], [[1, 2], [3, 4]])])
def test_too_few_units_have_no_correlation_and_no_interval(name: str, table: tuple[list[Any], list[Any]]) -> None:
    for grouping in ("none", "item", "system"):
        found = evaluate(name, *table, grouping)  # type: ignore[arg-type]
        assert found.interval is None
        assert np.isnan(found.value) or found.n > 0
