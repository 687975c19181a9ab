"""Kappas and alphas equal those of other packages, and are None where they are not defined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.human.agreement.cohen import KAPPA_WEIGHTS, KappaWeights, cohen, confusion
from karat.human.agreement.fleiss import answer_counts, fleiss
from karat.human.agreement.krippendorff import ANSWER_SCALES, AnswerScale, alphas, krippendorff
from karat.human.agreement.percent import percent
from karat.human.agreement.two_of_three import chance_of_two, two_of_three
from karat.human.agreement.value import landis_koch
from karat.significance import Resampling

ANSWERS = st.integers(1, 5)
TWO_RATERS = st.lists(st.tuples(ANSWERS, ANSWERS), min_size=2, max_size=30).map(lambda pairs: [*pairs, (1, 2), (3, 3)])
"""Answers of two raters; the last two items make sure that chance alone does not agree fully."""


@pytest.mark.parametrize("weights", KAPPA_WEIGHTS)
@given(judged=TWO_RATERS)
def test_cohen_equals_scikit_learn_and_statsmodels(weights: KappaWeights, judged: list[tuple[int, int]]) -> None:
    sklearn_metrics = pytest.importorskip("sklearn.metrics")
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    first, second = zip(*judged, strict=True)
    found = cohen(first, second, weights)
    other = sklearn_metrics.cohen_kappa_score(first, second, weights=None if weights == "none" else weights)
    assert found.value == pytest.approx(other, abs=1e-12)
    counts, _ = confusion(first, second)
    kind = {"none": None, "linear": "linear", "quadratic": "quadratic"}[weights]
    third = inter_rater.cohens_kappa(counts, wt=kind, return_results=False)
    assert found.value == pytest.approx(third, abs=1e-12)


@given(
    answers=st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=20),
)
def test_fleiss_equals_statsmodels(answers: list[list[int]]) -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    judged = np.array([*answers, [0, 1, 2, 3], [0, 0, 0, 1]])
    items = np.repeat(np.arange(len(judged)), 4)
    counts = answer_counts(items, judged.ravel())
    assert fleiss(counts).value == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


@pytest.mark.parametrize("scale", ANSWER_SCALES)
@given(
    table=st.lists(st.lists(st.none() | st.integers(1, 6), min_size=3, max_size=3), min_size=1, max_size=20),
)
def test_alpha_equals_the_krippendorff_package(scale: AnswerScale, table: list[list[int | None]]) -> None:
    other = pytest.importorskip("krippendorff")
    rows = [*table, [1, 2, None], [4, 4, 5]]
    matrix = np.array([[np.nan if value is None else float(value) for value in row] for row in rows]).T
    items = [i for i, row in enumerate(rows) for value in row if value is not None]
    values = [float(value) for row in rows for value in row if value is not None]
    expected = other.alpha(reliability_data=matrix, level_of_measurement=scale)
    assert krippendorff(items, values, scale).value == pytest.approx(expected, abs=1e-9)


def test_krippendorffs_own_example() -> None:
    """The data of Krippendorff's "Computing Krippendorff's alpha-reliability" (2011), four observers, twelve units."""
    observers = (
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    )
    judged = [(i, int(v)) for line in observers for i, v in enumerate(line.split()) if v != "."]
    items, values = zip(*judged, strict=True)
    found = {scale: krippendorff(items, values, scale).value for scale in ANSWER_SCALES}
    assert found == {
        "nominal": pytest.approx(0.743, abs=5e-4),
        "ordinal": pytest.approx(0.815, abs=5e-4),
        "interval": pytest.approx(0.849, abs=5e-4),
    }


def test_intervals_share_their_draws_and_contain_the_value() -> None:
    rng = np.random.default_rng(3)
    items = np.repeat(np.arange(60), 3)
    values = (np.repeat(rng.integers(1, 6, 60), 3) + rng.integers(0, 2, 180)).astype(float)
    together = alphas(items, values, resampling=Resampling(n=200))
    alone = krippendorff(items, values, "ordinal", resampling=Resampling(n=200))
    assert together[1] == alone
    for one in together:
        assert one.value is not None
        assert one.interval is not None
        assert one.interval.low < one.value < one.interval.high


def test_intervals_over_documents_are_wider_where_documents_differ() -> None:
    rng = np.random.default_rng(4)
    items = np.repeat(np.arange(100), 2)
    quality = np.repeat(rng.normal(0, 1, 10), 20)
    values = quality + rng.normal(0, 1, 200)
    one, other = (
        krippendorff(items, values, "interval", clusters=labels, resampling=Resampling(n=500)).interval
        for labels in (None, items // 10)
    )
    assert one is not None
    assert other is not None
    assert other.high - other.low > one.high - one.low


def test_undefined_values_say_why() -> None:
    assert cohen([1, 1], [1, 1]).value is None
    assert "only one answer" in str(krippendorff([0, 0], [2, 2]).note)
    assert "nothing was judged twice" in str(fleiss([[1, 0], [0, 1]]).note)
    assert percent([], []).value is None


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (-0.2, "poor"),
        (0, "slight"),
        (0.2, "slight"),
        (0.21, "fair"),
        (0.6, "moderate"),
        (0.61, "substantial"),
        (1, "almost perfect"),
    ],
)
def test_words(value: float, word: str) -> None:
    assert landis_koch(value) == word


def test_two_of_three_has_both_chances() -> None:
    assert chance_of_two(5) == pytest.approx(0.52)
    rng = np.random.default_rng(0)
    share, paper, right = two_of_three(rng.integers(1, 6, (20_000, 3)), 5)
    assert share.value == pytest.approx(0.52, abs=0.01)
    assert paper.expected == pytest.approx(0.2)
    assert right.value == pytest.approx(0, abs=0.03)
