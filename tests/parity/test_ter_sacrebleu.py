"""TER against sacreBLEU: the same edits in every segment, and the same tokens in every line."""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tests.parity.answers import answer

from karat import kernels
from karat.corpus.references import References
from karat.metrics.ter import Ter

SWITCHES = ("normalized", "no_punct", "asian_support")
OPTIONS = [dict(zip(SWITCHES, values, strict=True)) for values in itertools.product((False, True), repeat=3)]


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def sacrebleu_says(hypotheses: list[str], streams: list[list[str | None]], options: dict[str, bool]) -> dict[str, Any]:
    """Its edits and lengths of the segments, its score of the first few together, and its signature."""
    peer = TER(**options)
    segments = []
    for hypothesis, several in zip(hypotheses, zip(*streams, strict=True), strict=True):
        score = peer.sentence_score(hypothesis, [text for text in several if text is not None])
        segments.append([score.num_edits, score.ref_length])
    few = peer.corpus_score(hypotheses[:4], [stream[:4] for stream in streams])
    return {"segments": segments, "few": few.score, "signature": peer.get_signature().format()}


def assert_same_rows(hypotheses: list[str], streams: list[list[str | None]], **options: bool) -> None:
    """Edits and lengths segment by segment, to the last edit; the score of the first few together; the signature."""
    question = [hypotheses, streams, options]
    expected = answer("ter", len(hypotheses), question, lambda: sacrebleu_says(hypotheses, streams, options))
    rows = Ter(**options).prepare(References.from_streams(streams)).rows(hypotheses)
    for number, (values, theirs) in enumerate(zip(rows.values.tolist(), expected["segments"], strict=True)):
        assert values == theirs, (hypotheses[number], [stream[number] for stream in streams])
    few = References.from_streams([stream[:4] for stream in streams])
    assert Ter(**options).prepare(few).rows(hypotheses[:4]).score == expected["few"]
    assert Ter(**options).sacrebleu_signature(few.count_label) == expected["signature"]


def assert_same_tokens(lines: list[str], **options: bool) -> None:
    peer = TercomTokenizer(**options, case_sensitive=True)
    found = kernels.tercom_normalize(kernels.Text(lines), **options).to_list()
    for line, tokens in zip(lines, found, strict=True):
        assert tokens == peer(line), repr(line)


@pytest.mark.parametrize("options", OPTIONS)
def test_every_short_string_is_tokenised_alike(options: dict[str, bool]) -> None:
    for alphabet, longest in (("a1.,-", 5), ("a's .", 5), ("a\n-'s", 5), ("1-.。中ア", 4), ("a\t\u3000\x1c's", 4)):
        texts = ["".join(t) for size in range(longest + 1) for t in itertools.product(alphabet, repeat=size)]
        assert_same_tokens(texts, **options)


@pytest.mark.parametrize("options", OPTIONS)
def test_every_short_run_of_entities_is_tokenised_alike(options: dict[str, bool]) -> None:
    pieces = ("&quot;", "&amp;", "&lt;", "&gt;", "&", "lt;", "amp;", "'s")
    texts = ["".join(t) for size in range(5) for t in itertools.product(pieces, repeat=size)]
    assert_same_tokens(texts, **options)


def assert_same_characters(last: int, **options: bool) -> None:
    """Every character up to `last`, in a few contexts; many to a line, with a word between them."""
    characters = [chr(c) for c in range(last + 1) if not 0xD800 <= c < 0xE000]
    for block in range(0, len(characters), 256):
        assert_same_tokens([" | ".join(f"{c}{c} a{c}1 ア{c}." for c in characters[block : block + 256])], **options)


@pytest.mark.parametrize("options", OPTIONS[::7])
def test_characters_of_the_basic_plane_are_tokenised_alike(options: dict[str, bool]) -> None:
    assert_same_characters(0xFFFF, **options)


@pytest.mark.parity
@pytest.mark.parametrize("options", OPTIONS)
def test_every_character_is_tokenised_alike(options: dict[str, bool]) -> None:
    assert_same_characters(sys.maxunicode, **options)


@settings(max_examples=300)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=5), st.sampled_from(OPTIONS))
def test_any_text_is_tokenised_alike(lines: list[str], options: dict[str, bool]) -> None:
    assert_same_tokens(lines, **options)


words = st.sampled_from(["a", "b", "B", "c", "a's.", "x,1-2", "中文。", "É", "&amp;", "ΑΣ"])
sentences = st.lists(words, max_size=12).map(" ".join) | st.text(max_size=12)


