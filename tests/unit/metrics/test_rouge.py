"""ROUGE: the official script's scores, rouge-score's on real text, and the slow version."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from tests.oracles import rouge as oracle
from tests.oracles.records import record

from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.metrics.reading.rouge import ASCII_IN_LOWER_CASE
from karat.metrics.rouge import Rouge

KINDS = {"1": "1", "2": "2", "3": "3", "4": "4", "L": "L", "W": "W1.2", "S": "S4", "SU": "SU4"}
LINES = st.lists(st.sampled_from(["a", "b", "c", "ä", "長い", "d"]), max_size=12).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=5)
TEXTS = st.lists(LINES, max_size=4).map("\n".join)
BOOTSTRAP_ERROR = 0.0015


def wmt21(directory: Path, count: int) -> tuple[list[str], list[list[str]]]:
    """The first segments of a system, and two columns of references."""
    system = sorted((directory / "wmt21-news-ende" / "system-outputs").glob("*.txt"))[0]
    references = directory / "wmt21-news-ende" / "references"
    hypotheses, *streams = [
        path.read_text(encoding="utf-8").split("\n")[:count]
        for path in (system, references / "refA.de", references / "refC.de")
    ]
    return hypotheses, streams


def english(directory: Path) -> tuple[Path, Path]:
    """A system's output in English, and the reference."""
    return (
        directory / "compare-mt-example" / "ted.sys1.detok.eng",
        directory / "compare-mt-example" / "ted.ref.detok.eng",
    )


def in_texts(lines: list[str], sentences: int) -> list[str]:
    """Every few lines as one text."""
    return ["\n".join(lines[i : i + sentences]) for i in range(0, len(lines), sentences)]


@pytest.mark.parametrize(("kind", "key"), KINDS.items())
@pytest.mark.parametrize(("alpha", "place"), [(0.0, 0), (1.0, 1), (0.5, 2)])
def test_scores_are_those_of_the_official_script(
    shared_spec: Path, kind: str, key: str, alpha: float, place: int
) -> None:
    known = record(shared_spec, "o19")
    metric = Rouge(kind=kind, mode="1.5.5", alpha=alpha, ascii_words=True)
    rows = metric.prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    for segment, scores in known["seg_scores"].items():
        assert rows.unit_scores()[int(segment)] / 100 == pytest.approx(scores[key][place], abs=1e-5)
    assert rows.score / 100 == pytest.approx(known["corpus_score"][key][place], abs=BOOTSTRAP_ERROR)


@pytest.mark.parametrize("kind", ["1", "2", "L"])
def test_real_segments_score_as_with_rouge_score(shared_data: Path, kind: str) -> None:
    hypotheses, streams = wmt21(shared_data, 200)
    rows = Rouge(kind=kind, ascii_words=True).prepare(References.from_streams(streams)).rows(hypotheses)
    peer = RougeScorer([f"rouge{kind}"])
    expected = [
        100 * peer.score_multi(references, hypothesis)[f"rouge{kind}"].fmeasure
        for hypothesis, *references in zip(hypotheses, *streams, strict=True)
    ]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


def test_real_texts_of_several_sentences_score_as_with_rouge_score(shared_data: Path) -> None:
    lines, streams = wmt21(shared_data, 240)
    hypotheses, *references = [in_texts(column, 4) for column in (lines, *streams)]
    metric = Rouge(kind="Lsum", mode="1.5.5", ascii_words=True)
    rows = metric.prepare(References.from_streams(references)).rows(hypotheses)
    peer = RougeScorer(["rougeLsum"])
    expected = [
        100 * peer.score_multi(texts, hypothesis)["rougeLsum"].fmeasure
        for hypothesis, *texts in zip(hypotheses, *references, strict=True)
    ]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", ["1", "2", "L", "Lsum"])
def test_english_stems_score_as_with_rouge_score(shared_data: Path, kind: str) -> None:
    lines = [path.read_text(encoding="utf-8").split("\n")[:160] for path in english(shared_data)]
    hypotheses, references = [in_texts(column, 2) for column in lines]
    metric = Rouge(kind=kind, mode="1.5.5", ascii_words=True, stem=True, stemmer="nltk")
    peer = RougeScorer([f"rouge{kind}"], use_stemmer=True)
    expected = [
        100 * peer.score(reference, hypothesis)[f"rouge{kind}"].fmeasure
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    assert metric.prepare(references).rows(hypotheses).unit_scores() == pytest.approx(expected, abs=1e-9)


def test_stems_are_porters_unless_words_are_short() -> None:
    pairs = [("walking", "walked"), ("possibly", "possible"), ("cats", "cat"), ("was", "wa")]
    hypotheses, references = map(list, zip(*pairs, strict=True))
    scores = [
        Rouge(kind="1", stem=True, stemmer=stemmer).prepare(references).rows(hypotheses).unit_scores().tolist()
        for stemmer in ("porter", "nltk")
    ]
    assert scores == [[100, 0, 100, 0], [100, 100, 100, 0]]


def test_the_signature_names_the_stemmer() -> None:
    signatures = [str(Rouge(stem=True, stemmer=name).prepare(["a"]).signature) for name in ("porter", "nltk")]
    assert "stems:snowball-porter:" in signatures[0]
    assert "stems:nltk-porter:" in signatures[1]


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=4))
@example(
    [("Ab\nab\r\n", "aB\n"), ("", "\n"), ("\u212aelvin's É1", "kelvin s é1"), ("D\u0130D", "di\u0307d"), ("a", "")]
)
def test_ascii_words_are_those_of_rouge_score(pairs: list[tuple[str, str]]) -> None:
    rows = Rouge(kind="1", ascii_words=True).prepare([r for _, r in pairs]).rows([h for h, _ in pairs])
    peer = RougeScorer(["rouge1"])
    expected = [100 * peer.score(reference, hypothesis)["rouge1"].fmeasure for hypothesis, reference in pairs]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


