"""What analyses and people say, beside the segments it is about."""

from __future__ import annotations

import pytest

from karat.analysis.buckets import Bucket, Bucketing, Buckets
from karat.analysis.figures import Figure, Subject
from karat.analysis.flaws.model import Flaw, FlawReport
from karat.analysis.ngrams import NgramContrast, NgramFigure, Ngrams
from karat.analysis.reading import ReadingChoice, ReadingList
from karat.analysis.segment_facets import (
    with_buckets,
    with_flaws,
    with_ngrams,
    with_ratings,
    with_reading,
    with_word_errors,
)
from karat.analysis.segment_view import MarkedError, Remark, SegmentView, WordClasses
from karat.analysis.word_errors import SegmentErrors, WordErrors
from karat.corpus.ratings import Ratings
from karat.evidence import Segments, Units

SUBJECT = Subject(("one", "two"), "one", ("1", "2", "3"), 1, Units("segment", 3, 3, "all there is"), 100, 1, 0.95, 5)


@pytest.fixture
def view() -> SegmentView:
    texts = {"one": ("a\x1f, b", "c", "d"), "two": ("e", "f", "g")}
    return SegmentView(numbers=(1, 2, 3), ids=("1", "2", "3"), systems=("one", "two"), outputs=texts)


def test_buckets_are_facets_but_for_documents_which_are_there(view: SegmentView) -> None:
    lengths = Bucketing("source-length", (Bucket("0-9", (0, 2), ()), Bucket("10-19", (1,), ())))
    documents = Bucketing("document", (Bucket("d", (0, 1, 2), ()),))
    (facet,) = with_buckets(view, Buckets(SUBJECT, (), (lengths, documents))).facets
    assert (facet.key, facet.title, facet.groups) == ("bucket", "source-length", {"0-9": (0, 2), "10-19": (1,)})


def test_an_ngram_has_the_segments_of_all_contrasts(view: SegmentView) -> None:
    def figure(ngram: tuple[str, ...], *segments: int) -> NgramFigure:
        return NgramFigure(ngram, 1, 0, False, Figure(1.0), 0.5, segments)

    contrasts = (
        NgramContrast("over", "one", None, 9, (figure(("a", "b"), 2), figure(("c",), 1))),
        NgramContrast("gets", "two", "one", 9, (figure(("a", "b"), 0),)),
    )
    (facet,) = with_ngrams(view, Ngrams(SUBJECT, "13a", False, 4, 1.0, "log-odds", contrasts)).facets
    assert (facet.key, facet.groups, facet.quotes) == ("ngram", {"a b": (0, 2), "c": (1,)}, True)


def test_flaws_stand_beside_outputs_and_filter_with_and_without_their_system(view: SegmentView) -> None:
    flaws = (
        Flaw("numbers", "major", "one", 1, "source", lost=("4", "5"), added=("6",)),
        Flaw("numbers", "major", "two", 3, "source"),
        Flaw("length", "minor", "one", 1, "source"),
    )
    found = with_flaws(view, FlawReport(3, ("one", "two"), "source", (), (), flaws))
    (facet,) = found.facets
    assert facet.key == "finding"
    assert facet.groups == {
        "numbers": (0, 2),
        "numbers: one": (0,),
        "numbers: two": (2,),
        "length": (0,),
        "length: one": (0,),
    }
    assert found.remarks[:2] == (Remark(0, "one", "numbers", "lost: 4, 5; added: 6"), Remark(2, "two", "numbers", ""))


def test_classes_of_words_filter_and_stand_on_the_words(view: SegmentView) -> None:
    words = (SegmentErrors("one", 0, 0, "xle", "xm"), SegmentErrors("two", 1, 0, "x", "x"))
    found = with_word_errors(view, WordErrors(SUBJECT, "13a", False, None, (), (), (), words))
    (facet,) = found.facets
    assert facet.key == "error"
    assert {name for name in facet.groups if ":" not in name} == {"lexical", "extra", "missing"}
    assert found.word_classes == (WordClasses(0, "one", "xle"), WordClasses(1, "two", "x"))
    assert next(iter(found.class_names.items())) == ("x", "right")


def test_segments_worth_reading_are_a_facet(view: SegmentView) -> None:
    choice = ReadingChoice("influence", 1, 3, "3", None, None, "bleu", None, "one", "two", 0.5, ())
    (facet,) = with_reading(view, ReadingList(3, None, ("one", "two"), ("bleu",), None, (choice,), ())).facets
    assert (facet.key, facet.groups) == ("reading", {"decides who wins": (2,)})


def test_ratings_find_their_segments_and_marks_their_texts(view: SegmentView) -> None:
    span = {
        "start": 0,
        "end": 1,
        "side": "target",
        "category": "style",
        "severity": "minor",
        "score": None,
        "comment": None,
    }
    ratings = Ratings.of(
        {
            "rater": ["r1", "r2", "r3", "r4", "r5"],
            "system": ["one", "one", "two", "other", "one"],
            "segment": ["1", "1", "3", "1", "9"],
            "protocol": ["mqm"] * 5,
            "criterion": ["mqm"] * 5,
            "value": [-1.0, -1.0, -2.0, 0.0, 0.0],
            "target": ["a, b", "another text", None, None, None],
            "spans": [[span], [span], None, None, None],
            "comment": [None, "hm", None, None, None],
        }
    )
    found = with_ratings(view, ratings, Segments(("1", "2", "3"))).judgements
    assert [(one.segment, one.system, one.rater, one.value) for one in found] == [
        (0, "one", "r1", -1.0),
        (0, "one", "r2", -1.0),
        (2, "two", "r3", -2.0),
    ]
    assert found[0].errors == (MarkedError(0, 1, "target", "style", "minor"),)
    assert found[1].errors == (MarkedError(None, None, "target", "style", "minor"),)


def test_nothing_found_adds_no_facet(view: SegmentView) -> None:
    assert with_flaws(view, FlawReport(3, ("one",), "source", (), (), ())).facets == ()
