"""ATEC-style: the slow version, and each component of the papers by a pair of sentences that only it tells apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import atec as oracle

from karat.errors import InputError, SpecError
from karat.metrics.atec_style import AtecStyle
from karat.resources.sounds import soundex

WORDS = ["car", "cars", "automobile", "the", "of", "colour", "color", "shore", "bank", "猫"]
LINES = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)

REFERENCE = "the farmer sold a grey car and two horses"
PLAIN: dict[str, Any] = {
    "stem": 0.0,
    "sound": 0.0,
    "sense": 0.0,
    "function_weight": 1.0,
    "position": 0.0,
    "sequence": 0.0,
}


def score(hypothesis: str, reference: str = REFERENCE, **parameters: Any) -> float:
    return AtecStyle(**parameters).prepare([reference]).rows([hypothesis]).score


@settings(max_examples=60)
@given(LINES, st.lists(LINES, min_size=1, max_size=2))
@example("the cars of color", ["", "color the car automobile"])
@example("", [""])
def test_scores_equal_the_slow_version(hypothesis: str, references: list[str]) -> None:
    expected = max(oracle.english_score(hypothesis, reference) for reference in references)
    found = AtecStyle(tokenize="none").prepare([references]).rows([hypothesis]).score
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("component", "better", "worse"),
    [
        ("stem", REFERENCE.replace("horses", "horse"), REFERENCE.replace("horses", "geese")),
        ("sound", REFERENCE.replace("grey", "gray"), REFERENCE.replace("grey", "blue")),
        ("sense", REFERENCE.replace("car", "automobile"), REFERENCE.replace("car", "house")),
        ("function_weight", REFERENCE.replace("and", "or"), REFERENCE.replace("car", "tree")),
        ("position", "farmer the sold a grey car and two horses", "two farmer sold a grey car and the horses"),
        ("sequence", "farmer the sold a grey car and two horses", "two farmer sold a grey car and the horses"),
    ],
)
def test_each_component_alone_tells_two_sentences_apart(component: str, better: str, worse: str) -> None:
    assert score(better, **PLAIN) == pytest.approx(score(worse, **PLAIN))
    with_it = {**PLAIN, component: getattr(AtecStyle(), component)}
    assert score(better, **with_it) > score(worse, **with_it)


def test_surface_forms_are_worth_most() -> None:
    forms = ["colour", "colours", "color"]
    scores = [score(form, "colour", **{**PLAIN, "stem": 0.9, "sound": 0.6}) for form in forms]
    assert scores == pytest.approx([100, 90, 60])


def test_position_counts_where_the_sequence_is_the_same() -> None:
    near, far = "a x x b", "a b x x"
    without_sequence = {**PLAIN, "position": 1.0}
    only_sequence = {**PLAIN, "sequence": 1.0}
    assert score(near, "a y y b", **only_sequence) == score(far, "a y y b", **only_sequence)
    assert score(near, "a y y b", **without_sequence) > score(far, "a y y b", **without_sequence)


def test_precision_and_recall_count_alike() -> None:
    assert score("a b", "a b c d", **PLAIN) == pytest.approx(score("a b c d", "a b", **PLAIN)) == pytest.approx(200 / 3)
    assert score("a b", "a b c d", alpha=1.0, **PLAIN) == pytest.approx(50)


@pytest.mark.usefixtures("installed_german_thesaurus")
def test_german_words_are_looked_up_in_german() -> None:
    prepared = AtecStyle().for_language("de").prepare(["der Wagen fährt schnell"])
    assert "german" in str(prepared.signature)
    synonym, other = prepared.rows(["das Auto fährt schnell"]).score, prepared.rows(["das Haus fährt schnell"]).score
    assert synonym > other


def test_a_segment_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="split it into sentences"):
        AtecStyle().prepare(["a " * 6000]).rows(["b " * 6000])


def test_the_best_of_several_references_counts() -> None:
    prepared = AtecStyle().prepare([["a b c d e", "v w x y z"], ["k l m n", "a b c d e"]])
    assert prepared.rows(["v w x y z", "a b c d e"]).unit_scores() == pytest.approx([100, 100])


@pytest.mark.parametrize("name", ["alpha", "stem", "sound", "sense", "function_weight", "position", "sequence"])
def test_parameters_without_sense_are_refused(name: str) -> None:
    with pytest.raises(SpecError, match=name):
        AtecStyle(**{name: 1.5})


def test_words_without_letters_have_no_sound() -> None:
    assert [soundex(word) for word in ("", "42", "猫", "o'clock", "Müller", "mueller")] == [
        "",
        "",
        "",
        "",
        "M46",
        "M46",
    ]
