"""The laws of metrics that measure each segment against the best of its references."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.test_metric_laws import metrics, references_of, sentences
from tests.examples import examples

from karat.metrics.base import Metric
from karat.metrics.words.edits import ReferenceChoice
from karat.registry import metric, metric_classes

NAMES = sorted(name for name, cls in metric_classes().items() if issubclass(cls, ReferenceChoice))

# Few words, so that distances, rates and whole references are often equal, and empty ones are met.
short = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)
texts = st.one_of(short, short, sentences)
several = st.lists(texts, min_size=1, max_size=4)


@st.composite
def choosing(draw: st.DrawFn, name: str) -> Metric:
    """A metric of that name with the best of its references."""
    return dataclasses.replace(draw(metrics(name)), references="best-score")  # type: ignore[call-arg]


def rows_of(one: Metric, hypothesis: str, references: list[str]) -> Any:
    return one.prepare(references_of(one, [(hypothesis, references)]), 1).rows([hypothesis])


def loss(one: Metric, hypothesis: str, references: list[str]) -> float:
    """The score of the segment, turned so that less is better."""
    score = float(rows_of(one, hypothesis, references).unit_scores()[0])
    return -score if one.higher_is_better else score


def test_all_edit_rates_choose() -> None:
    assert NAMES == ["cder", "cer", "gsa", "hyter", "mer", "per", "ssa", "wer", "wil"]
    assert all(metric(name) == metric(f"{name}(references=best-score)") for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(80))
@given(data=st.data(), hypothesis=texts, references=several, another=texts)
def test_one_more_reference_never_makes_a_segment_worse(
    name: str, data: st.DataObject, hypothesis: str, references: list[str], another: str
) -> None:
    one = data.draw(choosing(name))
    assert loss(one, hypothesis, [*references, another]) <= loss(one, hypothesis, references)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(80))
@given(data=st.data(), hypothesis=texts, references=several)
def test_neither_order_nor_repetition_of_references_matters(
    name: str, data: st.DataObject, hypothesis: str, references: list[str]
) -> None:
    one = data.draw(choosing(name))
    shuffled = data.draw(st.permutations([*references, *references[:2]]))
    expected = rows_of(one, hypothesis, references).values
    assert np.array_equal(rows_of(one, hypothesis, shuffled).values, expected)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(80))
@given(data=st.data(), hypothesis=texts, references=several)
def test_the_row_is_that_of_the_best_reference_by_itself(
    name: str, data: st.DataObject, hypothesis: str, references: list[str]
) -> None:
    one = data.draw(choosing(name))
    alone = [rows_of(one, hypothesis, [reference]).values[0].tolist() for reference in references]
    assert rows_of(one, hypothesis, references).values[0].tolist() in alone
    assert loss(one, hypothesis, references) == min(loss(one, hypothesis, [reference]) for reference in references)


@pytest.mark.parametrize("name", NAMES)
def test_the_fewest_edits_are_another_metric_with_another_signature(name: str) -> None:
    hypothesis, references = "a b c", ["c", "p q r a b c d"]
    closest = metric(f"{name}(references=fewest-edits)")
    assert metric(closest.spec) == closest != metric(name)
    assert "references=fewest-edits" in str(closest.prepare([references]).signature)
    assert loss(metric(name), hypothesis, references) < loss(closest, hypothesis, references)
