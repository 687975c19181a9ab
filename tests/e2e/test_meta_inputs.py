"""What `karat meta` takes from files: directions, post-edits, documents, and the warnings that other commands give."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.e2e.meta_runs import Measures, document, measures, run, write

import karat.registry
from karat.errors import MissingResourceError
from karat.metrics.wer import Wer
from karat.sample import path as sample_path

CORPUS = str(sample_path("corpus.jsonl"))
RATINGS = str(sample_path("ratings.tsv"))
SAMPLE = ("--corpus", CORPUS, "--ratings", RATINGS, "--criterion", "adequacy", "--test", "none")
SYSTEMS = ("a", "b", "c", "d")
ACCURACIES = ("accuracy", "acc-eq", "acc-eq-plain", "kendall-like")


def chosen(*names: str) -> list[str]:
    return [part for name in names for part in ("--measure", name)]


def values(found: Measures, metric: str) -> dict[tuple[str, str, str], float | None]:
    return {key[1:]: entry["value"] for key, entry in found.items() if key[0] == metric}


def records(path: Path, rows: list[dict[str, Any]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def long_form(table: np.ndarray, **more: Any) -> list[dict[str, Any]]:
    """A record per system and segment."""
    return [
        {"system": system, "segment": str(number), "score": float(score), **more}
        for system, scores in zip(SYSTEMS, table, strict=True)
        for number, score in enumerate(scores, 1)
    ]


@pytest.fixture
def tables() -> tuple[np.ndarray, np.ndarray]:
    """Judgements and scores of four systems on six segments, higher is better."""
    rng = np.random.default_rng(7)
    gold = rng.integers(-9, 0, size=(len(SYSTEMS), 6)).astype(float)
    return gold, gold + rng.normal(scale=3, size=gold.shape)


def test_a_file_may_say_that_lower_scores_are_better(tmp_path: Path) -> None:
    scored = run("score", "--corpus", CORPUS, "-m", "ter", "--level", "segment", "--format", "csv", "--quiet").stdout
    rows = [
        {"system": row["system"], "segment": row["segment"], "score": row["score"], "metric": "mine"}
        for row in csv.DictReader(scored.splitlines())
    ]
    file = records(tmp_path / "mine.csv", [{**row, "higher_is_better": "false"} for row in rows])
    level = ("--level", "segment", *chosen(*ACCURACIES, "pearson"))
    found = measures(*SAMPLE, "-m", "ter", "--scores", file, *level)
    own, outside = values(found, "ter"), values(found, "mine")
    assert {key[2] for key in own} == {*ACCURACIES, "pearson"}
    assert outside == pytest.approx(own)
    untold = measures(*SAMPLE, "-m", "ter", "--scores", records(tmp_path / "mine.csv", rows), *level)
    assert untold["mine", "segment", "item", "acc-eq"]["value"] < own["segment", "item", "acc-eq"]


def test_penalties_as_judgements_are_turned_round(tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]) -> None:
    gold, metric = tables
    scores = records(tmp_path / "metric.csv", long_form(metric))
    turned = records(tmp_path / "gold.csv", long_form(gold))
    penalties = records(tmp_path / "penalties.csv", long_form(-gold, higher_is_better="false"))
    ratings = [
        {
            "rater": "r",
            "system": row["system"],
            "segment": row["segment"],
            "protocol": "mqm",
            "criterion": "penalty",
            "value": row["score"],
        }
        for row in long_form(-gold)
    ]
    raters = records(tmp_path / "ratings.csv", ratings)
    common = ("--scores", scores, "--test", "none")
    expected = values(measures("--judgements", turned, *common), "metric")
    assert len(expected) > 20
    for given in (("--judgements", penalties), ("--ratings", raters)):
        assert values(measures(*given, *common), "metric") == pytest.approx(expected)


@pytest.fixture
def post_edited(tmp_path: Path) -> Path:
    """Four systems with a reference, and post-edits that correct some of their words, which people agree with."""
    rng = np.random.default_rng(2)
    words = np.array(["the", "a", "cat", "dog", "sat", "lay", "on", "mat", "rug", "today"])
    lines, gold = [], []
    for segment in range(1, 7):
        outputs = {system: rng.choice(words, size=6) for system in SYSTEMS}
        edited = {system: np.where(rng.random(6) < 0.4, "corrected", text).tolist() for system, text in outputs.items()}
        lines.append(
            {
                "references": [" ".join(rng.choice(words, size=6))],
                "systems": {system: " ".join(text) for system, text in outputs.items()},
                "post_edits": {system: " ".join(text) for system, text in edited.items()},
            }
        )
        # Every word that was corrected is one edit out of six words, so people agree with HTER to the last digit.
        gold += [
            {"system": system, "segment": str(segment), "score": -text.count("corrected") / 6}
            for system, text in edited.items()
        ]
    write(tmp_path / "corpus.jsonl", [json.dumps(line) for line in lines])
    records(tmp_path / "gold.csv", gold)
    return tmp_path


def test_post_edits_are_used_as_asked_for(post_edited: Path) -> None:
    common = ("--corpus", str(post_edited / "corpus.jsonl"), "--judgements", str(post_edited / "gold.csv"))
    key = ("segment", "none", "pearson")
    chosen_level = ("--level", "segment", *chosen("pearson"), "--test", "none")
    instead = measures(*common, "-m", "hter", "-m", "ter", "--post-edits", "instead", *chosen_level)
    assert instead["hter", *key]["value"] == pytest.approx(-1)
    assert instead["ter", *key]["value"] == pytest.approx(-1)
    beside = measures(*common, "-m", "ter", "--post-edits", "beside", *chosen_level)
    assert "|refs:2|" in beside["ter", *key]["signature"]
    never = measures(*common, "-m", "ter", *chosen_level)
    assert "|refs:1|" in never["ter", *key]["signature"]
    assert never["ter", *key]["value"] > -0.9
    for post_edits in ("instead", "beside"):
        quiet = run("meta", *common, "-m", "hter", "--post-edits", post_edits, *chosen_level)
        assert quiet.returncode == 0
        assert "--post-edits" not in quiet.stderr
    refused = run("meta", *common, "-m", "hter", *chosen_level)
    assert refused.returncode == 2
    assert "add --post-edits instead" in refused.stderr


@dataclass(frozen=True, kw_only=True)
class WithoutThesaurus(Wer):
    """A metric whose thesaurus nobody has, for the test only."""

    @property
    def resources(self) -> dict[str, str]:
        raise MissingResourceError("the thesaurus", "Write one.")


def test_warnings_are_those_of_score(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = (karat.registry.metric("bleu"), WithoutThesaurus())
    monkeypatch.setattr("karat.service.choices.suite", lambda _: lacking)
    metrics = ("-m", "suite:any", "-m", "meteor-2005")
    scored = run("score", "--corpus", CORPUS, *metrics)
    assert "wer is left out: the thesaurus is not here" in scored.stderr
    assert "meteor-2005: no language was named" in scored.stderr
    judged = run("meta", *SAMPLE, *metrics, "--level", "system", *chosen("pearson"))
    assert set(scored.stderr.splitlines()) <= set(judged.stderr.splitlines())


def test_segments_of_several_documents_may_have_the_same_names(
    tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]
) -> None:
    gold, metric = tables

    def in_documents(table: np.ndarray) -> list[dict[str, Any]]:
        """Three documents, each with a segment 1 and a segment 2."""
        named = ((f"d{number // 2}", str(number % 2 + 1)) for _ in SYSTEMS for number in range(6))
        rows = zip(long_form(table), named, strict=True)
        return [{**row, "document": document, "segment": segment} for row, (document, segment) in rows]

    judged = records(tmp_path / "gold.csv", in_documents(gold))
    scores = records(tmp_path / "metric.csv", in_documents(metric))
    found = measures("--judgements", judged, "--scores", scores, "--test", "none")
    flat_judged = records(tmp_path / "flat-gold.csv", long_form(gold))
    flat_scores = records(tmp_path / "flat.csv", long_form(metric, metric="metric"))
    flat = measures("--judgements", flat_judged, "--scores", flat_scores, "--test", "none")
    kept = {key: value for key, value in values(found, "metric").items() if key[0] != "document"}
    assert kept == pytest.approx(values(flat, "metric"))
    assert ("document", "none", "pearson") in values(found, "metric")
    compared = run("compare", "--scores", scores, "-n", "50", "--quiet", "a", "b")
    assert compared.returncode == 0, compared.stderr


def test_bleu_is_one_row_that_scores_segments_by_sentence_bleu() -> None:
    found = document(*SAMPLE, "-m", "bleu", *chosen("pearson"), "--grouping", "none")
    signed = {entry["level"]: entry["signature"] for entry in found["measures"]}
    assert {entry["metric"] for entry in found["measures"]} == {"bleu"}
    assert signed["system"].startswith("bleu|")
    assert signed["document"].startswith("bleu|")
    assert signed["segment"].startswith("bleu(effective_order=true)|")
    single = measures(*SAMPLE, "-m", "sentence-bleu", "--level", "segment", *chosen("pearson"))
    (own,) = [entry["value"] for entry in found["measures"] if entry["level"] == "segment"]
    assert own == single["bleu(effective_order=true)", "segment", "none", "pearson"]["value"]
    shown = run("meta", *SAMPLE, "-m", "bleu", "--quiet").stdout
    lines = shown.splitlines()
    assert f"bleu (systems, documents, domains): {signed['system']}" in lines
    assert f"bleu (SPA, single segments): {signed['segment']}" in lines


def test_single_segments_under_a_formula_for_corpora_are_warned_about() -> None:
    scored = run("score", "--corpus", CORPUS, "-m", "bleu", "--level", "segment")
    assert "bleu is a formula for whole corpora: for single segments use sentence-bleu" in scored.stderr
    assert "formula" not in run("score", "--corpus", CORPUS, "-m", "sentence-bleu", "--level", "segment").stderr


def test_judgements_of_segments_that_the_texts_lack_are_told(tmp_path: Path) -> None:
    rated = Path(RATINGS).read_text(encoding="utf-8").splitlines()
    heading = rated[0].split("\t")
    segment = heading.index("segment")

    def with_names(changed: int) -> tuple[str, ...]:
        """The sample's ratings, those of so many segments under a name that the texts do not have."""
        rows = [line.split("\t") for line in rated[1:]]
        for row in rows:
            if int(row[segment]) <= changed:
                row[segment] = f"x{row[segment]}"
        lines = ["\t".join(row) for row in rows]
        file = write(tmp_path / "ratings.tsv", [rated[0], *lines])
        return ("--corpus", CORPUS, "--ratings", str(file), "--criterion", "adequacy", "--test", "none", "-m", "chrf")

    some = run("meta", *with_names(3))
    assert some.returncode == 0, some.stderr
    assert (
        "ratings.tsv: 3 of 127 segments are not among the 127 looked at, so that 12 of 508 adequacy scores are left"
        in (some.stderr)
    )
    most = run("meta", *with_names(100))
    assert most.returncode == 2
    assert "only 27 of 127 segments are among the 127 looked at (1, 2, 3, 4, 5, ...), and x1 is not" in most.stderr


