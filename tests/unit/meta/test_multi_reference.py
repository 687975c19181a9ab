"""Qin and Specia's experiment and tags of words, on the sample and on tables worked out by hand."""

from __future__ import annotations

import csv
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from karat.cli import main
from karat.meta.multi_reference import MultiReferenceStudy, RaterAgreement
from karat.report.multi_reference import multi_reference_tables
from karat.sample import path as sample_path
from karat.service.multi_reference import _of_system


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as done:
        main(["analyse", *arguments])
    return int(done.value.code or 0), out.getvalue(), err.getvalue()


SAMPLE = ("--corpus", str(sample_path("corpus.jsonl")), "--ratings", str(sample_path("ratings.tsv")))


def test_agreement_of_two_and_of_three() -> None:
    # Two of three agree on 3 of 4 items: the paper's kappa is (.75 - .2)/.8, the right one (.75 - .52)/.48.
    found = _of_system("fluency", "a", [[1, 1, 2], [1, 2, 3], [4, 4, 4], [5, 3, 5]], 5)
    assert (found.share, found.segments) == (0.75, 4)
    assert found.kappa_paper == pytest.approx(0.6875)
    assert found.kappa == pytest.approx(0.4791666667)
    two = _of_system("fluency", "a", [[1, 1], [1, 2]], 5)
    assert two.kappa == two.kappa_paper == pytest.approx(0.375)


def test_the_experiment_on_the_sample() -> None:
    status, out, err = run("multi-reference", *SAMPLE, "-m", "bleu", "-m", "nist", "--json")
    assert status == 0, err
    found: dict[str, Any] = json.loads(out)
    assert found["references"] == 2
    assert {(one["criterion"], one["system"]) for one in found["agreement"]} == {
        (criterion, system) for criterion in ("adequacy", "fluency") for system in found["systems"]
    }
    # Systems once, documents and segments for each of the four systems; two metrics, two criteria.
    assert len(found["correlations"]) == 2 * 2 * (1 + 4 + 4)
    over_systems = {
        (one["criterion"], one["metric"]): one["value"] for one in found["correlations"] if one["level"] == "system"
    }
    # The sample's planted fact: BLEU follows fluency, not adequacy.
    assert over_systems["fluency", "bleu"] > 0.9 > over_systems["adequacy", "bleu"]


def test_the_experiment_as_tables_and_csv() -> None:
    status, out, _ = run("multi-reference", *SAMPLE, "-m", "bleu")
    assert status == 0
    for heading in ("Agreement of people", "Pearson over systems", "Pearson over documents of each system: fluency"):
        assert heading in out
    status, out, _ = run("multi-reference", *SAMPLE, "-m", "bleu", "--criterion", "fluency", "--format", "csv")
    assert status == 0
    assert out.splitlines()[0] == "criterion,metric,level,system,value,n"


def test_means_are_of_the_numbers_and_not_of_their_digits() -> None:
    shares = {"a": 0.004, "b": 0.004, "c": 0.014}
    agreement = tuple(RaterAgreement("fluency", name, 3, share, share, None) for name, share in shares.items())
    study = MultiReferenceStudy(2, ("fluency",), ("bleu",), tuple(shares), agreement, (), ())
    table = next(iter(multi_reference_tables(study, 2)))
    assert [row[1].text for row in table.rows] == ["0.00", "0.00", "0.01", "0.01"]
    assert [row[3].text for row in table.rows] == ["–"] * 4


def test_one_reference_is_refused(tmp_path: Path) -> None:
    status, _, err = run(
        "multi-reference", "-r", str(sample_path("refA.en.txt")), str(sample_path("neural.txt")),
        "--ratings", str(sample_path("ratings.tsv")),
    )  # fmt: skip
    assert status == 2
    assert "one reference only" in err
    empty = tmp_path / "ratings.tsv"
    empty.write_text("system\tsegment\tvalue\na\t1\t3\n", encoding="utf-8")
    status, _, err = run("multi-reference", "--corpus", SAMPLE[1], "--ratings", str(empty))
    assert status == 2


def test_word_tags(tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold.tags", tmp_path / "mine.tags"
    gold.write_text("OK OK BAD\nBAD BAD\n", encoding="utf-8")
    predicted.write_text("OK BAD BAD\nBAD OK\n", encoding="utf-8")
    status, out, _ = run("word-tags", "--gold", str(gold), str(predicted), "--json")
    assert status == 0
    (found,) = json.loads(out)["systems"]
    assert found["mcc"] == pytest.approx(1 / 6)
    assert found["f1-multi"] == pytest.approx(1 / 3)
    written = run("word-tags", "--gold", str(gold), str(predicted), "--format", "csv")[1]
    for name, value in next(csv.DictReader(written.splitlines())).items():
        assert str(found[name]) == value, "JSON has every field of CSV, under the same name"
    assert "0.1667" in run("word-tags", "--gold", str(gold), str(predicted))[1]
    assert run("word-tags", "--gold", str(gold), f"x={predicted}", "--format", "csv")[1].startswith("system,words")
    predicted.write_text("OK BAD\nBAD OK\n", encoding="utf-8")
    status, _, err = run("word-tags", "--gold", str(gold), str(predicted))
    assert status == 2
    assert "line 1: 2 predicted tags, but 3 true ones" in err


def test_word_tags_of_real_data(shared_data: Path) -> None:
    tags = shared_data / "mlqe-pe" / "post-editing" / "en-de-dev" / "dev.tags"
    status, out, _ = run("word-tags", "--gold", str(tags), str(tags), "--json")
    assert status == 0
    assert json.loads(out)["systems"][0]["mcc"] == pytest.approx(1.0)
