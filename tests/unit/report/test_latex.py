"""Tables for papers: marks, bold and captions say what the tests beside them found, and LaTeX takes them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.e2e.commands import CORPUS, document
from tests.e2e.commands import karat as run_karat
from tests.e2e.test_manifest_claims import manifest
from tests.tables import latex_rows

import karat
from karat.report.latex import to_latex
from karat.report.table import Cell, Table

STARS = re.compile(r"\\rlap\{\$\^\{(.*)\}\$\}")


def compiled(latex: str, directory: Path) -> str:
    """The log of LaTeX, in a column of a two-column paper."""
    if shutil.which("pdflatex") is None:
        pytest.skip("needs LaTeX: apt-get install texlive-latex-recommended")
    packages = "\\documentclass[twocolumn]{article}\n\\usepackage{booktabs,graphicx}"
    (directory / "paper.tex").write_text(f"{packages}\n\\begin{{document}}\n{latex}\n\\end{{document}}\n", "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    finished = subprocess.run(command, cwd=directory, capture_output=True, check=False)
    log = (directory / "paper.log").read_text("latin-1")
    assert finished.returncode == 0, log[-2000:]
    return log


@pytest.mark.long
@pytest.mark.parametrize("command", ["score", "compare", "rank"])
@pytest.mark.parametrize("metrics", [("-m", "bleu", "-m", "chrf", "-m", "ter"), ("-m", "suite:classic")])
def test_latex_compiles_and_fits_a_column(command: str, metrics: tuple[str, ...], tmp_path: Path) -> None:
    result = run_karat(command, "--corpus", CORPUS, *metrics, "-f", "latex", "-q")
    assert result.returncode == 0, result.stderr
    assert "Overfull" not in compiled(result.stdout, tmp_path)


def test_stars_follow_the_comparisons() -> None:
    arguments = ("compare", "--corpus", CORPUS, "--baseline", "fluent", "-m", "bleu", "-m", "chrf")
    found = document(*arguments)["comparisons"]
    rows = latex_rows(run_karat(*arguments, "-f", "latex").stdout)
    metrics = list(dict.fromkeys(entry["metric"] for entry in found))
    for entry in found:
        cell = rows[entry["system"]][metrics.index(entry["metric"])]
        p = entry["p_adjusted"]
        expected = "*" * ((p <= 0.05) + (p <= 0.01) + (p <= 0.001))
        match = STARS.search(cell)
        assert (match[1] if match else "") == expected
    assert not any(STARS.search(cell) for cell in rows["fluent"])


def test_bold_is_the_first_cluster_of_a_ranking() -> None:
    arguments = ("rank", "--corpus", CORPUS, "-m", "bleu", "-m", "chrf")
    found = document(*arguments)["ranking"]
    rows = latex_rows(run_karat(*arguments, "-f", "latex").stdout)
    metrics = list(dict.fromkeys(place["metric"] for place in found))
    for place in found:
        bold = r"\textbf" in rows[place["system"]][metrics.index(place["metric"])]
        assert bold == (place["cluster"] == 1)


def test_nothing_is_bold_where_no_cluster_stands_out() -> None:
    scores = {"a": [1.0, 2.0] * 20, "b": [2.0, 1.0] * 20}
    ranking = karat.rank(scores)
    assert r"\textbf" not in ranking.to_latex()
    assert "Nothing is bold" in ranking.to_latex()
    (table,) = ranking.tables()
    assert not any(cell.best for row in table.rows for cell in row)


def test_a_gate_stands_in_the_caption() -> None:
    arguments = ("compare", "--corpus", CORPUS, "literal", "fluent", "-m", "chrf", "--non-inferior", "0.5", "-q")
    (gate,) = document(*arguments)["non_inferiority"]
    latex = run_karat(*arguments, "-f", "latex").stdout
    caption = latex.partition(r"\caption{")[2]
    assert gate["shown"]
    assert "It is shown that fluent loses less than 0.5 chrF2 against literal" in caption
    assert f"it gains at least {-gate['loss_bound']:.2f}" in caption


def test_means_over_test_sets_have_a_table(tmp_path: Path) -> None:
    path = manifest(tmp_path, {"one": (20, "abc"), "two": (10, "bc")})
    found = document("score", "--corpus", path, "-m", "chrf", "-m", "ter")["scores"]
    *_, means = run_karat("score", "--corpus", path, "-m", "chrf", "-m", "ter", "-f", "latex").stdout.split(
        r"\begin{table}"
    )
    assert "Mean scores over 2 test sets. Only systems that are on all of them." in means
    rows = latex_rows(means)
    assert list(rows) == ["b", "c"]
    for system, cells in rows.items():
        for metric, cell in zip(("chrf", "ter"), cells, strict=True):
            scores = [score["score"] for score in found if (score["system"], score["metric"]) == (system, metric)]
            assert cell == f"{sum(scores) / 2:.2f}"


def test_one_test_set_has_no_table_of_means() -> None:
    latex = run_karat("score", "--corpus", CORPUS, "-m", "chrf", "-f", "latex").stdout
    assert latex.count(r"\begin{table}") == 1


def test_systems_on_different_segments_keep_the_long_table() -> None:
    """One column cannot hold scores of different segments."""
    scores = {"a": [1.0, 2.0, None, 3.0] * 10, "b": [2.0, 1.0, 2.0, None] * 10}
    latex = karat.compare(scores).to_latex()
    assert r"\caption" not in latex
    assert "shares with the baseline" in latex


def test_the_command_and_the_method_write_the_same() -> None:
    sample = Path(CORPUS).parent
    references = (sample / "refA.en.txt").read_text("utf-8").splitlines()
    outputs = {name: (sample / f"{name}.txt").read_text("utf-8").splitlines() for name in ("neural", "fluent")}
    scores = karat.score(outputs, references, metrics=["bleu", "chrf"])
    paths = (str(sample / "neural.txt"), str(sample / "fluent.txt"))
    printed = run_karat(
        "score", "-r", str(sample / "refA.en.txt"), *paths, "-m", "bleu", "-m", "chrf", "-f", "latex", "-q"
    )
    assert printed.stdout == scores.to_latex()


def test_cells_cannot_become_options_of_the_line_before(tmp_path: Path) -> None:
    table = Table(("System", "Score"), ((Cell("[x]"), Cell("1")), (Cell("*"), Cell("2"))), caption="Odd names.")
    compiled(to_latex(table), tmp_path)
    assert "\n[x]" not in to_latex(table)


@pytest.mark.long
@pytest.mark.parametrize("command", ["score", "compare", "rank"])
def test_systems_may_be_called_what_latex_reads_as_options(command: str, tmp_path: Path) -> None:
    sample = Path(CORPUS).parent
    names = {"[x]": "neural", "*": "fluent", "*[2pt]": "literal", "a_b&c%d$#{}~^\\e": "glossary"}
    systems = [f"{name}={sample / file}.txt" for name, file in names.items()]
    reference = str(sample / "refA.en.txt")
    result = run_karat(command, "-r", reference, *systems, "-m", "bleu", "-m", "ter", "-f", "latex", "-q")
    assert result.returncode == 0, result.stderr
    assert not re.search(r"^\s*[\[*]", result.stdout, re.MULTILINE)
    assert "Overfull" not in compiled(result.stdout, tmp_path)


def test_any_text_of_names_compiles(tmp_path: Path) -> None:
    nasty = "\\a{b}_c^d~e$f#g%h&i<j>k|l\x1b\u2028–†≤↑"
    compiled(to_latex(Table(("System", nasty), ((Cell(nasty, best=True), Cell("1")),), caption=nasty)), tmp_path)


@pytest.mark.parametrize(
    ("name", "needed"), [("系统", True), ("نظام", True), ("시스템", True), ("système–ß", False), ("bleu≤1", False)]
)
@pytest.mark.parametrize("caption", ["", "Scores."])
def test_letters_that_pdflatex_lacks_are_told_in_a_comment(name: str, needed: bool, caption: str) -> None:
    latex = to_latex(Table(("System", "Score"), ((Cell(name), Cell("1")),), caption=caption))
    assert latex.startswith("% Needs XeLaTeX or LuaLaTeX") == needed
    assert "XeLaTeX" not in latex.partition("\n")[2]