def test_systems_are_counted_that_have_both_judgements_and_outputs(
    tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]
) -> None:
    gold, metric = tables
    judged = records(tmp_path / "gold.csv", long_form(gold))
    scores = records(tmp_path / "metric.csv", [row for row in long_form(metric) if row["system"] != "d"])
    found = run("meta", "--judgements", judged, "--scores", scores, "--test", "none")
    assert "Gold: gold; 3 systems (" in found.stdout
    assert "unscored system left out: d" in found.stdout
    task = document("--judgements", judged, "--scores", scores, "--test", "none")["tasks"][0]
    assert (task["systems"], task["left_out"]) == (["a", "b", "c"], {"d": "unscored system"})
    more = records(tmp_path / "more.csv", long_form(metric))
    both = run("meta", "--judgements", judged, "--scores", scores, "--scores", more, "--test", "none")
    assert "some of the 4 systems have no score under some metrics: metric: d" in both.stderr


def test_metrics_that_are_not_compared_are_named(tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]) -> None:
    gold, metric = tables
    judged = records(tmp_path / "gold.csv", long_form(gold))
    scores = [
        records(tmp_path / f"{name}.csv", [row for row in long_form(metric) if int(row["segment"]) <= segments])
        for name, segments in (("whole", 6), ("other", 6), ("part", 4))
    ]
    given = [part for file in scores for part in ("--scores", file)]
    said = run("meta", "--judgements", judged, *given, "-n", "20").stderr
    assert (
        "metrics with scores of less than 90 % of what people judged are not compared with others: "
        "segment:pearson: part; segment:acc-eq:item: part\n"
    ) in said


