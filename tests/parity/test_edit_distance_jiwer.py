"""WER, MER, WIL and CER against jiwer: the same operations in every segment, and the same scores."""

from __future__ import annotations

from pathlib import Path

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.registry import metric

words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "the", "of"]), min_size=1, max_size=30).map(" ".join)
rare = st.lists(st.integers(0, 40).map(str), min_size=1, max_size=200).map(" ".join)


def assert_same(hypotheses: list[str], references: list[str]) -> None:
    """Operations segment by segment, and the scores of all together."""
    operations = metric("mer(tokenize=none)").prepare(references).values(hypotheses).tolist()
    for found, hypothesis, reference in zip(operations, hypotheses, references, strict=True):
        peer = jiwer.process_words(reference, hypothesis)
        assert found == [peer.hits, peer.substitutions, peer.deletions, peer.insertions], (hypothesis, reference)
    for name in ("wer", "mer", "wil"):
        score = metric(f"{name}(tokenize=none)").prepare(references).rows(hypotheses).score
        assert score == pytest.approx(100 * getattr(jiwer, name)(references, hypotheses), abs=1e-10)
    score = metric("cer").prepare(references).rows(hypotheses).score
    assert score == pytest.approx(100 * jiwer.cer(references, hypotheses), abs=1e-10)


@settings(max_examples=150)
@given(pairs=st.lists(st.one_of(st.tuples(words, words), st.tuples(rare, rare)), min_size=1, max_size=3))
def test_generated_segments(pairs: list[tuple[str, str]]) -> None:
    assert_same([hypothesis for hypothesis, _ in pairs], [reference for _, reference in pairs])


@settings(max_examples=100)
@given(hypothesis=st.text(max_size=80), reference=st.text(min_size=1, max_size=80).filter(str.strip))
def test_characters_of_any_script(hypothesis: str, reference: str) -> None:
    score = metric("cer").prepare([reference]).rows([hypothesis]).score
    assert score == pytest.approx(100 * jiwer.cer(reference, hypothesis), abs=1e-10)


@pytest.mark.parametrize("system", ["Facebook-AI", "Online-G"])
def test_real_segments(system: str, shared_data: Path) -> None:
    def lines(path: str) -> list[str]:
        text = (shared_data / "wmt21-news-ende" / path).read_text(encoding="utf-8")
        return [" ".join(line.split()) for line in text.removesuffix("\n").split("\n")]

    assert_same(lines(f"system-outputs/{system}.txt"), lines("references/refA.de"))
