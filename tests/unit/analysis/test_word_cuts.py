"""Texts with marks where words are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.analysis.word_cuts import cut, cut_mark, cut_words
from karat.text import TextColumn, tokenizer

texts = st.text(st.characters(codec="utf-8"), max_size=40)


@given(texts, st.sampled_from(["none", "13a", "intl", "zh", "char"]))
def test_without_its_marks_a_cut_text_is_what_it_was(text: str, name: str) -> None:
    mark = cut_mark([text])
    (tokens,) = TextColumn.of([text]).tokens(tokenizer(name)).to_lists()
    assert cut(text, tokens, mark).replace(mark, "") == text


@given(st.lists(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=5)), texts)
def test_words_are_tokens_whatever_separates_them(tokens: list[str], text: str) -> None:
    gaps = ["".join(sign for sign in text if sign.isspace()), "", " ", "\u00a0"]
    joined = "".join(token + gaps[place % 4] for place, token in enumerate(tokens))
    mark = cut_mark([joined])
    assert cut_words(cut(joined, tokens, mark), mark) == tokens


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [
        ("a\u00a0b", ["a", "b"], ["a", "b"]),
        ("a\u00a0b", ["a\u00a0b"], ["a\u00a0b"]),
        ("\u3000彼は", ["彼", "は"], ["彼", "は"]),
        ("Tom &amp; Ann", ["Tom", "&", "Ann"], ["Tom", "&", "amp", ";", "Ann"]),
        ("", [], []),
        (" \u2003 ", [], []),
    ],
)
def test_cuts(text: str, tokens: list[str], words: list[str]) -> None:
    assert cut_words(cut(text, tokens, "|"), "|") == words


def test_a_mark_is_in_no_text() -> None:
    assert cut_mark(["\x1f", "\ue000", None]) == "\ue001"
