"""Winners follow the statistic of their own test, also where the score says something else."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.oracles.significance import ratio_rows

from karat.rows import Rows
from karat.significance import Comparison, Options, compare_pair, rank


def rated(values: object, *, up: bool = True) -> Rows:
    return Rows.from_scores(np.asarray(values, dtype=float), spec="x", higher_is_better=up)


def mostly_lower(units: int = 60, last: float = 100.0) -> np.ndarray:
    """Changes by which most units lose a little and the last one gains much."""
    return np.concatenate([-1 - np.arange(units - 1) / units, [last]])


def compared(changes: np.ndarray, test: str, *, up: bool = True) -> Comparison:
    base = np.random.default_rng(0).normal(50, 5, len(changes))
    return compare_pair(rated(base, up=up), rated(base + changes, up=up), Options(test=test, n=999, interval_n=50))


@pytest.mark.parametrize("up", [True, False])
def test_wilcoxon_favours_whom_most_units_favour(up: bool) -> None:
    found = compared(mostly_lower(), "wilcoxon", up=up)
    winner = "baseline" if up else "system"
    assert found.significant
    assert (found.better, found.winner) == (winner, winner)
    assert found.better_scored == found.loser != winner
    assert found.against_score
    assert found.difference > 0 > found.statistic


def test_the_statistic_of_wilcoxon_is_the_sum_of_its_signed_ranks() -> None:
    change = np.random.default_rng(1).normal(0.3, 1, 80)
    ranks = stats.rankdata(np.abs(change))
    assert compared(change, "wilcoxon").statistic == pytest.approx(ranks[change > 0].sum() - ranks[change < 0].sum())


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "moses"])
def test_tests_of_the_score_favour_the_better_score(test: str) -> None:
    found = compared(mostly_lower(), test)
    assert found.statistic == found.difference > 0
    assert found.better == found.better_scored == "system"


def test_permutation_favours_the_better_mean_of_units_and_not_the_better_score() -> None:
    # Short units gain, one long unit loses more than they gain together.
    first = ratio_rows([(5, 10)] * 30 + [(800, 1000)])
    second = ratio_rows([(7, 10)] * 30 + [(600, 1000)])
    found = compare_pair(first, second, Options(test="permutation", n=999, interval_n=50))
    assert found.statistic == pytest.approx((second.unit_scores() - first.unit_scores()).mean())
    assert found.difference < 0 < found.statistic
    assert (found.winner, found.better_scored, found.against_score) == ("system", "baseline", True)


def test_a_winner_at_equal_scores_is_against_the_score() -> None:
    found = compared(mostly_lower(last=-mostly_lower()[:-1].sum()), "wilcoxon")
    assert found.difference == pytest.approx(0, abs=1e-12)
    assert found.winner == "baseline"
    equal = Rows.from_scores([1.0] * 20, spec="x"), Rows.from_scores([1.5] * 18 + [0.0, -7.0], spec="x")
    tied = compare_pair(*equal, Options(test="wilcoxon", interval_n=50))
    assert (tied.difference, tied.better_scored, tied.winner, tied.against_score) == (0, None, "system", True)


def test_units_that_are_missing_do_not_count_in_the_mean() -> None:
    first = Rows.from_scores([1.0, 2.0, None, 4.0], spec="x")
    second = Rows.from_scores([2.0, 5.0, 9.0, None], spec="x")
    assert compare_pair(first, second, Options(test="permutation", interval_n=500)).statistic == pytest.approx(2.0)


def test_places_ranks_and_clusters_follow_the_test() -> None:
    base = np.random.default_rng(0).normal(50, 5, 60)
    systems = {"low": rated(base), "high": rated(base + mostly_lower())}
    found = rank([systems], Options(test="wilcoxon", interval_n=50))
    assert [(one.system, one.rank_low, one.rank_high, one.cluster) for one in found.ranking] == [
        ("low", 1, 1, 1),
        ("high", 2, 2, 2),
    ]


def test_json_tells_the_statistic_and_whom_it_favours() -> None:
    record = compared(mostly_lower(), "wilcoxon").to_json()
    assert record["better"] == "baseline"
    assert record["statistic"] < 0 < record["difference"]
    assert record["statistic_name"] == "sum of positive less sum of negative ranks"
    assert (record["level"], record["alpha"]) == (0.05, 0.05)
