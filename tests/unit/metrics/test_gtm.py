"""GTM: the scores of gtm.jar, and the slow version."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracles import gtm as oracle
from tests.oracles.records import record

from karat.corpus.references import References
from karat.errors import SpecError
from karat.metrics.gtm import Gtm

LINES = st.lists(st.sampled_from(["a", "b", "c", "ä", "長い"]), max_size=10).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=4)


@pytest.mark.parametrize(("number", "exponent"), [("o20", 1), ("o21", 1), ("o22", 2), ("o23", 2)])
def test_scores_are_those_of_the_official_program(shared_spec: Path, number: str, exponent: float) -> None:
    known = record(shared_spec, number)
    rows = Gtm(tokenize="none", exponent=exponent).prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert rows.unit_scores() / 100 == pytest.approx(known["seg_scores"], abs=1e-12)
    assert rows.score / 100 == pytest.approx(known["corpus_score"], abs=1e-12)


@given(SEGMENTS, st.sampled_from([1.0, 1.5, 2.0]))
@example([("", [""]), ("a", ["", "a b"])], 1.0)
@example([("a b a b a", ["b a b a", "a a b b"])], 2.0)
def test_rows_equal_the_slow_version(segments: list[tuple[str, list[str]]], exponent: float) -> None:
    hypotheses, references = [h for h, _ in segments], [r for _, r in segments]
    values = Gtm(tokenize="none", exponent=exponent).prepare(references).rows(hypotheses).values
    expected = [oracle.row(h, r, exponent) for h, r in segments]
    assert np.allclose(values, expected, rtol=0, atol=1e-9)
    best = Gtm(tokenize="none", exponent=exponent, references="best").prepare(references).rows(hypotheses)
    for score, (hypothesis, alternatives) in zip(best.unit_scores(), segments, strict=True):
        rows = [oracle.row(hypothesis, [reference], exponent) for reference in alternatives]
        assert score == pytest.approx(max(200 * m / (h + r) if h + r else 0.0 for m, h, r in rows))


def test_precision_and_recall_are_shown() -> None:
    gtm = Gtm()
    sums = gtm.prepare(["a b c d"]).rows(["a b"]).values.sum(axis=0)
    assert gtm.details(sums) == {"precision": 1.0, "recall": 0.5}


def test_exponents_below_one_are_refused() -> None:
    with pytest.raises(SpecError, match="exponent"):
        Gtm(exponent=0.5)
