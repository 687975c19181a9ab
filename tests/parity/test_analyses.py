"""The analyses against other programs: compare-mt's word buckets and n-grams, Hjerson's classes of errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.contract.commands import run

pytestmark = pytest.mark.parity

COMPARE_MT = {
    "1": (0.3680, 0.2548),
    "2": (0.4481, 0.3506),
    "3": (0.5122, 0.3941),
    "4": (0.5155, 0.4403),
    "5-9": (0.5574, 0.5030),
    "10-99": (0.5543, 0.5326),
    "100-999": (0.6161, 0.6271),
    ">=1000": (0.7448, 0.7585),
}
"""F of words by their frequency in the references, as compare-mt 0.2.11 prints it for its own example."""


def analysed(*arguments: str) -> dict[str, Any]:
    outcome = run("analyse", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    document: dict[str, Any] = json.loads(outcome.out)
    return document


def example(shared_data: Path) -> tuple[str, ...]:
    names = (shared_data / "compare-mt-example" / f"ted.{name}.eng" for name in ("ref", "sys1", "sys2"))
    reference, first, second = map(str, names)
    return "-r", reference, f"sys1={first}", f"sys2={second}", "-n", "100"


def buckets(document: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    labels = dict.fromkeys(entry["bucket"] for entry in document["words"] if entry["f"] is not None)
    return {
        label: tuple(round(entry["f"], 4) for entry in document["words"] if entry["bucket"] == label)
        for label in labels
    }


def test_words_are_as_right_as_compare_mt_says(shared_data: Path) -> None:
    found = analysed("words", *example(shared_data), "--tokenize", "none", "--by", "frequency")
    assert buckets(found) == COMPARE_MT


def test_another_tokenizer_gives_other_words(shared_data: Path) -> None:
    found = buckets(analysed("words", *example(shared_data), "--by", "frequency"))
    assert (found["1"], found[">=1000"]) == ((0.3687, 0.2555), (0.7458, 0.7581))


def test_ngrams_are_as_salient_as_compare_mt_says(shared_data: Path) -> None:
    found = analysed("ngrams", *example(shared_data), "--tokenize", "none")
    (phantom,) = [entry for entry in found["ngrams"] if entry["ngram"] == "phantom" and entry["contrast"] == "misses"]
    assert (phantom["count"], phantom["other"]) == (1, 34)
    assert phantom["saliency"] == pytest.approx(35 / 37, abs=1e-12)


LETTERS = {"x": "x", "infl": "i", "reord": "o", "miss": "m", "ext": "e", "lex": "l"}


def hjerson(directory: Path, side: str) -> list[str]:
    """The classes of each segment's words, as Hjerson wrote them."""
    lines = (directory / "en.cats").read_text("utf-8").splitlines()
    words = [match[1].split() for line in lines if (match := re.match(rf"\d+::{side}-err-cats: (.*)", line))]
    return ["".join(LETTERS[word.rpartition("~~")[2]] for word in segment) for segment in words]


@pytest.fixture
def classified(shared_data: Path) -> tuple[Path, dict[str, Any]]:
    directory = shared_data / "hjerson-oracle"
    bases = "--base-forms", f"system={directory}/en.hyp.base", "--base-forms", f"reference={directory}/en.ref.base"
    texts = "-r", f"{directory}/en.ref", f"system={directory}/en.hyp", "--tokenize", "none", "-n", "100"
    return directory, analysed("errors", *texts, *bases, "--words")


def test_every_word_has_the_class_that_hjerson_gave_it(classified: tuple[Path, dict[str, Any]]) -> None:
    directory, found = classified
    assert len(found["words"]) == 500
    for ours, side in (("hypothesis_classes", "hyp"), ("reference_classes", "ref")):
        assert [segment[ours] for segment in found["words"]] == hjerson(directory, side)


def test_the_totals_and_runs_are_those_of_hjerson(classified: tuple[Path, dict[str, Any]]) -> None:
    directory, found = classified
    totals = dict(re.findall(r"^(\w+):\s+(\d+)", (directory / "en.total").read_text("utf-8"), re.MULTILINE))
    rates = {entry["rate"].capitalize(): str(entry["errors"]) for entry in found["rates"]}
    assert rates == {name: totals[name] for name in ("Wer", "Rper", "Hper")}
    names = {"inflection": "INFer", "order": "Rer", "lexical": "LEXer"}
    for entry in found["classes"]:
        side = entry["side"][0]
        name = {"missing": "MISer", "extra": "EXTer"}.get(entry["class"]) or side + names[entry["class"]]
        assert (str(entry["count"]), str(entry["runs"])) == (totals[name], totals[f"b{name}"]), name