@pytest.mark.parametrize("heading", [("system", "score"), ("score", "system", "higher_is_better")])
def test_judgements_may_be_of_whole_systems(
    tmp_path: Path, tables: tuple[np.ndarray, np.ndarray], heading: tuple[str, ...]
) -> None:
    gold, metric = tables
    of_segments = records(tmp_path / "gold.csv", long_form(gold))
    rows = [
        {"system": system, "score": float(row.mean()), "higher_is_better": "true"}
        for system, row in zip(SYSTEMS, gold, strict=True)
    ]
    judged = records(tmp_path / "systems.csv", [{name: row[name] for name in heading} for row in rows])
    scores = records(tmp_path / "metric.csv", long_form(metric))
    common = ("--scores", scores, "--test", "none")
    whole = values(measures("--judgements", judged, *common), "metric")
    fine = values(measures("--judgements", of_segments, *common), "metric")
    assert whole == pytest.approx({key: fine[key] for key in whole})
    assert {key[0] for key in whole} == {"system"}
    assert {key[2] for key in fine if key[0] == "system"} - {key[2] for key in whole} == {"spa"}
    told = run("meta", "--judgements", judged, *common)
    assert (
        "systems: judgements are of whole systems, so there are no measures of documents or segments, and no SPA"
        in (told.stderr)
    )
    refused = run("meta", "--judgements", judged, *common, "--level", "segment")
    assert refused.returncode == 2
    assert "there are judgements of systems and scores of segments" in refused.stderr


