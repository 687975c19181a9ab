"""Several runs: MultEval's quantities by direct computation, and the test over runs by enumeration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.oracles.significance import ratio_rows, splits, stratified_difference

from karat.errors import InputError
from karat.rows import Rows
from karat.significance import Options, Resampling, blocks, bootstrap, compare_pair, compare_runs
from karat.significance import runs as runs_module
from karat.significance.runs import _RunDraws

UNITS = 40


def runs_of(count: int, shift: int = 0, seed: int = 0) -> list[Rows]:
    rng = np.random.default_rng(seed + shift)
    return [ratio_rows([(int(m), 40) for m in rng.integers(5 + shift, 30 + shift, UNITS)]) for _ in range(count)]


def test_the_summary_is_a_direct_computation() -> None:
    runs = runs_of(3)
    found = compare_runs({"a": runs, "b": runs_of(3, 2)}, Options(n=50)).systems[0]
    scores = [rows.score for rows in runs]
    assert found.scores == pytest.approx(scores)
    assert found.mean == pytest.approx(np.mean(scores))
    assert found.s_opt == pytest.approx(np.std(scores, ddof=1))
    assert found.s_sel == pytest.approx(np.mean([bootstrap(rows, Resampling()).standard_error for rows in runs]))
    assert scores[found.median_run] == pytest.approx(np.median(scores))


@pytest.mark.parametrize("up", [True, False])
def test_of_two_runs_in_the_middle_the_worse_one_counts(up: bool) -> None:
    runs = [ratio_rows([(m, 40)] * UNITS, higher_is_better=up) for m in (9, 3, 5, 7)]
    assert compare_runs({"a": runs}, Options(n=20)).systems[0].median_run == (2 if up else 3)


def test_the_test_of_these_runs_equals_direct_scoring() -> None:
    first, second = runs_of(3), runs_of(3, 1)
    n = 70
    found = compare_runs({"a": first, "b": second}, Options(n=n)).comparisons[0]
    draws = _RunDraws(n, UNITS, 3, 12345)
    chosen = np.concatenate([draws.chosen(block) for block in range(len(draws))], axis=1)
    everything = [*first, *second]
    observed = abs(np.mean([r.score for r in second]) - np.mean([r.score for r in first]))
    differences = [
        stratified_difference(everything, lambda run, unit, t=t: int(chosen[run, t, unit]), 3) for t in range(n)
    ]
    count = sum(abs(difference) >= observed - 1e-9 for difference in differences)
    assert found.p_these_runs == pytest.approx((count + 1) / (n + 1))


def test_pseudo_runs_are_permutations_in_which_counterparts_change_places() -> None:
    chosen = _RunDraws(2000, 5, 3, 1).chosen(0)
    assert (np.sort(chosen, axis=0) == np.arange(6).reshape(6, 1, 1)).all()
    # A pseudo-run of the baseline and its counterpart never get two rows of the same system.
    assert ((chosen[:3] < 3) != (chosen[3:] < 3)).all()
    for run in range(6):
        assert np.bincount(chosen[run].ravel(), minlength=6) / chosen[run].size == pytest.approx(1 / 6, abs=0.02)


@pytest.mark.parametrize("listed", [True, False])
def test_every_order_is_equally_likely(listed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not listed:
        monkeypatch.setattr(runs_module, "LISTED_ORDERS", 2)
    orders = runs_module._orders(np.random.default_rng(0), 3, (6000, 2)).reshape(3, -1)
    _, counts = np.unique(orders, axis=1, return_counts=True)
    assert len(counts) == 6
    assert counts / counts.sum() == pytest.approx(1 / 6, abs=0.02)


def test_one_run_each_is_plain_randomization() -> None:
    (first,), (second,) = runs_of(1), runs_of(1, 1)
    found = compare_runs({"a": [first], "b": [second]}, Options(n=20_000)).comparisons[0]
    plain = compare_pair(first, second, Options(n=20_000))
    assert found.p_these_runs == pytest.approx(plain.p, abs=0.02)
    assert (found.p_over_runs, found.p_over_runs_smallest) == (1.0, 1.0)
    assert found.interval == plain.interval


def test_the_test_over_runs_is_an_enumeration() -> None:
    first, second = runs_of(3), runs_of(4, 1, seed=7)
    found = compare_runs({"a": first, "b": second}, Options(n=50)).comparisons[0]
    scores = [rows.score for rows in [*first, *second]]
    observed = abs(np.mean(scores[3:]) - np.mean(scores[:3]))
    far = [abs((sum(scores) - sum(dealt)) / 4 - sum(dealt) / 3) >= observed - 1e-9 for dealt in combinations(scores, 3)]
    assert found.p_over_runs == pytest.approx(np.mean(far))
    assert found.p_over_runs_smallest == pytest.approx(1 / splits(3, 4))
    assert found.p_these_runs is None
    assert any("different numbers of runs" in warning for warning in found.warnings)


def test_three_against_three_cannot_go_below_a_tenth() -> None:
    found = compare_runs({"a": runs_of(3), "b": runs_of(3, 9)}, Options(n=500)).comparisons[0]
    assert (found.p_over_runs, found.p_over_runs_smallest) == pytest.approx((0.1, 0.1))
    assert found.p_these_runs == pytest.approx(1 / 501)
    assert any("below 0.1" in warning for warning in found.warnings)


def test_many_runs_are_dealt_at_random() -> None:
    found = compare_runs({"a": runs_of(12), "b": runs_of(12)}, Options(n=2000)).comparisons[0]
    assert 0 < found.p_over_runs <= 1
    assert found.p_over_runs_smallest == pytest.approx(1 / 2001)


def test_identical_systems_get_one() -> None:
    runs = [runs_of(1)[0]] * 3
    found = compare_runs({"a": runs, "b": runs}, Options(n=99)).comparisons[0]
    assert (found.p_these_runs, found.p_over_runs) == (1.0, 1.0)


def test_few_runs_warn_and_families_are_adjusted() -> None:
    report = compare_runs({"a": runs_of(2), "b": runs_of(2, 1), "c": runs_of(2, 9)}, Options(n=999))
    assert all(any("training luck" in warning for warning in one.warnings) for one in report.comparisons)
    far = report.comparisons[1]
    assert far.p_these_runs == pytest.approx(0.001)
    assert far.p_these_runs_adjusted == pytest.approx(0.002)
    assert {one.family for one in report.comparisons} == {2}


def test_one_run_has_no_deviation_over_runs() -> None:
    assert compare_runs({"a": runs_of(1)}, Options(n=20)).systems[0].s_opt is None


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "FEW_CELLS", 0)
    systems = {"a": runs_of(3), "b": runs_of(3, 1)}
    assert compare_runs(systems, Options(n=2000), threads=threads) == compare_runs(systems, Options(n=2000), threads=2)


def test_bad_input_is_refused() -> None:
    with pytest.raises(InputError, match="'b' has no run"):
        compare_runs({"a": runs_of(1), "b": []})
    with pytest.raises(InputError, match="no system 'x'"):
        compare_runs({"a": runs_of(1), "b": runs_of(1)}, baseline="x")
    with pytest.raises(InputError, match="not by wilcoxon"):
        compare_runs({"a": runs_of(1)}, Options(test="wilcoxon"))
    short = ratio_rows([(1, 2)] * 5)
    with pytest.raises(InputError, match="'a, run 2' has 5"):
        compare_runs({"a": [*runs_of(1), short]})


def test_n_is_raised_and_said_so() -> None:
    report = compare_runs({"a": runs_of(3), "b": runs_of(3, 1), "c": runs_of(3, 2)}, Options(n=20))
    assert {one.n for one in report.comparisons} == {39}
    assert any("raised to 39" in warning for warning in report.comparisons[0].warnings)


def test_the_smallest_p_over_runs_is_corrected_like_p() -> None:
    systems = {"a": runs_of(4), "b": runs_of(4, 9), "c": runs_of(4, 10)}
    for found in compare_runs(systems, Options(n=200)).comparisons:
        assert found.p_over_runs_smallest == pytest.approx(2 / 70)
        assert found.p_over_runs_smallest_adjusted == pytest.approx(4 / 70) == pytest.approx(found.p_over_runs_adjusted)
        assert not found.reachable_over_runs
        assert "lifts above 0.05" in found.out_of_reach_over_runs()
        assert "5 runs of each system or more" in found.out_of_reach_over_runs()
    (alone,) = compare_runs({"a": runs_of(4), "b": runs_of(4, 9)}, Options(n=200)).comparisons
    assert alone.reachable_over_runs


@pytest.mark.parametrize(("units", "reachable"), [(2, False), (3, True)])
def test_few_units_cannot_show_that_these_runs_differ(units: int, reachable: bool) -> None:
    worse, better = (
        [Rows.from_scores([level + run / 10] * units, spec="x") for run in range(2)] for level in (10.0, 90.0)
    )
    (found,) = compare_runs({"a": worse, "b": better}, Options(unit="document")).comparisons
    assert found.p_these_runs == found.p_these_runs_smallest == pytest.approx(2.0 ** (1 - 2 * units))
    assert found.reachable is reachable
    said = [warning for warning in found.warnings if "no difference of these runs can be shown" in warning]
    assert bool(said) is not reachable
    if said:
        assert "take 3 documents or more, or segments with --unit segment" in said[0]
