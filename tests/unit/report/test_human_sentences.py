"""Every sentence that `karat human` prints about random ratings follows from the numbers beside it."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import written

from karat.corpus.ratings import Ratings
from karat.human.agreement.value import landis_koch
from karat.human.analysis import analyse
from karat.human.plan import AnalysisPlan
from karat.human.results import CriterionResult, PairResult

TESTS = ("randomization", "signed-rank", "rank-sum")
SENTENCES = {
    "shared-segments": r"two systems are compared on the segments that both were judged on, [\d, to]+ of \d+; .*",
    "nothing-shared": r"no two systems were judged on the same segment, .* --unpaired",
    "not-tested": r"(no two systems are compared|\d+ of \d+ pairs (is|are) not tested), where both were judged on .*",
    "test-against-mean": r"\w+ is better than \w+ on the \d+ segments that both were judged on, though the mean of .*",
    "model-left-out": r"there is no mixed model: .*",
    "unbalanced": r"assignment is unbalanced: \d+% of segments by systems were judged, .*",
    "model": r"Model: mean of a system .* standard deviations of (raters .*, )?segments .*, rest .*",
    "intervals": r"intervals: 95%, 1,000 resamples of [\d,]+ (segment|document)s, seed \d+",
    "few-units": r"only \d+ (segment|document)s: .*|[\d.]+% of the draws are left out .*",
    "out-of-reach": r"no system can be told from another, whatever the judgements: .*",
    "test-against-score": r"the test favours \w+ over \w+ \(p = .*\), though the score of \w+ is better by .*",
    "one-system": r"there is one system only, \w+: nothing is compared",
    "unit": r"(segments are the unit|the rank-sum test takes segments) although \d+ documents? (is|are) known: .*",
    "one-document": r"all segments are of one document, so segments are the unit: .*",
    "duplicate-judgements": r".* judged more than once by one rater .*",
}


@st.composite
def random_ratings(draw: st.DrawFn) -> Ratings:
    """A few systems with skewed values, in documents, by raters some of whom judge twice."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    systems, segments, raters = draw(st.integers(2, 4)), draw(st.integers(2, 24)), draw(st.integers(1, 3))
    system, segment, rater = (grid.ravel() for grid in np.mgrid[0:systems, 0:segments, 0:raters])
    shift = draw(st.sampled_from([0.0, 4.0, 25.0]))
    value = 60 + shift * system + rng.normal(0, 5, len(system)) - 50 * (rng.random(len(system)) < 0.1 * system)
    kept = rng.random(len(system)) < draw(st.sampled_from([1.0, 0.7]))
    kept[: systems * segments * raters : raters] = True
    kept &= rng.random((systems, segments))[system, segment] < draw(st.sampled_from([1.0, 0.5, 0.1]))
    kept[:1] = True
    columns = {
        "system": [f"s{i}" for i in system[kept]],
        "segment": [str(i) for i in segment[kept]],
        "rater": [f"r{i}" for i in rater[kept]],
        "value": np.clip(value[kept], 0, 100).round(),
    }
    if draw(st.booleans()):
        columns["document"] = [f"d{i // 4}" for i in segment[kept]]
    size = int(kept.sum())
    return Ratings.of({**columns, "protocol": ["da"] * size, "criterion": ["overall"] * size})


@given(ratings=random_ratings(), test=st.sampled_from(TESTS), correction=st.sampled_from(["holm", "none"]))
@settings(max_examples=40, deadline=None)
def test_sentences_follow_from_the_numbers(ratings: Ratings, test: str, correction: str) -> None:
    plan = AnalysisPlan(test=test, correction=correction, n=199)  # type: ignore[arg-type]
    result = analyse(ratings, plan)
    (criterion,) = result.criteria
    check_ranks(criterion)
    for pair in criterion.pairs:
        check_pair(pair, plan)
    check_notes(criterion, plan)
    check_text(written(result, "markdown", "systems", "pairs", "agreement"), criterion)


def check_ranks(criterion: CriterionResult) -> None:
    """Ranks count those that a significant test put above and below; a cluster ends where all above beat all below."""
    beats = {(pair.better, loser(pair)) for pair in criterion.pairs if pair.significant}
    ranked = [system for system in criterion.systems if system.ranked]
    assert {name for pair in criterion.pairs if pair.p is not None for name in (pair.first, pair.second)} == {
        system.system for system in ranked
    }
    names = [system.system for system in ranked]
    for system in ranked:
        assert system.rank_low == 1 + sum((other, system.system) in beats for other in names)
        assert system.rank_high == len(names) - sum((system.system, other) in beats for other in names)
    for place, (upper, lower) in enumerate(pairwise(ranked), start=1):
        ends = all((above, below) in beats for above in names[:place] for below in names[place:])
        assert (lower.cluster > upper.cluster) == ends