@given(SEGMENTS, st.sampled_from(list(KINDS)), st.sampled_from(["published", "1.5.5"]), st.integers(0, 5))
@example([("", [""]), ("a", ["a", ""])], "SU", "1.5.5", 4)
@example([("", [""]), ("a", ["a", ""])], "W", "1.5.5", 4)
def test_scores_equal_the_slow_version(segments: list[tuple[str, list[str]]], kind: str, mode: str, gap: int) -> None:
    metric = Rouge(tokenize="none", kind=kind, mode=mode, gap=gap)
    rows = metric.prepare([references for _, references in segments]).rows([hypothesis for hypothesis, _ in segments])
    expected = [max(oracle.score(h, r, kind, mode, gap=gap) for r in references) for h, references in segments]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


@given(
    st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=4),
    st.sampled_from(["published", "1.5.5"]),
)
@example([("", [""]), ("a", ["a\na", "\n\n"]), ("\n", ["a"])], "published")
@example([("", [""]), ("a", ["a\na", "\n\n"]), ("\n", ["a"])], "1.5.5")
def test_united_subsequences_equal_the_slow_version(segments: list[tuple[str, list[str]]], mode: str) -> None:
    metric = Rouge(tokenize="none", kind="Lsum", mode=mode)
    rows = metric.prepare([references for _, references in segments]).rows([hypothesis for hypothesis, _ in segments])
    expected = [max(oracle.united(h, r, mode) for r in references) for h, references in segments]
    assert rows.unit_scores() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("distinct", [3, 40, 3000])
def test_long_texts_have_the_common_subsequence_of_the_recurrence(distinct: int) -> None:
    rng = np.random.default_rng(20)
    hypothesis, reference = (" ".join(map(str, rng.integers(0, distinct, 1200))) for _ in range(2))
    for kind in ("L", "Lsum"):
        rows = Rouge(tokenize="none", kind=kind, alpha=0.0).prepare([reference]).rows([hypothesis])
        recurrence = Rouge(tokenize="none", kind="W", weight=1.0, alpha=0.0).prepare([reference]).rows([hypothesis])
        assert rows.score == pytest.approx(recurrence.score, abs=1e-9)


def test_one_sentence_is_no_union() -> None:
    lines = ["the cat sat on the mat", "on the mat sat the cat"]
    scores = [Rouge(kind=kind).prepare(lines).rows(lines[::-1]).score for kind in ("L", "Lsum")]
    assert scores[0] == pytest.approx(scores[1], abs=1e-9)


def test_sentences_beyond_all_measure_are_refused() -> None:
    endless = "a " * 33_000
    with pytest.raises(InputError, match=r"segment 2 .*split"):
        Rouge(kind="Lsum", tokenize="none").prepare(["a", endless]).rows(["a", endless])


@given(SEGMENTS)
def test_the_jackknife_leaves_each_reference_out(segments: list[tuple[str, list[str]]]) -> None:
    metric = Rouge(tokenize="none", kind="1", average="jackknife")
    rows = metric.prepare([references for _, references in segments]).rows([hypothesis for hypothesis, _ in segments])
    for value, (hypothesis, references) in zip(rows.unit_scores(), segments, strict=True):
        scores = [oracle.score(hypothesis, reference, "1", "published") for reference in references]
        left = [max(scores[:k] + scores[k + 1 :]) for k in range(len(scores))] if len(scores) > 1 else scores
        assert value == pytest.approx(np.mean(left))


@pytest.mark.parametrize("kind", [*KINDS, "9", "Lsum"])
def test_a_perfect_hypothesis_is_best_as_published(kind: str) -> None:
    text = "the quick brown fox jumps over the lazy dog"
    assert Rouge(kind=kind).prepare([["something else", text]]).rows([text]).score == pytest.approx(100)


def test_only_two_characters_become_ascii_in_lower_case() -> None:
    changed = [c for c in map(chr, range(128, 0x110000)) if any(low.isascii() for low in c.lower())]
    assert "".join(changed) == ASCII_IN_LOWER_CASE


def test_the_name_tells_the_kind() -> None:
    assert [Rouge(kind=kind).display_name for kind in ("1", "W", "SU")] == ["ROUGE-1", "ROUGE-W-1.2", "ROUGE-SU4"]


def test_weights_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SpecError, match="alpha"):
        Rouge(alpha=1.5)
    with pytest.raises(SpecError, match="weight"):
        Rouge(kind="W", weight=0.5)
    with pytest.raises(SpecError, match="gap"):
        Rouge(gap=-1)


@pytest.mark.parametrize("mode", ["published", "1.5.5"])
def test_runs_of_long_segments_do_not_overflow(mode: str) -> None:
    text = " ".join(f"w{number}" for number in range(5_000))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Rouge(kind="W", weight=5.0, mode=mode).prepare([text]).rows([text]).score > 0
    with pytest.raises(SpecError, match="weight"):
        Rouge(kind="W", weight=100.0)
