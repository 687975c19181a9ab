"""chrF: the kernel against the oracle, the formula's edges, names and signatures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracles import chrf as oracle

from karat.errors import SpecError
from karat.metrics.chrf import Chrf
from karat.registry import metric

LINES = st.one_of(
    st.text("ab .", max_size=40),
    st.text("aäß長い𝒳 \u00a0\u3000\u2028\u0085\x1c(.!", max_size=40),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=4)), min_size=1, max_size=6)
PARAMETERS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)


def score(hypothesis: str, references: list[str], **parameters: Any) -> float:
    """The score of one segment."""
    return Chrf(**parameters).prepare([references]).rows([hypothesis]).score


@given(SEGMENTS, PARAMETERS, st.integers(1, 3))
@example([("aaaa", ["aaaaaaaa", "aaaa"])], {"char_order": 6, "word_order": 2}, 1)
def test_rows_and_scores_equal_the_oracle(
    segments: list[tuple[str, list[str]]], parameters: dict[str, Any], threads: int
) -> None:
    chrf = Chrf(**parameters)
    rows = chrf.prepare([references for _, references in segments], threads).rows([h for h, _ in segments])
    expected = [oracle.row(hypothesis, references, **parameters) for hypothesis, references in segments]
    assert rows.values.tolist() == expected
    f = {"beta": chrf.beta, "eps_smoothing": chrf.eps_smoothing}
    segment_scores = [oracle.score(row, **f) for row in expected]
    np.testing.assert_allclose(rows.unit_scores(), segment_scores, rtol=1e-12, atol=1e-12)
    summed = oracle.score([sum(column) for column in zip(*expected, strict=True)], **f)
    assert rows.score == pytest.approx(summed, rel=1e-12, abs=1e-12)


@given(SEGMENTS)
def test_macro_is_the_mean_of_segments(segments: list[tuple[str, list[str]]]) -> None:
    references, hypotheses = [references for _, references in segments], [hypothesis for hypothesis, _ in segments]
    micro = Chrf(word_order=1).prepare(references).rows(hypotheses)
    macro = Chrf(word_order=1, average="macro").prepare(references).rows(hypotheses)
    assert macro.columns == ("score", "n")
    assert macro.score == pytest.approx(micro.unit_scores().mean(), rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(macro.unit_scores(), micro.unit_scores())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("(hi)", ["(hi", ")"]),
        ("end...", ["end..", "."]),
        ("(hi", ["(", "hi"]),
        (".", ["."]),
        ("..", [".", "."]),
        ("“hi”", ["“hi”"]),
        ("ä.", ["ä", "."]),
        ("長", ["長"]),
    ],
)
def test_words(line: str, words: list[str]) -> None:
    assert oracle.words(line) == words
    chrf = Chrf(char_order=0, word_order=2)
    row = chrf.prepare([line]).rows([line]).values[0].tolist()
    bigrams = max(0, len(words) - 1)
    assert row == [len(words)] * 3 + [bigrams] * 3


def test_empty_sides_score_0() -> None:
    for hypothesis, reference in [("", ""), ("", "a"), ("a", ""), (" ", "a"), ("a", "b")]:
        assert score(hypothesis, [reference]) == 0.0


def test_eps_smoothing_counts_orders_that_are_missing() -> None:
    assert score("a", ["a"]) == pytest.approx(100)
    assert score("a", ["a"], eps_smoothing=True) == pytest.approx(100 / 6)


def test_the_best_reference_counts_and_the_first_of_equals() -> None:
    prepared = Chrf().prepare([["abd", "abc", "abcabc"]])
    assert prepared.rows(["abc"]).values[0].tolist()[:3] == [3, 3, 3]
    tie = Chrf(char_order=1).prepare([["xx", "yyy"]])
    assert tie.rows(["zz"]).values[0].tolist() == [2, 2, 0]


def test_long_lines_are_exact_and_many_characters_are_fine() -> None:
    everything = "".join(chr(c) for c in range(0x21, 0x11000) if not 0xD800 <= c <= 0xDFFF)
    assert score(everything, [everything]) == pytest.approx(100)
    same = "a" * 300_000
    row = Chrf().prepare([same]).rows([same + "b"]).values[0]
    assert row.tolist() == [x for n in range(6) for x in (300_001 - n, 300_000 - n, 300_000 - n)]
    mixed = "".join(chr(0x61 + i * i % 23) for i in range(100_000))
    turned = mixed[50_000:] + mixed[:50_000]
    assert Chrf().prepare([mixed]).rows([turned]).values[0].tolist() == oracle.row(turned, [mixed])


def test_threads_do_not_matter() -> None:
    hypotheses = [f"abc {i % 7} def {i % 5}" for i in range(2000)]
    references = [[f"abd {i % 3} def", f"xyz {i % 5} def"] for i in range(2000)]
    one = Chrf(word_order=2).prepare(references, threads=1).rows(hypotheses).values
    many = Chrf(word_order=2).prepare(references, threads=5).rows(hypotheses).values
    np.testing.assert_array_equal(one, many)


def test_lowercase() -> None:
    assert score("ABC ÄÖ", ["abc äö"], lowercase=True, word_order=2) == pytest.approx(100)
    assert score("ABC", ["abc"]) == 0.0


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "chrF2"),
        ({"word_order": 1}, "chrF2+"),
        ({"word_order": 2}, "chrF2++"),
        ({"beta": 1.0}, "chrF1"),
        ({"beta": 0.5}, "chrF0.5"),
        ({"average": "macro"}, "chrF2 (macro)"),
    ],
)
def test_names(parameters: dict[str, Any], name: str) -> None:
    assert Chrf(**parameters).display_name == name


@pytest.mark.parametrize(
    ("parameters", "signature"),
    [
        ({}, "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"),
        (
            {"lowercase": True, "eps_smoothing": True, "word_order": 2, "whitespace": True},
            "nrefs:1|case:lc|eff:no|nc:6|nw:2|space:yes|version:2.6.0",
        ),
        ({"average": "macro"}, None),
        ({"beta": 0.5}, None),
    ],
)
def test_sacrebleu_signature(parameters: dict[str, Any], signature: str | None) -> None:
    assert Chrf(**parameters).sacrebleu_signature("1") == signature


@pytest.mark.parametrize(
    "parameters",
    [{"char_order": 0}, {"char_order": -1}, {"word_order": -1}, {"beta": -1.0}, {"beta": math.nan}, {"average": "x"}],
)
def test_nonsense_is_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        Chrf(**parameters)


def test_specs_and_aliases() -> None:
    chrf = Chrf(char_order=4, word_order=1, beta=0.5, whitespace=True, average="macro")
    assert metric(chrf.spec) == chrf
    assert metric("chrf+") == Chrf(word_order=1)
    assert metric("chrF++") == Chrf(word_order=2)


def test_details_name_the_counts() -> None:
    chrf = Chrf(char_order=1, word_order=1)
    details = chrf.details(chrf.prepare(["ab c"]).rows(["ab d"]).sum().astype(np.float64))
    assert (details["hypothesis"], details["reference"], details["match"]) == ([3, 2], [3, 2], [2, 1])
