"""`karat meta` over several language pairs: each with its own reference and its own word on outputs of people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.e2e.meta_runs import Measures, by_key, document, measures, run, scores, write

import karat
from karat.meta import evaluate

PAIRS = ("en-de", "he-en", "zh-en")
REFERENCES = ("refA", "refB")
SYSTEMS = ("s1", "s2", "s3", "s4", "s5")
SEGMENTS = 8
WORDS = np.array(["the", "a", "cat", "dog", "sat", "lay", "ran", "on", "under", "mat", "rug", "today"])
HEADLINE = (
    *("-l", ",".join(PAIRS), "--standard-reference", "refA", "--standard-reference", "he-en=refB"),
    *("--include-human", "he-en", "--test", "none"),
)


def texts_of(rng: np.random.Generator) -> dict[str, list[str]]:
    """Two references, and systems that get more and more words of the first wrong."""
    reference = rng.choice(WORDS, size=(SEGMENTS, 9))
    made = {"refA": reference, "refB": np.where(rng.random(reference.shape) < 0.3, "other", reference)}
    for number, system in enumerate(SYSTEMS, 1):
        wrong = rng.random(reference.shape) < number / 8
        made[system] = np.where(wrong, rng.choice(WORDS, size=reference.shape), reference)
    return {name: [" ".join(segment) for segment in segments] for name, segments in made.items()}


def write_pair(root: Path, pair: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    texts = texts_of(rng)
    write(root / "sources" / f"{pair}.txt", [f"source {number}" for number in range(SEGMENTS)])
    for name, lines in texts.items():
        folder, file = ("references", f"{pair}.{name}") if name in REFERENCES else (f"system-outputs/{pair}", name)
        write(root / folder / f"{file}.txt", lines)
    given = {name: rng.normal(size=SEGMENTS).round(3).tolist() for name in texts}
    write(root / "human-scores" / f"{pair}.mqm.seg.score", scores(given))
    for metric in ("BLEU-refA", "BLEU-refB", "Both-refA.refB", "Kiwi-src", "Plain"):
        said = {name: rng.normal(size=SEGMENTS).round(3).tolist() for name in texts if not metric.endswith(name)}
        write(root / "metric-scores" / pair / f"{metric}.seg.score", scores(said))


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a year's task, with three language pairs and two references in each."""
    root = tmp_path_factory.mktemp("year") / "wmt"
    for seed, pair in enumerate(PAIRS):
        write_pair(root, pair, seed)
    return root


def of_pair(found: dict[str, Any], pair: str) -> Measures:
    return by_key([entry for entry in found["measures"] if entry["language_pair"] == pair])


def table(root: Path, folder: str, file: str, systems: list[str]) -> list[list[float]]:
    """The scores in a file, systems by segments."""
    found: dict[str, list[float]] = {}
    for line in (root / folder / file).read_text(encoding="utf-8").splitlines():
        system, score = line.split("\t")
        found.setdefault(system, []).append(float(score))
    return [found[system] for system in systems]


def test_each_pair_has_its_own_reference_and_its_own_systems(year: Path) -> None:
    tasks = {task["language_pair"]: task for task in document(str(year), *HEADLINE)["tasks"]}
    for pair in ("en-de", "zh-en"):
        assert tasks[pair]["standard_reference"] == "refA"
        assert set(tasks[pair]["systems"]) == set(SYSTEMS)
        assert tasks[pair]["left_out"] == {"refA": "standard reference", "refB": "human output"}
    assert tasks["he-en"]["standard_reference"] == "refB"
    assert set(tasks["he-en"]["systems"]) == {*SYSTEMS, "refA"}
    assert tasks["he-en"]["left_out"] == {"refB": "standard reference"}


def test_the_scores_against_the_standard_reference_are_those_that_count(year: Path) -> None:
    found = document(str(year), *HEADLINE, "--measure", "pearson")
    for pair, reference in (("en-de", "refA"), ("he-en", "refB")):
        entries = of_pair(found, pair)
        assert {metric for metric, *_ in entries} == {"BLEU", "Kiwi-src", "Plain"}
        systems = [*SYSTEMS, *(["refA"] if pair == "he-en" else [])]
        gold = table(year, "human-scores", f"{pair}.mqm.seg.score", systems)
        for metric, file in (("BLEU", f"BLEU-{reference}"), ("Kiwi-src", "Kiwi-src"), ("Plain", "Plain")):
            said = table(year, f"metric-scores/{pair}", f"{file}.seg.score", systems)
            expected = evaluate("pearson", gold, said, "none").value
            assert entries[metric, "segment", "none", "pearson"]["value"] == pytest.approx(expected)


