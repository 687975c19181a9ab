"""How small a p can get, and what is said where that is not small enough."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.rows import Rows
from karat.significance import Options, compare, compare_all, compare_pair, out_of_reach, smallest_p
from karat.significance.paired import DEFAULT_N, TestName

RATINGS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=9)
BOUNDED: tuple[TestName, ...] = ("randomization", "permutation", "wilcoxon")


def rated(values: object) -> Rows:
    return Rows.from_scores(np.asarray(values, dtype=float), spec="x")


@settings(max_examples=60)
@given(RATINGS, st.sampled_from(BOUNDED), st.sampled_from([10, 100, 5000]))
def test_no_p_is_below_the_smallest(ratings: list[tuple[int, int]], test: TestName, n: int) -> None:
    first, second = np.array(ratings, dtype=float).T
    found = compare_pair(rated(first), rated(second), Options(test=test, n=n, interval_n=2))
    assert found.p >= found.smallest_p
    assert found.p_adjusted >= found.smallest_p_adjusted
    assert not found.significant or found.reachable


@pytest.mark.parametrize("test", BOUNDED)
@pytest.mark.parametrize("units", [4, 5, 6, 9])
def test_the_smallest_is_reached_where_all_units_agree(test: TestName, units: int) -> None:
    found = compare_pair(rated(np.zeros(units)), rated(np.arange(1, units + 1)), Options(test=test, interval_n=2))
    assert found.p == found.smallest_p == smallest_p(test, units, DEFAULT_N.get(test)) == 2.0 ** (1 - units)
    assert found.reachable == found.significant == (units >= 6)


def test_many_units_bound_wilcoxon_by_its_normal_distribution() -> None:
    for units in (51, 200):
        equal = compare_pair(rated(np.zeros(units)), rated(np.ones(units)), Options(test="wilcoxon", interval_n=2))
        assert equal.p == pytest.approx(equal.smallest_p)
        ranked = compare_pair(
            rated(np.zeros(units)), rated(np.arange(1, units + 1)), Options(test="wilcoxon", interval_n=2)
        )
        assert ranked.p > ranked.smallest_p


def test_only_units_that_differ_count() -> None:
    first = np.zeros(40)
    second = np.concatenate([np.ones(4), np.zeros(36)])
    for test in BOUNDED:
        found = compare_pair(rated(first), rated(second), Options(test=test, n=500, interval_n=100))
        assert (found.differing, found.smallest_p, found.reachable) == (4, 0.125, False)
        assert "the 4 of 40 segments that differ cannot give a p below 0.125" in found.warnings[-1]


def test_the_correction_may_put_alpha_out_of_reach() -> None:
    rng = np.random.default_rng(0)
    systems = {f"s{i}": rated(rng.normal(10 * i, 1, 7)) for i in range(4)}
    alone = compare([systems], Options(interval_n=2, correction="none"))
    assert all(one.reachable and one.significant for one in alone)
    together = compare_all([systems], Options(interval_n=2))
    assert not any(one.reachable for one in together)
    assert together[0].smallest_p_adjusted == pytest.approx(6 / 64)
    assert together[0].n == 128  # all flips: no number of draws would help
    assert together[0].warnings[-1] == (
        "no difference can be shown: "
        "7 segments cannot give a p below 0.01562, which Holm's correction over 6 comparisons "
        "lifts above 0.05; compare fewer systems, take 8 segments or more, or use --correction none"
    )
    found = compare_all([systems], Options(interval_n=2, correction="bh"))
    assert all(one.reachable for one in found)


def test_the_raise_of_n_ends_at_all_flips() -> None:
    rng = np.random.default_rng(0)
    systems = {f"s{i}": rated(rng.normal(0, 1, 8)) for i in range(14)}
    found = compare_all([systems], Options(n=100, interval_n=2))[0]
    assert (found.n, found.exact) == (256, True)
    assert not any("raised" in warning for warning in found.warnings)


def test_documents_have_a_remedy_of_their_own() -> None:
    reason = out_of_reach(units=5, unit="document", smallest=0.0625, alpha=0.05)
    assert reason.endswith("take 6 documents or more, or segments with --unit segment")


@pytest.mark.parametrize("test", ["bootstrap", "moses"])
def test_resamples_bound_p_by_their_number(test: TestName) -> None:
    found = compare_pair(rated(np.zeros(5)), rated(np.ones(5)), Options(test=test, n=99))
    assert (found.smallest_p, found.reachable, found.exact) == (0.01, True, False)
