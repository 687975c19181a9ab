"""The sample corpus is whole, and shows what its README says it shows."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from statistics import mean, median
from typing import Any

import pytest

from karat import sample

SYSTEMS = ("neural", "fluent", "literal", "glossary")
RATERS = ("rater-1", "rater-2", "rater-3")
CRITERIA = ("adequacy", "fluency")
TEXTS = {
    "source": "source.de.txt",
    "refA": "refA.en.txt",
    "refB": "refB.en.txt",
    **{system: f"{system}.txt" for system in SYSTEMS},
}

Key = tuple[str, str, str]  # system, segment, criterion


def lines(text: str) -> list[str]:
    """The segments of one text, split at line feeds and nothing else."""
    return sample.path(TEXTS[text]).read_bytes().decode("utf-8").split("\n")[:-1]


def rows(name: str) -> list[dict[str, str]]:
    with sample.path(name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def ratings(repeat: str = "0") -> dict[str, dict[Key, int]]:
    table: dict[str, dict[Key, int]] = {rater: {} for rater in RATERS}
    for row in rows("ratings.tsv"):
        if row["repeat"] == repeat:
            key = (row["system"], row["segment"], row["criterion"])
            assert key not in table[row["rater"]], f"rated twice: {row}"
            table[row["rater"]][key] = int(row["value"])
    return table


def mean_rating(system: str, criterion: str) -> float:
    return mean(
        value
        for values in ratings().values()
        for key, value in values.items()
        if (key[0], key[2]) == (system, criterion)
    )


def cohen(first: list[int], second: list[int]) -> float:
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    left, right = Counter(first), Counter(second)
    expected = sum(left[k] * right[k] for k in left) / n**2
    return (observed - expected) / (1 - expected)


def fleiss(items: list[tuple[int, ...]]) -> float:
    raters = len(items[0])
    counts = [Counter(item) for item in items]
    observed = mean(sum(c * (c - 1) for c in count.values()) / (raters * (raters - 1)) for count in counts)
    total = sum(counts, Counter[int]())
    expected = sum((c / total.total()) ** 2 for c in total.values())
    return (observed - expected) / (1 - expected)


def of_criterion(criterion: str) -> dict[str, list[int]]:
    """Each rater's first ratings on one criterion, in one common order."""
    table = ratings()
    keys = sorted(key for key in table["rater-1"] if key[2] == criterion)
    return {rater: [table[rater][key] for key in keys] for rater in RATERS}


@pytest.fixture(scope="module")
def bleu() -> dict[str, float]:
    sacrebleu = pytest.importorskip("sacrebleu")
    references = [lines("refA"), lines("refB")]
    scorer = sacrebleu.BLEU(tokenize="13a")
    return {system: scorer.corpus_score(lines(system), references).score for system in SYSTEMS}


# The module


def test_path_of_the_directory_and_of_a_file() -> None:
    assert sample.path().is_dir()
    assert sample.path("source.de.txt") == sample.path() / "source.de.txt"
    assert isinstance(sample.path("ratings.tsv"), Path)


@pytest.mark.parametrize("name", ["nothing.txt", "../__init__.py", "."])
def test_path_of_an_unknown_name_says_what_there_is(name: str) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        sample.path(name)
    assert repr(name) in str(caught.value)
    assert all(known in str(caught.value) for known in (*TEXTS.values(), "corpus.jsonl"))


def test_the_directory_holds_the_described_files_only() -> None:
    expected = {*TEXTS.values(), "segments.tsv", "ratings.tsv", "corpus.jsonl", "README.md"}
    assert {entry.name for entry in sample.path().iterdir()} == expected


# The texts


@pytest.mark.parametrize("name", [*TEXTS.values(), "segments.tsv", "ratings.tsv", "corpus.jsonl"])
def test_files_are_utf8_with_line_feeds(name: str) -> None:
    raw = sample.path(name).read_bytes()
    assert raw.decode("utf-8").endswith("\n")
    assert b"\r" not in raw
    assert not raw.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_aligned_and_have_no_blank_line(text: str) -> None:
    found = lines(text)
    assert len(found) == len(rows("segments.tsv")) >= 126
    # splitlines() knows more line ends than "\n"; no text may hold one of those
    assert found == "\n".join(found).splitlines()
    assert all(line and line == line.strip() and "\t" not in line for line in found)


