"""AMBER-style: the slow version, and each component of the paper by a pair of sentences that only it tells apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracles import amber as oracle

from karat.errors import MissingResourceError, SpecError
from karat.metrics.amber_style import AmberStyle

WORDS = ["a", "cats", "cat", "running", "runner", "ä", "長い", "boat", "boathouse"]
LINES = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=4)

REFERENCE = "the old man sold two red boats to his brother"
PENALTIES = (
    "brevity",
    "redundancy",
    "character_brevity",
    "character_redundancy",
    "short_words",
    "long_words",
    "chunks",
    "spearman",
    "kendall",
)
NO_PENALTIES = dict.fromkeys(PENALTIES, 0.0)
PLAIN: dict[str, Any] = {"prefixes": False, "stems": False, "max_order": 1, **NO_PENALTIES}
PRECISION_ONLY: dict[str, Any] = {"precision": 1.0, "f_mean": 0.0, "average_f": 0.0}


def score(hypothesis: str, reference: str = REFERENCE, **parameters: Any) -> float:
    return AmberStyle(**parameters).prepare([reference]).rows([hypothesis]).score


@given(SEGMENTS, st.integers(1, 5))
@example([("", [""]), ("a", ["", "a"]), ("cats a", ["a cat", "a"])], 2)
def test_scores_equal_the_slow_version(segments: list[tuple[str, list[str]]], orders: int) -> None:
    metric = AmberStyle(tokenize="none", max_order=orders)
    rows = metric.prepare([references for _, references in segments]).rows([hypothesis for hypothesis, _ in segments])
    expected = [max(oracle.score(h, r, orders) for r in references) for h, references in segments]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("penalty", "better", "worse"),
    [
        # All words match in both, the second has fewer of them.
        ("brevity", REFERENCE, REFERENCE.removesuffix(" brother")),
        # Against eight words: 4 of 6 match, and 8 of 12, which is too many.
        ("redundancy", "the old man sold a b", "the old man sold two red boats to a b c d"),
        # The word that does not match is shorter, or longer, than the one in its place.
        ("character_brevity", REFERENCE.replace("brother", "teacher"), REFERENCE.replace("brother", "aunt")),
        ("character_redundancy", REFERENCE.replace("brother", "teacher"), REFERENCE.replace("brother", "neighbours")),
        # Where the reference has a long word stands a short one, so that both counts differ.
        ("short_words", REFERENCE.replace("brother", "aunt"), REFERENCE.replace("brother", "son")),
        ("long_words", REFERENCE.replace("brother", "aunt"), REFERENCE.replace("brother", "son")),
        # The same words in another order: two blocks; then single words.
        ("chunks", "two red boats to his brother the old man sold", "brother his to boats red two sold man old the"),
        ("spearman", "old the man sold two red boats to his brother", "brother old man sold two red boats to his the"),
        ("kendall", "old the man sold two red boats to his brother", "brother old man sold two red boats to his the"),
    ],
)
def test_each_penalty_alone_tells_two_sentences_apart(penalty: str, better: str, worse: str) -> None:
    without = {**PLAIN, **PRECISION_ONLY}
    reference = "the old man sold two red boats to" if penalty == "redundancy" else REFERENCE
    assert score(better, reference, **without) == pytest.approx(score(worse, reference, **without))
    with_it = {**without, penalty: getattr(AmberStyle(), penalty)}
    assert score(worse, reference, **with_it) < score(better, reference, **with_it) - 0.1


def test_recall_counts_in_both_f_measures_but_not_in_precision() -> None:
    short = REFERENCE.removesuffix(" brother")
    assert score(short, **PLAIN, **PRECISION_ONLY) == pytest.approx(100)
    for part in ("f_mean", "average_f"):
        only = {**dict.fromkeys(PRECISION_ONLY, 0.0), part: 1.0}
        assert score(short, **PLAIN, **only) == pytest.approx(100 * 0.9 / (0.9 + 0.1 * 0.9))


@pytest.mark.parametrize("part", ["precision", "f_mean", "average_f"])
def test_longer_n_grams_count_in_every_part(part: str) -> None:
    scattered, together = "the x man y two z boats", "the old man sold x y z"
    only = {**dict.fromkeys(PRECISION_ONLY, 0.0), part: 1.0}
    assert score(scattered, **PLAIN, **only) == pytest.approx(score(together, **PLAIN, **only))
    longer = {**PLAIN, "max_order": 2, **only}
    assert score(scattered, **longer) < score(together, **longer)


@pytest.mark.parametrize(
    ("spelling", "form", "other"),
    [("prefixes", "bothered", "yodelled"), ("stems", "brothers", "children")],
)
def test_each_spelling_forgives_what_the_words_as_they_are_do_not(spelling: str, form: str, other: str) -> None:
    forgiven, different = (REFERENCE.replace("brother", word) for word in (form, other))
    reference = REFERENCE.replace("brother", "bother") if spelling == "prefixes" else REFERENCE
    assert score(forgiven, reference, **PLAIN) == pytest.approx(score(different, reference, **PLAIN))
    with_it = {**PLAIN, spelling: True}
    assert score(forgiven, reference, **with_it) > score(different, reference, **with_it)


def test_case_counts_unless_it_is_told_not_to() -> None:
    assert score(REFERENCE.replace("the", "The")) < 100
    assert score(REFERENCE.replace("the", "The"), lowercase=True) == pytest.approx(100)


def test_stems_are_those_of_the_language() -> None:
    reference, hypothesis = "die alten Häuser", "die alten Haus"
    german = AmberStyle(**{**PLAIN, "stems": True}, **PRECISION_ONLY).for_language("de")
    english = AmberStyle(**{**PLAIN, "stems": True}, **PRECISION_ONLY)
    assert "snowball-german" in str(german.prepare([reference]).signature)
    assert german.prepare([reference]).rows([hypothesis]).score > english.prepare([reference]).rows([hypothesis]).score


def test_a_language_without_stemmer_is_told_apart_from_a_slip() -> None:
    with pytest.raises(MissingResourceError, match="A stemmer for"):
        AmberStyle(language="zh").prepare(["猫 坐"])
    assert AmberStyle(language="zh", stems=False).prepare(["猫 坐"]).rows(["猫 坐"]).score == pytest.approx(100)


def test_the_best_of_several_references_counts() -> None:
    prepared = AmberStyle().prepare([["a b c d e", "v w x y z"], ["k l m n", "a b c d e"]])
    assert prepared.rows(["v w x y z", "a b c d e"]).unit_scores() == pytest.approx([100, 100])


@pytest.mark.parametrize(
    "wrong", [{"alpha": 2.0}, {"kendall": -1.0}, {"max_order": 0}, {**PRECISION_ONLY, "precision": 0.0}]
)
def test_parameters_without_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        AmberStyle(**wrong)
