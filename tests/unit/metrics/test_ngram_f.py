"""The n-gram F-measure against counts made by hand, and against ROUGE where both are the same."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import SpecError
from karat.metrics.ngram_f import NgramF
from karat.metrics.rouge import Rouge

LINES = st.lists(st.sampled_from(["a", "b", "c", "ä", "長い"]), max_size=10).map(" ".join)


def f_measure(pairs: list[tuple[str, str]], order: int, beta: float) -> float | None:
    """The F-measure of one order over all segments; None without n-grams."""
    counts = [0, 0, 0]
    for texts in pairs:
        words = [text.split() for text in texts]
        grams = [Counter(tuple(side[i : i + order]) for i in range(len(side) - order + 1)) for side in words]
        for place, counter in enumerate([*grams, grams[0] & grams[1]]):
            counts[place] += counter.total()
    found, wanted, matches = counts
    if found == wanted == 0:
        return None
    if matches == 0:
        return 0.0
    precision, recall = matches / found, matches / wanted
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=5), st.sampled_from([0.0, 0.5, 1.0, 2.0]))
def test_scores_equal_the_formula(pairs: list[tuple[str, str]], beta: float) -> None:
    metric = NgramF(tokenize="none", beta=beta, max_order=3)
    rows = metric.prepare([reference for _, reference in pairs]).rows([hypothesis for hypothesis, _ in pairs])
    orders = [score for order in (1, 2, 3) if (score := f_measure(pairs, order, beta)) is not None]
    assert rows.score == pytest.approx(100 * sum(orders) / len(orders) if orders else 0.0)


@given(LINES, st.lists(LINES, min_size=1, max_size=3))
def test_one_order_of_one_segment_is_rouge(hypothesis: str, references: list[str]) -> None:
    ours = NgramF(tokenize="none", max_order=1).prepare([references]).rows([hypothesis]).score
    assert ours == pytest.approx(Rouge(tokenize="none", kind="1").prepare([references]).rows([hypothesis]).score)


def test_parameters_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SpecError, match="max_order"):
        NgramF(max_order=0)
    with pytest.raises(SpecError, match="beta"):
        NgramF(beta=-1.0)
