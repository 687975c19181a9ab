"""Segments as the page has them."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from karat.analysis.segment_view import Facet, Formula, MeasuredSegments, SegmentView, segment_view
from karat.identity import Identity
from karat.report.page.segments import READABLE, packed, segment_section
from karat.report.page.signs import with_signs
from karat.service.gathering import gather_one
from karat.service.inputs import Files
from karat.service.requests import EvidenceRequest

ROWS = np.array([[3, 2, 9], [5, 1, 7]])


def view(count: int = 2) -> SegmentView:
    scores = np.array([0.123456789, np.nan, *np.zeros(count - 2)])
    return SegmentView(
        numbers=tuple(range(1, count + 1)),
        ids=tuple(f"seg{number}" for number in range(1, count + 1)),
        systems=("one", "two"),
        measures=(
            MeasuredSegments(Identity.of_scores("comet"), {"one": scores}, Formula("mean")),
            MeasuredSegments(
                Identity.of_scores("ter"), {"one": scores}, Formula("rate"), ("t_1", "n", "t_2"), {"one": ROWS}
            ),
        ),
        outputs={"one": ("a\x1f,", None, *["b"] * (count - 2))},
        facets=(Facet("document", "Document", {"\u202ex": (0, 1)}), Facet("ngram", "N-gram", {"a": (1,)})),
    )


def unpacked(one: SegmentView) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed(one))))
    return data


def test_scores_that_are_averaged_keep_their_digits_and_others_have_two_more_than_are_shown() -> None:
    comet, ter = unpacked(view())["measures"]
    assert comet["scores"] == [[0.123456789, None], None]
    assert ter["scores"] == [[0.123457, None], None]


def test_columns_of_a_series_are_steps_from_the_one_before() -> None:
    ter = unpacked(view())["measures"][1]
    assert ter["bases"] == [-1, -1, 0]
    assert ter["rows"] == [[[3, 5], None], [[2, 1], None], [[6, 2], None]]


def test_columns_that_an_earlier_metric_has_are_packed_once() -> None:
    twice = replace(view(), measures=(*view().measures, view().measures[1]))
    assert unpacked(twice)["measures"][2]["rows"] == [{"measure": 1, "column": column} for column in range(3)]


def test_the_same_view_is_packed_in_the_same_way() -> None:
    assert packed(view()) == packed(view())


def test_metrics_with_another_formula_for_segments_are_named() -> None:
    whole = view()
    sentence = replace(whole.measures[0], segment_spec="bleu(effective_order=true)")
    section = segment_section(replace(whole, measures=(sentence, whole.measures[1])))
    assert section.notes == ("comet of a single segment is bleu(effective_order=true).",)


def test_members_of_groups_are_steps() -> None:
    facets = unpacked(view())["facets"]
    assert [facet["members"] for facet in facets] == [[[0, 1]], [[1]]]


def test_the_first_segments_are_readable_without_a_script() -> None:
    section = segment_section(view(READABLE + 5))
    assert (section.count, len(section.first_rows)) == (READABLE + 5, READABLE)
    first, second = section.first_rows[:2]
    assert (first.number, first.id, first.labels) == (1, "seg1", (("Document", "⟨U+202E⟩x"),))
    (text,) = first.texts
    assert (text.kind, text.title, text.text, text.scores) == (
        "output",
        "one",
        "a,",
        (("comet", "0.1235"), ("ter", "0.1235")),
    )
    assert second.texts == ()


def test_without_texts_the_first_segments_have_their_scores() -> None:
    first = segment_section(view().without_texts()).first_rows[0]
    assert [(text.title, text.text, len(text.scores)) for text in first.texts] == [("one", None, 2), ("two", None, 0)]


def test_wmt21_is_small(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    systems = tuple((path.stem, str(path)) for path in sorted((directory / "system-outputs").glob("*.txt")))
    texts = Files((str(directory / "references" / "refC.de"),), systems, str(directory / "source.en"))
    evidence = gather_one(EvidenceRequest(texts=texts, metrics=("bleu", "chrf", "ter", "chrf++", "wer")))
    assert len(packed(segment_view(evidence))) < 1_500_000


def test_what_is_not_seen_has_a_sign() -> None:
    assert with_signs("\x00\x7f\u2028\u200f\ud800\ufeffa\u200db\tc\nd") == (
        "␀␡⟨U+2028⟩⟨U+200F⟩⟨U+D800⟩⟨U+FEFF⟩a\u200db\tc\nd"
    )
