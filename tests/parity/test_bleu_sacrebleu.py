"""BLEU equals sacreBLEU 2.6, for corpora and for segments."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from tests.parity.answers import answer

from karat.metrics.bleu import Bleu

TOKENIZERS = ["13a", "intl", "zh", "char", "none"]
SMOOTHING = [("exp", None), ("floor", None), ("floor", 0.5), ("add-k", None), ("add-k", 2.0), ("none", None)]
LINES = st.one_of(
    st.lists(
        st.sampled_from(["a", "b", "C", "c", "ä", "長い", "it's", "2,5", "(b).", "a-1-b", "&quot;", "“x”"]), max_size=12
    ).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)


def read_lines(path: Path) -> list[str]:
    """The lines of a file, split at newlines and nothing else."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def sacrebleu_says(
    hypotheses: list[str], streams: list[list[str | None]], parameters: dict[str, Any]
) -> dict[str, Any]:
    """Its score of the corpus with what is printed beside it, its signature, and its scores of segments if asked."""
    peer = BLEU(
        lowercase=parameters.get("lowercase", False),
        tokenize=parameters["tokenize"],
        smooth_method=parameters.get("smooth", "exp"),
        smooth_value=parameters.get("smooth_value"),
        max_ngram_order=parameters.get("max_order", 4),
        effective_order=parameters.get("effective_order", False),
        force=True,
    )
    corpus = peer.corpus_score(hypotheses, streams)
    names = ("score", "precisions", "counts", "totals", "bp", "ratio", "sys_len", "ref_len")
    said = {name: getattr(corpus, name) for name in names} | {"signature": peer.get_signature().format()}
    if parameters.get("effective_order") or len(hypotheses) < 100:
        pairs = zip(hypotheses, references_of(streams), strict=True)
        said["segments"] = [peer.sentence_score(hypothesis, several).score for hypothesis, several in pairs]
    return said


def references_of(streams: list[list[str | None]]) -> list[list[str]]:
    """The references of each segment."""
    return [[text for text in row if text is not None] for row in zip(*streams, strict=True)]


def assert_equal(hypotheses: list[str], streams: list[list[str | None]], parameters: dict[str, Any]) -> None:
    """The two tools agree on the corpus, on what is printed beside the score, on the signature and on segments."""
    question = [hypotheses, streams, parameters]
    expected = answer("bleu", len(hypotheses), question, lambda: sacrebleu_says(hypotheses, streams, parameters))
    bleu = Bleu(**parameters)
    references = references_of(streams)
    rows = bleu.prepare(references).rows(hypotheses)
    assert rows.score == pytest.approx(expected["score"], rel=1e-9, abs=1e-9)
    details = bleu.details(rows.sum().astype(np.float64))
    assert details["precisions"] == pytest.approx(expected["precisions"], rel=1e-12)
    assert (details["counts"], details["totals"]) == (expected["counts"], expected["totals"])
    assert (details["bp"], details["ratio"]) == pytest.approx((expected["bp"], expected["ratio"]), rel=1e-12)
    lengths = (details["hypothesis_length"], details["reference_length"])
    assert lengths == (expected["sys_len"], expected["ref_len"])
    counts = {len(alternatives) for alternatives in references}
    label = str(counts.pop()) if len(counts) == 1 else "var"
    assert bleu.sacrebleu_signature(label) == expected["signature"]
    if "segments" in expected:
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
    smooth, value = data.draw(st.sampled_from(SMOOTHING))
    parameters = {
        "tokenize": data.draw(st.sampled_from(TOKENIZERS)),
        "lowercase": data.draw(st.booleans()),
        "smooth": smooth,
        "smooth_value": value,
        "max_order": data.draw(st.integers(1, 6)),
        "effective_order": data.draw(st.booleans()),
    }
    assert_equal(hypotheses, streams, parameters)


