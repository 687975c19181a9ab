"""LEPOR, hLEPOR and nLEPOR: the authors' script, PyPI's hLepor, and the slow version."""

from __future__ import annotations

import math
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracles import lepor as oracle
from tests.oracles.records import record

from karat.corpus.references import References
from karat.errors import SpecError
from karat.metrics.lepor import Hlepor, Lepor, Nlepor

LINES = st.lists(st.sampled_from(["a", "b", "c", "ä", "長い", "d"]), max_size=14).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=5)
UNTOUCHED_BY_SLIPS = [0, 3, 4]
"""Segments of fewer than ten words that are not the reference in another order: the script's slips need either."""


def rows_of(metric: Any, segments: list[tuple[str, list[str]]]) -> Any:
    return metric.prepare([references for _, references in segments]).rows([hypothesis for hypothesis, _ in segments])


@pytest.mark.parametrize(("number", "cls"), [("o24", Lepor), ("o25", Hlepor)])
def test_scores_are_those_of_the_authors_script(shared_spec: Path, number: str, cls: type[Lepor | Hlepor]) -> None:
    known = record(shared_spec, number)
    rows = cls(tokenize="none").prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    expected = np.array(known["seg_scores"])[UNTOUCHED_BY_SLIPS]
    assert rows.unit_scores()[UNTOUCHED_BY_SLIPS] / 100 == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("number", "cls"), [("o24", Lepor), ("o25", Hlepor)])
def test_with_its_slips_all_scores_are_those_of_the_script(
    shared_spec: Path, number: str, cls: type[Lepor | Hlepor]
) -> None:
    known = record(shared_spec, number)
    rows = cls(tokenize="none", alignment="perl").prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert rows.unit_scores() / 100 == pytest.approx(known["seg_scores"], abs=1e-12)
    assert rows.score / 100 == pytest.approx(known["corpus_score"], abs=1e-12)


def test_the_script_s_score_of_mean_factors(shared_spec: Path) -> None:
    known = record(shared_spec, "o25")
    metric = Hlepor(tokenize="none", alignment="perl", corpus="factors")
    rows = metric.prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert rows.score / 100 == pytest.approx(float(known["note"].split()[-1]), abs=1e-12)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "position", "precision_recall"),
    [
        # j, the tenth word, makes the first one used; the way to it counts nevertheless.
        ("j a x", "a b c d e f g h i j", math.exp(-(2 / 3 + 2 / 3 - 0.1) / 3), 10 / 93),
        # All words match, lengths agree: no order is wrong.
        ("c b a", "a b c", 1.0, 1.0),
        # Both go to the one place.
        ("a x a", "a b", math.exp(-((1 / 2 - 1 / 3) + (1 - 1 / 2)) / 3), 10 / 21),
        # Of the places of a, the second alone shares a neighbour; the first of all is taken.
        ("q a b", "a y z a b c d", math.exp(-((2 / 3 - 1 / 7) + (1 - 5 / 7)) / 3), 20 / 66),
        # The first b of the reference has the last word, c, for a neighbour: the second is second in both lists.
        ("q r b c", "b x y b c", math.exp(-(4 / 5 - 3 / 4) / 4), 20 / 49),
    ],
)
def test_each_slip_of_the_script(hypothesis: str, reference: str, position: float, precision_recall: float) -> None:
    assert oracle.script_factors(hypothesis, reference)[1:] == pytest.approx((position, precision_recall))
    rows = Lepor(tokenize="none", alignment="perl", corpus="factors").prepare([reference]).rows([hypothesis])
    assert rows.values[0, 1:3] == pytest.approx((position, precision_recall))


