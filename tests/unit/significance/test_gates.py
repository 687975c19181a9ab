"""Gates: whether a system, or its runs on average, lose less than a margin."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.significance import ratio_rows

from karat.rows import Rows
from karat.significance import Options, compare_pair, compare_runs, non_inferiority
from karat.significance.draws import Draws


def rated(scores: object) -> Rows:
    return Rows.from_scores(scores, spec="x")  # type: ignore[arg-type]


def test_p_does_not_depend_on_the_level_that_it_is_compared_with() -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(50, 5, 8)
    new = base + rng.normal(0.2, 1, 8)
    levels = (0.2, 0.05, 0.01)
    found = [non_inferiority(rated(base), rated(new), 0.8, alpha=alpha, n=5000) for alpha in levels]
    assert len({gate.p for gate in found}) == 1
    for alpha, gate in zip(levels, found, strict=True):
        assert gate.shown == (gate.p <= alpha)
        if gate.loss_bound is not None:
            assert gate.shown == (gate.loss_bound < gate.margin)


def test_runs_pass_by_their_mean_and_not_by_the_run_in_the_middle() -> None:
    rng = np.random.default_rng(2)
    base = [rng.normal(50, 1, 60) for _ in range(3)]
    # The run in the middle is as good as the baseline; one run has failed.
    new = [base[0] + 0.1, base[1] + 0.1, base[2] - 20 + rng.normal(0, 1, 60)]
    gate = non_inferiority([rated(run) for run in base], [rated(run) for run in new], 1.0, n=999)
    assert (gate.baseline_runs, gate.runs) == (3, 3)
    assert gate.difference == pytest.approx(np.mean(np.mean(new, axis=0) - np.mean(base, axis=0)))
    assert not gate.shown
    weights = Draws("full", 999, 60).block(0)
    resampled = weights @ (np.mean(new, axis=0) - np.mean(base, axis=0)) / 60
    assert 0 < gate.loss_bound + gate.difference < 3 * float(np.std(resampled))


def test_a_gate_claims_nothing_that_its_units_cannot_show() -> None:
    base = [50.0, 52.0, 54.0]
    gate = non_inferiority(rated(base), rated([score + 20 for score in base]), 0.5, n=999)
    assert (gate.shown, gate.reachable, gate.p, gate.loss_bound) == (False, False, 0.125, None)
    five = non_inferiority(rated([*base, 51.0, 53.0]), rated([70.0, 72.0, 75.0, 71.0, 73.0]), 0.5, n=999)
    assert five.shown
    assert five.p >= 2**-5


def test_few_units_of_runs_are_dealt_in_all_ways() -> None:
    rng = np.random.default_rng(3)
    first, second = (ratio_rows([(int(m), 40) for m in rng.integers(5, 30, 7)]) for _ in range(2))
    (found,) = compare_runs({"a": [first], "b": [second]}, Options(n=500)).comparisons
    assert found.p_these_runs == compare_pair(first, second, Options(n=500)).p
    assert found.exact
    assert found.n == 2**7


def test_all_ways_to_deal_two_runs_each() -> None:
    rng = np.random.default_rng(4)
    scores = rng.normal(50, 3, (4, 2))
    systems = {"a": [rated(scores[0]), rated(scores[1])], "b": [rated(scores[2] + 2), rated(scores[3] + 2)]}
    (found,) = compare_runs(systems, Options(n=300)).comparisons
    assert (found.exact, found.n) == (True, 16**2)
    rows = scores + np.array([[0], [0], [2], [2]])
    # Of four rows of a unit two go to each system: one of either, or both of its own, or both of the other's.
    observed = abs(rows[2:].mean() - rows[:2].mean())
    per_unit = [
        [0.5 * (sum(rows[second, unit]) - sum(rows[first, unit])) for first, second in DEALT] for unit in range(2)
    ]
    ways = [abs(one + two) / 2 >= observed - 1e-9 for one in per_unit[0] for two in per_unit[1]]
    assert found.p_these_runs == pytest.approx(np.mean(ways))


DEALT = [
    *(([0, 1], [2, 3]), ([2, 3], [0, 1])) * 4,
    *(([kept, 2 + other], [3 - other, 1 - kept]) for kept in (0, 1) for other in (0, 1)),
    *(([kept, 2 + other], [3 - other, 1 - kept]) for kept in (0, 1) for other in (0, 1)),
]
"""Which rows the pseudo-systems get, of the 2! 2! 2^2 orders and swaps of a unit."""


def test_runs_tell_whether_they_differ_and_who_is_better() -> None:
    rng = np.random.default_rng(5)
    base = [rated(rng.normal(50, 1, 60)) for _ in range(2)]
    new = [rated(rng.normal(53, 1, 60)) for _ in range(2)]
    (found,) = compare_runs({"a": base, "b": new}, Options(n=200)).comparisons
    record = found.to_json()
    assert (record["significant"], record["significant_over_runs"], record["better"]) == (True, False, "b")
    assert (record["better_scored"], record["against_score"]) == ("b", False)
    (odd,) = compare_runs({"a": base, "b": new[:1]}, Options(n=200)).comparisons
    assert odd.to_json()["significant"] is None
