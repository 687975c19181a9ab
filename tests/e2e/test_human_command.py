"""`karat human`: forms, filters, errors and exit codes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.commands import karat as karat_process

from karat.cli import main
from karat.results.base import SCHEMA
from karat.sample import path as sample_path

RATINGS = str(sample_path("ratings.tsv"))
CORPUS = str(sample_path("corpus.jsonl"))


@dataclass(frozen=True)
class Done:
    """What a command gave back."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def karat(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process, which is quicker than a process for each."""

    def run(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capsys.readouterr()
        return Done(int(ended.value.code or 0), out, err)

    return run


def test_it_runs_as_a_process() -> None:
    done = karat_process("human", RATINGS, "-c", "fluency", "--show", "systems", "-q")
    assert done.returncode == 0
    assert "glossary" in done.stdout
    assert done.stderr == ""


def test_json_holds_systems_agreement_and_raters(karat: Run) -> None:
    done = karat("human", RATINGS, "--json", "-q")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert document["schema"] == SCHEMA
    means = {(one["criterion"], one["system"]): round(one["score"], 2) for one in document["systems"]}
    # What the sample's README says of it.
    assert means["adequacy", "neural"] == 4.31
    assert means["adequacy", "literal"] == 4.01
    assert means["fluency", "fluent"] == 4.53
    agreement = {(one["criterion"], one["measure"]): one for one in document["agreement"]}
    assert round(agreement["adequacy", "fleiss"]["value"], 2) == 0.25
    assert agreement["adequacy", "fleiss"]["words"] == "fair"
    flags = {one["rater"]: one["flags"] for one in document["raters"] if one["criterion"] == "adequacy"}
    assert flags == {"rater-1": [], "rater-2": [], "rater-3": ["repeats", "too-fast"]}


def test_both_results_are_shown_when_raters_are_left_out(karat: Run) -> None:
    done = karat("human", RATINGS, "-c", "adequacy", "--without", "too-fast", "--json")
    entry = json.loads(done.stdout)["systems"][0]
    assert (entry["n"], entry["filtered"]["n"]) == (381, 254)
    assert entry["filtered"]["score"] > entry["score"]
    table = karat("human", RATINGS, "-c", "adequacy", "--without", "too-fast").stdout
    assert "* without rater-3" in table


def test_a_tutorial_is_no_system_and_this_is_said(karat: Run, tmp_path: Path) -> None:
    rows = [
        f"{rater},{system},{item},TGT,eng,deu,{value},{document},False,[],{item}.0,{item}.0"
        for rater in ("u1", "u2")
        for item, system, document, value in (
            (1, "ende-tutorial1", "ende-tutorial1", 3),
            (2, "a", "doc#a", 90),
            (3, "b", "doc#b", 70),
        )
    ]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = karat("human", str(path), "--json")
    assert [one["system"] for one in json.loads(done.stdout)["systems"]] == ["a", "b"]
    assert "2 judgements of a tutorial (ende-tutorial1) are not counted among the systems" in done.stderr


def test_documents_of_a_corpus_become_the_units(karat: Run) -> None:
    done = karat("human", RATINGS, "-c", "adequacy", "--corpus", CORPUS, "--show", "systems", "--show", "domains")
    assert done.returncode == 0
    assert "14 documents" in done.stdout
    assert "conversational" in done.stdout


@pytest.mark.parametrize("preset", ["wmt21", "wmt25"])
def test_presets_name_their_fault(karat: Run, preset: str) -> None:
    done = karat("human", RATINGS, "-c", "adequacy", "--preset", preset, "--show", "systems")
    assert done.returncode == 0
    assert f"Preset {preset}" in done.stdout
    assert "Known fault" in done.stdout


def test_forms(karat: Run) -> None:
    markdown = karat("human", RATINGS, "-c", "fluency", "-f", "markdown", "-q").stdout
    assert markdown.startswith("### adequacy-fluency: fluency ↑\n\n| Rank | System |")
    latex = karat("human", RATINGS, "-c", "fluency", "-f", "latex", "-q").stdout
    assert latex.startswith("\\paragraph{adequacy-fluency: fluency $\\uparrow$}\n\\begin{tabular}")
    rows = list(csv.DictReader(io.StringIO(karat("human", RATINGS, "-f", "csv", "--show", "raters").stdout)))
    assert {row["rater"] for row in rows} == {"rater-1", "rater-2", "rater-3"}


def test_digits_follow_the_scale(karat: Run, tmp_path: Path) -> None:
    """Means of answers 0 and 1 lie closer together than two digits can tell."""
    rows = [f"r,{name},{i},{i % most > 0:d}\n" for name, most in (("better", 7), ("worse", 6)) for i in range(60)]
    path = tmp_path / "answers.csv"
    path.write_text(f"rater,system,segment,value\n{''.join(rows)}", encoding="utf-8")
    found = json.loads(karat("human", str(path), "-n", "50", "--json").stdout)
    shown = karat("human", str(path), "-n", "50", "--show", "systems", "--show", "pairs").stdout
    for system in found["systems"]:
        low, high = system["interval"]
        assert f" {system['raw']:.4f}   [{low:.4f}, {high:.4f}] " in shown
    assert f" {found['pairs'][0]['difference']:+.4f} " in shown
    adequacy = karat("human", RATINGS, "-c", "adequacy", "-n", "50", "--show", "systems").stdout
    for system in json.loads(karat("human", RATINGS, "-c", "adequacy", "-n", "50", "--json").stdout)["systems"]:
        assert f" {system['raw']:.2f} " in adequacy
        assert f" {system['normalised']:.4f}\n" in adequacy


def test_segment_scores_can_be_compared_as_scores(karat: Run, tmp_path: Path) -> None:
    target = tmp_path / "segments.csv"
    assert (
        karat("human", RATINGS, "-c", "adequacy", "-f", "csv", "--show", "segments", "-o", str(target)).returncode == 0
    )
    with target.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 4 * 127
    assert set(rows[0]) == {"metric", "system", "segment", "document", "score", "higher_is_better"}
    ranked = karat("rank", "--scores", str(target), "--test", "wilcoxon", "--json")
    assert [one["system"] for one in json.loads(ranked.stdout)["ranking"]] == [
        "neural",
        "literal",
        "fluent",
        "glossary",
    ]
    assert karat("human", RATINGS, "--show", "segments").returncode == 2


def test_the_same_seed_gives_the_same_output(karat: Run) -> None:
    arguments = ("human", RATINGS, "-c", "fluency", "--seed", "7", "--json")
    assert karat(*arguments).stdout == karat(*arguments).stdout


def test_errors_end_with_exit_code_two(karat: Run, tmp_path: Path) -> None:
    assert karat("human").returncode == 2
    unknown = karat("human", RATINGS, "-c", "beauty")
    assert unknown.returncode == 2
    assert "there is: adequacy, fluency" in unknown.stderr
    broken = tmp_path / "ratings.csv"
    broken.write_text("rater,system,segment,protocol,criterion,value\nr,a,1,da,overall,50\nr,a,2,da,overall,many\n")
    refused = karat("human", str(broken))
    assert refused.returncode == 2
    assert "line 3" in refused.stderr
    skipped = karat("human", str(broken), "--skip-bad")
    assert skipped.returncode == 0
    assert "1 malformed row" in skipped.stderr