@st.composite
def scoring(draw: st.DrawFn) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses and one to three streams of references, the first of them complete."""
    count = draw(st.integers(1, 3))
    texts = st.lists(sentences, min_size=count, max_size=count)
    others = st.lists(st.none() | sentences, min_size=count, max_size=count)
    return draw(texts), [draw(texts), *draw(st.lists(others, max_size=2))]


@settings(max_examples=150)
@given(scoring(), st.sampled_from(OPTIONS), st.booleans())
def test_any_segments_cost_the_same(
    data: tuple[list[str], list[list[str | None]]], options: dict[str, bool], case_sensitive: bool
) -> None:
    assert_same_rows(*data, **options, case_sensitive=case_sensitive)


def shuffled_pair(rng: random.Random, vocabulary: int, longest: int) -> tuple[str, str]:
    """A random reference, and either an edited copy of it or a text of its own."""
    reference = [str(rng.randrange(vocabulary)) for _ in range(rng.randint(0, longest))]
    if rng.random() < 0.4:
        size = rng.randint(0, rng.choice([3, longest, 3 * longest]))
        return " ".join(str(rng.randrange(vocabulary)) for _ in range(size)), " ".join(reference)
    hypothesis = list(reference)
    for _ in range(rng.randint(0, 5)):
        start, length = rng.randint(0, longest), rng.randint(1, 12)
        block = hypothesis[start : start + length]
        del hypothesis[start : start + length]
        target = rng.randint(0, longest)
        hypothesis[target:target] = block
        position = rng.randint(0, longest)
        hypothesis[position : position + rng.randint(0, 2)] = [str(rng.randrange(vocabulary))] * rng.randint(0, 2)
    return " ".join(hypothesis), " ".join(reference)


@pytest.mark.parametrize(
    ("vocabulary", "longest", "count"), [(2, 8, 150), (4, 12, 100), (30, 25, 60), (400, 60, 30), (5000, 150, 12)]
)
def test_random_segments_cost_the_same(vocabulary: int, longest: int, count: int) -> None:
    rng = random.Random(longest)
    hypotheses, references = zip(*(shuffled_pair(rng, vocabulary, longest) for _ in range(count)), strict=True)
    assert_same_rows(list(hypotheses), [list(references)])


@pytest.mark.parametrize(
    ("hypothesis_length", "reference_length", "row", "column", "edits"),
    [(33, 90, 22, 84, 90), (35, 85, 21, 75, 80), (38, 106, 19, 77, 88)],
)
def test_the_band_is_rounded_alike(
    hypothesis_length: int, reference_length: int, row: int, column: int, edits: int
) -> None:
    """All matches lie on one diagonal, through a cell that exact arithmetic would have put inside the band."""
    reference = [f"r{position}" for position in range(reference_length)]
    hypothesis = [
        reference[position + column - row] if 0 <= position + column - row < reference_length else "x"
        for position in range(hypothesis_length)
    ]
    assert Ter().prepare([" ".join(reference)]).rows([" ".join(hypothesis)]).values[0, 0] == edits
    assert_same_rows([" ".join(hypothesis)], [[" ".join(reference)]])


def test_a_sample_of_english_german_costs_the_same(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    sample = slice(0, 1000, 25)
    hypotheses = lines_of(directory / "system-outputs" / "Online-W.txt")[sample]
    streams: list[list[str | None]] = [
        list(lines_of(directory / "references" / f"ref{letter}.de")[sample]) for letter in "AC"
    ]
    assert_same_rows(hypotheses, streams)
    assert_same_rows(hypotheses, streams[:1], normalized=True, case_sensitive=True)
    assert_same_rows(hypotheses, streams[:1], no_punct=True)


def test_a_sample_of_english_chinese_costs_the_same(shared_data: Path) -> None:
    directory = shared_data / "wmt22-general-enzh"
    sample = slice(0, 2000, 100)
    hypotheses = lines_of(directory / "system-outputs" / "generaltest2022.en-zh.hyp.Online-W.zh")[sample]
    references = lines_of(directory / "references" / "generaltest2022.en-zh.ref.A.zh")[sample]
    assert_same_rows(hypotheses, [list(references)], normalized=True, asian_support=True)


def test_scores_of_whole_systems_are_those_on_record(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    references = lines_of(directory / "references" / "refC.de")
    hypotheses = lines_of(directory / "system-outputs" / "Facebook-AI.txt")
    assert Ter().prepare(references).rows(hypotheses).score == pytest.approx(46.0683, abs=5e-5)


@pytest.mark.parametrize("search", ["sacrebleu", "full"])
def test_systems_score_as_tercom_scores_them(shared_data: Path, search: str) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    gold = json.loads((directory / "gold.json").read_text(encoding="utf-8"))
    prepared = Ter(search=search).prepare(lines_of(directory / "ref.de"))
    assert len(gold) == 8
    for system, values in gold.items():
        score = prepared.rows(lines_of(directory / "system-outputs" / f"{system}.de")).score
        assert round(score / 100, 3) == values["ter_tercom_7_25"], system


@pytest.mark.parity
def test_every_english_german_system_costs_the_same(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    references = lines_of(directory / "references" / "refC.de")
    systems = sorted((directory / "system-outputs").glob("*.txt"))
    assert len(systems) == 14
    for system in systems:
        assert_same_rows(lines_of(system), [list(references)])


@pytest.mark.parity
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("case_sensitive", [False, True])
def test_every_option_costs_the_same_in_two_languages(
    shared_data: Path, options: dict[str, bool], case_sensitive: bool
) -> None:
    german, chinese = shared_data / "wmt21-news-ende", shared_data / "wmt22-general-enzh"
    hypotheses = lines_of(german / "system-outputs" / "VolcTrans-GLAT.txt")[::4]
    streams = [lines_of(german / "references" / f"ref{letter}.de")[::4] for letter in "ABCD"]
    assert_same_rows(hypotheses, [list(stream) for stream in streams], **options, case_sensitive=case_sensitive)
    hypotheses = lines_of(chinese / "system-outputs" / "generaltest2022.en-zh.hyp.HuaweiTSC.zh")[::20]
    streams = [lines_of(chinese / "references" / f"generaltest2022.en-zh.ref.{letter}.zh")[::20] for letter in "AB"]
    assert_same_rows(hypotheses, [list(stream) for stream in streams], **options, case_sensitive=case_sensitive)
