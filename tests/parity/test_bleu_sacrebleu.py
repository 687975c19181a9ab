"""BLEU equals sacreBLEU 2.6, for corpora and for segments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from karat.metrics.bleu import Bleu

SMOOTHING = [("exp", None), ("floor", None), ("floor", 0.5), ("add-k", None), ("add-k", 2.0), ("none", None)]
LINES = st.one_of(
    st.lists(st.sampled_from(["a", "b", "C", "c", "ä", "長い"]), max_size=12).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)


def read_lines(path: Path) -> list[str]:
    """The lines of a file, split at newlines and nothing else."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def assert_equal(hypotheses: list[str], streams: list[list[str | None]], parameters: dict[str, Any]) -> None:
    """The two tools agree on the corpus, on what is printed beside the score, on the signature and on segments."""
    peer = BLEU(
        lowercase=parameters.get("lowercase", False),
        tokenize=parameters["tokenize"],
        smooth_method=parameters.get("smooth", "exp"),
        smooth_value=parameters.get("smooth_value"),
        max_ngram_order=parameters.get("max_order", 4),
        effective_order=parameters.get("effective_order", False),
        force=True,
    )
    bleu = Bleu(**parameters)
    references = [[text for text in row if text is not None] for row in zip(*streams, strict=True)]
    rows = bleu.prepare(references).rows(hypotheses)
    expected = peer.corpus_score(hypotheses, streams)
    assert rows.score == pytest.approx(expected.score, rel=1e-9, abs=1e-9)
    details = bleu.details(rows.sum().astype(np.float64))
    assert details["precisions"] == pytest.approx(expected.precisions, rel=1e-12)
    assert (details["counts"], details["totals"]) == (expected.counts, expected.totals)
    assert (details["bp"], details["ratio"]) == pytest.approx((expected.bp, expected.ratio), rel=1e-12)
    assert (details["hypothesis_length"], details["reference_length"]) == (expected.sys_len, expected.ref_len)
    counts = {len(alternatives) for alternatives in references}
    label = str(counts.pop()) if len(counts) == 1 else "var"
    assert bleu.sacrebleu_signature(label) == peer.get_signature().format()
    if parameters.get("effective_order") or len(hypotheses) < 100:
        segments = [peer.sentence_score(h, r).score for h, r in zip(hypotheses, references, strict=True)]
        np.testing.assert_allclose(rows.unit_scores(), segments, rtol=1e-9, atol=1e-9)


@given(st.data())
def test_any_text_with_any_options(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 5))
    hypotheses = data.draw(st.lists(LINES, min_size=count, max_size=count))
    ragged = st.lists(st.none() | LINES, min_size=count, max_size=count)
    streams = data.draw(st.lists(ragged, min_size=1, max_size=4))
    assume(all(any(text is not None for text in row) for row in zip(*streams, strict=True)))
    smooth, value = data.draw(st.sampled_from(SMOOTHING))
    parameters = {
        "tokenize": data.draw(st.sampled_from(["none", "char"])),
        "lowercase": data.draw(st.booleans()),
        "smooth": smooth,
        "smooth_value": value,
        "max_order": data.draw(st.integers(1, 6)),
        "effective_order": data.draw(st.booleans()),
    }
    assert_equal(hypotheses, streams, parameters)


@pytest.fixture(scope="module")
def news(shared_data: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """References and systems of WMT21 news en-de, tokenised by sacreBLEU."""
    tokenize = Tokenizer13a()
    directory = shared_data / "wmt21-news-ende"
    references = {path.stem: path for path in sorted((directory / "references").iterdir())}
    systems = {path.stem: path for path in sorted((directory / "system-outputs").iterdir())}
    texts = [
        {name: [tokenize(line) for line in read_lines(path)] for name, path in group.items()}
        for group in (references, systems)
    ]
    return texts[0], texts[1]


@pytest.mark.parametrize("names", [["refA"], ["refB"], ["refC"], ["refD"], ["refA", "refB", "refC", "refD"]])
def test_news(news: tuple[dict[str, list[str]], dict[str, list[str]]], names: list[str]) -> None:
    references, systems = news
    streams: list[list[str | None]] = [[*references[name]] for name in names]
    assert_equal(systems["Facebook-AI"], streams, {"tokenize": "none", "effective_order": True})


def test_four_references_of_the_news(news: tuple[dict[str, list[str]], dict[str, list[str]]]) -> None:
    references, systems = news
    rows = Bleu(tokenize="none").prepare(list(zip(*references.values(), strict=True))).rows(systems["Facebook-AI"])
    assert rows.score == pytest.approx(72.060, abs=5e-4)


@pytest.mark.parametrize("tokenize", ["char", "none"])
def test_chinese(shared_data: Path, tokenize: str) -> None:
    directory = shared_data / "wmt22-general-enzh"
    streams: list[list[str | None]] = [
        [*read_lines(path)[:500]] for path in sorted((directory / "references").iterdir())
    ]
    system = sorted((directory / "system-outputs").iterdir())[0]
    assert_equal(read_lines(system)[:500], streams, {"tokenize": tokenize})


@pytest.mark.parity
@pytest.mark.parametrize(("smooth", "value"), SMOOTHING)
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("lowercase", [False, True])
def test_every_system_with_every_option(
    news: tuple[dict[str, list[str]], dict[str, list[str]]],
    smooth: str,
    value: float | None,
    effective_order: bool,
    lowercase: bool,
) -> None:
    references, systems = news
    parameters = {
        "tokenize": "none",
        "smooth": smooth,
        "smooth_value": value,
        "effective_order": effective_order,
        "lowercase": lowercase,
    }
    for number, hypotheses in enumerate(systems.values()):
        third = slice(number % 3, None, 3)  # all segments in turn; sacreBLEU needs a millisecond for each
        for names in (["refC"], ["refA", "refC", "refD"]):
            assert_equal(hypotheses[third], [[*references[name][third]] for name in names], parameters)
