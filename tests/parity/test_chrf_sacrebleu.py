"""chrF equals sacreBLEU 2.6, for corpora and for segments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF
from tests.parity.answers import answer

from karat.metrics.chrf import Chrf

LINES = st.one_of(
    st.text("abA .(", max_size=20),
    st.text("aäß長い𝒳 \u00a0\u3000\u0085\x1c(.!", max_size=20),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)


def read_lines(path: Path) -> list[str]:
    """The lines of a file, split at newlines and nothing else."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def sacrebleu_says(
    hypotheses: list[str], streams: list[list[str | None]], parameters: dict[str, Any]
) -> dict[str, Any]:
    """Its score of the corpus, its name and signature, and its scores of the segments."""
    peer = CHRF(**parameters)
    corpus = peer.corpus_score(hypotheses, streams)
    signature = peer.get_signature().format()  # of the corpus: a segment asked later changes its number of references
    pairs = zip(hypotheses, references_of(streams), strict=True)
    segments = [peer.sentence_score(hypothesis, several).score for hypothesis, several in pairs]
    return {"score": corpus.score, "name": corpus.name, "signature": signature, "segments": segments}


def references_of(streams: list[list[str | None]]) -> list[list[str]]:
    """The references of each segment."""
    return [[text for text in row if text is not None] for row in zip(*streams, strict=True)]


def assert_equal(hypotheses: list[str], streams: list[list[str | None]], parameters: dict[str, Any]) -> None:
    """The two tools agree on the corpus, the name, the signature and every segment."""
    question = [hypotheses, streams, parameters]
    expected = answer("chrf", len(hypotheses), question, lambda: sacrebleu_says(hypotheses, streams, parameters))
    chrf = Chrf(**parameters)
    references = references_of(streams)
    rows = chrf.prepare(references).rows(hypotheses)
    assert rows.score == pytest.approx(expected["score"], rel=1e-9, abs=1e-9)
    assert chrf.display_name == expected["name"]
    counts = {len(alternatives) for alternatives in references}
    label = str(counts.pop()) if len(counts) == 1 else "var"
    assert chrf.sacrebleu_signature(label) == expected["signature"]
    np.testing.assert_allclose(rows.unit_scores(), expected["segments"], rtol=1e-9, atol=1e-9)


@given(st.data())
def test_any_text_with_any_options(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 5))
    hypotheses = data.draw(st.lists(LINES, min_size=count, max_size=count))
    ragged = st.lists(st.none() | LINES, min_size=count, max_size=count)
    streams = data.draw(st.lists(ragged, min_size=1, max_size=4))
    for i, row in enumerate(zip(*streams, strict=True)):
        if all(text is None for text in row):  # every segment needs a reference
            streams[i % len(streams)][i] = "the end"
    parameters = {
        "char_order": data.draw(st.integers(1, 7)),
        "word_order": data.draw(st.integers(0, 3)),
        "beta": data.draw(st.integers(0, 3)),
        "lowercase": data.draw(st.booleans()),
        "whitespace": data.draw(st.booleans()),
        "eps_smoothing": data.draw(st.booleans()),
    }
    assert_equal(hypotheses, streams, parameters)


@pytest.fixture(scope="module")
def news(shared_data: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """References and systems of WMT21 news en-de."""
    directory = shared_data / "wmt21-news-ende"
    references = {path.stem: read_lines(path) for path in sorted((directory / "references").iterdir())}
    systems = {path.stem: read_lines(path) for path in sorted((directory / "system-outputs").iterdir())}
    return references, systems


@pytest.mark.parametrize("names", [["refA"], ["refB"], ["refC"], ["refD"], ["refA", "refB", "refC", "refD"]])
@pytest.mark.parametrize("word_order", [0, 2])
def test_news(news: tuple[dict[str, list[str]], dict[str, list[str]]], names: list[str], word_order: int) -> None:
    references, systems = news
    streams: list[list[str | None]] = [[*references[name][:150]] for name in names]
    assert_equal(systems["Facebook-AI"][:150], streams, {"word_order": word_order})


def test_chinese(shared_data: Path) -> None:
    directory = shared_data / "wmt22-general-enzh"
    streams: list[list[str | None]] = [
        [*read_lines(path)[:300]] for path in sorted((directory / "references").iterdir())
    ]
    system = sorted((directory / "system-outputs").iterdir())[0]
    assert_equal(read_lines(system)[:300], streams, {"word_order": 2})


def test_published_scores_of_chrf_plus_plus_py(shared_data: Path) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    prepared = {
        key: Chrf(eps_smoothing=True, word_order=order).prepare(read_lines(directory / "ref.de"))
        for key, order in (("chrf_eps", 0), ("chrfpp_eps", 2))
    }
    compared = 0
    for name, gold in json.loads((directory / "gold.json").read_text(encoding="utf-8")).items():
        (path,) = (directory / "system-outputs").glob(f"{name}*")
        for key, references in prepared.items():
            if gold[key] is not None:
                assert references.rows(read_lines(path)).score == pytest.approx(gold[key], abs=5e-5)
                compared += 1
    assert compared > 0


@pytest.mark.parity
@pytest.mark.parametrize("word_order", [0, 1, 2])
@pytest.mark.parametrize("eps_smoothing", [False, True])
@pytest.mark.parametrize("whitespace", [False, True])
def test_every_system_with_every_option(
    news: tuple[dict[str, list[str]], dict[str, list[str]]], word_order: int, eps_smoothing: bool, whitespace: bool
) -> None:
    references, systems = news
    parameters = {"word_order": word_order, "eps_smoothing": eps_smoothing, "whitespace": whitespace}
    for number, hypotheses in enumerate(systems.values()):
        third = slice(number % 3, None, 3)  # all segments in turn; sacreBLEU needs a millisecond for each
        for names in (["refC"], ["refA", "refC", "refD"]):
            assert_equal(hypotheses[third], [[*references[name][third]] for name in names], parameters)
