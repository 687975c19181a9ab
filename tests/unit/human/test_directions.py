"""A test claims what its own statistic shows, in its own direction, and nothing that it could not have shown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from tests.unit.human.conftest import judgements_of

from karat.human.ordering import ordering
from karat.human.ordering.reach import smallest_adjusted, smallest_rank_sum_p
from karat.human.plan import AnalysisPlan
from karat.human.results import PairResult
from karat.human.scales.judgements import Judgements
from karat.significance import smallest_p

Maker = Callable[..., Judgements]


def two_systems(first: np.ndarray, second: np.ndarray, documents: np.ndarray | None = None) -> Judgements:
    count = len(first)
    segment = np.tile(np.arange(count), 2)
    document = None if documents is None else np.tile(documents, 2)
    value = np.concatenate([first, second])
    return judgements_of(np.repeat([0, 1], count), segment, np.zeros(2 * count), value, document=document)


def mean_against_ranks() -> Judgements:
    """s0 is better on nearly all segments, and has a few disasters that cost it the mean."""
    rng = np.random.default_rng(4)
    second = rng.normal(60, 2, 60)
    first = second + rng.uniform(3, 6, 60)
    first[:8] = 0
    return two_systems(first, second)


def test_the_winner_of_the_rank_sum_test_is_the_one_that_u_favours() -> None:
    found = ordering(mean_against_ranks(), AnalysisPlan(test="rank-sum"), higher_is_better=True)
    (pair,) = found.pairs
    assert (pair.better, pair.better_score, pair.significant) == ("s0", "s1", True)
    assert pair.contradicts_score
    assert found.order.beats.tolist() == [[False, True], [False, False]]
    assert found.order.ranges == [(1, 1), (2, 2)]
    assert found.order.clusters == [1, 2]
    (note,) = found.notes
    assert note.code == "test-against-score"
    assert "favours s0 over s1" in note.message
    assert "(p < 0.0001)" in note.message
    assert "score of s1 is better" in note.message


def test_upside_down_the_winner_is_the_other_one() -> None:
    (pair,) = ordering(mean_against_ranks(), AnalysisPlan(test="rank-sum"), higher_is_better=False).pairs
    assert (pair.better, pair.better_score) == ("s1", "s0")


def test_a_pair_contradicts_its_scores_only_where_it_is_significant() -> None:
    pair = PairResult("a", "b", -1.0, 0.2, 0.2, significant=False, better="a")
    assert not pair.contradicts_score
    assert PairResult("a", "b", -1.0, 0.01, 0.01, significant=True, better="a").contradicts_score
    assert not PairResult("a", "b", -1.0, 0.01, 0.01, significant=True, better="b").contradicts_score


@given(
    values=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=25),
    higher_is_better=st.booleans(),
)
@settings(deadline=None)
def test_rank_sum_agrees_with_scipy_in_size_and_direction(
    values: list[tuple[int, int]], higher_is_better: bool
) -> None:
    first, second = np.array(values, dtype=float).T
    (pair,) = ordering(
        two_systems(first, second), AnalysisPlan(test="rank-sum"), higher_is_better=higher_is_better
    ).pairs
    p = {
        way: mannwhitneyu(first, second, alternative=way, method="asymptotic", use_continuity=False).pvalue
        for way in ("greater", "less")
    }
    if pair.better is None:
        assert np.isnan(p["greater"]) or p["greater"] == pytest.approx(p["less"])
    else:
        winner = "greater" if (pair.better == "s0") == higher_is_better else "less"
        assert p[winner] < 0.5
    assert pair.significant == (pair.p_adjusted is not None and pair.p_adjusted <= 0.05 and pair.better is not None)


def test_five_documents_can_never_be_significant_and_this_is_said_with_its_remedy() -> None:
    rng = np.random.default_rng(5)
    first = rng.normal(80, 1, 20)
    judged = two_systems(first, first - 30, np.arange(20) // 4)
    found = ordering(judged, AnalysisPlan(), higher_is_better=True)
    (pair,) = found.pairs
    assert (pair.reachable, pair.significant, pair.smallest_p) == (False, False, 0.0625)
    (note,) = found.notes
    assert note.code == "out-of-reach"
    assert "take 6 documents or more" in note.message
    assert "--unit segment" in note.message
    segments = ordering(judged, AnalysisPlan(unit="segment"), higher_is_better=True)
    assert segments.pairs[0].significant
    assert [note.message for note in segments.notes] == [
        "segments are the unit although 5 documents are known: segments of one document are alike, so intervals come "
        "out too narrow and p too small"
    ]


def test_documents_that_a_test_of_segments_leaves_out_are_told() -> None:
    values = np.random.default_rng(5).normal(80, 1, 20)
    in_documents = two_systems(values, values - 3, np.arange(20) // 4)
    ranks = ordering(in_documents, AnalysisPlan(test="rank-sum"), higher_is_better=True)
    assert [note.message for note in ranks.notes] == [
        "the rank-sum test takes segments although 5 documents are known: segments of one document are alike, so p "
        "comes out too small"
    ]
    assert ordering(in_documents, AnalysisPlan(preset="wmt22"), higher_is_better=True).notes == ()
    alone = two_systems(values, values - 3, np.arange(20))
    for plan in (AnalysisPlan(unit="segment"), AnalysisPlan(test="rank-sum")):
        assert ordering(alone, plan, higher_is_better=True).notes == ()


def test_more_pairs_need_more_documents() -> None:
    assert smallest_adjusted([0.01, 0.02], "holm") == [0.02, 0.02]
    assert smallest_adjusted([0.02, 0.02], "bh") == smallest_adjusted([0.02, 0.02], "none") == [0.02, 0.02]
    rng = np.random.default_rng(5)
    system, segment = (grid.ravel() for grid in np.mgrid[0:4, 0:7])
    value = np.array([90.0, 60.0, 30.0, 0.0])[system] + rng.normal(0, 1, 28)
    judged = judgements_of(system, segment, np.zeros(28), value)
    held = ordering(judged, AnalysisPlan(), higher_is_better=True)
    assert {(pair.smallest_p, pair.smallest_p_adjusted) for pair in held.pairs} == {(1 / 64, 6 / 64)}
    assert "8 segments or more" in held.notes[0].message
    assert "--unit segment" not in held.notes[0].message
    free = ordering(judged, AnalysisPlan(correction="none"), higher_is_better=True)
    assert all(pair.reachable and pair.significant for pair in free.pairs)


def test_few_draws_are_made_enough() -> None:
    first = np.arange(30.0)
    found = ordering(two_systems(first + 9, first), AnalysisPlan(n=9), higher_is_better=True)
    assert found.pairs[0].reachable
    assert found.pairs[0].significant


@pytest.mark.parametrize("test", ["randomization", "signed-rank", "rank-sum"])
def test_the_smallest_p_is_no_greater_than_p_before_correction_and_after(test: str) -> None:
    system, segment = (grid.ravel() for grid in np.mgrid[0:3, 0:9])
    value = np.array([90.0, 60.0, 30.0])[system] + np.arange(27) % 5
    judged = judgements_of(system, segment, np.zeros(27), value)
    found = ordering(judged, AnalysisPlan(test=test), higher_is_better=True)  # type: ignore[arg-type]
    for entry in (pair.to_json() for pair in found.pairs):
        assert entry["smallest_p"] <= entry["p"]
        assert entry["smallest_p"] < entry["smallest_p_adjusted"] <= entry["p_adjusted"]


def test_the_smallest_p_is_what_a_perfect_result_gets() -> None:
    apart = mannwhitneyu([1, 2, 3], [4, 5, 6, 7], method="asymptotic").pvalue
    assert smallest_rank_sum_p(3, 4) < apart
    first = np.arange(8.0)
    (signed,) = ordering(two_systems(first + 3, first), AnalysisPlan(test="signed-rank"), higher_is_better=True).pairs
    assert signed.p == pytest.approx(smallest_p("wilcoxon", 8))


def test_few_segments_are_out_of_reach_of_the_rank_sum_test() -> None:
    found = ordering(
        two_systems(np.array([9.0, 8.0]), np.array([1.0, 2.0])), AnalysisPlan(test="rank-sum"), higher_is_better=True
    )
    assert not found.pairs[0].reachable
    assert found.notes[0].code == "out-of-reach"
