"""METEOR's aligner: the slow version of the released search, and an exhaustive one of the published aim."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import meteor as oracle

from karat import kernels
from karat.errors import InputError

WORDS = ["a", "b", "c", "d", "e", "長い"]
STEMS = {"a": "a", "b": "a", "c": "c", "d": "c", "e": "e", "長い": "長い"}
SYNSETS = {"a": {1}, "b": {2, 3}, "c": {3, 4}, "d": {4}, "e": {5}, "長い": {1, 5}}
FUNCTION = {"a", "e"}
TABLES = {
    "none": (),
    "words": ((("a",), ("d",)), (("d",), ("a",)), (("e",), ("b",))),
    "phrases": (
        (("a", "b"), ("c",)),
        (("c",), ("a", "b")),
        (("d", "d", "e"), ("b", "a")),
        (("a", "b", "c", "d"), ("e",)),
    ),
}
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=9)


def table_of(entries: str) -> kernels.ParaphraseTable:
    """A table as the core reads it."""
    return kernels.ParaphraseTable(kernels.compile_paraphrases([entries.encode()]))


def rows(h: list[str], r: list[str], table: str, search: str = "released", beam: int = 40) -> list[int]:
    """The row that the core finds."""
    columns = [kernels.tokenize(kernels.Text([" ".join(words)]), "none") for words in (h, r)]
    found = kernels.word_types(*columns)
    stems = list(dict.fromkeys(STEMS.values()))
    synsets = [sorted(SYNSETS[word]) for word in found.types]
    entries = "".join(f"0.5\n{' '.join(one)}\n{' '.join(other)}\n" for one, other in TABLES[table])
    knowledge = kernels.word_knowledge(
        np.array([word in FUNCTION for word in found.types], dtype=np.uint8),
        stems=np.array([stems.index(STEMS[word]) for word in found.types], dtype=np.int32),
        synsets=(
            np.cumsum([0, *map(len, synsets)], dtype=np.int64),
            np.array([number for numbers in synsets for number in numbers], dtype=np.int32),
        ),
        paraphrases=kernels.ParaphraseIndex(table_of(entries), kernels.Text(found.types)),
    )
    texts = [kernels.NumberedText(*text) for text in zip(found.ids, found.offsets, strict=True)]
    pairs = kernels.meteor_pairs(knowledge, *texts, np.array([0, 1]), search=search, beam=beam)
    return [int(value) for value in pairs[0]]


@settings(max_examples=300)
@given(SENTENCES, SENTENCES, st.sampled_from(sorted(TABLES)), st.sampled_from([1, 2, 40]))
@example(["a"] * 9, ["a"] * 7, "none", 3)
@example([], ["a"], "words", 1)
def test_the_released_search_is_that_of_the_slow_version(h: list[str], r: list[str], table: str, beam: int) -> None:
    found = oracle.matches(h, r, STEMS, SYNSETS, TABLES[table])
    assert rows(h, r, table, beam=beam) == oracle.row(h, r, oracle.released(found, len(r), beam), FUNCTION)


SHORT = st.lists(st.sampled_from(WORDS), max_size=4)


@settings(max_examples=200)
@given(SHORT, SHORT, st.sampled_from(sorted(TABLES)))
def test_the_published_search_finds_the_best_of_all_alignments(h: list[str], r: list[str], table: str) -> None:
    covered, chunks, _ = oracle.published(oracle.matches(h, r, STEMS, SYNSETS, TABLES[table]))
    found = rows(h, r, table, "published", beam=1000)
    assert found[-2] + found[-1] == covered
    assert found[-3] == (0 if chunks == 1 and covered == len(h) + len(r) else chunks)


def test_long_segments_of_one_word_are_aligned() -> None:
    assert rows(["a"] * 500, ["a"] * 490, "none")[-3:] == [1, 490, 490]


def test_an_image_that_was_cut_off_is_refused() -> None:
    image = kernels.compile_paraphrases([b"0.5\na b\nc\n"])
    assert len(kernels.ParaphraseTable(image)) == 1
    with pytest.raises(ValueError, match="not as long"):
        kernels.ParaphraseTable(image[:-1])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0.5\na b\nc\nmuch\nd\ne\n", "line 4: a probability"),
        ("0.5\na b\n", "line 2: the last entry"),
        ("0.5\n \nc\n", "line 2: a phrase"),
        ("nan\na\nb\n", "line 1"),
        ("0.5\na\n" + "b " * 300, "line 3: a phrase of more than 255 words"),
    ],
)
def test_tables_that_are_none_are_refused_with_the_line(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        table_of(text)


def test_knowledge_that_does_not_fit_is_refused() -> None:
    function = np.zeros(2, dtype=np.uint8)
    with pytest.raises(InputError, match="one stem"):
        kernels.word_knowledge(function, stems=np.zeros(1, dtype=np.int32))
    with pytest.raises(InputError, match="ascend"):
        kernels.word_knowledge(function, synsets=(np.array([0, 2, 1]), np.zeros(1, dtype=np.int32)))
