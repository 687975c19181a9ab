"""Formulas of docstrings in plain characters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from karat.metrics.framework.description import describe, references
from karat.registry import metric_classes
from karat.report.formulas import plain_formula, plain_text

BIBLIOGRAPHY = Path(__file__).parents[3] / "docs" / "references.bib"


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"\frac{a}{b}", "(a / b)"),
        (r"x = \frac{a+b}{c}", "x = (a+b) / c"),
        (r"x = 100 \cdot \frac{a}{|r|}", "x = 100 · (a / |r|)"),
        ("\\frac{a}\n{b} c", "(a / b) c"),
        (r"\frac{\mathrm{df}(t)}{S}", "(df(t) / S)"),
        (r"\sum_{i=1}^{N}\log p_i", "Σ_(i=1)^N log p_i"),
        (r"\sum_i\min_r E(h_i, r)", "Σ_i min_r E(h_i, r)"),
        (r"c_{h_s}(g)", "c_(h_s)(g)"),
        (r"10^{-16}", "10^(-16)"),
        (r"h^{(k)}", "h^(k)"),
        (r"\left(\frac{c}{m}\right)^\beta", "(c / m)^β"),
        (r"\overline{|r|}_i", "mean(|r|)_i"),
        (r"\sqrt{PR}", "√(PR)"),
        (r"\begin{cases}1 & c \ge r\\ e^{1-r/c} & c < r\end{cases}", "{1 if c ≥ r; e^(1-r/c) if c < r}"),
        (r"\begin{cases}r & \text{if they match}\\ h & \text{otherwise}\end{cases}", "{r if they match; h otherwise}"),
        (r"a = b,\qquad c = d", "a = b,\nc = d"),
        (r"\{ i : h_i \notin R_i \}", "{ i : h_i ∉ R_i }"),
    ],
)
def test_a_formula_is_written_in_one_line(latex: str, plain: str) -> None:
    assert plain_formula(latex) == plain


def test_formulas_stand_apart_and_code_stays_as_it_is() -> None:
    text = "$$x = 1, \\qquad y = 2$$\n\n$\\alpha$ is `$HOME` and ``a$b$c``."
    assert plain_text(text) == "    x = 1\n    y = 2\n\nα is `$HOME` and ``a$b$c``."


@pytest.mark.parametrize("name", sorted(metric_classes()))
def test_no_metric_keeps_any_latex(name: str) -> None:
    described = describe(metric_classes()[name])
    for title, body in described.sections.items():
        shown = re.sub(r"``.*?``|`[^`]*`", "", plain_text(body), flags=re.DOTALL)
        assert title == "Example" or not re.search(r"[$\\]|[_^]\{", shown), shown
        opened, closed = (sum(shown.count(sign) for sign in signs) for signs in ("({", ")}"))
        assert opened == closed


@pytest.mark.parametrize("name", sorted(metric_classes()))
def test_every_metric_has_its_citation_in_full(name: str) -> None:
    described = describe(metric_classes()[name])
    assert described.reference == references()[described.citation]
    assert re.search(r" \(\d{4}\)\. ", described.reference)
    assert not set("{}\\") & set(described.reference)


def test_every_entry_of_the_bibliography_is_closed() -> None:
    entries = re.split(r"^(?=@)", BIBLIOGRAPHY.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(entries) > 70
    for entry in entries:
        assert entry.count("{") == entry.count("}"), entry
