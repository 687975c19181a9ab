"""PORT-style: the slow version, and each component of the paper by a pair of sentences that only it tells apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracles import port as oracle
from tests.oracles import word_order

from karat import kernels
from karat.errors import SpecError
from karat.metrics.port_style import PortStyle
from karat.text import TextColumn, tokenizer

LINES = st.lists(st.sampled_from(["a", "b", "c", "ä", "長い", "d"]), max_size=14).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=5)

REFERENCE = "the old man sold two red boats to his brother"
NO_LENGTH = {"brevity": False, "redundancy": False}


def score(hypothesis: str, reference: str = REFERENCE, **parameters: Any) -> float:
    return PortStyle(**parameters).prepare([reference]).rows([hypothesis]).score


@given(LINES, LINES)
def test_the_order_of_words_equals_the_slow_version(hypothesis: str, reference: str) -> None:
    words = [TextColumn.of([text]).tokens(tokenizer("none")) for text in (hypothesis, reference)]
    prepared = kernels.prepare_words(words[1], PortStyle().prepare([reference]).references.offsets)
    _, _, *found = kernels.order_pairs(prepared, words[0])[0].tolist()
    assert found == word_order.numbers(hypothesis, reference)


@given(SEGMENTS, st.integers(1, 5), st.sampled_from([0.0, 0.25, 1.0]))
@example([("", [""]), ("a", ["", "a"]), ("b a", ["a b", "c"])], 2, 0.25)
def test_scores_equal_the_slow_version(segments: list[tuple[str, list[str]]], orders: int, alpha: float) -> None:
    metric = PortStyle(tokenize="none", max_order=orders, alpha=alpha)
    for hypothesis, references in segments:
        found = metric.prepare([references]).rows([hypothesis]).score
        smoothed = [oracle.score(hypothesis, reference, orders, alpha, added=1) for reference in references]
        best = [r for r, value in zip(references, smoothed, strict=True) if value >= max(smoothed) - 1e-9]
        assert any(found == pytest.approx(oracle.score(hypothesis, r, orders, alpha), abs=1e-9) for r in best)


def test_precision_falls_with_a_word_that_the_reference_does_not_have() -> None:
    without_order = {**NO_LENGTH, "order": "none", "max_order": 1, "mean": "arithmetic"}
    expected = 50 * (10 / 11 + 1)
    assert score(REFERENCE + " yesterday", **without_order) == pytest.approx(expected)


def test_recall_falls_with_a_word_that_the_hypothesis_lacks() -> None:
    without_order = {**NO_LENGTH, "order": "none", "max_order": 1, "mean": "arithmetic"}
    expected = 50 * (1 + 9 / 10)
    assert score(REFERENCE.removesuffix(" brother"), **without_order) == pytest.approx(expected)


def test_longer_n_grams_count() -> None:
    scattered, together = "the x man y two z boats", "the old man sold x y z"
    parameters = {"order": "none"}
    assert score(scattered, max_order=1, **parameters) == pytest.approx(score(together, max_order=1, **parameters))
    assert score(scattered, max_order=2, **parameters) < score(together, max_order=2, **parameters)


def test_the_quadratic_mean_prefers_what_is_out_of_balance() -> None:
    balanced, fragment = "a b c x", "a b"  # precision 3/4 and recall 3/4; 1 and 1/2
    parameters = {**NO_LENGTH, "order": "none", "max_order": 1, "reference": "a b c d"}
    assert score(balanced, mean="arithmetic", **parameters) == pytest.approx(
        score(fragment, mean="arithmetic", **parameters)
    )
    assert score(fragment, **parameters) > score(balanced, **parameters)


def corpus_score(hypotheses: list[str], **parameters: Any) -> float:
    references = ["a b c d", "a b c d"]
    return PortStyle(max_order=1, order="none", **parameters).prepare(references).rows(hypotheses).score


@pytest.mark.parametrize(("component", "other"), [("brevity", "redundancy"), ("redundancy", "brevity")])
def test_penalties_of_length_are_strict(component: str, other: str) -> None:
    even, uneven = ["a b c d", "a b x y"], ["a b c", "a b c x y"]  # six of eight words match, against eight
    off = {other: False}
    assert corpus_score(even, **off, **{component: False}) == pytest.approx(
        corpus_score(uneven, **off, **{component: False})
    )
    assert corpus_score(uneven, **off) < corpus_score(even, **off)


def test_short_and_long_output_are_punished() -> None:
    short, extra = REFERENCE.removesuffix(" brother"), REFERENCE + " brother"
    assert score(short) < score(short, brevity=False)
    assert score(extra) < score(extra, redundancy=False)
    assert score(short, redundancy=False) == score(short)
    assert score(extra, brevity=False) == score(extra)


def test_words_that_move_farther_cost_more() -> None:
    near, far = "b a c d e f", "f b c d e a"
    reference = "a b c d e f"
    unigrams = {"reference": reference, "max_order": 1}
    assert score(near, order="none", **unigrams) == score(far, order="none", **unigrams)
    assert score(far, order="moves", **unigrams) < score(near, order="moves", **unigrams)
    assert score(far, alpha=0, **unigrams) == score(near, alpha=0, **unigrams)
    assert score(far, **unigrams) < score(near, **unigrams)


def test_a_block_that_moves_jumps_but_once() -> None:
    block, scattered = "d e f a b c", "d c f a b e"  # ranks 4 5 6 1 2 3, and 4 3 6 1 2 5
    unigrams = {"reference": "a b c d e f", "max_order": 1}
    assert score(block, order="none", **unigrams) == score(scattered, order="none", **unigrams)
    assert score(block, order="moves", **unigrams) < score(scattered, order="moves", **unigrams)
    assert score(block, order="jumps", **unigrams) > score(scattered, order="jumps", **unigrams)


def test_the_best_of_several_references_counts() -> None:
    prepared = PortStyle().prepare([["a b c d e", "v w x y z"], ["k l m n", "a b c d e"]])
    assert prepared.rows(["v w x y z", "a b c d e"]).unit_scores() == pytest.approx([100, 100])


def test_parameters_without_sense_are_refused() -> None:
    with pytest.raises(SpecError, match="alpha"):
        PortStyle(alpha=-1)
    with pytest.raises(SpecError, match="max_order"):
        PortStyle(max_order=0)
