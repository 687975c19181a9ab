"""Coverage of references: against counting by hand, and against trying all choices of references."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.bleu import ngrams

from karat.analysis.coverage import coverage
from karat.corpus.references import References
from karat.errors import InputError
from karat.text import TextColumn

LINES = st.lists(st.sampled_from(["a", "b", "c", "猫"]), max_size=6).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=3, max_size=3)), min_size=1, max_size=4)


def by_hand(segments: list[list[str]], n: int) -> Counter[int]:
    """How many different n-grams of segments so many references have."""
    found: Counter[int] = Counter()
    for references in segments:
        having = Counter(gram for line in references for gram in ngrams(line.split(), n))
        found.update(having.values())
    return found


@given(SEGMENTS)
def test_counts_equal_those_by_hand(segments: list[tuple[str, list[str]]]) -> None:
    references = [lines for _, lines in segments]
    systems = {"one": TextColumn.of([line for line, _ in segments])}
    report = coverage(References.of(references), systems, max_order=2, tokenize="none")
    of_references = [one for one in report.coverages if one.system is None]
    for one in of_references:
        expected = by_hand(references, one.order)
        assert one.types == tuple(expected[count] for count in (1, 2, 3))
        assert sum(one.occurrences) == sum(
            ngrams(line.split(), one.order).total() for lines in references for line in lines
        )
    for one in report.coverages[len(of_references) :]:
        shared: Counter[int] = Counter()
        for line, lines in segments:
            own = ngrams(line.split(), one.order)
            having = Counter(gram for other in lines for gram in ngrams(other.split(), one.order))
            shared.update(count for gram, count in having.items() if gram in own)
        assert one.types == tuple(shared[count] for count in (1, 2, 3))


@given(SEGMENTS)
def test_fewer_references_are_the_mean_over_all_choices(segments: list[tuple[str, list[str]]]) -> None:
    references = [lines for _, lines in segments]
    grown = coverage(References.of(references), {}, max_order=2, tokenize="none").growth
    assert [one.references for one in grown] == [2, 3]
    for one in grown:
        choices = list(combinations(range(3), one.references))
        total: Counter[int] = Counter()
        for choice in choices:
            chosen = [[lines[i] for i in choice] for lines in references]
            total.update(by_hand(chosen, 1) + by_hand(chosen, 2))
        expected = [total[count] / len(choices) for count in range(1, one.references + 1)]
        assert one.types == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_case_and_unequal_numbers_of_references() -> None:
    references = References.of([["The cat", "the cat"], ["a"]])
    report = coverage(references, {}, max_order=1, lowercase=True)
    assert report.coverages[0].types == (1, 2)
    assert report.growth == ()
    assert coverage(references, {}, max_order=1).coverages[0].types == (3, 1)


def test_one_reference_is_said_to_share_nothing() -> None:
    report = coverage(References.of(["a b", ""]), {}, max_order=3)
    assert [one.types for one in report.coverages] == [(2,), (1,), (0,)]


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(InputError, match="at least one word"):
        coverage(References.of(["a"]), {}, max_order=0)
    with pytest.raises(InputError, match="one has 2 segments"):
        coverage(References.of(["a"]), {"one": TextColumn.of(["a", "b"])})
