"""Errors of words and tables of n-grams, against slow versions."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.oracles.word_errors import Marked, word_errors

from karat import kernels
from karat.errors import InputError
from karat.kernels import NO_MARK, NumberedColumn

WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
BASE = {"a": "a", "b": "a", "c": "c", "d": "c", "e": "e"}
SENTENCE = st.lists(WORDS, max_size=7)
SEGMENTS = st.lists(st.tuples(SENTENCE, st.lists(SENTENCE, min_size=1, max_size=3)), max_size=4)
NUMBER = {word: i for i, word in enumerate(BASE)}
OPERATIONS = ("match", "substitution", "lone")
BAG = ("none", "error", "inflected")
CLASSES = ("right", "inflection", "order", "missing", "extra", "lexical")


def column(sentences: list[list[str]]) -> NumberedColumn:
    ids = np.array([NUMBER[word] for words in sentences for word in words], dtype=np.int32)
    return NumberedColumn(ids, np.array([0, *accumulate(map(len, sentences))], dtype=np.int64))


def bases(sentences: list[list[str]]) -> NDArray[np.int32]:
    return np.array([NUMBER[BASE[word]] for words in sentences for word in words], dtype=np.int32)


def read(marks: NDArray[np.uint8]) -> Marked:
    numbers = marks.astype(int).tolist()
    return Marked(
        [OPERATIONS[mark >> 3 & 3] for mark in numbers],
        [BAG[mark >> 5 & 3] for mark in numbers],
        [CLASSES[mark & 7] for mark in numbers],
    )


def marks_of(segments: list[tuple[list[str], list[list[str]]]], threads: int = 1) -> kernels.WordMarks:
    hypotheses = [hypothesis for hypothesis, _ in segments]
    references = [reference for _, many in segments for reference in many]
    starts = np.array([0, *accumulate(len(many) for _, many in segments)], dtype=np.int64)
    return kernels.word_errors(
        column(hypotheses),
        column(references),
        starts,
        hypothesis_bases=bases(hypotheses),
        reference_bases=bases(references),
        threads=threads,
    )


Segments = list[tuple[list[str], list[list[str]]]]


@given(SEGMENTS)
def test_marks_follow_the_rules(segments: Segments) -> None:
    check_marks(segments)


def test_marks_of_segments_longer_than_a_machine_word_follow_the_rules() -> None:
    rng = np.random.default_rng(5)
    sentences = [rng.choice([*BASE], length).tolist() for length in (63, 64, 65, 128, 130, 3)]
    sentences.append([word for word in sentences[4] if word != "e"])
    check_marks([(hypothesis, [sentences[i - 1], sentences[i - 2]]) for i, hypothesis in enumerate(sentences)])


def check_marks(segments: Segments) -> None:
    found = marks_of(segments)
    references = column([reference for _, many in segments for reference in many])
    at, first = 0, 0
    for i, (hypothesis, many) in enumerate(segments):
        chosen, mine, theirs = word_errors(hypothesis, many, BASE)
        assert found.chosen[i] == first + chosen
        assert read(found.hypotheses[at : at + len(hypothesis)]) == mine
        begin, end = references.offsets[first + chosen : first + chosen + 2]
        assert read(found.references[begin:end]) == theirs
        at, first = at + len(hypothesis), first + len(many)
    assert (found.references == NO_MARK).sum() == len(references.ids) - sum(
        np.diff(references.offsets)[found.chosen].tolist()
    )


def test_threads_change_nothing() -> None:
    segments = [([*"abcde"[i % 5 :], *"aab"], [[*"edcba"[i % 3 :]], [*"abc"]]) for i in range(500)]
    for one, three in zip(marks_of(segments), marks_of(segments, threads=3), strict=True):
        assert np.array_equal(one, three)


def test_base_forms_of_other_words_are_refused() -> None:
    words = column([["a"]])
    none = np.array([], dtype=np.int32)
    with pytest.raises(InputError, match="one base form for every word"):
        kernels.word_errors(words, words, np.array([0, 1]), hypothesis_bases=none, reference_bases=none)


def spelled(table: kernels.NgramTable, number: int) -> tuple[int, ...]:
    words: list[int] = []
    while number >= 0:
        words.append(int(table.last[number]))
        number = int(table.previous[number])
    return tuple(reversed(words))


@given(st.lists(st.lists(SENTENCE, max_size=4), max_size=3), st.integers(1, 4))
def test_a_table_has_the_counts_of_every_ngram(columns: list[list[list[str]]], orders: int) -> None:
    numbered = [column(sentences) for sentences in columns]
    table = kernels.ngram_table(numbered, orders, threads=2)
    for sentences, occurrences in zip(columns, table.columns, strict=True):
        expected = Counter(
            (tuple(NUMBER[word] for word in words[i : i + n]), segment)
            for segment, words in enumerate(sentences)
            for n in range(1, orders + 1)
            for i in range(len(words) - n + 1)
        )
        places = list(zip(occurrences.ngrams.tolist(), occurrences.segments.tolist(), strict=True))
        assert places == sorted(places)
        found = zip(places, occurrences.counts.tolist(), strict=True)
        assert {(spelled(table, ngram), segment): count for (ngram, segment), count in found} == dict(expected)
    assert len({spelled(table, number) for number in range(len(table.last))}) == len(table.last)


def counted(sentences: list[list[int]]) -> Counter[tuple[int, int]]:
    return Counter((word, segment) for segment, words in enumerate(sentences) for word in words)


def occurrences(counts: Counter[tuple[int, int]]) -> kernels.NgramOccurrences:
    places = sorted(counts)
    columns = ([place[0] for place in places], [place[1] for place in places], [counts[place] for place in places])
    return kernels.NgramOccurrences(*(np.array(column, dtype=np.int32) for column in columns))


NGRAMS = st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=4)


@given(NGRAMS, NGRAMS, st.booleans())
def test_a_tally_lays_two_columns_side_by_side(a: list[list[int]], b: list[list[int]], apart: bool) -> None:
    mine, theirs = counted(a), counted(b)
    tally = kernels.ngram_tally(occurrences(mine), occurrences(theirs), apart=apart)
    more, less = (mine - theirs, theirs - mine) if apart else (mine, theirs)
    expected = [(*place, more[place], less[place]) for place in sorted({*more, *less})]
    assert list(zip(*(column.tolist() for column in tally), strict=True)) == expected


@given(NGRAMS, NGRAMS)
def test_what_two_columns_share(a: list[list[int]], b: list[list[int]]) -> None:
    mine, theirs = counted(a), counted(b)
    shared = kernels.shared_ngrams(occurrences(mine), occurrences(theirs))
    expected = occurrences(mine & theirs)
    assert all(np.array_equal(one, other) for one, other in zip(shared, expected, strict=True))


@given(NGRAMS, NGRAMS, st.integers(1, 3), st.sampled_from([1, 100]))
def test_kinds_are_ngrams_that_count_equally_often(
    a: list[list[int]], b: list[list[int]], kept: int, times: int
) -> None:
    tally = kernels.ngram_tally(occurrences(counted(a)), occurrences(counted(b)), apart=False)
    often = tally._replace(more=tally.more * np.int32(times), less=tally.less * np.int32(times))
    kinds = kernels.ngram_kinds(often, kept)
    totals: dict[int, list[int]] = {}
    for ngram, _, more, less in zip(*(column.tolist() for column in often), strict=True):
        total = totals.setdefault(ngram, [0, 0])
        total[0], total[1] = total[0] + more, total[1] + less
    by_kind: dict[tuple[int, int], list[int]] = {}
    for ngram in sorted(totals):
        more, less = totals[ngram]
        by_kind.setdefault((more, less), []).append(ngram)
    found = {
        (int(kinds.more[k]), int(kinds.less[k])): (
            int(kinds.counts[k]),
            kinds.first[kinds.starts[k] : kinds.starts[k + 1]].tolist(),
        )
        for k in range(len(kinds.counts))
    }
    assert found == {kind: (len(ngrams), ngrams[:kept]) for kind, ngrams in by_kind.items()}


def test_columns_that_do_not_fit_are_refused() -> None:
    one, none = np.zeros(1, dtype=np.int32), np.zeros(0, dtype=np.int32)
    broken = kernels.NgramOccurrences(one, none, one)
    with pytest.raises(ValueError, match="one count for every n-gram"):
        kernels.shared_ngrams(broken, broken)


@given(st.lists(st.lists(st.sampled_from(["a", "b"]), max_size=12), max_size=4), st.integers(2, 3), st.integers(2, 4))
def test_phrases_said_over_and_over(sentences: list[list[str]], times: int, alone: int) -> None:
    tokens = kernels.tokenize(kernels.Text([" ".join(words) for words in sentences]), "none")
    found = kernels.phrase_runs(tokens, longest=4, times=times, times_alone=alone)
    expected = []
    for segment, words in enumerate(sentences):
        for length in range(1, 5):
            often = alone if length == 1 else times
            for start in range(len(words)):
                end = start + often * length
                if end > len(words) or words[start:end] != words[start : start + length] * often:
                    continue
                if start == 0 or words[start - 1] != words[start - 1 + length]:
                    expected.append((segment, start, length))
    assert found == expected