@pytest.mark.parametrize("text", TEXTS)
def test_no_line_comes_twice_in_a_document(text: str) -> None:
    pairs = [(row["document"], line) for row, line in zip(rows("segments.tsv"), lines(text), strict=True)]
    assert [pair for pair, count in Counter(pairs).items() if count > 1] == []


def test_segments_documents_and_domains() -> None:
    table = rows("segments.tsv")
    assert list(table[0]) == ["segment", "document", "domain"]
    assert [row["segment"] for row in table] == [str(n) for n in range(1, len(table) + 1)]
    sizes = Counter(row["document"] for row in table)
    assert len(sizes) == 14
    assert set(sizes.values()) <= {8, 9, 10}
    domains = {row["document"]: row["domain"] for row in table}
    assert {(row["document"], row["domain"]) for row in table} == set(domains.items())
    assert len(set(domains.values())) >= 4
    # documents are contiguous
    order = [row["document"] for row in table]
    assert sum(a != b for a, b in pairwise(order)) == len(sizes) - 1


def test_corpus_jsonl_agrees_with_the_text_files() -> None:
    texts = {text: lines(text) for text in TEXTS}
    expected: list[dict[str, Any]] = [
        {
            **row,
            "source": texts["source"][n],
            "references": {name: texts[name][n] for name in ("refA", "refB")},
            "systems": {name: texts[name][n] for name in SYSTEMS},
        }
        for n, row in enumerate(rows("segments.tsv"))
    ]
    with sample.path("corpus.jsonl").open(encoding="utf-8", newline="\n") as stream:
        assert [json.loads(line) for line in stream] == expected


def test_the_source_shows_what_real_text_holds() -> None:
    source = lines("source")
    lengths = [len(line.split()) for line in source]
    assert sum(2 <= length <= 4 for length in lengths) >= 8
    assert sum(length >= 35 for length in lengths) >= 4
    assert sum("🚲" in line for line in source) == 1
    assert sum("&amp;" in line for line in source) == 1
    for mark, least in (("?", 3), ("„", 5), ("ü", 20), ("é", 2), ("Euro", 5), (" nicht ", 10)):
        assert sum(mark in line for line in source) >= least, mark
    assert any(line.startswith("\N{EN DASH} ") for line in source)


def test_the_two_references_are_two_translations() -> None:
    first, second = lines("refA"), lines("refB")
    assert not [line for line, other in zip(first, second, strict=True) if line == other]


def test_the_best_system_is_not_a_copy_of_the_references(bleu: dict[str, float]) -> None:
    same = sum(line in pair for line, *pair in zip(lines("neural"), lines("refA"), lines("refB"), strict=True))
    assert same < 0.2 * len(lines("neural"))
    assert bleu["neural"] < 75


def test_glossary_leaves_german_words_and_literal_does_not() -> None:
    """By the share of the output's long words that stand in the source."""

    def share(system: str) -> float:
        kept = total = 0
        for source, output in zip(lines("source"), lines(system), strict=True):
            words = {word.strip('.,:;!?"()') for word in output.split()}
            german = {word.strip(".,:;!?„“()") for word in source.split()}
            long = {word for word in words if word.isalpha() and len(word) > 5}
            total += len(long)
            kept += len(long & german)
        return kept / total

    assert share("glossary") > 0.5
    assert share("literal") < 0.15


# The planted facts


def test_bleu_ranks_neural_fluent_literal_glossary(bleu: dict[str, float]) -> None:
    assert bleu["neural"] > bleu["fluent"] > bleu["literal"] > bleu["glossary"]


def test_bleu_prefers_fluent_to_literal_by_far(bleu: dict[str, float]) -> None:
    assert bleu["fluent"] - bleu["literal"] >= 8


def test_adequacy_ranks_neural_literal_fluent_glossary() -> None:
    adequacy = {system: mean_rating(system, "adequacy") for system in SYSTEMS}
    assert adequacy["neural"] > adequacy["literal"] > adequacy["fluent"] > adequacy["glossary"]
    assert adequacy["literal"] - adequacy["fluent"] >= 0.7


@pytest.mark.parametrize("rater", ["rater-1", "rater-2"])
def test_each_careful_rater_finds_the_adequacy_ranking(rater: str) -> None:
    values = ratings()[rater]
    adequacy = [
        mean(v for (s, _, c), v in values.items() if (s, c) == (system, "adequacy"))
        for system in ("neural", "literal", "fluent", "glossary")
    ]
    assert adequacy == sorted(adequacy, reverse=True)


