"""Tables that keep to the width of a terminal and break no word."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from karat.report.fitting import ColumnSize, fit
from karat.report.table import Cell, Table, print_table

SIZES = st.lists(
    st.builds(
        lambda least, more, number: ColumnSize(full=least + more, least=least, number=number),
        st.integers(1, 25),
        st.integers(0, 40),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@given(SIZES, st.integers(20, 120))
def test_every_column_is_shown_whole_and_in_order(sizes: list[ColumnSize], width: int) -> None:
    strips = fit(sizes, width)
    shown = [column for strip in strips for column in strip.columns]
    assert list(dict.fromkeys(shown)) == list(range(len(sizes)))
    for strip in strips:
        assert list(strip.columns) == sorted(set(strip.columns))
        for column, given_width in zip(strip.columns, strip.widths, strict=True):
            assert sizes[column].least <= given_width <= sizes[column].full


@given(SIZES, st.integers(20, 120))
def test_a_strip_is_too_wide_only_where_a_word_is(sizes: list[ColumnSize], width: int) -> None:
    for strip in fit(sizes, width):
        if strip.width > width:
            assert strip.widths == tuple(sizes[column].least for column in strip.columns)


@given(SIZES)
def test_enough_room_gives_one_strip_at_its_best(sizes: list[ColumnSize]) -> None:
    (strip,) = fit(sizes, 10_000)
    assert strip.widths == tuple(size.full for size in sizes)


def test_text_is_folded_before_columns_go_below() -> None:
    name, description, score = ColumnSize(8, 8, False), ColumnSize(70, 12, False), ColumnSize(5, 5, True)
    (strip,) = fit([name, score, description], 60)
    assert strip.width == 60
    assert strip.widths[:2] == (8, 5)


def test_columns_that_do_not_fit_stand_below_with_the_names_of_rows() -> None:
    strips = fit([ColumnSize(10, 10, False), *[ColumnSize(20, 20, True)] * 4], 60)
    assert [strip.columns for strip in strips] == [(0, 1, 2), (0, 3, 4)]


def printed(table: Table, width: int, *, terminal: bool) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=terminal, color_system=None, highlight=False, markup=False)
    print_table(table, console)
    return out.getvalue()


WIDE = Table(
    headings=("System", *(f"A measure {number}" for number in range(8))),
    rows=(
        (Cell("system-with-a-name"), *(Cell("12.34 [11.11, 13.57]", number=True) for _ in range(8))),
        (Cell("other"), *(Cell("1.20 [0.11, 2.34]", number=True) for _ in range(8))),
    ),
    remarks=("A sentence about the table that is longer than sixty signs, so that it is folded.",),
    title="A title",
)


def test_a_terminal_is_kept_to() -> None:
    for width in (80, 60):
        shown = printed(WIDE, width, terminal=True)
        assert max(map(len, shown.splitlines())) <= width
        assert shown.count("12.34 [11.11, 13.57]") == 8
        assert shown.count("A title") == 1
        assert "\n\n" in shown


def test_a_pipe_gets_all_in_one_line() -> None:
    lines = printed(WIDE, 60, terminal=False).splitlines()
    assert lines[3].count("[11.11, 13.57]") == 8
    assert WIDE.remarks[0] in lines


def test_wide_signs_are_counted_as_wide_as_they_are() -> None:
    table = Table(("名前", "点"), ((Cell("翻訳システム"), Cell("1.0", number=True)),))
    assert "翻訳システム" in printed(table, 20, terminal=True)