@dataclass(frozen=True)
class TestData:
    """References and systems of a data set, by name."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    references: dict[str, list[str]]
    systems: dict[str, list[str]]

    def streams(self, *names: str, part: slice = slice(None)) -> list[list[str | None]]:
        """Parallel columns of references."""
        return [[*self.references[name][part]] for name in names]


def lines_of_files(paths: Iterable[Path]) -> dict[str, list[str]]:
    return {path.stem: read_lines(path) for path in sorted(paths)}


@pytest.fixture(scope="module")
def news(shared_data: Path) -> TestData:
    """WMT21 news, English to German: four references, fourteen systems."""
    directory = shared_data / "wmt21-news-ende"
    return TestData(
        lines_of_files((directory / "references").iterdir()), lines_of_files((directory / "system-outputs").iterdir())
    )


@pytest.fixture(scope="module")
def chinese(shared_data: Path) -> TestData:
    """WMT22 general, English to Chinese: two references, thirteen systems."""
    directory = shared_data / "wmt22-general-enzh"
    references = lines_of_files((directory / "references").iterdir())
    systems = lines_of_files((directory / "system-outputs").iterdir())
    return TestData(
        {name.rsplit(".", 1)[1]: lines for name, lines in references.items()},
        {name.rsplit(".", 1)[1]: lines for name, lines in systems.items()},
    )


@pytest.mark.parametrize("names", [["refA"], ["refB"], ["refC"], ["refD"], ["refA", "refB", "refC", "refD"]])
def test_news(news: TestData, names: list[str]) -> None:
    assert_equal(news.systems["Facebook-AI"], news.streams(*names), {"tokenize": "13a", "effective_order": True})


@pytest.mark.parametrize(
    ("names", "score"), [(["refA"], 31.2581), (["refC"], 42.0497), (["refA", "refB", "refC", "refD"], 72.0598)]
)
def test_published_scores_of_the_news(news: TestData, names: list[str], score: float) -> None:
    references = list(zip(*news.streams(*names), strict=True))
    assert Bleu().prepare(references).rows(news.systems["Facebook-AI"]).score == pytest.approx(score, abs=5e-5)


@pytest.mark.parametrize("tokenize", ["zh", "char", "13a"])
def test_chinese(chinese: TestData, tokenize: str) -> None:
    part = slice(0, 500)
    assert_equal(chinese.systems["Online-A"][part], chinese.streams("A", "B", part=part), {"tokenize": tokenize})


@pytest.mark.parametrize(("names", "score"), [(["A"], 46.43754), (["B"], 60.73959), (["A", "B"], 68.55382)])
def test_published_scores_of_chinese(chinese: TestData, names: list[str], score: float) -> None:
    references = list(zip(*chinese.streams(*names), strict=True))
    found = Bleu(tokenize="zh").prepare(references).rows(chinese.systems["Online-A"]).score
    assert found == pytest.approx(score, abs=5e-6)


def test_mteval(shared_data: Path) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    references = read_lines(directory / "ref.de")
    thirteen, fourteen = Bleu().prepare(references), Bleu(tokenize="intl").prepare(references)
    compared = 0
    for name, gold in json.loads((directory / "gold.json").read_text(encoding="utf-8")).items():
        (path,) = (directory / "system-outputs").glob(f"{name}*")
        hypotheses = read_lines(path)
        for prepared, key in ((thirteen, "bleu_mteval13a"), (fourteen, "bleu_mteval14_intl")):
            if gold[key] is not None:
                assert prepared.rows(hypotheses).score == pytest.approx(gold[key], abs=0.0051)
                compared += 1
    assert compared == 9


@pytest.mark.parity
@pytest.mark.parametrize(("smooth", "value"), SMOOTHING)
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("lowercase", [False, True])
def test_every_system_with_every_option(
    news: TestData, smooth: str, value: float | None, effective_order: bool, lowercase: bool
) -> None:
    options = {"smooth": smooth, "smooth_value": value, "effective_order": effective_order, "lowercase": lowercase}
    for number, hypotheses in enumerate(news.systems.values()):
        third = slice(number % 3, None, 3)  # all segments in turn; sacreBLEU needs a millisecond for each
        for names in (["refC"], ["refA", "refB", "refC", "refD"]):
            streams = news.streams(*names, part=third)
            assert_equal(hypotheses[third], streams, {"tokenize": "13a", **options})


@pytest.mark.parity
@pytest.mark.parametrize("tokenize", TOKENIZERS)
def test_every_system_with_every_tokenizer(news: TestData, chinese: TestData, tokenize: str) -> None:
    for hypotheses in news.systems.values():
        for name in news.references:
            assert_equal(hypotheses, news.streams(name), {"tokenize": tokenize})
    for hypotheses in chinese.systems.values():
        for names in (["A"], ["B"], ["A", "B"]):
            assert_equal(hypotheses, chinese.streams(*names), {"tokenize": tokenize})


@pytest.mark.parity
@pytest.mark.parametrize("tokenize", TOKENIZERS)
def test_every_system_of_wmt17(shared_data: Path, tokenize: str) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    references: list[str | None] = [*read_lines(directory / "ref.de")]
    for path in sorted((directory / "system-outputs").iterdir()):
        assert_equal(read_lines(path), [references], {"tokenize": tokenize, "effective_order": True})