def loser(pair: PairResult) -> str:
    return pair.second if pair.better == pair.first else pair.first


def check_pair(pair: PairResult, plan: AnalysisPlan) -> None:
    if pair.p is None or pair.p_adjusted is None:
        assert not pair.significant
        assert pair.segments is not None
        return
    assert pair.p_adjusted >= pair.p - 1e-12
    assert pair.significant == (pair.p_adjusted <= plan.alpha and pair.better is not None)
    assert pair.smallest_p is not None
    assert pair.smallest_p_adjusted is not None
    assert pair.reachable == (pair.smallest_p_adjusted <= plan.alpha)
    if plan.test != "randomization":
        assert pair.p >= min(1.0, pair.smallest_p) - 1e-9
        assert pair.p_adjusted >= min(1.0, pair.smallest_p_adjusted) - 1e-9
    else:
        assert not pair.contradicts_score


def check_notes(criterion: CriterionResult, plan: AnalysisPlan) -> None:
    codes = [note.code for note in criterion.notes]
    for note in criterion.notes:
        assert re.fullmatch(SENTENCES[note.code], note.message), note
    assert codes.count("test-against-score") == sum(pair.contradicts_score for pair in criterion.pairs)
    if "out-of-reach" in codes:
        assert not any(pair.reachable or pair.significant for pair in criterion.pairs)
        (note,) = (note for note in criterion.notes if note.code == "out-of-reach")
        assert f"{plan.alpha:g}" in note.message
        assert re.search(r"cannot give a p below|at best", note.message)
    model = [note.message for note in criterion.notes if note.code == "model"]
    if criterion.variances is not None:
        several = len(criterion.raters) > 1
        shown = [value for name, value in vars(criterion.variances).items() if several or name != "rater"]
        assert model[0].count("unknown") >= shown.count(None)
    else:
        assert model == []


def check_text(text: str, criterion: CriterionResult) -> None:
    lines = text.splitlines()
    for pair in criterion.pairs:
        (line,) = (line for line in lines if line.startswith(f"| {pair.first} | {pair.second} |"))
        significant, better = (cell.strip() for cell in line.strip("|").split("|")[-2:])
        tested = "yes" if pair.significant else "no" if pair.reachable else "out of reach"
        assert significant == ("not tested" if pair.p is None else tested)
        assert better == (pair.better if pair.significant else "–")
    for value in criterion.agreement:
        if value.words is not None and value.value is not None:
            assert value.words == landis_koch(value.value)
            assert any(line.startswith(f"| {value.measure} |") and f"| {value.words} |" in line for line in lines)
    assert "may be chance" not in text


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_a_test_against_the_score_is_said_in_every_form(form: str) -> None:
    rng = np.random.default_rng(4)
    second = rng.normal(60, 2, 60)
    first = second + rng.uniform(3, 6, 60)
    first[:8] = 0
    columns = {
        "system": ["a"] * 60 + ["b"] * 60,
        "segment": [str(i) for i in range(60)] * 2,
        "rater": ["r"] * 120,
        "value": np.concatenate([first, second]),
    }
    ratings = Ratings.of({**columns, "protocol": ["scale"] * 120, "criterion": ["overall"] * 120})
    shown = written(analyse(ratings, AnalysisPlan(test="rank-sum")), form, "systems", "pairs")
    said = " ".join(shown.split())
    assert "The test favours a over b" in said
    assert "though the score of b is better" in said


def test_pairs_out_of_reach_keep_their_interval() -> None:
    columns = {
        "system": ["a"] * 5 + ["b"] * 5,
        "segment": [str(i) for i in range(5)] * 2,
        "rater": ["r"] * 10,
        "value": np.array([60.0, 62.0, 64.0, 61.0, 63.0, 50.0, 51.0, 55.0, 50.0, 52.0]),
    }
    found = analyse(Ratings.of({**columns, "protocol": ["scale"] * 10, "criterion": ["overall"] * 10}), AnalysisPlan())
    (pair,) = found.criteria[0].pairs
    low, high = pair.details["interval"]
    shown = written(found, "markdown", "pairs")
    assert "out of reach" in shown
    assert f"[{low:.2f}, {high:.2f}]" in shown.replace("\\", "")
