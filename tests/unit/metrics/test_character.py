"""CharacTER against the slow definition, and against PyPI's cer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import character as oracle

from karat import registry
from karat.errors import InputError
from karat.metrics.character import Character

words = st.lists(st.sampled_from(["a", "bb", "ccc", "dé", "猫", "ffff"]), max_size=9)

# Own sentences with moves, inflections and repetition; the expected values are those that cer 1.2.0 prints.
PAIRS = [
    ("i like your bag", "i like their bags", 0.3333333333333333),
    ("this week the council denied the report", "the council denied the report this week", 0.1794871794871795),
    ("gestern ging er nach hause", "er ging gestern nach Hause", 0.4230769230769231),
    ("the the the cat", "the cat the", 0.4666666666666667),
    ("b a d c", "a b c d", 0.2857142857142857),
]


def score(hypothesis: list[str], reference: list[str]) -> float:
    return float(Character().prepare([" ".join(reference)], 1).rows([" ".join(hypothesis)]).score) / 100


@settings(max_examples=300)
@given(words, words)
def test_it_equals_the_slow_definition(hypothesis: list[str], reference: list[str]) -> None:
    assert score(hypothesis, reference) == pytest.approx(oracle.score(hypothesis, reference), rel=1e-12)


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), PAIRS)
def test_it_equals_cer(hypothesis: str, reference: str, expected: float) -> None:
    cer = pytest.importorskip("cer")
    assert cer.calculate_cer(hypothesis.split(), reference.split()) == pytest.approx(expected, rel=1e-12)
    assert score(hypothesis.split(), reference.split()) == pytest.approx(expected, rel=1e-12)


def test_it_equals_cer_on_real_segments(shared_data: Path) -> None:
    cer = pytest.importorskip("cer")
    directory = shared_data / "mlqe-pe" / "multi-reference-eten"
    hypotheses, references = (
        (directory / name).read_text(encoding="utf-8").split("\n")[:400] for name in ("mt.en", "ref-1.en")
    )
    expected = [cer.calculate_cer(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]
    scores = Character().prepare(references).rows(hypotheses).unit_scores() / 100
    assert scores.tolist() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("length", [70, 150, 600, 2100])
def test_long_segments_take_the_same_way(length: int) -> None:
    """Beyond 64, 128, 512 and 2,048 words other bit vectors are at work."""
    reference = [f"w{i}" for i in range(length)]
    hypothesis = [*reference[5:9], *reference[:5], *reference[9:-1], "x"]
    # One block of four words of two letters, and one word that differs.
    characters = len(" ".join(hypothesis))
    assert score(hypothesis, reference) == pytest.approx((2 + len(reference[-1])) / characters, rel=1e-12)


def test_the_best_of_several_references_counts() -> None:
    rows = Character().prepare([["x y z", "a b", "a c"]]).rows(["a b"])
    assert rows.values.tolist() == [[0.0, 1.0]]


def test_empty_sides() -> None:
    rows = Character().prepare(["a b", "", ""]).rows(["", "a", ""])
    assert rows.unit_scores().tolist() == [100.0, 100.0, 0.0]


def test_other_tokenizers_and_case() -> None:
    assert registry.metric("character(lowercase=true)").prepare(["The cat"]).rows(["the Cat"]).score == 0.0
    assert registry.metric("character(tokenize=13a)").prepare(["a , b"]).rows(["a, b"]).score == 0.0


@pytest.mark.parametrize("unit", ["a ", "a"])
def test_two_thousand_equal_units_are_no_trouble(unit: str) -> None:
    rows = Character().prepare([unit * 2000, unit * 1000]).rows([unit * 2000, unit * 2000])
    assert rows.unit_scores()[0] == 0.0
    assert rows.unit_scores()[1] == pytest.approx(50, abs=0.1)


def test_what_takes_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="segment 2 is too long to align"):
        Character().prepare(["a", "a b " * 1000]).rows(["a", "b a " * 1000])
    with pytest.raises(InputError, match="split it into sentences"):
        Character().prepare([" ".join(map(str, range(8193)))]).rows(["1 2"])
