"""Columns in lower case, beside `str.lower`."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.text import TextColumn

CASED = "AaZzÄäẞßİIıΣσςǅΩK𐐀𞤀𠀀Ⱥⱥ ."


@given(st.lists(st.text(st.one_of(st.sampled_from(CASED), st.characters(exclude_categories=["Cs"])))))
def test_any_text(lines: list[str]) -> None:
    assert TextColumn.of(lines).lowered().to_list() == [line.lower() for line in lines]


def test_every_code_point() -> None:
    points = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
    assert TextColumn.of(points).lowered().to_list() == [point.lower() for point in points]


@pytest.mark.parametrize("line", ["ΟΔΟΣ", "ΟΔΟΣ ΣΑΣ", "Σ", "ABCDEFGHIJKLMNOPQRSTUVWXYZ[@", "İSTANBUL is long enough"])
def test_a_final_sigma_and_a_letter_that_becomes_two(line: str) -> None:
    assert TextColumn.of(["ABC", line, "Ä"]).lowered().to_list() == ["abc", line.lower(), "ä"]