def test_the_same_metric_is_averaged_over_the_pairs(year: Path) -> None:
    found = document(str(year), *HEADLINE)
    averages = by_key(found["averages"])
    assert {metric for metric, *_ in averages} == {"BLEU", "Kiwi-src", "Plain"}
    for key in (("BLEU", "system", "none", "pearson"), ("Kiwi-src", "segment", "item", "acc-eq")):
        assert averages[key]["value"] == pytest.approx(np.mean([of_pair(found, pair)[key]["value"] for pair in PAIRS]))
        assert averages[key]["tasks"] == 3
    right = {pair: of_pair(found, pair)["BLEU", "system", "none", "accuracy"] for pair in PAIRS}
    assert [right[pair]["pairs"] for pair in PAIRS] == [10, 15, 10]
    pooled = sum(one["value"] * one["pairs"] for one in right.values()) / 35
    assert averages["BLEU", "system", "none", "accuracy-pooled"]["value"] == pytest.approx(pooled)


def test_without_a_standard_reference_metrics_are_told_apart_by_theirs(year: Path) -> None:
    names = {metric for metric, *_ in measures(str(year), "-l", "en-de", "--test", "none", "--measure", "pearson")}
    assert names == {"BLEU-refA", "BLEU-refB", "Both-refA.refB", "Kiwi-src", "Plain"}


def test_own_metrics_are_scored_against_the_standard_reference_alone(year: Path) -> None:
    found = document(str(year), *HEADLINE, "-m", "chrf", "--measure", "pearson")
    for pair, reference, systems in (("en-de", "refA", SYSTEMS), ("he-en", "refB", (*SYSTEMS, "refA"))):
        lines = {path.stem: path.read_text().splitlines() for path in (year / "system-outputs" / pair).iterdir()}
        human = {name: (year / "references" / f"{pair}.{name}.txt").read_text().splitlines() for name in REFERENCES}
        own = karat.score({name: {**lines, **human}[name] for name in systems}, human[reference], "chrf")
        gold = np.mean(table(year, "human-scores", f"{pair}.mqm.seg.score", list(systems)), axis=1)
        expected = np.corrcoef(gold, [score.score for score in own])[0, 1]
        entry = of_pair(found, pair)["chrf", "system", "none", "pearson"]
        assert entry["value"] == pytest.approx(expected)
        assert entry["signature"] == str(own[0].signature)


def test_a_metric_that_follows_the_language_is_one_in_the_mean(tmp_path: Path) -> None:
    root = tmp_path / "wmt"
    for seed, pair in enumerate(("en-de", "en-zh")):
        write_pair(root, pair, seed)
    found = document(str(root), "-l", "all", "--standard-reference", "refA", "-m", "bleu", "--test", "none")
    key = ("system", "none", "pearson")
    values = [of_pair(found, "en-de")["bleu", *key], of_pair(found, "en-zh")["bleu(tokenize=zh)", *key]]
    assert by_key(found["averages"])["bleu", *key]["value"] == pytest.approx(np.mean([one["value"] for one in values]))


def test_systems_that_nobody_judged_are_no_news(tmp_path: Path) -> None:
    root = tmp_path / "wmt"
    write_pair(root, "en-de", 1)
    file = root / "metric-scores" / "en-de" / "Plain.seg.score"
    file.write_text(file.read_text() + "".join(f"synthetic\t{number}\n" for number in range(SEGMENTS)))
    said = run("meta", str(root), "--standard-reference", "refA", "-m", "chrf", "--test", "none").stderr
    assert "synthetic" not in said


def test_people_are_counted_everywhere_without_a_pair(year: Path) -> None:
    for arguments in (("--include-human", "--test", "none"), ("--test", "none", "--include-human")):
        tasks = document(str(year), "-l", "all", "--standard-reference", "refA", *arguments)["tasks"]
        assert [set(task["systems"]) for task in tasks] == [{*SYSTEMS, "refB"}] * 3


