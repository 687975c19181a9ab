"""The audit of BLEU: worked examples of Callison-Burch et al. (2006), signals that fire and signals that do not."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from itertools import combinations, permutations
from math import factorial, log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.commands import run
from tests.unit.analysis.signal_faults import (
    corpus_of,
    fired,
    planted_pair,
    rate_on_all_pairs,
    rate_on_faults,
    wmt21,
    wmt22_chinese,
    wmt23,
)
from tests.unit.metrics.test_bleu import OREJUELA, OREJUELA_REFERENCES

from karat.analysis.audit.model import Audit, Signal
from karat.analysis.audit.orderings import NumberedWords, Workshop, freedoms, log10_factorial, matched
from karat.analysis.audit.shares import score_shares
from karat.analysis.audit.uses import SIGNALS
from karat.analysis.measure_table import AuditedMeasure, MeasureTable
from karat.corpus import References
from karat.errors import InputError
from karat.registry import metric
from karat.report.audit import audit_tables
from karat.sample import path
from karat.service.audit import AuditRequest
from karat.service.audit import audit as audit_files
from karat.service.inputs import CorpusFile
from karat.text import TextColumn

CODES = [kind.code for kind in SIGNALS]
GOLDEN = Path(__file__).parents[2] / "golden" / "audit.json"
DOCS = Path(__file__).parents[3] / "docs" / "how-to" / "audit.md"


def reading_of(output: str, references: list[str], *, lowercase: bool = True) -> NumberedWords:
    columns = {"a": TextColumn.of([output])}
    return NumberedWords.of(References.of([references]), columns, tokenize="none", lowercase=lowercase, threads=1)


def workshop(output: str, references: list[str]) -> Workshop:
    aggregate = metric("bleu(tokenize=none,lowercase=true,smooth=none)").aggregate
    return Workshop(reading_of(output, references), "a", 0, aggregate)


def phrases(output: str, references: list[str]) -> list[str]:
    reading = reading_of(output, references)
    made = Workshop(reading, "a", 0, metric("bleu(tokenize=none)").aggregate).phrases
    return [" ".join(reading.words[number] for number in phrase) for phrase in made]


def test_phrases_between_mismatches() -> None:  # A9, A10
    cut = "appeared calm|when|he was|taken|to the american plane|,|which will|to miami , florida ."
    assert phrases(OREJUELA, OREJUELA_REFERENCES) == cut.split("|")
    (freedom,) = freedoms(reading_of(OREJUELA, OREJUELA_REFERENCES), "a")
    assert (freedom.tokens, freedom.phrases, freedom.free_words) == (18, 8, 2)
    assert freedom.log10_orderings == freedom.log10_strings == pytest.approx(log10(40_320))


def test_no_order_of_the_paper_s_example_scores_lower() -> None:  # A11
    found_orders = workshop(OREJUELA, OREJUELA_REFERENCES).enumerated()
    assert (found_orders.orderings, found_orders.equal, found_orders.higher, found_orders.lower) == (
        40_320,
        26_640,
        13_680,
        0,
    )


def numbers_of(shop: Workshop, reading: NumberedWords, text: str) -> tuple[tuple[int, ...], float]:
    ((matches, _, bleu),) = shop.scored([[reading.words.index(word) for word in text.split()]])
    return matches, bleu


def test_other_texts_of_the_paper() -> None:  # A12 to A14
    extra = "black helicopters as being led"
    reading = reading_of(f"{OREJUELA} {extra}", OREJUELA_REFERENCES)
    reading = replace(reading, outputs={"a": (reading.outputs["a"][0][:18], np.array([0, 18]))})
    aggregate = metric("bleu(tokenize=none,lowercase=true)").aggregate
    shop = Workshop(reading, "a", 0, aggregate)
    assert (shop.matches, shop.bleu) == ((15, 10, 5, 3), pytest.approx(41.83718567))
    permuted = "which will he was , when taken appeared calm to the american plane to miami , florida ."
    assert numbers_of(shop, reading, permuted) == (shop.matches, pytest.approx(shop.bleu))
    other_words = OREJUELA.lower().replace("when", "black").replace("taken", "helicopters")
    assert numbers_of(shop, reading, other_words) == (shop.matches, pytest.approx(shop.bleu))
    printed = "was being led to the calm as he was would take carry him seemed quite when taken"
    assert len(printed.split()) == 17
    assert numbers_of(shop, reading, printed) == ((15, 10, 5, 3), pytest.approx(42.00508))
    longer = numbers_of(shop, reading, f"{printed} helicopters")
    assert longer == ((15, 10, 5, 3), pytest.approx(shop.bleu))


def test_ngrams_of_the_references() -> None:  # A15: the paper's table 2 leaves out the bigram "would take"
    counts = []
    for order in (1, 2, 3, 4):
        highest: dict[tuple[str, ...], int] = {}
        for text in OREJUELA_REFERENCES:
            words = text.lower().split()
            grams = [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]
            for gram in grams:
                highest[gram] = max(highest.get(gram, 0), grams.count(gram))
        counts.append(sum(highest.values()))
        reading = reading_of(" ".join(OREJUELA_REFERENCES), OREJUELA_REFERENCES)
        types = {
            tuple(reading.outputs["a"][0][i : i + order].tolist()) for i in np.flatnonzero(matched(reading, "a", order))
        }
        assert len(types) == len(highest)
    assert counts == [31, 38, 43, 46]


def test_many_orders_are_counted_by_their_logarithm() -> None:  # A16
    assert log10_factorial(55) == pytest.approx(73.10, abs=0.005)
    assert log10_factorial(54) == pytest.approx(71.36, abs=0.005)
    assert log10_factorial(10_000) == pytest.approx(log10(factorial(10_000)))


def test_phrases_are_cut_by_types_and_not_by_clipped_matches() -> None:  # A17
    output, reference = "x a b y a b c", "x a b c"
    assert phrases(output, [reference]) == ["x a b", "y", "a b c"]
    shop = workshop(output, [reference])
    assert shop.matches[:3] == (4, 3, 2)
    assert shop.enumerated().lower == 0
    clipped = len(output.split()) - shop.matches[1]
    assert clipped == 4  # one more than there are phrases
    reading = reading_of(output, [reference])
    for cut in (["x a", "b", "y", "a b c"], ["x a b", "y", "a", "b c"]):
        scored = [numbers_of(shop, reading, " ".join(order))[0][2] for order in permutations(cut)]
        assert sum(trigrams < 2 for trigrams in scored) == 18


def test_equal_phrases_make_equal_texts() -> None:  # A18
    (freedom,) = freedoms(reading_of("b , a , c", ["a b c ,"]), "a")
    assert freedom.phrases == 5
    strings = {" ".join(order) for order in permutations(["b", ",", "a", ",", "c"])}
    assert freedom.log10_orderings == pytest.approx(log10(120))
    assert freedom.log10_strings == pytest.approx(log10(len(strings))) == pytest.approx(log10(60))


WORDS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=7).map(" ".join)


@settings(max_examples=60)
@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_no_order_of_phrases_ever_scores_lower(output: str, references: list[str]) -> None:
    shop = workshop(output, references)
    found_orders = shop.enumerated()
    assert (found_orders.lower, found_orders.orderings) == (0, factorial(len(shop.phrases)))
    (freedom,) = freedoms(reading_of(output, references), "a")
    texts = {tuple(word for place in order for word in place) for order in permutations(shop.phrases)}
    # Orders of different phrases may spell the same text, so that the number of texts is an upper bound.
    assert len(texts) <= round(10**freedom.log10_strings) <= found_orders.orderings


@settings(max_examples=60)
@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.integers(0, 9))
def test_every_variant_scores_at_least_as_high(output: str, references: list[str], seed: int) -> None:
    example = workshop(output, references).example(3, np.random.default_rng(seed), verify=False)
    bleu = metric("bleu(tokenize=none,lowercase=true,smooth=none)")
    for variant in example.variants:
        score = bleu.prepare([references]).rows([" ".join(variant.tokens)]).score
        assert score == pytest.approx(variant.bleu)
        assert variant.bleu >= example.bleu - 1e-9


def test_an_empty_output_has_no_phrases() -> None:
    (freedom,) = freedoms(reading_of("", ["a b"]), "a")
    assert (freedom.tokens, freedom.phrases, freedom.log10_orderings) == (0, 0, 0.0)


def test_shares_of_the_score_add_up() -> None:
    reading = reading_of("the cat , sat", ["the cat , ran"])
    (share,) = score_shares(reading, {"the"})
    # 1-grams: the cat , - 2-grams: the cat | cat , - 3-gram: the cat ,
    assert share.punctuation == pytest.approx((1 + 1 / 2 + 1 / 3) / 6)
    assert share.function_words == pytest.approx((1 + 1 / 2 + 1 / 3) / 6)
    assert share.content_words == pytest.approx((1 + 1 + 1 / 3) / 6)
    (unknown,) = score_shares(reading, None)
    assert (unknown.function_words, unknown.content_words) == (None, None)


SENTENCES = [f"Sentence {i} speaks of {i * 7 % 13} things that the {i % 5}th of us likes to keep ." for i in range(60)]


def other(text: str, share: int) -> str:
    return " ".join(f"other{i}" if i % share == 0 else word for i, word in enumerate(text.split()))


ALIKE = [other(text, 5) for text in SENTENCES]


@pytest.mark.parametrize(
    ("code", "outputs", "reference"),
    [
        ("different-kinds", (ALIKE, [other(text, 2) for text in SENTENCES]), SENTENCES),
        ("little-power", planted_pair("few-segments", ALIKE, ALIKE, SENTENCES, random.Random(1))[:2], SENTENCES),
        ("few-segments", (ALIKE, [SENTENCES[0], *ALIKE[1:]]), SENTENCES),
        ("close-reference", ([*SENTENCES[:20], *ALIKE[20:]], ALIKE), SENTENCES),
        ("metrics-disagree", (ALIKE, [f"{text} sentencesx thingsx speaksx" for text in ALIKE]), SENTENCES),
    ],
)
def test_a_signal_fires(code: str, outputs: tuple[list[str], list[str]], reference: list[str]) -> None:
    alarms = fired(corpus_of({"a": outputs[0], "b": outputs[1]}, {"ref": reference}))
    assert alarms[code] == [("a", "b")]


def test_no_signal_fires_about_two_systems_of_one_kind_of_which_one_is_better() -> None:
    better = [text.replace("other5", "things") for text in ALIKE]
    kept = [f"{text} some more of it" for text in SENTENCES]
    alarms = fired(corpus_of({"a": ALIKE, "b": better}, {"ref": kept}))
    assert {code: pairs for code, pairs in alarms.items() if pairs} == {}
    assert set(alarms) == set(CODES)


def test_scores_of_other_test_sets_and_signatures_are_refused(tmp_path: Path) -> None:
    bleu, other_bleu = metric("bleu"), metric("bleu(tokenize=intl)")
    rows = {"a": bleu.prepare(SENTENCES).rows(ALIKE), "b": other_bleu.prepare(SENTENCES).rows(ALIKE)}
    with pytest.raises(InputError, match="use one metric"):
        MeasureTable(AuditedMeasure("bleu", True, rows, rows))
    elsewhere = {"a": bleu.prepare(SENTENCES).rows(ALIKE), "b": bleu.prepare(SENTENCES[::-1]).rows(ALIKE)}
    with pytest.raises(InputError, match="references"):
        MeasureTable(AuditedMeasure("bleu", True, elsewhere, elsewhere))
    for name in ("ref", "a", "b"):
        (tmp_path / f"{name}.txt").write_text("a b c d\n", encoding="utf-8")
    entry = """