@pytest.mark.parametrize("number", ["o26", "o30"])
def test_scores_are_those_of_the_port(shared_spec: Path, number: str) -> None:
    known = record(shared_spec, number)
    metric = Hlepor(tokenize="none", lowercase=True, alignment="hlepor-0.0.4")
    rows = metric.prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert rows.unit_scores() / 100 == pytest.approx(known["seg_scores"], abs=1e-6)
    if known["corpus_score"] is not None:
        assert rows.score / 100 == pytest.approx(known["corpus_score"], abs=1e-12)


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Any:
    """PyPI's hLepor; it wants a module for annotations alone, and a download for a tokenizer that we do not use."""
    nltk = pytest.importorskip("nltk")
    monkeypatch.setitem(sys.modules, "nptyping", types.SimpleNamespace(NDArray=object))
    monkeypatch.setattr(nltk, "download", lambda *_, **__: True)
    return pytest.importorskip("hlepor.hlepor")


def test_real_segments_score_as_with_the_port(shared_data: Path, port: Any) -> None:
    directory = shared_data / "wmt21-news-ende"
    system = sorted((directory / "system-outputs").glob("*.txt"))[0]
    hypotheses, references = [
        path.read_text(encoding="utf-8").split("\n")[:200] for path in (system, directory / "references" / "refC.de")
    ]
    metric = Hlepor(tokenize="none", alignment="hlepor-0.0.4")
    rows = metric.prepare(references).rows(hypotheses)
    expected = [
        100 * port.single_hlepor_score(reference, hypothesis, separate_punctuation=False, preprocess=str)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


@given(SEGMENTS, st.integers(0, 4))
@example([("", [""]), ("a", ["", "a b"])], 2)
def test_lepor_equals_the_slow_version(segments: list[tuple[str, list[str]]], window: int) -> None:
    rows = rows_of(Lepor(tokenize="none", window=window), segments)
    expected = [100 * max(math.prod(oracle.factors(h, r, window)) for r in references) for h, references in segments]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


@given(SEGMENTS, st.integers(0, 4))
@example([("", [""]), ("a", ["", "a b"])], 2)
def test_lepor_as_the_script_equals_the_slow_version(segments: list[tuple[str, list[str]]], window: int) -> None:
    rows = rows_of(Lepor(tokenize="none", window=window, alignment="perl"), segments)
    scores = [[math.prod(oracle.script_factors(h, r, window)) for r in references] for h, references in segments]
    assert rows.unit_scores() == pytest.approx([100 * max(of_one) for of_one in scores], abs=1e-9)


@given(SEGMENTS)
def test_the_score_of_mean_factors(segments: list[tuple[str, list[str]]]) -> None:
    single = [(hypothesis, references[:1]) for hypothesis, references in segments]
    means = np.mean([oracle.factors(h, r[0]) for h, r in single], axis=0)
    assert rows_of(Lepor(tokenize="none", corpus="factors"), single).score == pytest.approx(100 * means.prod())
    expected = 10 / (2 / means[0] + 1 / means[1] + 7 / means[2]) if means.prod() else 0.0
    assert rows_of(Hlepor(tokenize="none", corpus="factors"), single).score == pytest.approx(100 * expected)


@given(SEGMENTS)
def test_nlepor_equals_the_slow_version(segments: list[tuple[str, list[str]]]) -> None:
    def score(hypothesis: str, reference: str) -> float:
        longest = max(len(hypothesis.split()), len(reference.split()))
        means = [oracle.factors(hypothesis, reference, order=n)[2] for n in range(1, min(3, longest) + 1)]
        length, position, _ = oracle.factors(hypothesis, reference)
        return 100 * length * position * math.prod(means) ** (1 / len(means)) if means else 0.0

    rows = rows_of(Nlepor(tokenize="none", max_order=3), segments)
    expected = [max(score(h, r) for r in references) for h, references in segments]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


def test_weights_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SpecError, match="alpha"):
        Lepor(alpha=0.0, beta=0.0)
    with pytest.raises(SpecError, match="weight_length"):
        Hlepor(weight_length=-1.0)
    with pytest.raises(SpecError, match="above 0"):
        Hlepor(weight_length=0.0, weight_position=0.0, weight_precision_recall=0.0)
    with pytest.raises(SpecError, match="max_order"):
        Nlepor(max_order=0)
