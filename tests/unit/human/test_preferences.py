"""Rankings and preferences: one test behind p's, ranks and clusters, and nothing claimed that it cannot show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from karat.corpus.ratings import Ratings
from karat.errors import InputError
from karat.human.analysis import analyse
from karat.human.plan import AnalysisPlan
from karat.human.results import CriterionResult

Outcome = tuple[str, str, int, str]


def found_in(outcomes: list[Outcome], plan: AnalysisPlan | None = None, document: int | None = None) -> CriterionResult:
    """The analysis of (first, second, segment, outcome), each by a rater of its own."""
    size = len(outcomes)
    columns = {
        "system": [one[0] for one in outcomes],
        "other_system": [one[1] for one in outcomes],
        "segment": [str(one[2]) for one in outcomes],
        "label": [one[3] for one in outcomes],
        "rater": [f"r{i}" for i in range(size)],
        "protocol": ["preference"] * size,
        "criterion": ["overall"] * size,
    }
    if document is not None:
        columns["document"] = [f"d{one[2] // document}" for one in outcomes]
    (criterion,) = analyse(Ratings.of(columns), plan or AnalysisPlan()).criteria
    return criterion


@given(wins=st.integers(0, 6), losses=st.integers(0, 6))
@settings(max_examples=20, deadline=None)
def test_one_comparison_of_each_segment_is_a_sign_test(wins: int, losses: int) -> None:
    if wins + losses < 2:
        return
    labels = ["first"] * wins + ["second"] * losses
    (pair,) = found_in([("a", "b", i, label) for i, label in enumerate(labels)]).pairs
    assert pair.p == pytest.approx(binomtest(wins, wins + losses).pvalue)
    assert pair.difference == pytest.approx((wins - losses) / (wins + losses))
    assert (pair.details["wins"], pair.details["losses"], pair.segments) == (wins, losses, wins + losses)


def test_judgements_of_one_segment_are_not_taken_for_independent() -> None:
    """Forty raters who agree on four segments are four units."""
    (pair,) = found_in([("a", "b", i % 4, "first") for i in range(40)]).pairs
    assert pair.p == pytest.approx(2 / 2**4)
    assert not pair.significant


@given(seed=st.integers(0, 10_000), segments=st.integers(3, 30), strength=st.sampled_from([0.0, 1.0, 4.0]))
@settings(max_examples=20, deadline=None)
def test_ranks_and_clusters_follow_from_the_same_test_as_p(seed: int, segments: int, strength: float) -> None:
    rng = np.random.default_rng(seed)
    quality = {"a": 2.0, "b": 1.0, "c": 0.0}
    outcomes: list[Outcome] = []
    for segment in range(segments):
        for first, second in (("a", "b"), ("b", "c"), ("a", "c")):
            wins = rng.random() < 1 / (1 + np.exp(-strength * (quality[first] - quality[second])))
            outcomes.append((first, second, segment, "first" if wins else "second"))
    criterion = found_in(outcomes)
    significant = [pair for pair in criterion.pairs if pair.significant]
    assert significant == [pair for pair in criterion.pairs if pair.p_adjusted is not None and pair.p_adjusted <= 0.05]
    beats = {(pair.better, pair.first if pair.better == pair.second else pair.second) for pair in significant}
    for system in criterion.systems:
        assert system.rank_low == 1 + sum(loser == system.system for _, loser in beats)
        assert system.rank_high == 3 - sum(winner == system.system for winner, _ in beats)
    if not beats:
        assert {system.cluster for system in criterion.systems} == {1}
    reachable = any(pair.reachable for pair in criterion.pairs if pair.details["wins"] != pair.details["losses"])
    assert ("out-of-reach" in {note.code for note in criterion.notes}) <= (not beats)
    assert reachable or not beats


def test_too_few_units_are_told_with_the_remedy() -> None:
    criterion = found_in([("a", "b", i, "first") for i in range(5)])
    assert [system.cluster for system in criterion.systems] == [1, 1]
    (note,) = (note for note in criterion.notes if note.code == "out-of-reach")
    assert "take 6 segments or more" in note.message


def test_documents_are_the_units_where_they_are_known() -> None:
    outcomes = [("a", "b", i, "first") for i in range(12)]
    by_document = found_in(outcomes, document=4)
    assert by_document.pairs[0].p == pytest.approx(2 / 2**3)
    assert "of documents" in by_document.method
    assert "out-of-reach" in {note.code for note in by_document.notes}
    assert {system.cluster for system in by_document.systems} == {1}
    by_segment = found_in(outcomes, AnalysisPlan(unit="segment"), document=4)
    assert by_segment.pairs[0].significant
    assert "segments are the unit although 3 documents are known" in by_segment.notes[1].message
    assert not any(note.code == "unit" for note in by_document.notes)
    assert [system.system for system in by_segment.systems] == ["a", "b"]
    assert [system.cluster for system in by_segment.systems] == [1, 2]
    with pytest.raises(InputError, match="--unit document"):
        found_in(outcomes, AnalysisPlan(unit="document"))


def test_the_test_is_the_one_that_was_asked_for() -> None:
    outcomes = [("a", "b", i, "first") for i in range(12)]
    assert "signed-rank" in found_in(outcomes, AnalysisPlan(test="signed-rank")).method
    with pytest.raises(InputError, match="leave out --test rank-sum"):
        found_in(outcomes, AnalysisPlan(test="rank-sum"))
    with pytest.raises(InputError, match="leave out --unpaired"):
        found_in(outcomes, AnalysisPlan(unpaired=True))
    left_out = found_in(outcomes, AnalysisPlan(model="always")).notes
    assert "model-left-out" in {note.code for note in left_out}


def test_systems_that_never_met_are_not_tested() -> None:
    outcomes = [("a", "b", i, "first") for i in range(12)] + [("c", "d", i, "second") for i in range(12)]
    criterion = found_in(outcomes)
    assert [(pair.first, pair.second) for pair in criterion.pairs] == [("a", "b"), ("c", "d")]
    assert {(system.rank_low, system.cluster) for system in criterion.systems} == {(1, 1), (2, 1)}
    (note,) = (note for note in criterion.notes if note.code == "not-tested")
    assert "4 of 6 pairs of systems are not tested" in note.message


def test_a_preset_without_tests_shows_no_p() -> None:
    outcomes = [("a", "b", i, "first") for i in range(30)]
    criterion = found_in(outcomes, AnalysisPlan(preset="wmt16"))
    (pair,) = criterion.pairs
    assert (pair.p, pair.p_adjusted, pair.better) == (None, None, "a")
    clusters = {system.system: system.cluster for system in criterion.systems}
    assert pair.significant == (clusters["a"] != clusters["b"])


@pytest.mark.parametrize("last", ["first", "second"])
def test_wins_that_go_round_are_said_to_agree_with_no_order(last: str) -> None:
    outcomes = [
        pair for i in range(12) for pair in (("a", "b", i, "first"), ("b", "c", i, "first"), ("c", "a", i, last))
    ]
    result = found_in(outcomes)
    assert all(pair.significant for pair in result.pairs)
    said = [note.message for note in result.notes if note.code == "circle"]
    if last == "first":
        assert said == ["no order agrees with all that the tests show: a beats b, b beats c, c beats a"]
    else:
        assert said == []