[[testset]]
name = "{0}"
source_language = "{0}"
target_language = "en"
references = ["ref.txt"]
systems = {{ a = "a.txt", b = "b.txt" }}
"""
    (tmp_path / "sets.toml").write_text("".join(map(entry.format, ("de", "fr"))), encoding="utf-8")
    outcome = run("audit", "--corpus", str(tmp_path / "sets.toml"))
    assert (outcome.code, "one at a time" in outcome.err) == (2, True), outcome.err


def test_rates_of_signals(shared_data: Path) -> None:
    """What the docs page says of planted faults, and of all pairs of systems; those of WMT 2022 are held out."""
    outputs, references = wmt21(shared_data)
    later, later_references = wmt23(shared_data)
    clean = fired(corpus_of(outputs, {"refC": references["refC"]}))
    clean_later = fired(corpus_of(later, later_references))
    humans = {name: references[name] for name in ("refA", "refD")}
    chinese, human = wmt22_chinese(shared_data)
    held_out = fired(corpus_of(chinese, {"A": human["A"]}), "zh")
    beside = fired(corpus_of({**chinese, "B": human["B"]}, {"A": human["A"]}), "zh")
    page = DOCS.read_text("utf-8")
    for code in CODES:
        planted = rate_on_faults(code, outputs, references["refC"], humans)
        rates = (
            planted,
            rate_on_all_pairs(code, clean, len(outputs)),
            rate_on_all_pairs(code, clean_later, len(later)),
            sum("B" in pair for pair in beside[code]) / len(chinese)
            if code == "different-kinds"
            else rate_on_faults(code, later, later_references["refA"], {}),
            rate_on_all_pairs(code, held_out, len(chinese)),
        )
        line = f"| `{code}` | {' | '.join(f'{rate:.2f}' for rate in rates)} |"
        assert line in page, line


def test_a_reference_made_from_a_system_is_found_in_wmt21(shared_data: Path) -> None:
    outputs, references = wmt21(shared_data)
    alarms = {name: fired(corpus_of(outputs, {name: texts}))["close-reference"] for name, texts in references.items()}
    assert alarms["refA"] == alarms["refC"] == alarms["refD"] == []
    assert len(alarms["refB"]) == 13
    assert all("VolcTrans-GLAT" in pair for pair in alarms["refB"])


def audited(*more: str) -> dict[str, Any]:
    outcome = run("audit", "--corpus", str(path("corpus.jsonl")), "-l", "de-en", *more, "--json")
    assert outcome.code == 0, outcome.err
    document: dict[str, Any] = json.loads(outcome.out)
    return document


def same(value: Any, kept: Any) -> bool:
    """Whether two documents are equal, numbers up to rounding."""
    if isinstance(value, dict):
        return value.keys() == kept.keys() and all(same(value[key], kept[key]) for key in value)
    if isinstance(value, list):
        return len(value) == len(kept) and all(map(same, value, kept))
    if isinstance(value, float):
        return bool(value == pytest.approx(kept, rel=1e-9, abs=1e-9))
    return bool(value == kept)


def test_the_audit_of_the_sample_is_the_golden_one() -> None:
    """Rewritten by KARAT_GOLDEN=write."""
    document = audited("--ratings", str(path("ratings.tsv")), "--verify")
    document["facts"]["shares"] = None  # which function words are known depends on what is installed
    document["signature"] = document["signature"].split("|unicode")[0]
    if os.environ.get("KARAT_GOLDEN") == "write":
        GOLDEN.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert GOLDEN.stat().st_size < 300_000
    assert same(document, json.loads(GOLDEN.read_text("utf-8")))


def test_people_and_bleu_disagree_about_adequacy() -> None:
    document = audited("--ratings", str(path("ratings.tsv")), "--examples", "0")
    fits = {(fit["criterion"], fit["measure"]): fit["r2"] for fit in document["people"]}
    assert fits["adequacy", "bleu"] < 0.4 < 0.9 < fits["fluency", "bleu"]


def test_an_outlier_is_left_out_of_the_second_share(tmp_path: Path) -> None:
    texts = [f"a b c d e f{i}" for i in range(8)]
    levels = {"s1": 5, "s2": 4, "s3": 3, "s4": 2, "s5": 5}
    (tmp_path / "ref.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    lines = ["system\tsegment\tcriterion\tvalue\trater"]
    for name, kept in levels.items():
        output = [" ".join([*text.split()[:kept], *"xyzuvw"[: 6 - kept]]) for text in texts]
        (tmp_path / f"{name}.txt").write_text("\n".join(output) + "\n", encoding="utf-8")
        value = {"s1": 90, "s2": 87, "s3": 84, "s4": 81, "s5": 10}[name]
        lines += [f"{name}\t{i}\tadequacy\t{value}\tx" for i in range(1, 9)]
    (tmp_path / "ratings.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [f"{name}={tmp_path / f'{name}.txt'}" for name in levels]
    ratings, reference = str(tmp_path / "ratings.tsv"), str(tmp_path / "ref.txt")
    outcome = run("audit", "-r", reference, *files, "-m", "bleu", "--ratings", ratings, "--json", "-q")
    assert outcome.code == 0, outcome.err
    (fit,) = json.loads(outcome.out)["people"]
    assert [point["system"] for point in fit["points"] if point["outlier"]] == ["s5"]
    assert fit["r2"] < 0.5 < 0.9 < fit["r2_without_outliers"]


def test_pictures_are_written(tmp_path: Path) -> None:
    from xml.etree import ElementTree

    target = tmp_path / "plots"
    audited("--ratings", str(path("ratings.tsv")), "--plots", str(target), "--examples", "0", "-m", "bleu")
    drawn = sorted(file.name for file in target.iterdir())
    assert [name.split("-")[0] for name in drawn] == ["orderings"] * 4 + ["people"] * 2
    marks = ElementTree.parse(target / "orderings-1-neural.svg").getroot().iter("{http://www.w3.org/2000/svg}circle")
    hints = [mark.findtext("{http://www.w3.org/2000/svg}title", "") for mark in marks]
    assert sum(int(hint.split()[0]) for hint in hints) == 127
    assert len({tuple(hint.split(" of ")[1:]) for hint in hints}) == len(hints)


def test_one_segment_has_orderings_and_no_signals(tmp_path: Path) -> None:
    files = []
    for number, text in enumerate((OREJUELA, *OREJUELA_REFERENCES)):
        (tmp_path / f"{number}.txt").write_text(f"{text}\n", encoding="utf-8")
        files.append(str(tmp_path / f"{number}.txt"))
    references = [argument for file in files[1:] for argument in ("-r", file)]
    spec = "bleu(tokenize=none,lowercase=true)"
    outcome = run("audit", *references, files[0], f"b={files[1]}", "-m", spec, "--verify", "--json", "-q")
    assert outcome.code == 0, outcome.err
    document = json.loads(outcome.out)
    assert document["examples"][0]["enumeration"] == {"orderings": 40320, "higher": 13680, "equal": 26640, "lower": 0}
    assert document["signals"] == document["pairs"] == document["facts"]["detectable"] == []


def test_orderings_that_are_shown_are_different_texts() -> None:
    example = workshop("a cat a", ["the cat sat"]).example(3, np.random.default_rng(1), verify=False)
    orderings = [variant.tokens for variant in example.variants if variant.kind == "ordering"]
    assert sorted(orderings) == [("a", "a", "cat"), ("cat", "a", "a")]


def sampled_audit() -> Audit:
    request = AuditRequest(texts=CorpusFile(str(path("corpus.jsonl"))), metrics=("bleu",), examples=0)
    return audit_files(request).audit


def test_many_signals_are_grouped_and_each_pair_stands_once() -> None:
    names = ("a", "b", "c", "d", "e", "f")
    fired = tuple(Signal("little-power", *pair, True, 1.0, 2.0, "below") for pair in combinations(names, 2))
    odd = tuple(Signal("close-reference", name, "f", True, 1.0, 2.0, "above") for name in "ac")
    audit = replace(sampled_audit(), systems=names, signals=(*fired, *odd))
    table = next(table for table in audit_tables(audit, 2) if table.title == "Signals")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["little-power", "15", "a", "all others"],
        ["", "", "b", "c, d, e, f"],
        ["", "", "c", "d, e, f"],
        ["", "", "d", "e, f"],
        ["", "", "e", "f"],
        ["close-reference", "2", "f", "a, c"],
    ]
    assert table.sections == {5}
    few = next(table for table in audit_tables(replace(audit, signals=odd), 2) if table.title == "Signals")
    assert [row[3].text for row in few.rows] == ["", ""]
    assert [row[2].text for row in few.rows] == ["close-reference", "close-reference"]


def test_facts_count_as_text_does_and_say_nothing_of_chance_where_none_is_seen(tmp_path: Path) -> None:
    lines = {"ref": "Hello world.", "a": "Hello there world.", "b": "Hello world."}
    for name, line in lines.items():
        (tmp_path / f"{name}.txt").write_text(f"{line}\n" * 1200, encoding="utf-8")
    files = [str(tmp_path / f"{name}.txt") for name in lines]
    outcome = run("audit", "-r", *files, "--examples", "0", "-q")
    facts = outcome.out.split("\n\n")[0]
    assert [line.split() for line in facts.splitlines() if line.startswith("segments")] == [["segments", "1,200"]]
    assert "drawing 1,200 segments anew" in facts
    assert "can show" not in facts
