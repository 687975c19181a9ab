"""wBLEU: the slow version, its limits, and what weights are for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.recurrence import wbleu_row

from karat.errors import SpecError
from karat.metrics.bleu import Bleu
from karat.metrics.wbleu import WBleu

LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "é"]), max_size=7).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=4)


@given(SEGMENTS, st.sampled_from(["max", "sum"]))
def test_rows_equal_the_slow_version(segments: list[tuple[str, list[str]]], words: str) -> None:
    metric = WBleu(tokenize="none", words=words, max_order=3)
    rows = metric.prepare([references for _, references in segments]).rows([line for line, _ in segments])
    for found, segment in zip(rows.values, segments, strict=True):
        assert found == pytest.approx(wbleu_row(segment, segments, 3, words), rel=1e-12, abs=1e-12)
    assert rows.score == pytest.approx(float(Bleu(max_order=3).aggregate(rows.sum())))


def test_one_segment_scores_as_bleu_does() -> None:
    references, hypothesis = [["the cat sat on the mat", "a cat was on the mat"]], ["the cat was on a mat"]
    weighted, plain = (metric.prepare(references).rows(hypothesis).score for metric in (WBleu(), Bleu()))
    assert weighted == pytest.approx(plain)


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    references = ["the envoy left", "the mayor spoke", "the court met", "the crowd sang"]
    prepared = WBleu(tokenize="none", max_order=1).prepare(references)
    with_name, with_article = prepared.rows(["xx envoy xx", "the xx xx", "", ""]).unit_scores()[:2]
    assert with_name > with_article
    plain = Bleu(tokenize="none", max_order=1).prepare(references).rows(["xx envoy xx", "the xx xx", "", ""])
    assert plain.unit_scores()[0] == pytest.approx(plain.unit_scores()[1])


def test_what_bleu_refuses_is_refused() -> None:
    with pytest.raises(SpecError, match="smooth_value"):
        WBleu(smooth_value=2.0)
