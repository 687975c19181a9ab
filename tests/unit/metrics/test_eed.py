"""EED against the slow definition, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.eed import eed

from karat.errors import InputError, SpecError
from karat.registry import metric

words = st.lists(st.text("abcé猫", min_size=1, max_size=4), max_size=8)
cost = st.sampled_from([0.1, 0.2, 0.5, 1.0, 2.0])


@settings(max_examples=150)
@given(
    hypothesis=words,
    references=st.lists(words, min_size=1, max_size=3),
    costs=st.fixed_dictionaries({"alpha": cost, "rho": cost, "deletion": cost, "insertion": cost}),
    count_start=st.booleans(),
)
def test_scores_are_those_of_the_definition(
    hypothesis: list[str], references: list[list[str]], costs: dict[str, float], count_start: bool
) -> None:
    options = ",".join(f"{name}={value}" for name, value in costs.items())
    coverage = "positions" if count_start else "characters"
    one = metric(f"eed(tokenize=none,{options},coverage={coverage})")
    found = one.prepare([[" ".join(r) for r in references]]).rows([" ".join(hypothesis)]).score
    expected = min(eed(hypothesis, reference, **costs, count_start=count_start) for reference in references)
    assert found == 100 * expected


def test_long_segments_score_as_the_definition_says() -> None:
    rng = np.random.default_rng(4)
    for length in (1, 3, 40, 90):
        hypothesis, reference = (["".join(rng.choice(list("abcd"), 5)) for _ in range(length)] for _ in range(2))
        reference[length // 3 :] = hypothesis[length // 3 :][::-1]
        found = metric("eed(tokenize=none)").prepare([" ".join(reference)]).rows([" ".join(hypothesis)]).score
        assert found == 100 * eed(hypothesis, reference)


def test_the_place_before_the_first_character_counts_only_on_request() -> None:
    text = ["a b c"]  # seven characters with the blanks at both ends
    assert metric("eed").prepare(text).rows(text).score == 0
    assert metric("eed(coverage=positions)").prepare(text).rows(text).score == pytest.approx(100 * 0.3 / 7.3)


def test_a_block_that_moves_costs_jumps_rather_than_edits() -> None:
    reference = "we will see each other again on monday"
    moved = metric("eed").prepare([reference]).rows(["on monday we will see each other again"]).score
    replaced = metric("eed").prepare([reference]).rows(["we will see each other again qq xzxzxz"]).score
    assert 0 < moved < 30
    without_jumps = metric("eed(alpha=1000)").prepare([reference]).rows(["on monday we will see each other again"])
    assert moved < without_jumps.score
    assert replaced > 0


def test_text_is_the_mean_of_its_segments() -> None:
    rows = metric("eed").prepare(["a b", "c d e"]).rows(["a x", "c d e"])
    assert rows.score == pytest.approx(rows.unit_scores().mean())


@pytest.mark.parametrize("wrong", ["alpha=0", "deletion=-1", "insertion=0", "rho=-0.1", "alpha=inf", "rho=nan"])
def test_impossible_costs_are_refused(wrong: str) -> None:
    with pytest.raises(SpecError, match=wrong.partition("=")[0]):
        metric(f"eed({wrong})")


def test_a_segment_that_is_too_long_is_refused_by_its_number() -> None:
    with pytest.raises(InputError, match="segment 2 is too long"):
        metric("eed").prepare(["a", "b" * 60_000]).rows(["a", "a" * 60_000])
