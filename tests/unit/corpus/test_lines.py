from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.corpus.lines import interleaved, lines_of, slice_of
from karat.kernels import InvalidUtf8
from karat.text import TextColumn


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\r\nb", ["a\r", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"a\r", ["a\r"]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\n".encode(), ["a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"]),
    ],
)
def test_only_newlines_end_lines(data: bytes, lines: list[str]) -> None:
    assert lines_of(data).to_list() == lines


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",))).map(lambda s: s.replace("\n", "").rstrip("\r"))))
def test_any_lines_come_back(lines: list[str]) -> None:
    assert lines_of("".join(f"{line}\n" for line in lines).encode()).to_list() == lines
    assert lines_of("".join(f"{line}\r\n" for line in lines).encode()).to_list() == lines


def test_invalid_utf8_knows_its_place() -> None:
    with pytest.raises(InvalidUtf8) as error:
        lines_of(b"ok\n\xc3\xa9 \xff\n")
    assert (error.value.offset, error.value.line) == (6, 2)


def test_columns_are_cut_and_interleaved() -> None:
    a, b = TextColumn.of(["a1", "a2", "a3"]), TextColumn.of(["b1", "b2", "b3"])
    assert slice_of(a, 1, 3).to_list() == ["a2", "a3"]
    assert interleaved([a, b]).to_list() == ["a1", "b1", "a2", "b2", "a3", "b3"]
