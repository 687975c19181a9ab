"""Draws that hold nothing of a system: left out and told, or refused, and never taken for a score of 0."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from karat.errors import InputError
from karat.rows import Rows, mean_score
from karat.significance import (
    Options,
    Resampling,
    bootstrap,
    bootstrap_difference,
    compare_pair,
    compare_runs,
    non_inferiority,
    rank,
)
from karat.significance.undefined import count_defined, defined, mean_of_defined, undefined_share

FULL = [61.0, 64.0, 66.0, 63.0, 68.0, 62.0]
PARTLY: list[float | None] = [70.0, 72.0, None, 71.0, None, None]


def rows(scores: list[float | None] | list[float]) -> Rows:
    return Rows.from_scores(scores, spec="stars")


def test_an_interval_holds_scores_that_can_occur() -> None:
    estimate = bootstrap(rows(PARTLY), Resampling(n=10_000, confidence=0.99))
    present = [score for score in PARTLY if score is not None]
    assert min(present) <= estimate.interval.low <= estimate.interval.high <= max(present)
    (warning,) = [text for text in estimate.warnings if "left out" in text]
    # All six draws have to miss the three units that have a score.
    assert float(warning.split("%")[0]) / 100 == pytest.approx(0.5**6, abs=0.005)


def test_a_bootstrap_is_that_of_all_resamples_with_a_score() -> None:
    values = rows(PARTLY[:4]).values
    sums = np.array([values[list(drawn)].sum(axis=0) for drawn in product(range(4), repeat=4)])
    expected = mean_score(sums[sums[:, 1] > 0])
    estimate = bootstrap(rows(PARTLY[:4]), Resampling(n=20_000))
    assert estimate.mean == pytest.approx(expected.mean(), abs=0.02)
    assert estimate.standard_error == pytest.approx(expected.std(), abs=0.02)


def test_randomization_is_that_of_all_swaps_with_scores() -> None:
    first, second = rows(PARTLY).values, rows([None, None, 66.0, None, 69.5, 71.0]).values
    differences = []
    for swap in product((False, True), repeat=6):
        one = np.where(np.array(swap)[:, np.newaxis], second, first).sum(axis=0)
        two = first.sum(axis=0) + second.sum(axis=0) - one
        if one[1] and two[1]:
            differences.append(float(mean_score(two) - mean_score(one)))
    observed = differences[0]
    exact = np.mean([abs(difference) >= abs(observed) - 1e-9 for difference in differences])
    assert len(differences) < 64
    found = compare_pair(rows(PARTLY), rows([None, None, 66.0, None, 69.5, 71.0]), Options(n=20_000))
    assert found.p == pytest.approx(exact, abs=0.01)
    assert any("left out" in text for text in found.warnings)


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "moses", "permutation", "wilcoxon"])
def test_all_tests_are_finite_and_say_what_was_left_out(test: str) -> None:
    found = compare_pair(rows(FULL), rows(PARTLY), Options(test=test, n=2000))  # type: ignore[arg-type]
    assert 0 < found.p <= 1
    assert found.wins + found.losses + found.ties == pytest.approx(1)
    assert found.wins == 1.0
    assert found.interval.low > 0
    assert any("left out" in text and "stars" in text for text in found.warnings)
    complete = compare_pair(rows(FULL), rows([score + 1 for score in FULL]), Options(test=test, n=2000))  # type: ignore[arg-type]
    assert not any("left out" in text for text in complete.warnings)


def test_gates_differences_rankings_and_runs_leave_out_the_same_draws() -> None:
    gate = non_inferiority(rows(FULL), rows(PARTLY), 1.0, n=2000)
    assert gate.shown
    assert gate.loss_bound < 0
    assert any("left out" in text for text in gate.warnings)
    difference = bootstrap_difference(rows(FULL), rows(PARTLY), Resampling(n=2000, method="bca"))
    assert difference.interval.low > 0
    ranking = rank([{"one": rows(FULL), "two": rows(PARTLY)}], Options(n=2000)).ranking
    assert ranking[0].system == "two"
    again = rows([None if score is None else score + 0.5 for score in PARTLY])
    report = compare_runs({"one": [rows(FULL), rows(FULL)], "two": [rows(PARTLY), again]}, Options(n=2000))
    (compared,) = report.comparisons
    assert compared.interval.low > 0
    assert np.isfinite(report.systems[1].s_sel)
    assert compared.p_these_runs is not None
    assert any("left out" in text for text in compared.warnings)


def test_where_most_draws_hold_nothing_the_rest_is_refused() -> None:
    # Each run has scores in two units of its own, so that most halves of the units miss one of the runs.
    runs = [rows([float(i) if i // 2 == run else None for i in range(20)]) for run in range(4)]
    with pytest.raises(InputError, match=r"of the draws hold no stars score.*missing in most units"):
        compare_runs({"one": runs[:2], "two": runs[2:]}, Options(resample="half", n=200))


@pytest.mark.parametrize("test", ["permutation", "wilcoxon"])
def test_systems_without_a_common_unit_cannot_be_paired(test: str) -> None:
    with pytest.raises(InputError, match="'baseline' and 'system' share no unit with a stars score"):
        compare_pair(rows([1.0, 2.0, None, None]), rows([None, None, 1.0, 2.0]), Options(test=test))  # type: ignore[arg-type]


@pytest.mark.parametrize("scores", [[None, None, 1.0], [None, None, None]])
def test_scores_of_fewer_than_two_units_are_refused(scores: list[float | None]) -> None:
    with pytest.raises(InputError, match=r"score in [01] of 3 units"):
        compare_pair(rows([1.0, 2.0, 3.0]), rows(scores))


def test_few_draws_that_are_left_are_refused_by_a_gate() -> None:
    with pytest.raises(InputError, match="at least 19 resamples"):
        non_inferiority(rows([3.0, None, None, 4.0]), rows([5.0, 4.0, 3.0, 3.5]), 1.0, n=19)


@pytest.mark.parametrize("lost", [0, 1, 3])
@pytest.mark.parametrize("shape", [(7,), (7, 2)])
def test_draws_that_have_a_value_are_counted_the_same_whether_any_lacks_one(lost: int, shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(4).normal(size=shape)
    values[:lost] = np.nan
    kept = values[lost:]
    assert count_defined(values).tolist() == np.full(shape[1:], len(kept)).tolist()
    assert undefined_share(values).tolist() == pytest.approx(np.full(shape[1:], lost / 7).tolist())
    assert mean_of_defined(values) == pytest.approx(kept.mean(axis=0))
    if len(shape) == 1:
        assert defined(values).tolist() == kept.tolist()
