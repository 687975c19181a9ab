"""BM, BMA and NM: the worked examples of Qin and Specia (2015), the slow version, and readings told apart."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import recurrence as oracle
from tests.oracles.nist import GUNMAN, GUNMAN_REFERENCES
from tests.oracles.recurrence import Reading, Weights

from karat.errors import SpecError
from karat.metrics.bleu import Bleu
from karat.metrics.bm import Bm
from karat.metrics.bma import Bma
from karat.metrics.ngrams.recurrence import RecurrenceMetric
from karat.metrics.nm import Nm

# Section 3.2 of the paper: three references that share function words alone.
DIVERGENT = [
    "At this time, the police have blocked the bombing scene.",
    "They have now sealed off the spot.",
    "The police has already blockaded the scene of the explosion.",
]
LINES = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=3)
READINGS = [
    Reading(*values)
    for values in product(
        ("recurrence", "zipf"), ("ngram", "order"), ("references", "occurrences"), ("segment", "set"), ("all", "order")
    )
]


def rows_of(metric: RecurrenceMetric, segments: list[tuple[str, list[str]]]) -> Any:
    return metric.prepare([references for _, references in segments]).rows([line for line, _ in segments])


def test_bleu_of_the_published_example() -> None:
    prepared = Bleu(lowercase=True).prepare([GUNMAN_REFERENCES])
    rows = prepared.rows([GUNMAN])
    # Three of four words in a row, "shot dead by", do match, whatever the paper says; the closest length is 5, not 9.
    assert rows.values.tolist() == [[7, 5, 6, 3, 1, 0, 7, 6, 5, 4]]
    assert rows.score / 100 == pytest.approx(0.3217294, abs=1e-7)
    add_one = Bleu(lowercase=True, smooth="add-k").prepare([GUNMAN_REFERENCES]).rows([GUNMAN])
    assert add_one.score / 100 == pytest.approx(0.4251, abs=5e-5)
    cased = Bleu().prepare([GUNMAN_REFERENCES]).rows([GUNMAN])
    assert cased.score / 100 == pytest.approx(0.3074, abs=5e-5)


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        (GUNMAN_REFERENCES, [11 / 34, 14 / 30, 14 / 26, 13 / 22]),
        (DIVERGENT, [21 / 31, 27 / 28, 1, 1]),
    ],
)
def test_divergence_of_the_published_examples(references: list[str], expected: list[float]) -> None:
    for chosen in ("segment", "set"):
        rows = rows_of(Bm(lowercase=True, divergence=chosen), [(references[0], references)])
        spread, total = rows.values[0, 10:14], rows.values[0, 6:10]
        assert spread / total == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("recurring", "of"), [(2, 10), (1, 10), (2, 4), (1, 4)])
def test_the_logarithm_of_the_published_example(recurring: int, of: int) -> None:
    published = {(2, 10): 0.3424, (1, 10): 0.3222, (2, 4): 0.3979, (1, 4): 0.3522}
    references = ["x y"] * recurring + [f"z{i} q{i}" for i in range(of - recurring)]
    metric = Bm(tokenize="none", max_order=2)
    rows = rows_of(metric, [("x y", references)])
    different = (1 + of - recurring) / of
    assert metric.order_weights(rows.sum())[1] / different == pytest.approx(published[recurring, of], abs=5e-5)


def test_more_references_make_recurrence_count_less() -> None:
    ratios = [math.log10(2 + 2 / count) / math.log10(2 + 1 / count) for count in (10, 4)]
    assert ratios == pytest.approx([1.0627, 1.1299], abs=5e-5)
    found = []
    for count in (10, 4):
        others = [f"z{i} q{i}" for i in range(count - 2)]
        metric = Bm(tokenize="none", max_order=2)
        twice, once = (
            rows_of(metric, [("x y", references)]) for references in (["x y", "x y", *others], ["x y", "p q", *others])
        )
        different = (count - 1) / count
        found.append(metric.order_weights(twice.sum())[1] / different / metric.order_weights(once.sum())[1])
    assert found == pytest.approx(ratios, abs=1e-12)


def test_scores_of_the_published_example() -> None:
    segment = [(GUNMAN, GUNMAN_REFERENCES)]
    metric = Bm(lowercase=True)
    rows = rows_of(metric, segment)
    assert metric.order_weights(rows.sum()) == pytest.approx([0.0801, 0.1779, 0.2756, 0.3558], abs=5e-5)
    assert rows.score / 100 == pytest.approx(0.06221, abs=5e-6)
    # Natural logarithms would multiply every weight, and so the score, by ln 10.
    assert rows.score / 100 * math.log(10) == pytest.approx(0.14324, abs=5e-6)
    assert rows_of(Bma(lowercase=True), segment).score / 100 == pytest.approx(0.06431, abs=5e-6)
    assert rows_of(Bma(lowercase=True, smooth="none"), segment).score / 100 == pytest.approx(0.05319, abs=5e-6)
    assert rows_of(Nm(lowercase=True), segment).score == pytest.approx(0.24563, abs=5e-6)


def test_a_perfect_match_is_not_100() -> None:
    copy = GUNMAN_REFERENCES[2]
    assert rows_of(Bm(lowercase=True), [(copy, GUNMAN_REFERENCES)]).score / 100 == pytest.approx(0.2075, abs=5e-5)
    assert rows_of(Bm(lowercase=True), [(copy, [copy])]).score / 100 == pytest.approx(0.48144, abs=5e-6)


@settings(max_examples=60)
@given(SEGMENTS, st.sampled_from(READINGS), st.sampled_from(["exp", "add-k", "none"]))
def test_scores_equal_the_slow_version(segments: list[tuple[str, list[str]]], reading: Reading, smooth: str) -> None:
    chosen = {"tokenize": "none", "max_order": 3, **dataclasses.asdict(reading)}
    weights = Weights(segments, 3, reading)
    for metric, slow in (
        (Bm(**chosen, smooth=smooth), lambda part: oracle.bm(part, weights, 3, smooth)),
        (Bma(**chosen, smooth=smooth), lambda part: oracle.bma(part, weights, 3, smooth)),
        (Nm(**chosen), lambda part: oracle.nm(part, weights, 3)),
    ):
        rows = rows_of(metric, segments)
        assert rows.score == pytest.approx(slow(segments), rel=1e-9, abs=1e-9)
        assert rows.unit_scores() == pytest.approx([slow([segment]) for segment in segments], rel=1e-9, abs=1e-9)


TELLING = [
    ("a a b c d e", ["a a b c d", "a b c a d e", "a a f"]),
    ("f g a b", ["f g a b a b", "g f a b"]),
    ("c d h", ["c d h i", "x c d", "c d h", "y"]),
]


@pytest.mark.parametrize("cls", [Bm, Bma, Nm])
def test_readings_are_told_apart_by_several_segments(cls: type[RecurrenceMetric]) -> None:
    base = cls(tokenize="none", max_order=2)
    variants = {
        "default": base,
        "one weight for each order": dataclasses.replace(base, per="order"),
        "occurrences": dataclasses.replace(base, recurrence="occurrences"),
        "divergence of the set": dataclasses.replace(base, divergence="set"),
        "zipf": dataclasses.replace(base, weight="zipf"),
        "zipf, one weight for each order": dataclasses.replace(base, weight="zipf", per="order"),
        "zipf, ranks by order": dataclasses.replace(base, weight="zipf", ranks="order"),
    }
    scores = {name: rows_of(metric, TELLING).score for name, metric in variants.items()}
    found = np.sort(np.array(list(scores.values())))
    assert (np.diff(found) > 1e-3).all(), scores
    # Each reading counts for itself: one segment alone would not show that of the set.
    alone = [rows_of(variants[name], TELLING[:1]).score for name in ("default", "divergence of the set")]
    assert alone[0] == pytest.approx(alone[1], abs=1e-12)


def test_smoothing_is_told_apart_where_an_order_has_no_match() -> None:
    segments = [("a b", ["a c b"]), ("d e f", ["e d g f"])]
    scores = [
        rows_of(Bma(tokenize="none", smooth=smooth), segments).score for smooth in ("exp", "floor", "add-k", "none")
    ]
    assert len({round(score, 6) for score in scores}) == 4


@pytest.mark.parametrize(("ranks", "weights"), [("all", [4, 4]), ("order", [3, 2.5])])
@pytest.mark.parametrize("per", ["ngram", "order"])
def test_an_order_without_a_match_has_the_rank_of_the_rarest_n_gram(ranks: str, weights: list[float], per: str) -> None:
    # All n-grams occur once: five share the rank 3, or three words the rank 2 and two pairs the rank 1.5.
    metric = Bm(tokenize="none", max_order=2, weight="zipf", ranks=ranks, per=per)
    rows = rows_of(metric, [("a b", ["a c b"])])
    precisions = [math.log10(inside) * percent for inside, percent in zip(weights, [100, 50], strict=True)]
    assert rows.score == pytest.approx(math.exp(1 - 3 / 2) * math.sqrt(math.prod(precisions)), abs=1e-9)


@pytest.mark.parametrize("weight", ["recurrence", "zipf"])
@pytest.mark.parametrize("cls", [Bm, Bma])
def test_smoothing_makes_a_difference_with_either_weight(cls: type[Bm | Bma], weight: str) -> None:
    segment = [(GUNMAN, GUNMAN_REFERENCES)]
    scores = [
        rows_of(cls(lowercase=True, weight=weight, smooth=smooth), segment).score
        for smooth in ("none", "floor", "exp", "add-k")
    ]
    assert all(low + 1e-3 < high for low, high in pairwise(scores)), scores
    assert (scores[0] == 0) == (cls is Bm)


def test_an_order_that_no_reference_has_stays_without_weight_where_orders_are_ranked_apart() -> None:
    segment = [("a b x", ["a b"])]
    scores = {
        ranks: rows_of(Bm(tokenize="none", max_order=3, weight="zipf", ranks=ranks), segment).score
        for ranks in ("all", "order")
    }
    assert scores["order"] == 0 < scores["all"]
    assert rows_of(Bm(weight="zipf"), [("a", [""])]).score == 0


def test_what_bleu_refuses_is_refused() -> None:
    with pytest.raises(SpecError, match="smooth_value"):
        Bm(smooth_value=2.0)
    with pytest.raises(SpecError, match="max_order"):
        Nm(max_order=0)
