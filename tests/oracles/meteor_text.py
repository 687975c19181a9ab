"""METEOR's normaliser as what defines it: one substitution after the other."""

from __future__ import annotations

import re
from collections.abc import Set

LETTERS = "A-Za-zÀ-ÖØ-öø-žЀ-ԧᴀ-ᵿꙀ-ꙮ꙾-ꚗ"
LETTER, OTHER = f"([{LETTERS}])", f"([^{LETTERS}])"
KNOWN = f"{LETTERS}0-9"
POINT = re.compile(r"(?<!\S)(\S+)\.(?!\S)(?= ?(\S?))")
"""A word that ends with a point, and the first character of the word that follows in the line."""


def normalize(
    line: str,
    language: str,
    *,
    punctuation: bool,
    always: Set[str] = frozenset(),
    before_numbers: Set[str] = frozenset(),
) -> str:
    """A line with single spaces between its words, in its own case."""

    def pointed(match: re.Match[str]) -> str:
        word, following = match[1], match[2]
        if not word.strip("."):
            return match[0]
        if "." in word and re.search(LETTER, word):
            return word.replace(".", "")
        if word in always or "a" <= following <= "z":
            return match[0]
        if word in before_numbers and "0" <= following <= "9":
            return match[0]
        return f"{word} ."

    line = f" {' '.join(line.split())} "
    for pattern, replacement in rules(language):
        line = re.sub(pattern, replacement, line)
    line = POINT.sub(pointed, " ".join(line.split()))
    if not punctuation:
        line = re.sub(rf"[^{KNOWN}\s]", " ", line)
    return " ".join(line.split())


def rules(language: str) -> list[tuple[str, str]]:
    """What is replaced by what, in this order."""
    return [
        (rf"([^{KNOWN}\s.'`,\-‘’“”–])", r" \1 "),
        ("[“”]", ' " '),
        ("[‘’`]", "'"),
        ("''", ' " '),
        ("–", " - "),
        (r"(\.\.+)", r" \1 "),
        ("([^0-9]),([^0-9])", r"\1 , \2"),
        ("([0-9]),([^0-9])", r"\1 , \2"),
        ("([^0-9]),([0-9])", r"\1 , \2"),
        ("--", "-"),
        *apostrophes(language),
        (rf"([{KNOWN}.])-([{KNOWN}])", r"\1 \2"),
    ]


def apostrophes(language: str) -> list[tuple[str, str]]:
    """It's is it 's in English and it' s in French; elsewhere an apostrophe stands alone."""
    if language not in ("en", "fr"):
        return [("'", " ' ")]
    english = language == "en"
    return [
        (f"{OTHER}'{OTHER}", r"\1 ' \2"),
        (f"([^{KNOWN}])'{LETTER}" if english else f"{OTHER}'{LETTER}", r"\1 ' \2"),
        (f"{LETTER}'{OTHER}", r"\1 ' \2"),
        (f"{LETTER}'{LETTER}", r"\1 '\2" if english else r"\1' \2"),
        *([("([0-9])'s", r"\1 's")] if english else []),
    ]
