"""Kinds of words: how frequent, in which case and script, numbers, punctuation, function words, labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.words import Sorting
from karat.corpus.scripts import SCRIPTS, script_counts_by_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.aligned import NumberedTexts
    from karat.resources.functionwords import FunctionWords

    Positions = NDArray[np.intp]

FREQUENCIES = (0, 1, 2, 3, 4, 5, 10, 100, 1000)
"""Where the buckets of frequencies begin."""

CASES = ("lower", "Capitalised", "UPPER", "mixed", "none")


def interval_labels(starts: Sequence[int]) -> tuple[str, ...]:
    """The names of buckets that begin at these whole numbers.

    >>> interval_labels([0, 1, 2, 10])
    ('0', '1', '2-9', '>=10')
    """
    ends = (*starts[1:], None)
    return tuple(
        f">={start}" if end is None else str(start) if end == start + 1 else f"{start}-{end - 1}"
        for start, end in zip(starts, ends, strict=True)
    )


def by_frequency(texts: NumberedTexts, counts: NDArray[np.int64] | None = None, about: str = "") -> Sorting:
    """How often a type stands in the references, or in a text whose `counts` of each type are given."""
    if counts is None:
        counts = np.bincount(texts.references.ids, minlength=len(texts.types))
        about = "the references"
    buckets = np.searchsorted(FREQUENCIES, counts, side="right") - 1
    return Sorting("frequency", interval_labels(FREQUENCIES), buckets, about=f"how often a word stands in {about}")


def by_kind(
    by: str, labels: Sequence[str], types: Sequence[str], kind: Callable[[str], str], about: str = ""
) -> Sorting:
    """What a function says of each type."""
    numbers = {label: i for i, label in enumerate(labels)}
    buckets = np.array([numbers[kind(word)] for word in types], dtype=np.intp)
    return Sorting(by, tuple(labels), buckets, about=about)


def case_of(word: str) -> str:
    """How a word is written.

    >>> [case_of(word) for word in ("word", "I", "Word", "NATO", "iPhone", "12")]
    ['lower', 'Capitalised', 'Capitalised', 'UPPER', 'mixed', 'none']
    """
    if word.islower():
        return "lower"
    first, rest = word[:1], word[1:]
    if first.isupper() and (rest.islower() or not any(map(str.isalpha, rest))):
        return "Capitalised"
    if word.isupper():
        return "UPPER"
    return "mixed" if any(letter.isupper() for letter in word) else "none"


def has_digit(word: str) -> str:
    """Whether there is a digit in a word."""
    return "other" if word.isalpha() or not any(map(str.isdigit, word)) else "number"


def is_punctuation(word: str) -> str:
    """Whether a word has neither letters nor digits."""
    return "word" if word.isalnum() or any(map(str.isalnum, word)) else "punctuation"


def by_case(types: Sequence[str]) -> Sorting:
    """How words are written."""
    return by_kind("case", CASES, types, case_of)


def by_number(types: Sequence[str]) -> Sorting:
    """Words with a digit, and others."""
    return by_kind("number", ("number", "other"), types, has_digit)


def by_punctuation(types: Sequence[str]) -> Sorting:
    """Punctuation, and words with letters or digits."""
    return by_kind("punctuation", ("punctuation", "word"), types, is_punctuation)


def by_script(types: Sequence[str]) -> Sorting:
    """The script that most letters of a word are in.

    >>> [SCRIPTS[number] for number in by_script(["Wort", "мир", "12"]).types]
    ['Latin', 'Cyrillic', 'other']
    """
    if not types:
        return Sorting("script", SCRIPTS, np.zeros(0, dtype=np.intp))
    counts = script_counts_by_line("\n".join(word.replace("\n", " ") for word in types))
    counts[:, 0] = 0  # where there are no letters at all, the first of the equal counts is that of "other"
    return Sorting("script", SCRIPTS, np.argmax(counts, axis=1))


def by_function(types: Sequence[str], listed: FunctionWords) -> Sorting:
    """Function words of a list, content words, and what is no word."""

    def kind(word: str) -> str:
        if is_punctuation(word) == "punctuation":
            return "punctuation"
        return "function" if word.lower() in listed.words else "content"

    labels = ("content", "function", "punctuation")
    return by_kind("function", labels, types, kind, f"function words: {listed.signature}")


def by_label(references: Sequence[str], systems: Mapping[str, Sequence[str]]) -> Sorting:
    """Labels of single tokens: of all references one after the other, and of the systems that have any."""
    labels = sorted({*references, *(label for of_system in systems.values() for label in of_system)})
    numbers = {label: i for i, label in enumerate(labels)}

    def positions(given: Sequence[str]) -> Positions:
        return np.array([numbers[label] for label in given], dtype=np.intp)

    named = {name: positions(given) for name, given in systems.items()}
    return Sorting("label", tuple(labels), systems=named, references=positions(references))
