"""The edit-distance family: kernels against slow definitions, scores that other tools printed, laws between metrics."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import edit_distance as oracle

from karat import kernels
from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.registry import metric

WORD_METRICS = ("wer", "per", "cder", "ser", "mer", "wil", "ssa", "gsa")

few_words = st.lists(st.sampled_from(["a", "b", "c"]), max_size=12)
many_words = st.lists(st.integers(0, 12).map(str), max_size=90)
pairs = st.one_of(st.tuples(few_words, few_words), st.tuples(many_words, many_words))


def row(kind: str, hypothesis: list[str], *references: list[str], choice: str = "fewest-edits") -> list[int]:
    def tokens(texts: list[list[str]]) -> kernels.Tokens:
        return kernels.tokenize(kernels.Text([" ".join(words) for words in texts]), "none")

    offsets = np.array([0, len(references)])
    hypotheses = tokens([hypothesis])
    rows = kernels.edit_word_rows(hypotheses, tokens(list(references)), offsets, kind, choice=choice, threads=1)
    return rows[0].tolist()


@settings(max_examples=80)
@given(pair=pairs)
def test_distances_are_those_of_the_definitions(pair: tuple[list[str], list[str]]) -> None:
    hypothesis, reference = pair
    assert row("levenshtein", *pair) == [oracle.levenshtein(*pair), len(reference)]
    assert row("cder", *pair) == [oracle.cder(*pair), len(reference)]
    errors = max(map(len, pair)) - oracle.shared(*pair)
    assert row("bag", *pair) == [errors, oracle.shared(*pair), len(hypothesis), len(reference)]


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 200])
@pytest.mark.parametrize("vocabulary", [2, 50])
def test_distances_around_the_size_of_a_block(length: int, vocabulary: int) -> None:
    draw = random.Random(length)
    hypothesis = [str(draw.randrange(vocabulary)) for _ in range(length)]
    for other in (1, 64, length, 2 * length):
        reference = [str(draw.randrange(vocabulary)) for _ in range(other)]
        for kind, slow in (("levenshtein", oracle.levenshtein), ("cder", oracle.cder)):
            assert row(kind, hypothesis, reference)[0] == slow(hypothesis, reference)
            assert row(kind, reference, hypothesis)[0] == slow(reference, hypothesis)


def test_rare_and_frequent_words_of_a_very_long_segment() -> None:
    """So long that rare words do not keep their positions as bits."""
    draw = random.Random(1)
    reference = [draw.choice(["the", "of", str(draw.randrange(700))]) for _ in range(1200)]
    hypothesis = [word for word in reference if draw.random() < 0.8]
    hypothesis[300:300] = hypothesis[500:600]
    expected = oracle.levenshtein(hypothesis, reference)
    assert row("levenshtein", hypothesis, reference)[0] == expected
    assert sum(row("operations", hypothesis, reference)[1:4]) == expected
    assert row("cder", hypothesis, reference)[0] == oracle.cder(hypothesis, reference)


@settings(max_examples=80)
@given(pair=pairs)
def test_operations_are_those_of_a_shortest_alignment(pair: tuple[list[str], list[str]]) -> None:
    hypothesis, reference = pair
    hits, substitutions, deletions, insertions, moves = row("operations", *pair)
    assert substitutions + deletions + insertions == oracle.levenshtein(*pair)
    assert hits + substitutions + deletions == len(reference)
    assert hits + substitutions + insertions == len(hypothesis)
    assert 0 <= moves <= min(deletions, insertions)
    assert hits + moves <= oracle.shared(*pair)
    if len(hypothesis) * len(reference) < 500:
        most, fewest = oracle.most_and_fewest_hits(*pair)
        assert fewest <= hits <= most


@settings(max_examples=100)
@given(hypothesis=st.text(max_size=90), references=st.lists(st.text(max_size=90), min_size=1, max_size=3))
def test_characters_are_code_points_of_any_script(hypothesis: str, references: list[str]) -> None:
    for whitespace in ("keep", "drop"):
        found = metric(f"cer(whitespace={whitespace})").prepare([references]).values([hypothesis]).tolist()

        def characters(text: str, drop: bool = whitespace == "drop") -> str:
            return "".join(text.split()) if drop else text.strip()

        candidates = [
            (oracle.levenshtein(characters(hypothesis), characters(r)), len(characters(r))) for r in references
        ]
        assert tuple(found[0]) == oracle.best_row(candidates, "levenshtein", "error-rate")


@settings(max_examples=100)
@given(hypothesis=few_words, references=st.lists(few_words, min_size=2, max_size=4))
def test_the_first_of_the_closest_references_counts_on_request(
    hypothesis: list[str], references: list[list[str]]
) -> None:
    for kind, edits in (
        ("levenshtein", lambda one: one[0]),
        ("cder", lambda one: one[0]),
        ("operations", lambda one: sum(one[1:4])),
        ("bag", lambda one: one[0]),
    ):
        assert row(kind, hypothesis, *references) == min((row(kind, hypothesis, r) for r in references), key=edits)


@pytest.mark.parametrize(("kind", "choice"), oracle.RATES)
@settings(max_examples=100)
@given(hypothesis=few_words, references=st.lists(few_words, min_size=2, max_size=4))
def test_the_reference_with_the_lowest_rate_counts(
    kind: str, choice: str, hypothesis: list[str], references: list[list[str]]
) -> None:
    alone = [row(kind, hypothesis, reference) for reference in references]
    assert row(kind, hypothesis, *references, choice=choice) == oracle.best_row(alone, kind, choice)


def test_a_reference_with_more_edits_can_have_the_lower_rate() -> None:
    references = [["a b c d", "a b c d e f g h"], ["a b c d e f g h", "a b c d"]]
    hypotheses = ["a b x d e f"] * 2
    rows = metric("wer").prepare(references).rows(hypotheses)
    assert rows.values.tolist() == [[3, 8], [3, 8]]
    closest = metric("wer(references=fewest-edits)").prepare(references).rows(hypotheses)
    assert closest.values.tolist() == [[3, 4], [3, 8]]


def test_an_empty_reference_has_the_score_that_it_has_alone() -> None:
    """A rate of 100 for any text, which is better than that of a reference much shorter than the hypothesis."""
    references = [["", "x"], ["", "x y z"], ["x"]]
    rows = metric("wer").prepare(references).rows(["a b c"] * 3)
    assert rows.values.tolist() == [[3, 0], [3, 3], [3, 1]]
    assert rows.unit_scores().tolist() == pytest.approx([100, 100, 300])


def test_an_unknown_choice_of_references_is_refused() -> None:
    with pytest.raises(SpecError, match="fewest-edits"):
        metric("wer(references=fewest-edit)")
    with pytest.raises(InputError, match="longest"):
        row("levenshtein", ["a"], ["a"], choice="longest")


@pytest.mark.parametrize(
    ("spec", "record"), [("wer", "o15"), ("ssa", "o15"), ("cder", "o16"), ("per(excess=total)", "o17")]
)
def test_scores_are_those_that_moses_printed(spec: str, record: str, shared_spec: Path) -> None:
    expected = oracle_record(shared_spec, record)
    name, _, rest = spec.partition("(")
    one = metric(f"{name}({','.join(['tokenize=none', *filter(None, [rest.rstrip(')')])])})")
    rows = one.prepare(References.from_streams(expected["refs"])).rows(expected["hyps"])
    scores = np.array([expected["corpus_score"], *expected["seg_scores"]]) * 100
    if one.higher_is_better:
        scores = 100 - scores
    assert [rows.score, *rows.unit_scores()] == pytest.approx(scores.tolist(), abs=1e-10)


def oracle_record(directory: Path, name: str) -> dict[str, Any]:
    lines = (directory / "oracles.jsonl").read_text(encoding="utf-8").splitlines()
    return next(record for record in map(json.loads, lines) if record["id"] == name)


def test_surplus_words_of_one_segment_make_up_for_another_only_on_request() -> None:
    references, hypotheses = ["a b", "a b c"], ["a b x", "a b"]
    own, moses = (
        metric(f"per(excess={excess})").prepare(references).rows(hypotheses) for excess in ("segment", "total")
    )
    assert (own.score, moses.score) == (pytest.approx(40), pytest.approx(20))
    assert own.unit_scores().tolist() == moses.unit_scores().tolist()


def test_cder_charges_a_jump_once_and_skips_what_is_surplus() -> None:
    def edits(hypothesis: str, reference: str) -> int:
        return row("cder", hypothesis.split(), reference.split())[0]

    assert edits("a b c d", "a b c d") == 0
    assert edits("a b c d" + " x" * 500, "a b c d") == 1
    assert edits("c d e a b", "a b c d e") == 3  # to a, back to c, and to the end
    assert edits("a b", "a b a b a b") == 2  # words of the hypothesis may be used again


def test_movements_are_charged_once() -> None:
    reference, hypothesis = ["on the mat sat the cat"], ["the mat sat the cat on"]
    assert metric("gsa").prepare(reference).rows(hypothesis).score == pytest.approx(100 * (1 - 1 / 6))
    assert metric("ssa").prepare(reference).rows(hypothesis).score == pytest.approx(100 * (1 - 2 / 6))


@settings(max_examples=60)
@given(hypothesis=few_words, reference=few_words)
def test_metrics_agree_with_each_other(hypothesis: list[str], reference: list[str]) -> None:
    def score(name: str) -> float:
        return metric(f"{name}(tokenize=none)").prepare([" ".join(reference)]).rows([" ".join(hypothesis)]).score

    scores = {name: score(name) for name in WORD_METRICS}
    assert scores["per"] <= scores["wer"] + 1e-9
    assert scores["cder"] <= scores["wer"] + 1e-9
    assert scores["mer"] <= scores["wer"] + 1e-9
    assert scores["mer"] <= scores["wil"] + 1e-9
    assert scores["ssa"] == pytest.approx(100 - scores["wer"])
    assert scores["ssa"] - 1e-9 <= scores["gsa"] <= 100 - scores["per"] + 1e-9
    assert (scores["ser"] == 0) == (scores["wer"] == 0) == (hypothesis == reference)


@pytest.mark.parametrize(
    ("name", "neither", "no_reference", "no_hypothesis"),
    [
        *((name, 0, 100, 100) for name in ("wer", "cer", "per", "cder", "ser", "mer", "wil")),
        *((name, 100, 0, 0) for name in ("ssa", "gsa")),
    ],
)
def test_nothing_on_one_side_or_both(name: str, neither: float, no_reference: float, no_hypothesis: float) -> None:
    rows = metric(name).prepare(["", "", "a b"]).rows(["", "a b", ""])
    assert rows.unit_scores().tolist() == pytest.approx([neither, no_reference, no_hypothesis])


@pytest.mark.parametrize("name", [*WORD_METRICS, "cer"])
def test_case_counts_unless_told_otherwise(name: str) -> None:
    best = metric(name).prepare(["Ä b"]).rows(["Ä b"]).score
    assert metric(name).prepare(["Ä b"]).rows(["ä b"]).score != best
    assert metric(f"{name}(lowercase=true)").prepare(["Ä b"]).rows(["ä B"]).score == best


@pytest.mark.parametrize("name", WORD_METRICS)
def test_an_unknown_tokenizer_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="moses"):
        metric(f"{name}(tokenize=moses)")


def test_a_segment_that_is_too_long_is_refused_by_its_number() -> None:
    long = " ".join(map(str, range(40_000)))
    reverse = " ".join(map(str, reversed(range(40_000))))
    with pytest.raises(InputError, match=r"segment 2 is too long to align \(40000 and 40000"):
        metric("mer(tokenize=none)").prepare(["a", reverse]).rows(["a", long])
    assert metric("wer(tokenize=none)").prepare([reverse]).rows([long]).score == 100