def test_fluent_is_as_fluent_as_neural_and_literal_is_not() -> None:
    assert mean_rating("fluent", "fluency") >= 4.2
    assert mean_rating("neural", "fluency") >= 4.2
    assert abs(mean_rating("fluent", "fluency") - mean_rating("neural", "fluency")) < 0.3
    assert mean_rating("literal", "fluency") < 3.2


def test_the_readme_states_the_measured_values(bleu: dict[str, float]) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    text = sample.path("README.md").read_text(encoding="utf-8")
    references = [lines("refA"), lines("refB")]
    for system in SYSTEMS:
        chrf = sacrebleu.corpus_chrf(lines(system), references).score
        adequacy, fluency = (mean_rating(system, criterion) for criterion in CRITERIA)
        row = f"| `{system}` | {bleu[system]:.1f} | {chrf:.1f} | {adequacy:.2f} | {fluency:.2f} |"
        assert row in text
    by_rater = of_criterion("adequacy")
    kappas = [cohen(by_rater[a], by_rater[b]) for a, b in combinations(RATERS, 2)]
    kappas.insert(0, fleiss(list(zip(*by_rater.values(), strict=True))))
    agreement = text.partition("- Agreement on adequacy")[2].partition("##")[0]
    assert re.findall(r"\d\.\d\d", agreement) == [f"{kappa:.2f}" for kappa in kappas]
    assert "synthetic" in text
    assert "Apache-2.0" in text


# The raters


def test_every_output_is_rated_by_everyone_on_the_scale() -> None:
    segments = [row["segment"] for row in rows("segments.tsv")]
    expected = {(s, n, c) for s in SYSTEMS for n in segments for c in CRITERIA}
    for rater, values in ratings().items():
        assert set(values) == expected, rater
        assert set(values.values()) == {1, 2, 3, 4, 5}, rater


def test_ratings_have_their_columns_and_plausible_times() -> None:
    table = rows("ratings.tsv")
    columns = ["rater", "system", "segment", "criterion", "value", "seconds", "repeat"]
    assert list(table[0]) == columns
    assert all(0 < float(row["seconds"]) < 120 for row in table)
    assert {row["repeat"] for row in table} == {"0", "1"}


def test_the_careless_rater_is_conspicuously_fast() -> None:
    times = {
        rater: median(float(row["seconds"]) for row in rows("ratings.tsv") if row["rater"] == rater) for rater in RATERS
    }
    assert times["rater-3"] < 2
    assert min(times["rater-1"], times["rater-2"]) > 4 * times["rater-3"]


def test_the_careless_rater_mostly_answers_three_or_four() -> None:
    def share(rater: str) -> float:
        values = list(ratings()[rater].values())
        return sum(value in (3, 4) for value in values) / len(values)

    assert share("rater-3") > 0.6
    assert max(share("rater-1"), share("rater-2")) < 0.45


def test_the_second_rater_is_a_bit_harsh() -> None:
    values = ratings()
    harshness = mean(values["rater-1"].values()) - mean(values["rater-2"].values())
    assert 0.1 < harshness < 0.5


def test_agreement_on_adequacy_is_fair_to_moderate() -> None:
    by_rater = of_criterion("adequacy")
    assert 0.2 <= fleiss(list(zip(*by_rater.values(), strict=True))) <= 0.6


def test_the_careful_raters_agree_and_the_careless_one_does_not() -> None:
    by_rater = of_criterion("adequacy")
    kappa = {pair: cohen(by_rater[pair[0]], by_rater[pair[1]]) for pair in combinations(RATERS, 2)}
    assert kappa["rater-1", "rater-2"] >= 0.4
    assert kappa["rater-1", "rater-3"] <= 0.25
    assert kappa["rater-2", "rater-3"] <= 0.25


def test_repeats_show_who_agrees_with_himself() -> None:
    first, second = ratings("0"), ratings("1")
    items = {(system, segment) for system, segment, _ in second["rater-1"]}
    assert len(items) == 20
    assert {system for system, _ in items} == set(SYSTEMS)
    same = {}
    for rater in RATERS:
        assert set(second[rater]) == {(s, n, c) for s, n in items for c in CRITERIA}
        same[rater] = mean(first[rater][key] == value for key, value in second[rater].items())
    assert min(same["rater-1"], same["rater-2"]) >= 0.75
    assert same["rater-3"] <= 0.6
