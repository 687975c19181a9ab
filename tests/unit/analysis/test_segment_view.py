"""Everything about each segment, for those who read them."""

from __future__ import annotations

import numpy as np
import pytest

from karat.analysis.segment_view import Facet, Judged, MarkedError, Remark, SegmentView, WordClasses, segment_view
from karat.corpus import Corpus
from karat.evidence import Evidence, Measure, Segments
from karat.registry import metric
from karat.rows import Rows

SYSTEMS = {"one": ["the cat sat", "no"], "two": ["a dog", "yes , it is"]}
REFERENCES = {"refA": ["the cat sat down", None], "refB": ["a dog ran", "yes it is"]}
METRICS = ("bleu", "chrf", "chrf(average=macro)", "ter", "wer", "cer", "meteor", "bleu(smooth=floor)")


def evidence(*specs: str) -> Evidence:
    """Two systems on two segments, of which the second lacks a reference."""
    corpus = Corpus.of(
        systems=SYSTEMS, references=REFERENCES, source=["x", "y"], documents=["d", "e"], language_pair="en-de"
    )
    references = corpus.references_for()
    measures = []
    for spec in specs:
        known = metric(spec)
        rows = {name: known.prepare(references).rows(column) for name, column in corpus.systems.items()}
        single = {name: known.for_segments.prepare(references).rows(text) for name, text in corpus.systems.items()}
        measures.append(Measure(known.prepare(references).identity, rows, for_segments=single))
    segments = Segments(corpus.segment_ids, corpus.documents)
    return Evidence(tuple(measures), tuple(corpus.systems), segments, len(corpus), corpus=corpus)


def test_texts_are_cut_and_missing_ones_are_none() -> None:
    view = segment_view(evidence("bleu"))
    assert view.references["refA"] == ("the cat sat down", None)
    assert view.outputs["two"] == ("a dog", "yes , it is")
    assert (view.source, view.source_language, view.target_language) == (("x", "y"), "en", "de")
    assert view.facets == (Facet("document", "Document", {"d": (0,), "e": (1,)}),)


def test_the_closest_reference_is_one_that_is_there() -> None:
    closest = segment_view(evidence("bleu")).closest
    assert {name: found.tolist() for name, found in closest.items()} == {"one": [0, 1], "two": [1, 1]}


def test_scores_are_those_of_single_segments() -> None:
    (measured,) = segment_view(evidence("bleu")).measures
    sentence = metric("bleu").for_segments.prepare([["the cat sat down", "a dog ran"], ["yes it is"]])
    assert measured.scores["one"].tolist() == sentence.rows(SYSTEMS["one"]).unit_scores().tolist()


def test_the_formula_of_single_segments_is_named_where_it_is_another() -> None:
    specs = [measured.segment_spec for measured in segment_view(evidence("bleu", "chrf")).measures]
    assert specs == ["bleu(effective_order=true)", None]


@pytest.mark.parametrize("spec", METRICS)
def test_rows_come_with_the_formulas_that_a_page_knows(spec: str) -> None:
    (measured,) = segment_view(evidence(spec)).measures
    kinds = {"meteor": None, "chrf(average=macro)": None, "chrf": "chrf", "ter": "rate", "wer": "rate", "cer": "rate"}
    expected = kinds.get(spec, "bleu")
    assert (measured.formula.kind if measured.formula else None) == expected
    assert bool(measured.rows) == (expected is not None)


def test_a_missing_score_is_not_a_number() -> None:
    rows = {"one": Rows.from_scores([0.5, None], spec="comet")}
    outside = Evidence((Measure(rows["one"].identity, rows),), ("one",), Segments(("1", "2")), 2)
    (measured,) = segment_view(outside).measures
    assert np.isnan(measured.scores["one"]).tolist() == [False, True]
    assert measured.formula is not None
    assert (measured.formula.kind, measured.rows) == ("mean", {})


def full_view() -> SegmentView:
    return SegmentView(
        numbers=(1, 2, 3),
        ids=("a", "b", "c"),
        systems=("one",),
        source=("x", "y", "z"),
        outputs={"one": ("p", "q", "r")},
        facets=(
            Facet("ngram", "N-gram", {"p": (0,), "r": (0, 2)}, quotes=True),
            Facet("bucket", "Length", {"1": (2,)}),
        ),
        remarks=(Remark(2, "one", "number", "lost 4"),),
        judgements=(Judged(2, "one", "r1", "mqm", -5.0, comment="r!", errors=(MarkedError(0, 1, "target"),)),),
        word_classes=(WordClasses(2, "one", "l"),),
    )


def test_segments_that_are_taken_keep_their_numbers() -> None:
    view = full_view().taken([2])
    assert (view.numbers, view.ids, view.outputs) == ((3,), ("c",), {"one": ("r",)})
    assert view.facets[0].groups == {"r": (0,)}
    assert [one.segment for one in (*view.remarks, *view.judgements, *view.word_classes)] == [0, 0, 0]
    assert full_view().taken([0]).remarks == ()


def test_nothing_quotes_a_text_where_texts_are_left_out() -> None:
    view = full_view().without_texts()
    assert not view.has_texts
    assert [facet.key for facet in view.facets] == ["bucket"]
    assert (view.remarks[0].text, view.judgements[0].comment, view.judgements[0].errors) == ("", None, ())
