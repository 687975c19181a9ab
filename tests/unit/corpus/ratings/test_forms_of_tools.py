"""Judgements of spans and ranks, as a campaign has them, in the forms of other tools and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from karat.corpus.ratings import Ratings, format_named, read_ratings, write_ratings

TEXTS = st.one_of(
    st.sampled_from(
        [
            "\u05d4\u05d5\u05d0 \u05d0\u05de\u05e8: \u201cC++\u201d 50%!",
            "\u0642\u0627\u0644 \u00abKDE 6.2\u00bb \U0001f44d\U0001f3fd",
            "\u4ed6\u8bf4\uff1a\u201c\u597d\u7684\u3002\u201d",
            "U\u0308ber a\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467 na",
            'He said "<b>no</b>", twice <v>',
        ]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20),
)
FILES = {"pearmut": "x.jsonl", "appraise": "x.csv", "marot": "x.tsv", "google-mqm": "x.tsv", "wmt-ranking": "x.csv"}
START = datetime(2026, 11, 19, 20, 15, 30, 250000, tzinfo=UTC)


@st.composite
def judgements(draw: st.DrawFn, protocol: str) -> Ratings:
    """Some raters about some segments of two systems, with spans anywhere in the text or nowhere."""
    rows: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 4))):
        target = draw(TEXTS)
        rows.append(
            {
                "rater": f"rater-{number % 2 + 1}", "system": f"sys-{number // 2}", "segment": str(number),
                "document": "d1", "language_pair": "de-he", "protocol": protocol,
                "criterion": "overall" if protocol == "esa" else "penalty",
                "value": float(draw(st.integers(0, 100))) if protocol == "esa" else None,
                "time": START + timedelta(minutes=number), "seconds": 2.5, "item": str(number),
                "source": "Quelle", "target": target, "spans": draw(spans_of(target, protocol)),
            }
        )  # fmt: skip
    if protocol == "esa" and not any(row["spans"] for row in rows):
        rows[0]["spans"] = [span(0, 1, None)]
    if protocol == "mqm" and not any(row["spans"] for row in rows):
        rows[0]["spans"] = [span(0, 1, "Accuracy/Omission")]
    return Ratings.of(pl.DataFrame(rows, infer_schema_length=None))


def span(start: int | None, end: int | None, category: str | None) -> dict[str, Any]:
    side = "missing" if start is None else "target"
    place = {"start": start, "end": end, "side": side, "category": category, "severity": "major"}
    return {**place, "score": None, "comment": None}


@st.composite
def spans_of(draw: st.DrawFn, text: str, protocol: str) -> list[dict[str, Any]]:
    category = None if protocol == "esa" else "Accuracy/Omission"
    spans = []
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text) - 1))
        spans.append(span(start, draw(st.integers(start + 1, len(text))), category))
    return [*spans, span(None, None, category)] if draw(st.booleans()) else spans


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forms")


CASES = [("pearmut", "esa"), ("pearmut", "mqm"), ("appraise", "esa"), ("appraise", "mqm"), ("marot", "mqm")]


@pytest.mark.parametrize(("name", "protocol"), [*CASES, ("google-mqm", "mqm")])
@given(data=st.data())
@settings(max_examples=examples(25), deadline=None)
def test_spans_come_back_from_the_forms_of_other_tools(
    name: str, protocol: str, place: Path, data: st.DataObject
) -> None:
    one = format_named(name)
    ratings = data.draw(judgements(protocol))
    fits = one.writable(ratings)
    assert fits.all() or "<v>" in "".join(ratings.frame["target"].to_list())
    kept = Ratings(ratings.frame.filter(fits))
    if len(kept) == 0:
        return
    write_ratings(kept, place / FILES[name], name)
    again = read_ratings(place / FILES[name], protocol=protocol)
    assert len(again) == len(kept)
    for column in sorted(one.holds & set(kept.frame.columns) - {"spans", "comment"}):
        assert again.frame[column].to_list() == kept.frame[column].to_list(), column
    held = [field for field in ("start", "end", "side", "category", "severity") if field in one.span_holds]
    assert marks_of(again, held) == marks_of(kept, held)


def marks_of(ratings: Ratings, held: list[str]) -> list[list[tuple[Any, ...]]]:
    return [[tuple(mark[field] for field in held) for mark in spans] for spans in ratings.frame["spans"].to_list()]


@pytest.mark.parametrize("name", ["marot", "google-mqm"])
def test_remarks_of_several_lines_and_marks_in_texts_do_not_fit_into_tables_of_errors(name: str) -> None:
    row = {"rater": "a", "system": "s", "segment": "1", "protocol": "mqm", "criterion": "penalty", "source": "x"}
    good = row | {"target": "yes", "spans": [span(0, 1, "Accuracy")]}
    remark = good | {"spans": [span(0, 1, "Accuracy") | {"comment": "a\nb"}]}
    ratings = Ratings.of(pl.DataFrame([good, remark, good | {"target": "y</v>s"}, good | {"source": "a\tb"}]))
    assert format_named(name).writable(ratings).to_list() == [True, False, False, False]
