"""Tables in pipes look as rich prints them, which is not loaded for these."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from karat.report.forms import console_on, show_tables
from karat.report.plain import ruled
from karat.report.table import Cell, Table, print_table, width_of

TEXTS = st.sampled_from(
    ["a", "BLEU ↑", "日本", "é", "", " x ", "two words", "\x1b[2J\n", "long text " * 12, "12.3", "–", "🇩🇪", "\t", "-1 "]
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    kinds = draw(st.lists(st.booleans(), min_size=1, max_size=5))
    count = draw(st.integers(0, 5))
    texts = st.lists(TEXTS, max_size=2).map(tuple)
    rows = [tuple(Cell(draw(TEXTS), number=kind, best=draw(st.booleans())) for kind in kinds) for _ in range(count)]
    return Table(
        headings=("Name", *(draw(TEXTS) for _ in kinds[1:])),
        rows=tuple(rows),
        notes=draw(texts),
        sections=draw(st.frozensets(st.integers(0, 5))),
        title=draw(TEXTS),
        remarks=draw(texts),
    )


@given(tables())
@example(Table(("A", "B ↑"), ((Cell("x"), Cell("1.0", number=True)),), sections=frozenset({0})))
def test_the_same_as_rich_prints_it(table: Table) -> None:
    printed, shown = StringIO(), StringIO()
    print_table(table, console_on(printed))
    show_tables([table], "table", shown)
    assert shown.getvalue() == ruled(table) == printed.getvalue()


def test_a_pipe_that_is_declared_a_terminal_gets_what_a_terminal_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = StringIO()
    show_tables([Table(("A",), ((Cell("x", best=True),),))], "table", shown)
    assert "\x1b[" in shown.getvalue()


@given(st.text())
def test_texts_are_as_wide_as_rich_says(text: str) -> None:
    from rich.cells import cell_len

    assert width_of(text) == cell_len(text)


def test_signs_that_count_as_narrow_are() -> None:
    from rich.cells import cell_len

    from karat.report.table import _NARROW

    narrow = [chr(code) for code in range(0x3000) if _NARROW.fullmatch(chr(code))]
    assert len(narrow) > 500
    assert all(cell_len(sign) == 1 for sign in narrow)
