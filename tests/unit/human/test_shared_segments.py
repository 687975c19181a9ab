"""Two systems are compared on the segments that both were judged on, and on nothing else unless that is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import written
from tests.unit.human.conftest import judgements_of

from karat.corpus.ratings import Ratings
from karat.errors import InputError
from karat.human.analysis import analyse
from karat.human.ordering import ordering
from karat.human.plan import AnalysisPlan
from karat.human.results import CriterionResult, RatingAnalysis
from karat.human.scales.judgements import Judgements
from karat.rows import Rows
from karat.service.human import HumanRequest, analyse_ratings
from karat.significance import Options, compare_pair

TESTS = ("randomization", "signed-rank", "rank-sum")
Judged = dict[str, dict[int, float]]


def ratings_of(judged: Judged, *, documents: int | None = None) -> Ratings:
    """Values by system and segment, given by one rater."""
    rows = [(system, segment, value) for system, values in judged.items() for segment, value in values.items()]
    columns = {
        "system": [system for system, _, _ in rows],
        "segment": [str(segment) for _, segment, _ in rows],
        "value": [value for _, _, value in rows],
        "rater": ["r"] * len(rows),
        "protocol": ["custom"] * len(rows),
        "criterion": ["overall"] * len(rows),
    }
    if documents is not None:
        columns["document"] = [f"d{segment // documents}" for _, segment, _ in rows]
    return Ratings.of(columns)


def found_in(judged: Judged, plan: AnalysisPlan | None = None, *, documents: int | None = None) -> CriterionResult:
    (criterion,) = analyse(ratings_of(judged, documents=documents), plan or AnalysisPlan()).criteria
    return criterion


def easy_and_hard() -> Judged:
    """`a` met easy segments and `b` hard ones besides those of both, where `b` is better by 2 throughout."""
    rng = np.random.default_rng(3)
    shared = {segment: 50 + float(rng.normal(0, 5)) for segment in range(40)}
    easy = {segment: 90 + float(rng.normal(0, 1)) for segment in range(100, 160)}
    hard = {segment: 10 + float(rng.normal(0, 1)) for segment in range(200, 260)}
    return {"a": {**shared, **easy}, "b": {**{segment: value + 2 for segment, value in shared.items()}, **hard}}


def apart() -> Judged:
    return {"a": {i: 80.0 + i % 7 for i in range(40)}, "b": {i: 20.0 + i % 5 for i in range(40, 80)}}


@pytest.mark.parametrize("test", ["randomization", "signed-rank"])
def test_difference_p_and_cluster_come_from_the_shared_segments(test: str) -> None:
    criterion = found_in(easy_and_hard(), AnalysisPlan(test=test))  # type: ignore[arg-type]
    (pair,) = criterion.pairs
    assert (pair.first, pair.second, pair.segments) == ("a", "b", 40)
    assert pair.difference == pytest.approx(-2)
    assert pair.details["interval"] == pytest.approx([-2, -2])
    assert (pair.better, pair.significant, pair.contradicts_score) == ("b", True, False)
    means = {system.system: system.score for system in criterion.systems}
    assert means["a"] > 60 > means["b"]
    assert [(system.system, system.rank_low, system.cluster) for system in criterion.systems] == [
        ("b", 1, 1),
        ("a", 2, 2),
    ]
    said = {note.code: note.message for note in criterion.notes}
    assert "40 of 160" in said["shared-segments"]
    assert "b is better than a on the 40 segments that both were judged on" in said["test-against-mean"]


def test_the_rank_sum_test_takes_shared_segments_unless_it_is_unpaired() -> None:
    (shared,) = found_in(easy_and_hard(), AnalysisPlan(test="rank-sum")).pairs
    assert (shared.segments, shared.difference) == (40, pytest.approx(-2))
    every = found_in(easy_and_hard(), AnalysisPlan(test="rank-sum", unpaired=True))
    (pair,) = every.pairs
    assert pair.difference is not None
    assert pair.difference > 40
    assert (pair.segments, pair.better) == (None, "a")
    assert "rank-sum test, unpaired by definition, of all segments" in every.method


def test_unpaired_compares_all_that_was_judged_and_says_so() -> None:
    criterion = found_in(easy_and_hard(), AnalysisPlan(unpaired=True))
    (pair,) = criterion.pairs
    assert pair.difference is not None
    assert pair.difference > 40
    assert (pair.better, pair.segments, pair.significant) == ("a", None, True)
    assert "unpaired, each system on whatever was judged of it: a 100, b 100 of 160 segments" in {
        note.message for note in criterion.notes
    }
    with pytest.raises(InputError, match="leave out --unpaired"):
        AnalysisPlan(test="signed-rank", unpaired=True)


@pytest.mark.parametrize("test", TESTS)
def test_nothing_shared_is_nothing_claimed(test: str) -> None:
    criterion = found_in(apart(), AnalysisPlan(test=test))  # type: ignore[arg-type]
    (pair,) = criterion.pairs
    assert (pair.p, pair.p_adjusted, pair.difference, pair.significant, pair.segments) == (None, None, None, False, 0)
    assert not criterion.ranked
    assert {(system.rank_low, system.rank_high, system.cluster) for system in criterion.systems} == {(1, 2, 1)}
    (note,) = (note for note in criterion.notes if note.code == "nothing-shared")
    assert "let systems share segments" in note.message
    assert "--unpaired" in note.message
    assert "test" not in criterion.method
    assert "randomisation" not in criterion.method
    shown = written(RatingAnalysis((criterion,)), "markdown", "systems", "pairs")
    assert "| – | a | 40 |" in shown
    assert "**" not in shown
    assert "| a | b | 0 | – | – | – | not tested | – |" in shown
    assert all(note.code != "out-of-reach" for note in criterion.notes)


def test_a_pair_without_shared_segments_is_left_untested_and_the_others_are_not() -> None:
    judged = apart()
    both = {**judged["a"], **judged["b"]}
    criterion = found_in({**judged, "c": {segment: value - 10 for segment, value in both.items()}})
    pairs = {(pair.first, pair.second): pair for pair in criterion.pairs}
    assert {names: pair.segments for names, pair in pairs.items()} == {("a", "b"): 0, ("a", "c"): 40, ("b", "c"): 40}
    assert pairs["a", "b"].p is None
    assert pairs["a", "c"].significant
    assert pairs["b", "c"].significant
    # Only the pairs that are tested are corrected for.
    assert pairs["a", "c"].p is not None
    assert pairs["a", "c"].p_adjusted == pytest.approx(2 * pairs["a", "c"].p)
    ranks = {system.system: (system.rank_low, system.rank_high) for system in criterion.systems}
    assert ranks == {"a": (1, 2), "b": (1, 2), "c": (3, 3)}
    (note,) = (note for note in criterion.notes if note.code == "not-tested")
    assert "1 of 3 pairs is not tested" in note.message
    assert "both were judged on fewer than two segments: a and b; let systems share more segments" in note.message


def test_one_shared_segment_is_too_little_to_draw_from() -> None:
    criterion = found_in({"a": {1: 5.0, 2: 6.0}, "b": {2: 3.0, 3: 2.0}})
    (pair,) = criterion.pairs
    assert (pair.p, pair.difference, pair.segments) == (None, 3.0, 1)
    assert not criterion.ranked
    (note,) = (note for note in criterion.notes if note.code == "not-tested")
    assert note.message.startswith("no two systems are compared, where both were judged on fewer than two segments")


def said(criterion: CriterionResult, code: str) -> str:
    (message,) = (note.message for note in criterion.notes if note.code == code)
    return message


def test_the_reach_of_tests_is_that_of_the_pair_that_shares_the_most() -> None:
    """With 15 pairs every corrected p is 1 at best, and still some pairs are nearer to alpha than the first."""
    judged: Judged = {"few": {0: 1.0, 1: 2.0}}
    judged |= {f"s{i}": {segment: 10.0 * i + segment for segment in range(4)} for i in range(1, 6)}
    assert "4 segments cannot give a p below 0.12" in said(found_in(judged), "out-of-reach")


@pytest.mark.parametrize(("shared", "helps"), [((0,), False), ((0, 1), True)])
def test_segments_are_advised_only_where_untested_pairs_share_them(shared: tuple[int, ...], helps: bool) -> None:
    first = dict.fromkeys((*shared, 2, 3), 1.0)
    second = dict.fromkeys((*shared, 4, 5), 2.0)
    message = said(found_in({"a": first, "b": second}, documents=2), "not-tested")
    assert message.startswith(
        "no two systems are compared, where both were judged on fewer than two documents: a and b"
    )
    assert ("--unit segment" in message) == helps


def test_one_document_is_nothing_to_draw_from() -> None:
    judged = {"a": dict.fromkeys(range(4), 5.0), "b": dict.fromkeys(range(4), 4.0)}
    with pytest.raises(InputError, match="all segments are of one document"):
        found_in(judged, AnalysisPlan(unit="document"), documents=4)
    assert "intervals" not in {note.code for note in found_in({"a": {1: 5.0}, "b": {1: 4.0}}).notes}


@given(seed=st.integers(0, 10_000), document=st.booleans())
@settings(max_examples=15, deadline=None)
def test_every_pair_is_what_a_comparison_of_its_shared_segments_gives(seed: int, document: bool) -> None:
    rng = np.random.default_rng(seed)
    judged: Judged = {
        name: {i: float(rng.integers(0, 20)) for i in range(36) if rng.random() < 0.7} for name in ("a", "b", "c")
    }
    criterion = found_in(judged, AnalysisPlan(correction="none"), documents=3 if document else None)
    in_order = dict.fromkeys(i for values in judged.values() for i in values)
    for pair in criterion.pairs:
        common = [i for i in in_order if i in judged[pair.first] and i in judged[pair.second]]
        rows = [Rows.from_scores([judged[name][i] for i in common], spec="x") for name in (pair.second, pair.first)]
        if document:
            rows = [of_system.grouped([str(i // 3) for i in common]) for of_system in rows]
        expected = compare_pair(*rows, Options(correction="none"))
        assert pair.segments == len(common)
        assert (pair.difference, pair.p) == (pytest.approx(expected.difference), pytest.approx(expected.p))
        if not document:
            # Documents come in an order of their own; the p of so few of them is exact, and their resamples are not.
            assert pair.details["interval"] == pytest.approx([expected.interval.low, expected.interval.high])


def test_a_preset_of_matched_segments_shows_their_difference() -> None:
    rng = np.random.default_rng(1)
    shared = {i: float(rng.normal(50, 5)) for i in range(40)}
    judged = {"a": {**shared, **{i: 90.0 + i % 3 for i in range(100, 110)}}, "b": {i: v - 9 for i, v in shared.items()}}
    (matched,) = found_in(judged, AnalysisPlan(preset="wmt23")).pairs
    assert (matched.difference, matched.segments, matched.significant) == (pytest.approx(9), 40, True)
    disjoint = found_in(apart(), AnalysisPlan(preset="wmt23"))
    assert (disjoint.pairs[0].p, disjoint.ranked) == (None, False)
    unpaired = found_in(apart(), AnalysisPlan(preset="wmt21"))
    assert "rank-sum test, unpaired by definition, of all segments" in unpaired.method
    assert unpaired.pairs[0].significant


def crossed(values: np.ndarray, controls: np.ndarray | None = None) -> Judgements:
    systems, segments = values.shape
    system, segment = (grid.ravel() for grid in np.mgrid[0:systems, 0:segments])
    return judgements_of(system, segment, np.zeros(values.size), values.ravel(), control=controls)


def test_clusters_follow_the_test_and_not_the_means() -> None:
    """s2 beats both others on nearly all segments, and has the worst mean for a few disasters."""
    rng = np.random.default_rng(4)
    base = rng.normal(60, 2, 80)
    values = np.stack([base, base + rng.normal(0, 3, 80), base + rng.uniform(3, 6, 80)])
    values[2, :15] = 0
    for test in ("signed-rank", "rank-sum"):
        found = ordering(crossed(values), AnalysisPlan(test=test), higher_is_better=True)  # type: ignore[arg-type]
        assert np.argmin(found.order.scores) == 2
        assert found.order.beats[2, :2].all()
        assert found.order.ranges[2] == (1, 1)
        assert found.order.clusters == [2, 2, 1]


def test_a_system_of_control_items_breaks_no_clusters() -> None:
    values = np.stack([np.arange(20.0) + 50, np.arange(20.0), np.zeros(20)])
    controls = np.repeat([0, 0, 4], 20)
    for test in TESTS:
        found = ordering(crossed(values, controls), AnalysisPlan(test=test), higher_is_better=True)  # type: ignore[arg-type]
        assert found.order.clusters[:2] == [1, 2]
        assert found.order.ranges[:2] == [(1, 1), (2, 2)]


def test_z_counts_what_n_counts(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    rows = [
        f"r,{system},{i},custom,overall,{value},{again}"
        for system, i, value, again in (
            ("a", 1, 10, ""),
            ("a", 2, 20, ""),
            ("b", 1, 30, ""),
            ("b", 2, 40, ""),
            ("a", 1, 90, "repeat"),
        )
    ]
    path.write_text("\n".join(["rater,system,segment,protocol,criterion,value,control", *rows]) + "\n")
    document = json.loads(json.dumps(analyse_ratings(HumanRequest(paths=(str(path),))).to_json()))
    values = np.array([10, 20, 30, 40, 90])
    z = (values - values.mean()) / values.std(ddof=1)
    shown = {system["system"]: (system["n"], system["z"]) for system in document["systems"]}
    assert shown == {"a": (2, pytest.approx(z[:2].mean())), "b": (2, pytest.approx(z[2:4].mean()))}
    of_wmt = analyse_ratings(HumanRequest(paths=(str(path),), plan=AnalysisPlan(preset="wmt21"))).criteria[0]
    counted = {system.system: (system.n, system.z, system.score) for system in of_wmt.systems}
    with_repeat = (z[[0, 4]].mean() + z[1]) / 2
    assert counted["a"] == (3, pytest.approx(with_repeat), pytest.approx(with_repeat))


def test_one_system_is_said_to_be_one() -> None:
    criterion = found_in({"only": {i: float(i) for i in range(10)}})
    assert "there is one system only, only: nothing is compared" in {note.message for note in criterion.notes}
    assert "too little" not in criterion.method
    assert not criterion.ranked


@pytest.mark.parametrize("test", TESTS[:2])
def test_three_documents_claim_nothing_and_this_is_said(test: str) -> None:
    judged = {
        name: {i: float(base + i % 4) for i in range(12)} for name, base in (("a", 90), ("b", 50), ("c", 10), ("d", 10))
    }
    criterion = found_in(judged, AnalysisPlan(test=test), documents=4)  # type: ignore[arg-type]
    assert not any(pair.significant for pair in criterion.pairs)
    assert {(system.rank_low, system.rank_high, system.cluster) for system in criterion.systems} == {(1, 4, 1)}
    shown = written(RatingAnalysis((criterion,)), "markdown", "pairs")
    assert shown.count("| – |") >= len(criterion.pairs)
    assert shown.count("out of reach") == len(criterion.pairs)
    # That c and d are alike does not keep the others within reach.
    assert "out-of-reach" in {note.code for note in criterion.notes}


def test_a_model_of_one_rater_has_systems_and_segments() -> None:
    rng = np.random.default_rng(2)
    hardness = rng.normal(0, 10, 60)
    judged = {
        name: {i: float(60 + shift + hardness[i] + rng.normal(0, 1)) for i in kept}
        for name, shift, kept in (("a", 0, range(40)), ("b", 5, range(20, 60)))
    }
    criterion = found_in(judged, AnalysisPlan(model="always"))
    model = {system.system: system.model for system in criterion.systems}
    assert model["a"] is not None
    assert model["b"] is not None
    assert model["b"] - model["a"] == pytest.approx(5, abs=0.7)
    assert all(system.model_error is not None for system in criterion.systems)
    assert criterion.variances is not None
    assert criterion.variances.rater is None
    assert criterion.variances.segment is not None
    (note,) = (note for note in criterion.notes if note.code == "model")
    assert "for the one rater and an average segment; standard deviations of segments" in note.message


def test_no_model_of_single_judgements_and_this_is_said() -> None:
    criterion = found_in({"a": {1: 5.0}, "b": {1: 3.0}}, AnalysisPlan(model="always"))
    assert criterion.variances is None
    assert "model-left-out" in {note.code for note in criterion.notes}
