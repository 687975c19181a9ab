"""Columns: what they take, what they refuse, and what is made of them."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat import kernels
from karat.errors import InputError
from karat.text import TextColumn, as_column, tokenizer

text = st.text(st.characters(exclude_categories=["Cs"]))
columns = st.lists(text, max_size=8)
STRINGS = ["one", "", "zwölf 中 𠀀", "nul\0inside"]


@pytest.mark.parametrize(
    "container",
    [
        list,
        tuple,
        iter,
        np.array,
        lambda strings: np.array(strings, dtype=object),
        pl.Series,
        pd.Series,
        lambda strings: (string for string in strings),
    ],
)
def test_of_takes_every_ordered_container(container: object) -> None:
    assert TextColumn.of(container(STRINGS)).to_list() == STRINGS  # type: ignore[operator]


def test_of_keeps_a_column() -> None:
    column = TextColumn.of(STRINGS)
    assert TextColumn.of(column) is column
    assert as_column(column) is column


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("one string", "single string: put it in a list"),
        (b"bytes", "single string"),
        (["a", None], "segment 2 is missing"),
        (["a", "b", 3], "segment 3 is not a string but int"),
        ([b"a"], "segment 1 is not a string but bytes"),
        (["a", "\ud800"], "segment 2 has a lone surrogate"),
        (pd.Series(["a", None]), r"segment 2 is missing \(nan\)"),
        (pd.Series(["a", pd.NA], dtype=object), r"segment 2 is missing \(<NA>\)"),
        (pl.Series(["a", None]), "segment 2 is missing"),
        (np.array([["a"], ["b"]]), "2 dimensions"),
        (np.array("a"), "0 dimensions"),
        (pd.DataFrame({"text": ["a"]}), "data frame: give one of its columns"),
        (pl.DataFrame({"text": ["a"]}), "data frame: give one of its columns"),
        ({"a", "b"}, "set has no fixed order"),
        (OrderedDict(a=1), "OrderedDict has no fixed order"),
        (3, "got int"),
        (None, "got NoneType"),
    ],
)
def test_of_refuses(lines: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        TextColumn.of(lines)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"a", ["a"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\r\n", ["a\r"]),
        (b"a\rb\r", ["a\rb\r"]),
        (b"\r\n", [""]),
        ("a\u2028b\x0cc\x1cd\x85e\x0bf\n".encode(), ["a\u2028b\x0cc\x1cd\x85e\x0bf"]),
        (b"\xef\xbb\xbfa\n", ["\ufeffa"]),
        (b"nul\0\nb", ["nul\0", "b"]),
    ],
)
def test_from_lines(data: bytes, lines: list[str]) -> None:
    assert TextColumn.from_lines(data).to_list() == lines


def first_invalid(data: bytes) -> tuple[int, int] | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start, data.count(b"\n", 0, error.start) + 1
    return None


def position_of_failure(data: bytes) -> tuple[int, int] | None:
    try:
        TextColumn.from_lines(data)
    except kernels.InvalidUtf8 as error:
        return error.offset, error.line
    return None


@pytest.mark.parametrize(
    "bad",
    [b"\x80", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x8f\xbf\xbf",
     b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xc3", b"\xe4\xb8", b"\xf0\x9f\x98", b"\xe4a\xb8"],
)  # fmt: skip
@pytest.mark.parametrize("before", [b"", b"one\ntwo\n", "zwölf 中\n".encode() * 9, b"a" * 17])
def test_from_lines_says_where_bytes_are_not_text(bad: bytes, before: bytes) -> None:
    where = first_invalid(before + bad)
    assert where is not None
    assert position_of_failure(before + bad) == where
    assert position_of_failure(before + bad + b"\nmore") == where


@given(st.binary(max_size=30) | st.text().map(lambda s: s.encode("utf-8", "surrogatepass")))
def test_validation_is_pythons(data: bytes) -> None:
    assert position_of_failure(data) == first_invalid(data)


@given(st.lists(text.filter(lambda line: "\n" not in line and not line.endswith("\r")), max_size=6))
def test_lines_come_back(lines: list[str]) -> None:
    assert TextColumn.from_lines("".join(line + "\n" for line in lines).encode()).to_list() == lines


def test_the_error_reads_well() -> None:
    with pytest.raises(InputError, match=r"line 2 is not valid UTF-8 \(byte offset 3\)"):
        TextColumn.from_lines(b"ok\n\xff")


@given(columns, st.integers(-9, 9) | st.none(), st.integers(-9, 9) | st.none())
def test_slices_are_those_of_lists(lines: list[str], start: int | None, stop: int | None) -> None:
    assert TextColumn.of(lines)[start:stop].to_list() == lines[start:stop]


def test_items() -> None:
    column = TextColumn.of(STRINGS)
    assert [column[i] for i in range(-4, 4)] == STRINGS * 2
    assert list(column) == STRINGS
    for index in (4, -5):
        with pytest.raises(IndexError):
            column[index]
    with pytest.raises(InputError, match="steps of 1"):
        column[::2]
    for start, stop in ((2, 1), (0, 5)):
        with pytest.raises(IndexError):
            column.native.slice(start, stop)


@given(st.lists(columns, max_size=4))
def test_concat(parts: list[list[str]]) -> None:
    joined = TextColumn.concat([TextColumn.of(part) for part in parts])
    assert joined.to_list() == [line for part in parts for line in part]


@given(st.integers(1, 4), columns)
def test_interleave(count: int, lines: list[str]) -> None:
    streams = [[f"{k}{line}" for line in lines] for k in range(count)]
    mixed = TextColumn.interleave([TextColumn.of(stream) for stream in streams])
    assert mixed.to_list() == [line for row in zip(*streams, strict=True) for line in row]


def test_interleaving_nothing_and_unequal_columns() -> None:
    assert TextColumn.interleave([]).to_list() == []
    with pytest.raises(InputError, match=r"\[1, 2\]"):
        TextColumn.interleave([TextColumn.of(["a"]), TextColumn.of(["a", "b"])])
    with pytest.raises(ValueError, match="columns of 1 and 2"):
        kernels.Text.interleave([kernels.Text(["a"]), kernels.Text(["a", "b"])])


def test_equal_rows() -> None:
    a, b = TextColumn.of(["x", "", "é", "ab"]), TextColumn.of(["x", " ", "é", "abc"])
    assert a.equal_rows(b) == b.equal_rows(a) == 2
    with pytest.raises(InputError, match="4 and 1"):
        a.equal_rows(TextColumn.of(["x"]))
    with pytest.raises(ValueError, match="4 and 1"):
        a.native.equal_rows(kernels.Text(["x"]))


@given(columns)
def test_empty_count(lines: list[str]) -> None:
    assert TextColumn.of(lines).empty_count() == sum(not line.strip() for line in lines)


def test_every_kind_of_white_space_is_empty() -> None:
    spaces = [chr(c) for c in range(0x110000) if chr(c).isspace()]
    assert TextColumn.of(spaces).empty_count() == len(spaces)


def test_views_outlive_the_column() -> None:
    native = kernels.Text(["ab", "ç"])
    arena, offsets = native.arena(), native.offsets()
    del native
    assert bytes(arena) == "abç".encode()
    assert list(offsets) == [0, 2, 4]
    assert arena.readonly
    assert offsets.readonly


def test_digest_depends_on_strings_and_boundaries() -> None:
    digests = {TextColumn.of(lines).digest() for lines in (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], [])}
    assert len(digests) == 5
    assert TextColumn.of(["xab", "c"])[1:].digest() == TextColumn.of(["c"]).digest()


def test_tokens_are_made_once() -> None:
    column = TextColumn.of(["Hello, world"])
    assert column.tokens(tokenizer("13a")) is column.tokens(tokenizer("13a"))
    assert column.tokens(tokenizer("13a")) is not column.tokens(tokenizer("none"))
    assert column.lowered() is column.lowered()
