"""RIBES: the scores of RIBES.py, the slow version, and NLTK's on real text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate.ribes_score import sentence_ribes
from tests.oracles import ribes as oracle
from tests.oracles.records import record

from karat.corpus.references import References
from karat.errors import SpecError
from karat.metrics.ribes import Ribes

LINES = st.lists(st.sampled_from(["a", "b", "c", "ä", "長い", "d"]), max_size=14).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=5)


@pytest.mark.parametrize("number", ["o08", "o09"])
def test_scores_are_those_of_the_official_script(shared_spec: Path, number: str) -> None:
    known = record(shared_spec, number)
    references = References.from_streams(known["refs"])
    rows = Ribes(tokenize="none", lowercase=True).prepare(references).rows(known["hyps"])
    assert rows.unit_scores() / 100 == pytest.approx(known["seg_scores"], abs=1e-6)
    assert rows.score / 100 == pytest.approx(known["corpus_score"], abs=1e-6)


@given(SEGMENTS, st.sampled_from(["left", "right"]), st.sampled_from([(0.25, 0.1), (1.0, 0.0)]))
@example([("", [""]), ("a", ["a", "b"]), ("b a a", ["a a b", "a"])], "left", (0.25, 0.1))
def test_scores_equal_the_slow_version(
    segments: list[tuple[str, list[str]]], context: str, powers: tuple[float, float]
) -> None:
    metric = Ribes(tokenize="none", context=context, alpha=powers[0], beta=powers[1])
    rows = metric.prepare([references for _, references in segments]).rows([hypothesis for hypothesis, _ in segments])
    expected = [max(oracle.score(h, r, *powers, context) for r in references) for h, references in segments]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


REPETITIVE = st.lists(st.sampled_from(["a", "a", "a", "b", "長い"]), max_size=24).map(" ".join)


@given(st.lists(st.tuples(REPETITIVE, REPETITIVE), min_size=1, max_size=3), st.sampled_from(["left", "right"]))
@example([("a " * 20 + "b", "b " + "a " * 20), ("a b " * 12, "b a " * 12), ("x x a a a a a", "a a a a x")], "left")
def test_words_that_recur_again_and_again_score_as_the_slow_version_says(
    pairs: list[tuple[str, str]], context: str
) -> None:
    rows = Ribes(tokenize="none", context=context).prepare([r for _, r in pairs]).rows([h for h, _ in pairs])
    expected = [oracle.score(h, r, context=context) for h, r in pairs]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


def test_real_segments_score_as_with_nltk(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    system = sorted((directory / "system-outputs").glob("*.txt"))[0]
    hypotheses, *streams = [
        path.read_text(encoding="utf-8").split("\n")[:200]
        for path in (system, directory / "references" / "refA.de", directory / "references" / "refC.de")
    ]
    metric = Ribes(tokenize="none", context="right")
    rows = metric.prepare(References.from_streams(streams)).rows(hypotheses)
    expected = [
        100 * sentence_ribes([reference.split() for reference in references], hypothesis.split())
        for hypothesis, *references in zip(hypotheses, *streams, strict=True)
    ]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


def test_negative_powers_are_refused() -> None:
    with pytest.raises(SpecError, match="alpha"):
        Ribes(alpha=-1)
