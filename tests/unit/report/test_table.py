"""Tables in every form: what stands in a cell can neither break the form nor move the cursor."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest

from karat.report.forms import show_tables
from karat.report.latex import latex_escape, to_latex
from karat.report.table import Cell, Table, to_html, to_markdown, visible

NASTY = "a|b_<i>&\x1b[2J\n"
TABLE = Table(
    ("System", "Score %"),
    ((Cell(NASTY), Cell("1.0", number=True)), (Cell("best"), Cell("2.0", best=True, number=True))),
    notes=("how `it` was found",),
    sections=frozenset({1}),
    title="Test_set",
    remarks=("best is <better>.",),
)


def shown(form: str, *tables: Table) -> str:
    out = StringIO()
    show_tables(tables, form, out)
    return out.getvalue()


def test_control_characters_are_shown_as_escapes() -> None:
    assert visible("a\x1b[2J\nb\u2028") == r"a\x1b[2J\nb\u2028"


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_every_form_has_title_rows_remarks_and_notes(form: str) -> None:
    text = shown(form, TABLE)
    assert "\x1b" not in text
    for part in ("Test", "best", "2.0", "better", "was found"):
        assert part in text


def test_markdown_escapes_cells_and_marks_the_best() -> None:
    lines = to_markdown(TABLE).splitlines()
    assert lines[1] == "| :--- | ---: |"
    assert lines[2] == r"| a\|b\_\<i\>&\\x1b\[2J\\n | 1.0 |"
    assert lines[3] == "| best | **2.0** |"
    assert r"best is \<better\>." in lines
    assert lines[-1] == "- `how ˋitˋ was found`"


def test_latex_escapes_and_rules() -> None:
    text = to_latex(TABLE)
    assert r"\begin{tabular}{lr}" in text
    assert text.count(r"\midrule") == 2
    assert r"\textbf{2.0}" in text
    assert latex_escape("50 % of #1 & ~x^2 {a}\\ ↑") == (
        r"50 \% of \#1 \& \textasciitilde{}x\textasciicircum{}2 \{a\}\textbackslash{} $\uparrow$"
    )


def test_latex_prints_less_and_greater_as_they_are() -> None:
    # In LaTeX's default font encoding the bare signs come out as inverted punctuation.
    table = Table(("a < b",), ((Cell("p < 0.0001"),), (Cell("b > a"),)), notes=("<note>",), remarks=("x > y.",))
    text = to_latex(table)
    assert not set("<>") & set(text)
    for part in (
        r"a \textless{} b \\",
        r"p \textless{} 0.0001 \\",
        r"b \textgreater{} a \\",
        r"\par x \textgreater{} y.",
    ):
        assert part in text
    assert r"\texttt{\textless{}note\textgreater{}}" in text


def test_html_escapes_and_marks() -> None:
    page = to_html(TABLE)
    assert "<i>" not in page
    assert "<td class='number best'>2.0</td>" in page
    assert page.count("<tr class='section'>") == 1
    assert "<p>best is &lt;better&gt;.</p>" in page


def test_tables_are_set_apart_by_an_empty_line() -> None:
    assert shown("markdown", TABLE, TABLE).count("\n\n### Test\\_set") == 1
    assert shown("latex", TABLE).startswith(r"\paragraph{Test\_set}")


@pytest.mark.parametrize("text", ["[1ex] system", "*", "  [x]"])
def test_latex_takes_no_cell_for_an_option_of_the_line_break(text: str) -> None:
    lines = to_latex(Table(("A",), ((Cell("first"),), (Cell(text),)))).splitlines()
    assert not lines[-3].lstrip().startswith(("[", "*"))
    assert text.strip()[1:] in lines[-3]


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_titles_cannot_move_the_cursor(form: str) -> None:
    table = replace(TABLE, title="set\x1b]0;owned\x07\n### forged")
    assert "\x1b" not in shown(form, table)
    assert "\x07" not in shown(form, table)
    assert "\n### forged" not in shown(form, table)


def test_text_cannot_be_shown_in_another_order() -> None:
    assert visible("abc\u202edef") == "abc\\u202edef"
