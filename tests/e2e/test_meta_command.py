"""`karat meta` from the command line: directories of mt-metrics-eval, files, pictures, every form."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from tests.e2e.meta_runs import measures, run, scores, write

from karat.sample import path as sample_path

GOLD = {"sysA": [1, 2, 3], "sysB": [4, 5, 6]}
METRIC = {"sysA": [2, 1, 4], "sysB": [3, 3, 7]}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """The least that a directory of mt-metrics-eval can have."""
    root = tmp_path / "tiny"
    write(root / "human-scores" / "en-de.mqm.seg.score", scores(GOLD))
    write(root / "metric-scores" / "en-de" / "mine-refA.seg.score", scores(METRIC))
    return root


def test_a_directory_needs_no_option(directory: Path) -> None:
    found = measures(str(directory))
    expected = {
        ("pearson", "none"): 0.776,
        ("pearson", "system"): 0.760,
        ("pearson", "item"): 1.0,
        ("kendall-b", "none"): 0.552,
        ("kendall-b", "system"): 0.575,
        ("kendall-c", "none"): 0.556,
        ("kendall-c", "system"): 0.611,
        ("pearson-difference", "item"): 0.926,
        ("pearson-difference", "system"): 0.766,
    }
    for (measure, grouping), value in expected.items():
        assert round(found["mine-refA", "segment", grouping, measure]["value"], 3) == value


def test_scores_of_documents_that_nothing_tells_of_are_left_out_aloud(directory: Path) -> None:
    for metric in ("mine-refA", "other"):
        lines = [f"{document}\t{system}\t1.5" for system in GOLD for document in ("d1", "d2")]
        write(directory / "metric-scores" / "en-de" / f"{metric}.doc.score", lines)
    said = run("meta", str(directory)).stderr
    assert said.count("scores of documents are left out: nothing else here tells which documents there are") == 1


def test_soft_accuracy_of_the_unit_example(tmp_path: Path) -> None:
    root = tmp_path / "tiny"
    write(root / "human-scores" / "en-de.mqm.seg.score", scores({"sysA": [1, 2, 3], "sysB": [2, 3, 4]}))
    write(root / "metric-scores" / "en-de" / "mine.seg.score", scores({"sysA": [2, 2, 4], "sysB": [1, 3, 5]}))
    assert measures(str(root))["mine", "system", "none", "spa"]["value"] == 0.875


def test_ties_of_the_unit_example(tmp_path: Path) -> None:
    root = tmp_path / "tiny"
    names = [f"s{i}" for i in range(5)]
    write(
        root / "human-scores" / "en-de.mqm.sys.score",
        [f"{n}\t{v}" for n, v in zip(names, [1, 2, 2, 3, 4], strict=True)],
    )
    write(
        root / "metric-scores/en-de/mine.sys.score",
        [f"{n}\t{v}" for n, v in zip(names, [2, 1, 1.5, 5, 3], strict=True)],
    )
    found = measures(str(root))
    calibrated = found["mine", "system", "none", "acc-eq"]
    assert calibrated["value"] == pytest.approx(0.7)
    assert calibrated["epsilon"] == 0.5
    assert found["mine", "system", "none", "acc-eq-plain"]["value"] == pytest.approx(0.6)
    assert found["mine", "system", "none", "tau-eq-plain"]["value"] == pytest.approx(0.2)
    assert found["mine", "system", "none", "kendall-b"]["value"] == pytest.approx(0.316227766)


def test_judgements_and_scores_in_files(tmp_path: Path) -> None:
    """Headings between spaces, rows between tabs, None for what is missing, words before a number."""
    gold = write(
        tmp_path / "gold.csv",
        [
            "SYS SEGID RAW.SCR Z.SCR",
            "a\td::1\t10\t0",
            "b\td::1\t11\t0",
            "c\td::1\t100\t1",
            "d\td::1\t150\t1",
            "e\td::1\tNone\t1",
        ],
    )
    lines = [f"chrF\ten-de\tnews\trefA\t{n}\td\t1\tchrF2 = {v}" for n, v in zip("abcde", [2, 1, 4, 3, 9], strict=True)]
    other = [line.replace("refA", "refB") for line in lines]
    metric = write(tmp_path / "chrF.seg.score", [*lines, *other])
    common = ("--judgements", str(gold), "--gold", "RAW.SCR", "--scores", str(metric), "--level", "segment")
    for minimum, value, pairs in (("25", 3 / 5, 5), ("1", 2 / 6, 6)):
        found = measures(*common, "--only", "ref=refA", "--minimum", minimum)["chrF", "segment", "item", "kendall-like"]
        assert found["value"] == pytest.approx(value)
        assert found["pairs"] == pairs
    refused = run("meta", *common)
    assert refused.returncode == 2
    assert "has a second chrF score" in refused.stderr
    assert "line 6" in refused.stderr


def test_the_sample_in_every_form(tmp_path: Path) -> None:
    given = ("--corpus", str(sample_path("corpus.jsonl")), "--ratings", str(sample_path("ratings.tsv")))
    chosen = ("--criterion", "adequacy", "-m", "bleu", "-m", "ter", "-n", "50", "--quiet")
    table = run("meta", *given, *chosen)
    assert table.returncode == 0, table.stderr
    assert "Sys Pearson" in table.stdout
    assert "Gold: adequacy; 4 systems" in table.stdout
    for form in ("markdown", "latex"):
        assert "bleu" in run("meta", *given, *chosen, "--format", form).stdout
    rows = list(csv.DictReader(run("meta", *given, *chosen, "--format", "csv").stdout.splitlines()))
    assert {row["level"] for row in rows} == {"system", "document", "domain", "segment"}
    assert any(row["interval_low"] for row in rows)
    page, plots = tmp_path / "page.html", tmp_path / "plots"
    made = run("meta", *given, *chosen, "--html", str(page), "--plots", str(plots))
    assert made.returncode == 0, made.stderr
    assert "How well metrics agree with people" in page.read_text(encoding="utf-8")
    names = sorted(path.name for path in plots.iterdir())
    assert "scatter.bleu.svg" in names
    for path in plots.iterdir():
        ElementTree.parse(path)


def test_own_metrics_beside_outside_ones_by_domain() -> None:
    given = ("--corpus", str(sample_path("corpus.jsonl")), "--ratings", str(sample_path("ratings.tsv")))
    found = run("meta", *given, "-m", "chrf", "--by", "domain", "--test", "none", "--json", "--quiet")
    assert found.returncode == 0, found.stderr
    document = json.loads(found.stdout)
    assert {one["subset"] for one in document["measures"]} == {
        f"domain {name}" for name in ("news", "technical", "conversational", "literary", "official")
    }
    assert document["averages"]


def test_comparisons_say_at_which_level_they_are() -> None:
    given = ("--corpus", str(sample_path("corpus.jsonl")), "--ratings", str(sample_path("ratings.tsv")))
    found = run("meta", *given, "-m", "chrf", "-m", "bleu", "--measure", "pearson", "-n", "50", "--json", "--quiet")
    comparisons = json.loads(found.stdout)["tasks"][0]["comparisons"]
    assert [one["level"] for one in comparisons] == ["system", "segment", "segment"]
    assert {one["alpha"] for one in comparisons} == {0.05}


def test_names_that_are_markup_stay_text(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    names = ["<b>a</b>", "b&c", 'd"e', "f'g", "h"]
    lines = [f"{name}\t{value:.3f}" for name in names for value in rng.normal(size=4)]
    root = tmp_path / "odd"
    write(root / "human-scores" / "en-de.mqm.seg.score", lines)
    write(root / "metric-scores" / "en-de" / "<i>m</i>.seg.score".replace("/", "_"), lines)
    page, plots = tmp_path / "page.html", tmp_path / "plots"
    assert run("meta", str(root), "--html", str(page), "--plots", str(plots), "--quiet").returncode == 0
    text = page.read_text(encoding="utf-8")
    assert "<b>a</b>" not in text
    assert "&lt;b&gt;a&lt;/b&gt;" in text
    for path in plots.iterdir():
        ElementTree.parse(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--ratings", "nowhere.tsv"), "nowhere.tsv"),
        ((), "there are no judgements"),
        (("-m", "bleu"), "-m is about texts"),
        (("--gold", "da"), "no judgements 'da'"),
        (("--compare", "segment:nonsense"), "write LEVEL:MEASURE"),
        (("--only", "x"), "write NAME=VALUE"),
        (("--weight", "en-de=much"), "write TASK=NUMBER"),
        (("--language-pair", "fr-en"), "has no judgements of fr-en"),
        (("--by", "domain"), "--by domain needs"),
        (("--without", "sysA", "--outlier", "nobody"), "is no system"),
    ],
)
def test_what_makes_no_sense_is_refused(directory: Path, arguments: tuple[str, ...], message: str) -> None:
    with_directory = arguments and arguments[0] not in ("--ratings", "-m")
    result = run("meta", *([str(directory)] if with_directory else []), *arguments)
    assert result.returncode == 2
    assert message in result.stderr


def test_a_directory_without_judgements_is_named(directory: Path, tmp_path: Path) -> None:
    result = run("meta", str(directory.parent))
    assert result.returncode == 2
    assert f"{directory.parent} has no directory human-scores. Did you mean {directory}?" in result.stderr
    (tmp_path / "empty").mkdir()
    result = run("meta", str(tmp_path / "empty"))
    assert result.returncode == 2
    assert "empty has no directory human-scores: it is no directory of mt-metrics-eval" in result.stderr


def test_a_file_without_scores_is_refused(directory: Path) -> None:
    gold = directory / "human-scores" / "en-de.mqm.seg.score"
    gold.write_text("\n", encoding="utf-8")
    result = run("meta", str(directory))
    assert result.returncode == 2
    assert f"{gold} has no scores in it" in result.stderr


def test_several_language_pairs(directory: Path) -> None:
    write(directory / "human-scores" / "zh-en.mqm.seg.score", scores(METRIC))
    write(directory / "metric-scores" / "zh-en" / "mine-refA.seg.score", scores(GOLD))
    asked = run("meta", str(directory))
    assert asked.returncode == 2
    assert "choose one with --language-pair" in asked.stderr
    both = run("meta", str(directory), "-l", "all", "--json", "--weight", "en-de=3", "--weight", "zh-en=1")
    document = json.loads(both.stdout)
    assert {one["language_pair"] for one in document["measures"]} == {"en-de", "zh-en"}
    assert "averages" in document
