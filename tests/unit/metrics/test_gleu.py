"""GLEU: NLTK's scores, on any words and on real text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu

from karat.corpus.references import References
from karat.errors import SpecError
from karat.metrics.gleu import Gleu

LINES = st.lists(st.sampled_from(["a", "b", "c", "ä", "長い"]), max_size=10).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=4)


@given(SEGMENTS, st.integers(1, 2), st.integers(2, 5))
@example([("", ["", "a"]), ("a", [""])], 1, 4)
def test_scores_are_those_of_nltk(segments: list[tuple[str, list[str]]], shortest: int, longest: int) -> None:
    metric = Gleu(tokenize="none", min_order=shortest, max_order=longest)
    rows = metric.prepare([references for _, references in segments]).rows([hypothesis for hypothesis, _ in segments])
    words = [[reference.split() for reference in references] for _, references in segments]
    expected = corpus_gleu(words, [hypothesis.split() for hypothesis, _ in segments], shortest, longest)
    assert rows.score == pytest.approx(100 * expected, abs=1e-9)


def test_real_segments_score_as_with_nltk(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    system = sorted((directory / "system-outputs").glob("*.txt"))[0]
    hypotheses, *streams = [
        path.read_text(encoding="utf-8").split("\n")[:200]
        for path in (system, directory / "references" / "refA.de", directory / "references" / "refC.de")
    ]
    rows = Gleu(tokenize="none").prepare(References.from_streams(streams)).rows(hypotheses)
    words = [[reference.split() for reference in references] for references in zip(*streams, strict=True)]
    assert rows.score == pytest.approx(100 * corpus_gleu(words, [line.split() for line in hypotheses]), abs=1e-9)


def test_orders_that_are_none_are_refused() -> None:
    with pytest.raises(SpecError, match="min_order=3,max_order=2"):
        Gleu(min_order=3, max_order=2)
    with pytest.raises(SpecError, match="min_order=0"):
        Gleu(min_order=0)
