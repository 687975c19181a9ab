"""Counts of word and character n-grams, for those who import them from sacreBLEU; karat's core does not use them."""

from __future__ import annotations

from collections import Counter


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """The n-grams of one order, their words joined by spaces."""
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """The n-grams of several orders as tuples, and the number of words."""
    tokens = line.split()
    orders = range(min_order, max_order + 1)
    return Counter(tuple(tokens[i : i + n]) for n in orders for i in range(len(tokens) - n + 1)), len(tokens)


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The character n-grams of one order."""
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """The character n-grams of all orders up to the highest."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