def test_the_table_tells_the_reference_and_the_weights(year: Path) -> None:
    table = run("meta", str(year), *HEADLINE, "--quiet", "--measure", "pearson").stdout
    assert "Gold: mqm; standard reference: refB; 6 systems (no outliers); standard reference left out: refB" in table
    assert "Every task has the same weight" in table
    weights = ("--weight", "en-de=2", "--weight", "he-en=1", "--weight", "zh-en=1")
    weighted = run("meta", str(year), *HEADLINE, "--quiet", "--measure", "pearson", *weights).stdout
    assert "Weights: en-de 0.5, he-en 0.25, zh-en 0.25; pooled accuracies count every pair" in weighted


def test_weights_are_divided_by_their_sum(year: Path) -> None:
    key = ("BLEU", "segment", "none", "pearson")
    found = [
        document(str(year), *HEADLINE, "--measure", "pearson", *weights)
        for weights in (
            ("--weight", "en-de=3", "--weight", "he-en=1", "--weight", "zh-en=0"),
            ("--weight", "en-de=.75", "--weight", "he-en=.25", "--weight", "zh-en=0"),
        )
    ]
    values = {pair: of_pair(found[0], pair)[key]["value"] for pair in PAIRS}
    for one in found:
        assert one["weights"] == {"en-de": 0.75, "he-en": 0.25, "zh-en": 0}
        mean = by_key(one["averages"])[key]["value"]
        assert mean == pytest.approx(0.75 * values["en-de"] + 0.25 * values["he-en"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-l", "all", "--standard-reference", "refC"), "en-de has no reference 'refC'; there is: refA, refB"),
        (("-l", "en-de", "--standard-reference", "he-en=refB"), "standard reference of he-en, and only en-de"),
        (("-l", "all", "--standard-reference", "refA", "--standard-reference", "refB"), "has a value already"),
        (("-l", "en-de,zh-en", "--include-human", "he-en"), "count in he-en, and only en-de, zh-en is looked at"),
        (("-l", "all", "--weight", "de-en=1"), "--weight de-en: there is no such task; there is: en-de, he-en, zh-en"),
        (("-l", "all", "--weight", "en-de=1"), "he-en, zh-en: no weight. Give each task one"),
        (("-l", "en-de,he-en", "--weight", "en-de=1", "--weight", "he-en=-1"), "weight of he-en is -1"),
        (("-l", "en-de,he-en", "--weight", "en-de=1", "--weight", "he-en=nan"), "weight of he-en is nan"),
        (("-l", "en-de,he-en", "--weight", "en-de=0", "--weight", "he-en=0"), "all weights are 0"),
        (("-l", "en-de", "--weight", "en-de=1"), "en-de is the only task"),
        (("-l", "all", "--weight", "en-de=1", "--weight", "en-de=2"), "en-de has a value already, 1"),
    ],
)
def test_what_fits_no_pair_is_refused(year: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run("meta", str(year), *arguments, "--test", "none", "--measure", "pearson")
    assert result.returncode == 2
    assert message in result.stderr


def test_a_directory_after_include_human_is_not_taken_for_a_pair(year: Path) -> None:
    result = run("meta", "--include-human", str(year))
    assert result.returncode == 2
    assert "write language pairs such as he-en, or nothing" in result.stderr
    assert "what else is given goes before it" in result.stderr


def test_files_have_no_standard_reference() -> None:
    result = run("meta", "--judgements", "gold.csv", "--standard-reference", "refA")
    assert result.returncode == 2
    assert "--standard-reference is about a directory of mt-metrics-eval" in result.stderr


def test_scores_without_texts_have_a_standard_reference_too(tmp_path: Path) -> None:
    root = tmp_path / "scores"
    gold = {"a": [1, 2, 3], "b": [4, 5, 6], "refB": [7, 8, 9]}
    write(root / "human-scores" / "en-de.mqm.seg.score", scores(gold))
    for name in ("mine-refA", "mine-refB"):
        write(root / "metric-scores" / "en-de" / f"{name}.seg.score", scores(gold))
    found = document(str(root), "--standard-reference", "refA", "--include-human", "--measure", "pearson")
    assert {entry["metric"] for entry in found["measures"]} == {"mine"}
    assert found["tasks"][0]["systems"] == ["a", "b", "refB"]
    assert found["tasks"][0]["left_out"] == {}
