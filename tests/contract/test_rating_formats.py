"""Laws of every format of ratings: what it says it holds comes back, and what it cannot hold is refused or counted."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from tests.fuzzing.decoding import Decoder

from karat.corpus.ratings import COLUMNS, Ratings, formats, read_ratings, write_ratings
from karat.corpus.ratings.formats.base import RatingsFormat
from karat.corpus.ratings.spans import FIELDS
from karat.errors import InputError

WRITTEN = sorted(name for name, one in formats().items() if one.writes())
FILES = {"mtme-scores": "en-de.x.seg.score", "mtme-ratings": "en-de.x.seg.rating", "numbers": "x.scores"}


def span(start: int | None, end: int | None, side: str = "target", **parts: object) -> dict[str, object]:
    return {"category": "Style/Awkward", "severity": "Major", "score": 5.0, "comment": "odd"} | parts | {
        "start": start, "end": end, "side": side,
    }  # fmt: skip


def rich() -> Ratings:
    """Judgements of many kinds, with every column filled somewhere."""
    time = datetime(2024, 3, 24, 21, 55, 47, 693000, tzinfo=UTC)
    base = {"rater": "anna", "system": "neural", "segment": "1", "document": "d", "domain": "news", "item": "i1"}
    base |= {"language_pair": "en-de", "time": time, "seconds": 2.5, "keystrokes": 7, "comment": "hm"}
    base |= {"source": "Ja אולי 👍", "target": "Yes 👍 maybe", "extra:wave": "2"}
    base |= {"shown": "source+reference", "bilingual": False}
    rows = [
        {**base, "protocol": "da", "criterion": "overall", "value": 71.5},
        {**base, "protocol": "da", "criterion": "z", "value": -0.25},
        {**base, "protocol": "da", "criterion": "overall", "broken": "cut off", "bilingual": True, "shown": "nothing"},
        {**base, "protocol": "da", "criterion": "overall", "value": 3.0, "control": "bad-reference"},
        {**base, "protocol": "da", "criterion": "overall", "value": 3.0, "control": "repeat", "rater": None},
        {**base, "protocol": "da", "criterion": "overall", "value": 60.5, "rater": None, "system": "agg"},
        {**base, "protocol": "da", "criterion": "z", "value": 0.125, "rater": None, "system": "agg"},
        {**base, "protocol": "esa", "criterion": "overall", "value": 88.0,
         "spans": [span(0, 3), span(None, None, "missing")]},
        {**base, "protocol": "esa", "criterion": "overall", "value": 88.0, "spans": [span(0, 2, "source")]},
        {**base, "protocol": "mqm", "criterion": "penalty",
         "spans": [span(4, 5), span(6, 11, score=None, comment=None)]},
        {**base, "protocol": "mqm", "criterion": "penalty", "spans": [], "system": "literal"},
        {**base, "protocol": "mqm", "criterion": "penalty", "spans": [span(3, 3, "missing")], "segment": "2"},
        {**base, "protocol": "mqm", "criterion": "score", "value": -5.1, "rater": None},
        {**base, "protocol": "ranking", "criterion": "overall", "value": 1.0, "other_value": 2.0, "other_system": "x"},
        {**base, "protocol": "ranking", "criterion": "overall", "value": 2.0},
        {**base, "protocol": "preference", "criterion": "fluency", "label": "tie", "system": "human",
         "other_system": "mt"},
        {**base, "protocol": "preference", "criterion": "fluency", "label": "first", "other_system": "mt"},
        {**base, "protocol": "post-edit", "criterion": "hter", "value": 0.25, "post_edit": "Yes"},
        {**base, "protocol": "comprehension", "criterion": "comprehension", "value": 1.0, "question": "q",
         "answer": "b"},
        {**base, "protocol": "catastrophic", "criterion": "catastrophic", "value": 1.0},
        {**base, "protocol": "error-types", "criterion": "penalty",
         "spans": [span(0, 3, category="VERB", comment=None)]},
        {**base, "protocol": "error-types", "criterion": "penalty", "spans": [span(0, 3)]},
        {**base, "protocol": "femti", "criterion": "usability", "label": "good", "segment": None, "document": None},
    ]  # fmt: skip
    names = {name for row in rows for name in row}
    return Ratings.of(pl.DataFrame([{name: row.get(name) for name in names} for row in rows], infer_schema_length=None))


def test_the_ratings_of_this_test_fill_every_column() -> None:
    frame = rich().frame
    assert [column.name for column in COLUMNS if frame[column.name].null_count() == len(frame)] == []


def fitting(ratings: Ratings, one: RatingsFormat) -> Ratings:
    """What fits, repeatedly: leaving some out may make others fit no longer."""
    while not (fits := one.writable(ratings).fill_null(value=False)).all():
        ratings = Ratings(ratings.frame.filter(fits))
    return ratings


def groups() -> list[Ratings]:
    """All ratings, and those of each protocol and criterion alone."""
    ratings = rich()
    kinds = ratings.frame.select("protocol", "criterion").unique(maintain_order=True).rows()
    return [ratings, *(ratings.where(protocol=protocol, criterion=criterion) for protocol, criterion in kinds)]


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_format_holds_comes_back(name: str, tmp_path: Path, decoder: Decoder) -> None:
    one = formats()[name]()
    tried = 0
    for ratings in groups():
        kept = fitting(ratings, one)
        if len(kept) == 0:
            continue
        tried += 1
        path = tmp_path / FILES.get(name, f"x{next(iter(one.suffixes), '')}")
        write_ratings(kept, path, name)
        told = {column: kept.frame[column][0] for column in ("protocol", "criterion", "language_pair", "system")}
        again = decoder.reading(path, partial(read_ratings, format=name, **told))
        assert len(again) == len(kept), name
        key = [column for column in ("protocol", "criterion", "system", "segment") if column in one.holds]
        for column in sorted(one.holds & set(kept.frame.columns) - {"spans"}):
            ours, theirs = (table.frame.sort(key, maintain_order=True) for table in (kept, again))
            here = ours.select(one.partly.get(column, pl.lit(value=True)).fill_null(value=False)).to_series()
            here = here if len(here) == len(ours) else pl.repeat(value=True, n=len(ours), eager=True)
            assert theirs[column].filter(here).to_list() == ours[column].filter(here).to_list(), f"{name}: {column}"
        if "spans" in one.holds:
            assert parts(again, one) == parts(kept, one), name
    assert tried or name.startswith("mlqe"), f"no rating of this test fits into {name}"


def parts(ratings: Ratings, one: RatingsFormat) -> list[list[dict[str, object]] | None]:
    """The spans with those fields that the format holds."""
    return [
        None
        if spans is None
        else [{field: span[field] for field in FIELDS if field in one.span_holds} for span in spans]
        for spans in ratings.frame["spans"].to_list()
    ]


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_format_does_not_hold_is_counted(name: str) -> None:
    one = formats()[name]()
    ratings = rich()
    lost = one.lost(ratings)
    for column in ratings.frame.columns:
        filled = len(ratings) - ratings.frame[column].null_count()
        held = column in one.holds or (column.startswith("extra:") and "extra:" in one.holds)
        if column in one.partly:
            assert lost.get(column, 0) <= filled
        else:
            assert lost.get(column, 0) == (0 if held else filled), column
    if "spans" in one.holds:
        comments = sum(
            span["comment"] is not None for spans in ratings.frame["spans"].to_list() for span in spans or ()
        )
        assert lost.get("spans.comment", 0) == (0 if "comment" in one.span_holds else comments)


@pytest.mark.parametrize("name", sorted(set(WRITTEN) - {"csv", "tsv", "jsonl", "parquet"}))
def test_what_does_not_fit_is_refused_with_a_count(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"of 23 ratings do not fit into .* \(such as: protocol"):
        write_ratings(rich(), tmp_path / "x", name)
