"""Intervals against direct scoring, against scipy and against what is known about them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.oracles.significance import ratio_rows, resampled

from karat.errors import InputError, SpecError
from karat.identity import Identity
from karat.rows import Rows
from karat.significance import Options, Resampling, bootstrap, bootstrap_difference, bootstrap_many, compare
from karat.significance.draws import Draws
from karat.significance.intervals import interval_of, order_statistics

PAIRS = st.lists(st.tuples(st.integers(0, 20), st.integers(20, 40)), min_size=2, max_size=12)


def skewed(size: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).exponential(size=size)


def scores(values: np.ndarray, spec: str = "s") -> Rows:
    return Rows.from_scores(values, spec=spec)


@settings(max_examples=30)
@given(PAIRS, st.sampled_from(["full", "half"]), st.integers(0, 5))
def test_resamples_equal_direct_scoring(values: list[tuple[int, int]], resample: str, seed: int) -> None:
    rows = ratio_rows(values)
    n = 40
    found = bootstrap(rows, Resampling(n=n, resample=resample, seed=seed))
    direct = sorted(resampled(rows, counts) for counts in Draws(resample, n, len(rows), seed).block(0))
    assert found.value == pytest.approx(rows.score)
    assert (found.interval.low, found.interval.high) == pytest.approx((direct[0], direct[38]))
    assert found.mean == pytest.approx(np.mean(direct))
    assert found.standard_error == pytest.approx(np.std(direct, ddof=1))


def test_a_difference_draws_both_alike() -> None:
    first, second = ratio_rows([(i % 7, 20) for i in range(40)]), ratio_rows([(i % 7 + 1, 20) for i in range(40)])
    n = 100
    found = bootstrap_difference(first, second, Resampling(n=n))
    draws = Draws("full", n, 40).block(0)
    direct = sorted(resampled(second, counts) - resampled(first, counts) for counts in draws)
    assert (found.interval.low, found.interval.high) == pytest.approx((direct[1], direct[97]))
    assert found.value == pytest.approx(second.score - first.score)


@pytest.mark.parametrize(
    ("count", "elements"), [(1000, (25, 975)), (10_000, (250, 9750)), (100, (2, 98)), (10, (1, 10)), (1, (1, 1))]
)
def test_the_elements_of_algorithm_4(count: int, elements: tuple[int, int]) -> None:
    values = np.random.default_rng(0).permutation(np.arange(1, count + 1)).astype(float)
    assert order_statistics(values, 0.025, 0.975) == elements


def test_bca_is_that_of_scipy_on_the_same_resamples() -> None:
    values = skewed(60)
    n = 9_999
    found = bootstrap(scores(values), Resampling(n=n, method="bca"))
    draws = Draws("full", n, 60)
    means = np.concatenate([draws.block(i) @ values / 60 for i in range(len(draws))])
    ours = SimpleNamespace(bootstrap_distribution=means, confidence_interval=None, standard_error=0)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=0, bootstrap_result=ours, method="BCa")
    assert found.interval.method == "bca"
    assert (found.interval.low, found.interval.high) == pytest.approx(theirs.confidence_interval, abs=2e-3)
    percentile = bootstrap(scores(values), Resampling(n=n)).interval
    assert found.interval.low > percentile.low + 0.005  # it is not the percentile interval by another name


def test_bca_of_a_difference_takes_the_jackknife_of_the_difference() -> None:
    first, second = skewed(80), skewed(80, seed=2)
    n = 5_000
    difference = bootstrap_difference(scores(first), scores(second), Resampling(n=n, method="bca"))
    direct = bootstrap(scores(second - first), Resampling(n=n, method="bca"))
    assert (difference.interval.low, difference.interval.high) == pytest.approx(
        (direct.interval.low, direct.interval.high), abs=1e-12
    )


@pytest.mark.parametrize("resample", ["full", "half"])
def test_bca_falls_back_and_says_so(resample: str) -> None:
    values = np.full(40, 3.0) if resample == "full" else skewed(40)
    found = bootstrap(scores(values), Resampling(n=50, method="bca", resample=resample))
    assert found.interval.method == "percentile"
    assert any("BCa is not defined" in warning for warning in found.warnings)


def test_bca_falls_back_where_the_value_lies_outside_all_resamples() -> None:
    chosen = Resampling(n=100, method="bca")
    found = interval_of(5.0, np.linspace(0, 1, 100), np.linspace(4, 6, 30), chosen)
    assert (found.method, found.low) == ("percentile", pytest.approx(1 / 99))


def test_halves_without_replacement_are_as_wide_as_full_resamples() -> None:
    rows = scores(skewed(400))
    full = bootstrap(rows, Resampling(n=4000))
    half = bootstrap(rows, Resampling(n=4000, resample="half"))
    assert half.standard_error == pytest.approx(full.standard_error, rel=0.05)


def test_many_scores_share_their_resamples() -> None:
    first, second = scores(skewed(50)), ratio_rows([(i % 5, 10) for i in range(50)])
    together = bootstrap_many([first, second], Resampling(n=300))
    assert together == (bootstrap(first, Resampling(n=300)), bootstrap(second, Resampling(n=300)))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_nothing(threads: int) -> None:
    rows = ratio_rows([(i % 11, 20) for i in range(3000)])
    assert bootstrap(rows, Resampling(n=2000), threads=threads) == bootstrap(rows, Resampling(n=2000), threads=1)


def test_a_result_states_its_unit_and_warns_of_few() -> None:
    rows = scores(skewed(60)).grouped([str(i // 10) for i in range(60)])
    found = bootstrap(rows, Resampling(n=50, unit="document"))
    assert (found.unit, found.units) == ("document", 6)
    assert "only 6 documents" in found.warnings[0]
    assert bootstrap(scores(skewed(30)), Resampling(n=50)).warnings == ()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"method": "bac"}, SpecError, "Did you mean bca"),
        ({"resample": "swap"}, SpecError, "no way to resample"),
        ({"confidence": 95}, InputError, "between 0 and 1"),
    ],
)
def test_bad_options_are_refused(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Resampling(**arguments)  # type: ignore[arg-type]


def test_bad_rows_are_refused() -> None:
    with pytest.raises(InputError, match="fewer than 2"):
        bootstrap(scores(np.array([1.0])))
    with pytest.raises(InputError, match="at least 1"):
        bootstrap(scores(skewed(5)), Resampling(n=0))
    with pytest.raises(InputError, match="at least one"):
        bootstrap_many([])
    with pytest.raises(InputError, match="same units"):
        bootstrap_many([scores(skewed(5)), scores(skewed(6))])
    broken = Rows(np.array([[1.0], [np.nan]]), ("x",), lambda sums: sums[..., 0], Identity.of_scores("x"))
    with pytest.raises(InputError, match="not finite"):
        bootstrap(broken)


def test_scores_of_any_size_have_the_same_intervals_and_effects() -> None:
    rng = np.random.default_rng(5)
    scores = {name: rng.normal(0, 1, 12) for name in ("a", "b")}
    options = Options(interval="bca", test="moses", n=200)
    small, large = (
        compare([{name: Rows.from_scores(np.ldexp(of, power), spec="x") for name, of in scores.items()}], options)[0]
        for power in (0, 1000)
    )
    assert large.interval.method == small.interval.method == "bca"
    assert np.ldexp(large.interval.low, -1000) == pytest.approx(small.interval.low)
    assert large.effect_size == pytest.approx(small.effect_size)