def test_a_second_judgement_of_a_system_is_refused(tmp_path: Path) -> None:
    judged = records(tmp_path / "gold.csv", [{"system": "a", "score": 1.0}, {"system": "a", "score": 2.0}])
    refused = run("meta", "--judgements", judged, "--scores", judged)
    assert refused.returncode == 2
    assert "a has a second gold score: give one per system, or name the segment of each in a column segment" in (
        refused.stderr
    )


def test_penalties_as_gold_are_said_to_be_turned(tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]) -> None:
    gold, metric = tables
    scores = records(tmp_path / "metric.csv", long_form(metric))
    for better, note, axis in (
        (
            "false",
            "Gold: gold (lower is better, so turned round); 4 systems",
            "people: gold, turned round: lower is better",
        ),
        ("true", "Gold: gold; 4 systems", "people: gold"),
    ):
        judged = records(tmp_path / "gold.csv", long_form(-gold, higher_is_better=better))
        given = ("--judgements", judged, "--scores", scores, "--test", "none", "--plots", str(tmp_path / "plots"))
        assert note in run("meta", *given).stdout
        assert f">{axis}<" in (tmp_path / "plots" / "scatter.metric.svg").read_text(encoding="utf-8")
        assert document(*given)["tasks"][0]["gold_higher_is_better"] == (better == "true")


def test_groups_without_a_value_are_told_with_the_reason(tmp_path: Path, tables: tuple[np.ndarray, np.ndarray]) -> None:
    gold, metric = tables
    gold[:, 0] = 5
    judged, scores = (
        records(tmp_path / f"{name}.csv", long_form(table)) for name, table in (("gold", gold), ("metric", metric))
    )
    asked = ("--judgements", judged, "--scores", scores, "--test", "none", "--level", "segment", "--grouping", "item")
    least = run("meta", *asked, *chosen("kendall-like"), "--minimum", "25")
    assert least.stderr.splitlines()[0] == (
        "karat: warning: groups without a pair whose judgements differ by 25 or more have no value and are left out: "
        "metric kendall-like by item (segment): 6 of 6"
    )
    plain = run("meta", *asked, *chosen("kendall-like", "pearson"))
    for reason, measure in (("without variance", "pearson"), ("without a pair that people tell apart", "kendall-like")):
        counted = f"metric {measure} by item (segment): 1 of 6"
        assert f"groups {reason} have no value and are left out: {counted}\n" in plain.stderr


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--alpha", "2"), "alpha is 2.0: it must lie between 0 and 1, such as 0.05"),
        (("--alpha", "0"), "alpha is 0.0: it must lie between 0 and 1, such as 0.05"),
        (("--weight", "en-de=1"), "--weight: all files are one task, so there is no mean over tasks"),
        (
            ("--weight", "domain novels=1", "--by", "domain"),
            "--weight domain novels: there is no such task; there is: domain",
        ),
        (("--rename", "nobody=neural"), "--rename nobody=neural: there is no system 'nobody'. There is: "),
        (("--rename", "fluent=neural"), "would have two systems named 'neural'"),
        (
            ("--compare", "system:pearson:item", "--test", "perm-both"),
            "compared under system:pearson:item by perm-both",
        ),
        (("--compare", "system:pearson"), "--compare asks for a test, and --test none for no test"),
    ],
)
def test_what_makes_no_sense_is_refused(options: tuple[str, ...], complaint: str) -> None:
    refused = run("meta", *SAMPLE, "-m", "chrf", *options)
    assert refused.returncode == 2
    assert complaint in refused.stderr
    assert refused.stdout == ""


def test_a_tiny_alpha_is_no_certainty() -> None:
    found = run("meta", *SAMPLE, "-m", "chrf", "--alpha", "0.00000001", "--level", "system", *chosen("pearson"))
    assert "99.999999 % interval" in found.stdout
    assert "Intervals: 99.999999 %, jackknife" in found.stdout
