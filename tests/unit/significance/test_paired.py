"""Paired tests against enumeration, direct scoring and scipy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.oracles import significance as oracle

from karat.rows import Rows
from karat.significance import Options, compare_pair
from karat.significance.draws import Draws
from karat.significance.quantiles import student_quantile, widening

COUNTS = st.tuples(st.integers(0, 9), st.integers(10, 20))
SMALL = st.lists(st.tuples(COUNTS, COUNTS), min_size=2, max_size=8)
MORE = st.lists(st.tuples(COUNTS, COUNTS), min_size=6, max_size=9)
RATINGS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=10)
TESTS = ("randomization", "bootstrap", "permutation", "wilcoxon")


def two(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> tuple[Rows, Rows]:
    first, second = zip(*pairs, strict=True)
    return oracle.ratio_rows(first), oracle.ratio_rows(second)


def rated(values: object) -> Rows:
    return Rows.from_scores(np.asarray(values, dtype=float), spec="rating")


@settings(max_examples=25)
@given(MORE, st.integers(0, 3))
def test_randomization_equals_direct_scoring(pairs: list[tuple[tuple[int, int], tuple[int, int]]], seed: int) -> None:
    first, second = two(pairs)
    n = 60
    masks = Draws("swap", n, len(first), seed).block(0)
    observed = abs(second.score - first.score)
    count = sum(abs(oracle.swapped_difference(first, second, mask)) >= observed - 1e-9 for mask in masks)
    differing = int((first.values != second.values).any(axis=1).sum())
    smallest = min(1.0, 2.0 ** (1 - differing))
    found = compare_pair(first, second, Options(n=n, seed=seed, interval_n=2))
    assert not found.exact
    assert found.p == pytest.approx(max((count + 1) / (n + 1), smallest))


@settings(max_examples=15)
@given(SMALL)
def test_randomization_over_few_units_is_the_enumeration(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    first, second = two(pairs)
    found = compare_pair(first, second, Options(interval_n=2))
    assert (found.exact, found.n) == (True, 2 ** len(first))
    assert found.p == pytest.approx(oracle.exact_randomization(first, second))


def test_randomization_over_more_units_nears_the_enumeration() -> None:
    rng = np.random.default_rng(1)
    first, second = (oracle.ratio_rows([(int(m), 20) for m in rng.integers(0, 20, 10)]) for _ in range(2))
    found = compare_pair(first, second, Options(n=1000, interval_n=2))
    assert not found.exact
    assert found.p == pytest.approx(oracle.exact_randomization(first, second), abs=5 * np.sqrt(0.25 / 1000))


@settings(max_examples=25)
@given(RATINGS)
def test_permutation_over_few_units_is_the_enumeration(ratings: list[tuple[int, int]]) -> None:
    first, second = np.array(ratings, dtype=float).T
    found = compare_pair(rated(first), rated(second), Options(test="permutation", interval_n=2))
    assert (found.exact, found.n) == (True, 2 ** len(first))
    assert found.p == pytest.approx(oracle.exact_signs((second - first).tolist()))


@pytest.mark.parametrize("test", ["randomization", "permutation"])
def test_all_flips_are_tried_where_there_are_no_more_than_asked_for(test: str) -> None:
    values = np.arange(1.0, 6.0)
    options = [Options(test=test, n=n, seed=seed, interval_n=2) for n in (31, 32, 5000) for seed in (1, 2)]
    found = [compare_pair(rated(values), rated(values + 1), one) for one in options]
    assert [(one.exact, one.n) for one in found] == [(False, 31)] * 2 + [(True, 32)] * 4
    assert {one.p for one in found[2:]} == {0.0625}
    assert min(one.p for one in found[:2]) >= 0.0625
    assert found[-1].to_json()["exact"] is True


def test_flips_without_a_score_are_left_out_of_all_flips() -> None:
    scores: list[list[float | None]] = [[1.0, 2.0, None, None, 4.0], [2.0, 4.0, 3.0, 5.0, 7.0]]
    first, second = (Rows.from_scores(values, spec="rating") for values in scores)
    observed, differences = abs(second.score - first.score), []
    for mask in product((0, 1), repeat=5):
        there = [[(b, a)[swap] for a, b, swap in zip(*pair, mask, strict=True)] for pair in (scores, scores[::-1])]
        present = [[value for value in side if value is not None] for side in there]
        if all(present):
            differences.append(abs(np.mean(present[0]) - np.mean(present[1])))
    exact = np.mean([difference >= observed - 1e-9 for difference in differences])
    assert compare_pair(first, second, Options(interval_n=500)).p == pytest.approx(exact)


def test_permutation_nears_that_of_scipy() -> None:
    rng = np.random.default_rng(5)
    first = rng.normal(size=60)
    second = first + rng.normal(0.2, 1, size=60)
    theirs = stats.permutation_test(
        (first, second), lambda a, b, axis: (b - a).mean(axis=axis), permutation_type="samples",
        n_resamples=20_000, vectorized=True, rng=np.random.default_rng(1),
    ).pvalue  # fmt: skip
    ours = compare_pair(rated(first), rated(second), Options(test="permutation", n=20_000)).p
    assert ours == pytest.approx(theirs, abs=0.015)


@settings(max_examples=60)
@given(RATINGS)
def test_wilcoxon_equals_the_enumeration(ratings: list[tuple[int, int]]) -> None:
    first, second = np.array(ratings, dtype=float).T
    found = compare_pair(rated(first), rated(second), Options(test="wilcoxon", interval_n=2)).p
    assert found == pytest.approx(oracle.exact_wilcoxon((second - first).tolist()))


@pytest.mark.parametrize(("size", "method"), [(12, "exact"), (50, "exact"), (51, "approx"), (400, "approx")])
def test_wilcoxon_is_that_of_scipy(size: int, method: str) -> None:
    rng = np.random.default_rng(size)
    first = rng.normal(size=size)
    second = first + rng.normal(0.15, 1, size=size)
    found = compare_pair(rated(first), rated(second), Options(test="wilcoxon"))
    assert found.p == pytest.approx(stats.wilcoxon(second - first, method=method).pvalue)
    assert found.n is None


def test_wilcoxon_ties_survive_rounding() -> None:
    first = np.array([0.1, 0.2, 0.3, 0.7, 0.15, 0.9])
    second = first + np.array([0.1, -0.1, 0.1, 0.1, 0.1, 0.1])
    exact = oracle.exact_wilcoxon([1, -1, 1, 1, 1, 1])
    assert compare_pair(rated(first), rated(second), Options(test="wilcoxon")).p == pytest.approx(exact)


@pytest.mark.parametrize("resample", ["full", "half"])
def test_bootstrap_equals_direct_scoring(resample: str) -> None:
    rng = np.random.default_rng(2)
    first = oracle.ratio_rows([(int(m), 20) for m in rng.integers(0, 20, 40)])
    second = oracle.ratio_rows([(int(m), 20) for m in rng.integers(1, 20, 40)])
    n = 300
    counts = Draws(resample, n, 40).block(0)
    differences = np.array([oracle.resampled(second, row) - oracle.resampled(first, row) for row in counts])
    observed = second.score - first.score
    spread = sorted(np.abs(differences - differences.mean()), reverse=True)
    widened = [size * widening(40, resample, k / (2 * (n + 1))) for k, size in enumerate(spread, 1)]
    found = compare_pair(first, second, Options(test="bootstrap", n=n, resample=resample))
    assert found.p == pytest.approx((sum(size >= abs(observed) for size in widened) + 1) / (n + 1))
    assert found.wins == pytest.approx((differences > 0).mean())
    assert found.losses == pytest.approx((differences < 0).mean())
    absolute = np.abs(differences)
    moses = compare_pair(first, second, Options(test="moses", n=n, resample=resample))
    assert moses.p == pytest.approx((sum(absolute - absolute.mean() > abs(observed)) + 1) / (n + 1))
    assert any("half of a two-sided one" in warning for warning in moses.warnings)


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_get_one(test: str) -> None:
    # Thirds and sevenths: sums of these round differently in every order.
    values = np.random.default_rng(3).integers(0, 50, 300) / 3 + 1 / 7
    found = compare_pair(rated(values), rated(values.copy()), Options(test=test, n=500))
    assert (found.p, found.difference, found.ties, found.effect_size) == (1.0, 0.0, 1.0, 0.0)
    assert found.better is None
    assert not found.significant


def test_moses_gives_identical_systems_its_smallest_p() -> None:
    values = rated([1.0, 2.0, 3.0])
    assert compare_pair(values, values, Options(test="moses", n=99)).p == pytest.approx(0.01)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("factor", [1e-9, 1e9])
def test_the_scale_of_scores_does_not_matter(test: str, factor: float) -> None:
    rng = np.random.default_rng(4)
    first, second = rng.integers(1, 6, 80) / 3, rng.integers(1, 6, 80) / 3
    options = Options(test=test, n=400)
    plain = compare_pair(rated(first), rated(second), options)
    scaled = compare_pair(rated(first * factor), rated(second * factor), options)
    assert (scaled.p, scaled.wins, scaled.ties) == (plain.p, plain.wins, plain.ties)
    assert scaled.effect_size == pytest.approx(plain.effect_size)


@pytest.mark.parametrize("test", TESTS)
def test_the_order_of_two_systems_does_not_matter(test: str) -> None:
    rng = np.random.default_rng(6)
    first, second = rated(rng.integers(1, 6, 70)), rated(rng.integers(1, 6, 70))
    there, back = (compare_pair(*pair, Options(test=test, n=400)) for pair in ((first, second), (second, first)))
    assert there.p == back.p
    assert (there.wins, there.losses, there.ties) == (back.losses, back.wins, back.ties)
    assert there.wins + there.losses + there.ties == pytest.approx(1)


@pytest.mark.parametrize("test", ["permutation", "wilcoxon"])
def test_missing_scores_are_left_out_of_unit_tests(test: str) -> None:
    first: list[float | None] = [1.0, 2.0, 3.0, 4.0, 6.0, 5.0, None, 9.0]
    second: list[float | None] = [2.0, 2.5, 3.0, 5.0, 5.0, 7.0, 9.0, None]
    options = Options(test=test, n=2000)
    holes = compare_pair(*(Rows.from_scores(s, spec="rating") for s in (first, second)), options)
    whole = compare_pair(rated(first[:6]), rated(second[:6]), options)
    assert holes.p == pytest.approx(whole.p, abs=0.05)


def test_one_far_unit_tells_the_tests_apart() -> None:
    first = np.zeros(40)
    second = np.concatenate([np.full(39, -0.1), [50.0]])
    found = {test: compare_pair(rated(first), rated(second), Options(test=test)).p for test in TESTS}
    assert found["wilcoxon"] < 0.001
    assert found["permutation"] > 0.5


def test_widening_is_that_of_student() -> None:
    for units in (2, 5, 31, 400):
        z = stats.norm.ppf(0.975)
        t = stats.t.ppf(0.975, units - 1)
        assert widening(units, "full", 0.025) == pytest.approx(t / z * np.sqrt(units / (units - 1)), rel=1e-6)
    assert widening(40, "half", 0.025) == pytest.approx(stats.t.ppf(0.975, 39) / stats.norm.ppf(0.975), rel=1e-6)


@given(st.floats(0.5, 0.9999), st.integers(1, 3000))
def test_student_quantiles_are_those_of_scipy(probability: float, freedom: int) -> None:
    assert student_quantile(probability, freedom) == pytest.approx(
        stats.t.ppf(probability, freedom), rel=1e-5, abs=1e-6
    )


@pytest.mark.parametrize("units", [3, 8, 40])
@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0, 4.0])
def test_the_bootstrap_widens_each_difference_as_its_own_tail_demands(units: int, shift: float) -> None:
    rng = np.random.default_rng(units)
    change = rng.normal(shift, 1, units)
    n = 499
    resampled = np.concatenate([Draws("full", n, units).block(0)]) @ change / units
    spread = np.sort(np.abs(resampled - resampled.mean()))[::-1]
    widened = spread * [widening(units, "full", k / (2 * (n + 1))) for k in range(1, n + 1)]
    found = compare_pair(rated(np.zeros(units)), rated(change), Options(test="bootstrap", n=n)).p
    assert found == pytest.approx(((widened >= abs(change.mean())).sum() + 1) / (n + 1))


def test_a_p_too_small_for_a_number_is_not_0() -> None:
    found = compare_pair(rated(np.zeros(5000)), rated(np.arange(1.0, 5001.0)), Options(test="wilcoxon", interval_n=2))
    assert 0 < found.smallest_p <= found.p == found.p_adjusted < 1e-300
