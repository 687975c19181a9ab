"""The laws that every registered measure of agreement obeys."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.evidence import LEVELS
from karat.meta import JudgedScores, MeasureSettings, all_measures, measure, standard_measures
from karat.meta.measures.description import describe_measure
from karat.meta.points import GROUPINGS, Grouping

Table = NDArray[np.float64]
NAMES = tuple(all_measures())
SETTINGS = MeasureSettings(draws=50)
ROUNDING = 1e-9

every_measure = pytest.mark.parametrize("name", NAMES)
groupings = st.sampled_from(GROUPINGS)


@st.composite
def tables(draw: st.DrawFn, *, missing: bool = True, ties: bool = True) -> tuple[Table, Table]:
    """Judgements and scores, systems by items; few enough items for soft accuracy to be exact."""
    shape = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    count = shape[0] * shape[1]
    values = st.integers(-3, 3) if ties else st.integers(-1000, 1000)
    sides = []
    for _ in range(2):
        drawn = draw(st.lists(values, min_size=count, max_size=count, unique=not ties))
        sides.append(np.array(drawn, dtype=float).reshape(shape))
    if missing:
        holes = draw(st.lists(st.booleans(), min_size=count, max_size=count))
        sides[1][np.array(holes).reshape(shape)] = np.nan
    return sides[0], sides[1]


@every_measure
@given(pair=tables(), grouping=groupings)
def test_values_are_inside_their_bounds_and_intervals_hold_them(
    name: str, pair: tuple[Table, Table], grouping: Grouping
) -> None:
    low, high = measure(name).bounds
    agreement = measure(name).evaluate(JudgedScores.of(*pair), grouping, SETTINGS)
    assert np.isnan(agreement.value) or low - ROUNDING <= agreement.value <= high + ROUNDING
    if agreement.interval is not None:
        start, end = agreement.interval
        assert low <= start <= agreement.value + ROUNDING
        assert agreement.value - ROUNDING <= end <= high


@every_measure
@given(pair=tables(), grouping=groupings)
def test_what_is_not_defined_is_nan_and_counted(name: str, pair: tuple[Table, Table], grouping: Grouping) -> None:
    agreement = measure(name).evaluate(JudgedScores.of(*pair), grouping, SETTINGS)
    assert 0 <= agreement.groups_undefined <= agreement.groups
    assert np.isnan(agreement.value) == (agreement.groups_undefined == agreement.groups)
    if np.isnan(agreement.value):
        assert agreement.interval is None
        assert agreement.to_json()["value"] is None


@every_measure
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_nothing_judged_has_no_value(name: str, grouping: Grouping) -> None:
    nothing = np.full((3, 4), np.nan)
    agreement = measure(name).evaluate(JudgedScores.of(nothing, np.ones((3, 4))), grouping, SETTINGS)
    assert np.isnan(agreement.value)
    assert agreement.groups_undefined == agreement.groups == 1


@every_measure
@given(pair=tables(missing=False, ties=False), grouping=groupings)
def test_perfect_agreement_is_best(name: str, pair: tuple[Table, Table], grouping: Grouping) -> None:
    gold, scores = pair
    chosen = measure(name)
    perfect = chosen.evaluate(JudgedScores.of(gold, gold), grouping, SETTINGS).value
    assume(np.isfinite(perfect))
    best = chosen.bounds[1] if chosen.higher_is_better else chosen.bounds[0]
    if np.isfinite(best):
        assert perfect == pytest.approx(best, abs=ROUNDING)
    other = chosen.evaluate(JudgedScores.of(gold, scores), grouping, SETTINGS).value
    if np.isfinite(other):
        better = chosen.goodness(perfect, metric_higher_is_better=True)
        assert better >= chosen.goodness(other, metric_higher_is_better=True) - ROUNDING


@every_measure
@given(pair=tables(missing=False, ties=False), grouping=groupings, data=st.data())
def test_the_order_of_systems_and_items_does_not_matter(
    name: str, pair: tuple[Table, Table], grouping: Grouping, data: st.DataObject
) -> None:
    systems, items = (data.draw(st.permutations(range(count))) for count in pair[0].shape)
    if measure(name).order_of_systems_matters:
        systems.sort()
    gold, scores = (table[np.ix_(systems, items)] for table in pair)
    first = measure(name).evaluate(JudgedScores.of(*pair), grouping, SETTINGS)
    second = measure(name).evaluate(JudgedScores.of(gold, scores), grouping, SETTINGS)
    assert second.value == pytest.approx(first.value, abs=ROUNDING, nan_ok=True)
    assert (second.n, second.groups, second.groups_undefined) == (first.n, first.groups, first.groups_undefined)


# Errors are about scores on the scale of the judgements, which has one direction.
@pytest.mark.parametrize("name", [name for name, chosen in all_measures().items() if chosen.higher_is_better])
@given(pair=tables(), grouping=groupings)
def test_a_metric_of_which_lower_is_better_is_as_good_as_its_mirror_image(
    name: str, pair: tuple[Table, Table], grouping: Grouping
) -> None:
    chosen = measure(name)
    gold, scores = pair
    mirrored = replace(JudgedScores.of(gold, -scores), higher_is_better=False)
    plain = chosen.evaluate(JudgedScores.of(gold, scores), grouping, SETTINGS).value
    turned = chosen.evaluate(mirrored, grouping, SETTINGS).value
    goodness = chosen.goodness(turned, metric_higher_is_better=False)
    assert goodness == pytest.approx(chosen.goodness(plain, metric_higher_is_better=True), abs=ROUNDING, nan_ok=True)


@every_measure
@given(pair=tables(), grouping=groupings)
def test_tables_are_left_alone_and_the_json_form_is_complete(
    name: str, pair: tuple[Table, Table], grouping: Grouping
) -> None:
    before = [table.copy() for table in pair]
    agreement = measure(name).evaluate(JudgedScores.of(*pair), grouping, SETTINGS)
    for table, copy in zip(pair, before, strict=True):
        np.testing.assert_array_equal(table, copy)
    form: dict[str, Any] = json.loads(json.dumps(agreement.to_json(), allow_nan=False))
    assert form["measure"] == name
    assert {"grouping", "value", "n", "groups", "groups_undefined", "interval", "units"} <= set(form)


@every_measure
def test_a_measure_applies_somewhere_and_describes_itself(name: str) -> None:
    chosen = measure(name)
    assert any(chosen.applies(level, grouping) for level in LEVELS for grouping in GROUPINGS)
    described = describe_measure(chosen)
    assert described.summary.endswith(".")
    assert "$$" in described.sections["Formula"]
    assert ">>>" in described.sections["Example"]
    assert chosen.bounds[0] < chosen.bounds[1]


def test_the_standard_set_is_part_of_all() -> None:
    assert set(standard_measures()) < set(NAMES)
    assert not {"mae", "rmse", "delta-avg"} & set(standard_measures())
