"""Distinct words of columns, against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat import kernels
from karat.errors import InputError

WORDS = st.sampled_from(["a", "b", "ä", "長い", "abcdefghijklmnop", "abcdefghijklmnoq", "\U0001f600", "0"])
COLUMNS = st.lists(st.lists(st.lists(WORDS, max_size=8), max_size=6), max_size=3)


def tokens(column: list[list[str]]) -> kernels.Tokens:
    return kernels.tokenize(kernels.Text([" ".join(words) for words in column]), "none")


@given(COLUMNS)
def test_types_are_numbered_by_first_appearance(columns: list[list[list[str]]]) -> None:
    numbers: dict[str, int] = {}
    expected = [[numbers.setdefault(w, len(numbers)) for words in column for w in words] for column in columns]
    found = kernels.word_types(*map(tokens, columns), threads=2)
    assert found.types == list(numbers)
    assert [ids.tolist() for ids in found.ids] == expected
    lengths = [[len(words) for words in column] for column in columns]
    assert [np.diff(offsets).tolist() for offsets in found.offsets] == lengths


def test_threads_and_many_blocks_change_nothing() -> None:
    column = [[str(i * j % 9973) for j in range(4)] for i in range(9000)]
    one, three = (kernels.word_types(tokens(column), tokens(column[::-1]), threads=n) for n in (1, 3))
    assert one.types == three.types == list(dict.fromkeys(w for words in column for w in words))
    assert [one.types[i] for i in one.ids[1][:4]] == column[-1]
    for first, second in zip(one.ids, three.ids, strict=True):
        assert first.dtype == np.int32
        assert np.array_equal(first, second)


@given(COLUMNS)
def test_words_spelled_by_number_are_the_words(columns: list[list[list[str]]]) -> None:
    found = kernels.word_types(*map(tokens, columns))
    for column, ids, offsets in zip(columns, found.ids, found.offsets, strict=True):
        assert kernels.spell_words(found.types, ids, offsets).to_lists() == column


@pytest.mark.parametrize(
    ("words", "ids", "offsets", "message"),
    [
        (["a"], [1], [0, 1], "no word 1"),
        (["a"], [-1], [0, 1], "no word -1"),
        (["a", ""], [0], [0, 1], "word 1 is empty"),
        (["a"], [0], [0, 2], "offsets"),
        (["a"], [0, 0], [0, 2, 1, 2], "offsets"),
        (["a"], [0], [], "offsets"),
    ],
)
def test_numbers_without_words_are_refused(words: list[str], ids: list[int], offsets: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        kernels.spell_words(words, np.array(ids, dtype=np.int32), np.array(offsets, dtype=np.int64))
