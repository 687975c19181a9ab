"""Ways of calling karat that went wrong without a word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.commands import CORPUS, REFERENCE, karat, sample_file

import karat as karat_package
from karat.cli.parameters import INPUT
from karat.report.fitting import ColumnSize, fit

PROGRAM = (sys.executable, "-m", "karat")
LITERAL, NEURAL = sample_file("literal"), sample_file("neural")


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json", "latex"])
def test_a_reader_who_leaves_does_not_fail_a_gate(form: str) -> None:
    arguments = ("compare", "-r", REFERENCE, LITERAL, NEURAL, "-m", "chrf", "--non-inferior", "0.5", "-q", "-f", form)
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        done = subprocess.run([*PROGRAM, *arguments], stdout=nobody, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("written", [("-i", LITERAL, NEURAL), (LITERAL, "-i", NEURAL), (f"--input={LITERAL}", NEURAL)])
def test_systems_stay_in_the_order_in_which_they_are_written(written: tuple[str, ...]) -> None:
    shown = karat("compare", "-r", REFERENCE, *written, "-m", "chrf", "-n", "100", "--json")
    (found,) = json.loads(shown.stdout)["comparisons"]
    assert (found["baseline"], found["system"]) == ("literal", "neural")


def test_output_to_what_is_open_already_replaces_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("before\n", encoding="utf-8")
    with log.open("a", encoding="utf-8") as out:
        arguments = ("score", "-r", REFERENCE, NEURAL, "-m", "bleu", "-o", "/dev/stdout", "-q")
        subprocess.run([*PROGRAM, *arguments], stdout=out, check=True)
        out.write("after\n")
    text = log.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert "neural" in text
    assert text.endswith("after\n")


@pytest.mark.parametrize("text", ["[" * 10_000, "a" + ".a" * 20_000 + " = 1\n", "x = " + "{a = " * 500])
def test_a_manifest_that_is_nested_without_end_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(text, encoding="utf-8")
    done = karat("score", "--corpus", str(path), "-m", "bleu")
    assert done.returncode == 2
    assert "deep.toml" in done.stderr


def test_files_named_in_a_manifest_are_not_written_to(tmp_path: Path) -> None:
    manifest = tmp_path / "m.toml"
    manifest.write_text("references = [\"a.txt\"]\nsystems = { x = 'b.txt' }\n", encoding="utf-8")
    assert {Path(path).name for path in INPUT.paths(str(manifest))} == {"m.toml", "a.txt", "b.txt"}


def test_columns_that_go_below_keep_the_names_of_their_rows() -> None:
    text = [ColumnSize(6, 6, number=False), ColumnSize(50, 50, number=False)]
    numbers = [ColumnSize(20, 20, number=True)] * 4
    assert all(strip.columns[:2] == (0, 1) for strip in fit([*text, *numbers], 80))


def test_a_plug_in_that_exits_is_left_out(tmp_path: Path) -> None:
    package = tmp_path / "leaving-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: leaving\nVersion: 1.0\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[karat.metrics]\nleaving = leaving\n", encoding="utf-8")
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(1)\n", encoding="utf-8")

    def karat(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, env=environment, check=False)

    scored = karat("score", "-r", REFERENCE, NEURAL, "-m", "bleu")
    assert scored.returncode == 0
    assert "BLEU" in scored.stdout
    listed = karat("metrics")
    assert listed.returncode == 0
    assert "leaving" in listed.stderr
    assert "bleu" in listed.stdout


def test_a_column_that_is_not_there_is_refused_beside_one_that_is(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_text("Ziel;hypothesis\ndas Haus;ein Haus\n", encoding="utf-8")
    good = ("score", "--corpus", str(path), "-m", "chrf", "--column", "reference=Ziel")
    assert karat(*good).returncode == 0
    done = karat(*good, "--column", "source=Nope")
    assert done.returncode == 2
    assert "there is no column 'Nope'" in done.stderr


def test_coverage_of_text_without_spaces_wants_the_language(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("我们今天学习中文。\n", encoding="utf-8")
    second.write_text("今天我们学中文。\n", encoding="utf-8")
    arguments = ("analyse", "coverage", "-r", str(first), "-r", str(second))
    assert karat(*arguments).returncode == 2
    assert karat(*arguments, "-l", "en-zh").returncode == 0


@pytest.mark.parametrize("language", ["floor", "é", "x"])
def test_what_is_no_language_is_refused(language: str) -> None:
    done = karat("score", "-r", REFERENCE, NEURAL, "-m", f"meteor(language={language})")
    assert done.returncode == 2, done.stderr


def test_python_refuses_in_its_own_words() -> None:
    for call in (
        lambda: karat_package.score(["a"], ["a"], language=5),  # type: ignore[arg-type]
        lambda: karat_package.score(["a"], ["a"], threads=10**30),
        lambda: karat_package.bootstrap([1.0, 2.0, 3.0], unit="document"),  # type: ignore[call-arg]
    ):
        with pytest.raises(karat_package.KaratError):
            call()


def test_scores_between_0_and_1_have_more_digits_in_python() -> None:
    exact = karat_package.metric_from(lambda hypothesis, _: len(hypothesis) / 3, name="x", version="1", scale=(0, 1))
    assert "x = 0.3333" in str(karat_package.score(["a"], ["a"], [exact])[0])


def test_gtm_refuses_what_would_fill_the_memory() -> None:
    with pytest.raises(karat_package.InputError, match="too long to align"):
        karat_package.score([". , ! ? " * 5000], [", . ? ! " * 5000], ["gtm"])


@pytest.mark.parametrize("command", ["score", "compare", "rank", "power"])
@pytest.mark.parametrize("written", ["chrf", "chrf(word_order=2)", "suite:classic"])
def test_a_metric_in_the_place_of_a_system_of_a_corpus_is_explained(command: str, written: str) -> None:
    done = karat(command, "--corpus", CORPUS, "-m", "bleu", written)
    assert done.returncode == 2
    advice = f"the corpus has no system '{written}', but there is such a metric: write -m before each metric"
    assert advice in done.stderr


@pytest.mark.parametrize("command", ["compare", "rank", "power"])
def test_scores_of_whole_systems_cannot_be_tested(command: str, tmp_path: Path) -> None:
    path = tmp_path / "comet.sys.score"
    path.write_text("a\t0.5\nb\t0.6\n", encoding="utf-8")
    done = karat(command, "--scores", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "comet has scores of whole systems only: differences are tested by segments" in done.stderr


MLQE = "index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n"


def test_direct_assessments_of_mlqe_are_paired_with_their_own_lines(tmp_path: Path) -> None:
    """The file counts from 0, and lines from 1; the better line is the better by chrF only if both are the same."""
    lines = ["the house is red", "the horse was red", "nothing at all"]
    rows = [
        f"{n}\ts\t{line}\t[{value}]\t0\t[0]\t0\t0\n"
        for n, (line, value) in enumerate(zip(lines, (90, 60, 10), strict=True))
    ]
    (tmp_path / "dev.df.short.tsv").write_text(MLQE + "".join(rows), encoding="utf-8")
    (tmp_path / "mt.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("the house is red\n" * 3, encoding="utf-8")
    done = karat(
        "meta", "-r", "ref.txt", "mt.txt", "--ratings", "dev.df.short.tsv", "-m", "chrf", "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "left out: 0" not in done.stderr
    measures = json.loads(done.stdout)["measures"]
    spearman = [one for one in measures if (one["measure"], one["level"]) == ("spearman", "segment")]
    values = [one["value"] for one in spearman if one["value"] is not None]
    assert values == [pytest.approx(1)] * len(values)
    assert values


def test_segments_numbered_from_0_are_not_taken_for_their_neighbours(tmp_path: Path) -> None:
    rows = "".join(f"{name},{n},{n}\n" for name in ("neural", "literal") for n in range(127))
    (tmp_path / "comet.csv").write_text(f"system,segment,score\n{rows}", encoding="utf-8")
    scores = ("--scores", str(tmp_path / "comet.csv"))
    done = karat("compare", "-r", REFERENCE, NEURAL, LITERAL, "-m", "chrf", *scores)
    assert done.returncode == 2
    assert "numbers segments from 0, and those looked at are numbered from 1: number both alike" in done.stderr
