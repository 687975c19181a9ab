"""Strings measured all with all: the rows of the same pairs one by one, and mean references counted by hand."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.crossing import mean_bleu, mean_chrf

from karat.engine import crossing as module
from karat.engine.crossing import Crossing, score_blocks
from karat.errors import InputError, SpecError
from karat.metrics.base import Metric
from karat.registry import metric
from karat.text import TextColumn

SPECS = [
    "bleu",
    "bleu(max_order=2,lowercase=true,smooth=add-k)",
    "chrf",
    "chrf++",
    "chrf(char_order=0,word_order=3)",
    "chrf(char_order=9,whitespace=true,eps_smoothing=true)",
    "chrf(average=macro)",
    "ter",
    "ter(normalized=true,asian_support=true)",
    "ter(search=full)",
    "wer",
    "gleu",
]
words = st.sampled_from(["the", "The", "cat", "sat", "on", "mat.", "it's", "'s", "Über", "猫", "(so)", "a", "a a a a"])
texts = st.one_of(st.lists(words, max_size=10).map(" ".join), st.text(max_size=12))
groups = st.lists(st.lists(texts, min_size=1, max_size=5), min_size=1, max_size=3)


def pairs_one_by_one(one: Metric, hypotheses: list[str], references: list[str]) -> np.ndarray:
    pairs = [(hypothesis, reference) for hypothesis in hypotheses for reference in references]
    return one.prepare([r for _, r in pairs], 1).rows([h for h, _ in pairs]).unit_scores()


def crossed(one: Metric, lists: list[list[str]], threads: int = 1) -> tuple[Crossing, np.ndarray]:
    """The strings of all lists, and the rectangle of each with itself."""
    ends = np.cumsum([0, *map(len, lists)])
    rectangles = np.array([[a, b, a, b] for a, b in pairwise(ends)], dtype=np.int64)
    strings = TextColumn.of([text for texts in lists for text in texts])
    return Crossing(one, strings, ends.astype(np.int64), threads), rectangles


@pytest.mark.parametrize("spec", SPECS)
@given(lists=groups)
def test_scores_are_those_of_the_pairs_one_by_one(spec: str, lists: list[list[str]]) -> None:
    one = metric(spec)
    strings, rectangles = crossed(one, lists)
    alone = np.concatenate([pairs_one_by_one(one, texts, texts) for texts in lists])
    np.testing.assert_allclose(strings.scores(rectangles), alone, rtol=1e-12, atol=1e-12)


@given(lists=groups)
def test_threads_make_no_difference(lists: list[list[str]]) -> None:
    (one, rectangles), (two, _) = (crossed(metric("chrf++"), lists, threads) for threads in (1, 2))
    assert (one.scores(rectangles) == two.scores(rectangles)).all()


weighted = st.lists(st.tuples(texts, st.floats(0.1, 5)), min_size=1, max_size=6)


@given(hypothesis=texts, references=weighted)
def test_mean_references_of_chrf_are_counted(hypothesis: str, references: list[tuple[str, float]]) -> None:
    others, weights = map(list, zip(*references, strict=True))
    strings, _ = crossed(metric("chrf"), [[hypothesis, *others]])
    found = strings.scores_against_mean(np.array([[0, 1, 1, 1 + len(others)]]), np.array(weights))
    assert found == pytest.approx([mean_chrf(hypothesis, others, weights)], abs=1e-9)


@given(hypothesis=st.lists(words, max_size=10).map(" ".join), references=weighted)
def test_mean_references_of_bleu_are_counted(hypothesis: str, references: list[tuple[str, float]]) -> None:
    others, weights = map(list, zip(*references, strict=True))
    strings, _ = crossed(metric("bleu(effective_order=true,tokenize=none)"), [[hypothesis, *others]])
    found = strings.scores_against_mean(np.array([[0, 1, 1, 1 + len(others)]]), np.array(weights))
    assert found == pytest.approx([mean_bleu(hypothesis, others, weights)], abs=1e-9)


def test_counts_beyond_a_byte_are_averaged_as_they_are() -> None:
    strings, _ = crossed(metric("chrf(char_order=1)"), [["a" * 700, "a" * 900, "b"]])
    found = strings.scores_against_mean(np.array([[0, 1, 1, 3]]), np.ones(2))
    assert found == pytest.approx([mean_chrf("a" * 700, ["a" * 900, "b"], [1, 1], orders=1)])


@pytest.mark.parametrize("held", [module.HELD_BYTES, 40])
def test_blocks_cover_every_pair_once(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_BYTES", held)
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 9)
    monkeypatch.setattr(module, "BAND_SCORES", 20)
    first, second = ([f"{name} {i} of all" for i in range(count)] for name, count in (("this", 13), ("that", 7)))
    for others in (second, None):
        against = first if others is None else others
        found = np.full((len(first), len(against)), np.nan)
        column = None if others is None else TextColumn.of(others)
        for block in score_blocks(metric("chrf"), TextColumn.of(first), column, 1):
            height, width = block.scores.shape
            place = (
                slice(block.first_hypothesis, block.first_hypothesis + height),
                slice(block.first_reference, block.first_reference + width),
            )
            assert np.isnan(found[place]).all()
            found[place] = block.scores
        expected = pairs_one_by_one(metric("chrf"), first, against).reshape(len(first), -1)
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("spec", "message"), [("nist", "learns how n-grams count"), ("hter", "post-edits")])
def test_metrics_without_a_score_of_two_strings_are_refused(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        crossed(metric(spec), [["a", "b"]])


def test_only_counts_can_be_averaged() -> None:
    strings, rectangles = crossed(metric("ter"), [["a", "b"]])
    with pytest.raises(SpecError, match="cannot be averaged"):
        strings.scores_against_mean(rectangles, np.ones(2))


def test_what_would_take_too_long_is_refused() -> None:
    rng = random.Random(0)
    first, second = (" ".join(rng.choices("ab", k=100_000)) for _ in range(2))
    strings, rectangles = crossed(metric("ter(search=full)"), [[first, second]])
    with pytest.raises(InputError, match="candidates for a shift"):
        strings.scores(rectangles)


def test_values_are_those_of_mbrs(shared_data: Path) -> None:
    values = json.loads((shared_data / "mbrs-test" / "values.json").read_text(encoding="utf-8"))
    strings = TextColumn.of(values["hypotheses"] + values["references"])
    rectangle = np.array([[0, 4, 4, 7]], dtype=np.int64)
    for spec, name in (("chrf", "chrf"), ("sentence-bleu", "bleu_effective_order"), ("bleu", "bleu"), ("ter", "ter")):
        crossing = Crossing(metric(spec), strings, np.array([0, 7]), 1)
        assert crossing.scores(rectangle).reshape(4, 3).round(3).tolist() == values[name]
    for spec, name in (
        ("chrf", "chrf_aggregated"),
        ("sentence-bleu", "bleu_aggregated_effective_order"),
        ("bleu", "bleu_aggregated"),
    ):
        found = Crossing(metric(spec), strings, np.array([0, 7]), 1).scores_against_mean(rectangle, np.ones(3))
        assert found.round(5).tolist() == values[name]
