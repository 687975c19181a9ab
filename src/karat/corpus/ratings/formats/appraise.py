"""Appraise's export of scores: CSV without header, a row per judgement.

The columns are rater, system, item, kind (TGT, BAD, REF, CHK, REP), source and target language, score, document,
whether a whole document was judged, and times; between them, in newer exports, the error spans as JSON. A document's
name ends in ``#SYSTEM`` and perhaps ``#badN`` or ``#duplicateN``. In Appraise ``end_i`` is the last character of a
span; here `end` is the one after it. Offsets are those of the file, which has no texts to check them by. A span
without place is "missing".

A tutorial stands in the column of systems under a name of its own, such as ``ende-tutorial1``: its items are control
items. A row that ends when it starts was not timed, and has no seconds.

Rows with spans are ESA, or MQM where any span has a category; MQM's score is always 0 and is not read. Other rows are
direct assessments, unless the caller names the protocol. Written files are byte for byte those that were read, but
for lines that ended in ``\\r\\n``.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from io import StringIO
from typing import Any

import polars as pl

from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.model import BadRow, Ratings
from karat.corpus.ratings.schema import EXTRA
from karat.corpus.ratings.spans import (
    FIELDS,
    Span,
    SpanError,
    marks,
    span_series,
    spans_from_json,
    text_or_none,
    whole_or_none,
)
from karat.corpus.ratings.tables import LINE, frame_of, language_pair, quoted_rows

_PLAIN = ("rater", "system", "segment", "kind", "from", "to", "value", "document", "whole", "start", "end")
_SPANS = (*_PLAIN[:9], "spans", *_PLAIN[9:])
_KINDS = {"TGT": None, "BAD": "bad-reference", "REF": "reference", "CHK": "repeat", "REP": "repeat"}
_TUTORIAL = r"(?i)\btutorial\d*$"
_EXTRAS = ("kind", "whole", "spans", "score")
MISSING = "missing"


@register_format
class AppraiseCsv(RatingsFormat):
    """Reads and writes exports of scores."""

    name = "appraise"
    description = "Appraise's export of scores: CSV without header"
    suffixes = (".csv",)
    priority = 4
    span_holds = frozenset(FIELDS) - {"score", "comment"}
    holds = frozenset(
        {"rater", "system", "segment", "document", "language_pair", "value", "spans", "control", "time", "seconds"}
        | {"protocol", "criterion"}
        | {EXTRA + name for name in _EXTRAS}
    )

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the fourth and the ninth cell of the first row."""
        row = _first_row(file)
        return len(row) in (len(_PLAIN), len(_SPANS)) and row[3] in _KINDS and row[8] in ("True", "False")

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per judgement."""
        columns = _PLAIN if len(_first_row(file)) == len(_PLAIN) else _SPANS
        frame, bad = frame_of(file, columns, quoted_rows(file))
        checker = Checker(file.name, frame, bad)
        checker.one_of("kind", _KINDS)
        for name in ("value", "start", "end"):
            checker.number(name)
        checker.refuse(pl.col("end") < pl.col("start"), "end", "{} is before the start")
        for name in ("rater", "system", "segment"):
            checker.name(name)
            checker.required(name, "every row must name it")
        protocol = options.protocol or _protocol(checker.frame)
        _judgements(checker, protocol)
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Judgements with a value, or with spans, whose time is known."""
        tutorial = (pl.col("control") == "tutorial") & pl.col("system").str.contains(_TUTORIAL)
        known = pl.col("control").is_null() | pl.col("control").is_in([kind for kind in _KINDS.values() if kind])
        known |= tutorial.fill_null(value=False)
        answer = pl.col("value").is_not_null() | pl.col("spans").is_not_null()
        named = pl.col("rater").is_not_null() & pl.col("system").is_not_null() & pl.col("segment").is_not_null()
        scale = pl.col("protocol").is_in(["da", "da-sqm", "sqm", "esa", "mqm"]) & (pl.col("criterion") != "z")
        placed = ~marks("source") & ~marks("missing") & (pl.col("protocol") == pl.col("protocol").first())
        return ratings.frame.select(known & answer & named & scale & placed).to_series()

    def lost(self, ratings: Ratings) -> dict[str, int]:
        """Comments on spans are lost, but not the mark of spans without the field error_type."""
        comments = pl.col("spans").list.eval(pl.element().struct.field("comment") == UNTYPED).list.sum()
        kept = int(ratings.frame.select(comments.sum()).item())
        counts = super().lost(ratings)
        counts["spans.comment"] = counts.get("spans.comment", 0) - kept
        return {name: count for name, count in counts.items() if count}

    def write(self, ratings: Ratings) -> bytes:
        """The columns of newer exports where there are spans, else those of older ones."""
        with_spans = ratings.frame["spans"].null_count() < len(ratings)
        out = StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows(_cells(row, with_spans=with_spans) for row in ratings.frame.iter_rows(named=True))
        return out.getvalue().encode()


def _first_row(file: LoadedFile) -> list[str]:
    try:
        return next(csv.reader(file.head[:1]), [])
    except csv.Error:
        return []


def _protocol(frame: pl.DataFrame) -> str:
    if "spans" not in frame.columns:
        return "da"
    return "mqm" if frame["spans"].str.contains('"error_type":["\\[]').any() else "esa"


def _judgements(checker: Checker, protocol: str) -> None:
    """Turn the columns of Appraise into those of ratings."""
    seconds = pl.col("end") - pl.col("start")
    control = pl.col("kind").replace_strict(_KINDS, default=None, return_dtype=pl.String)
    tutorial = pl.when(pl.col("system").str.contains(_TUTORIAL)).then(pl.lit("tutorial"))
    kept = [pl.col(name).alias(EXTRA + name) for name in ("kind", "whole")]
    if "spans" in checker.frame.columns:
        _parse_spans(checker)
    if protocol == "mqm":
        kept.append(pl.col("value").cast(pl.String).str.strip_suffix(".0").alias(f"{EXTRA}score"))
    value = pl.lit(None, pl.Float64).alias("value") if protocol == "mqm" else pl.col("value")
    checker.frame = checker.frame.with_columns(
        *kept,
        value,
        pl.coalesce(control, tutorial).alias("control"),
        language_pair("from", "to"),
        pl.col("end").alias("time"),
        pl.when(seconds > 0).then(seconds.round(6)).alias("seconds"),
        pl.lit(protocol).alias("protocol"),
        pl.lit("penalty" if protocol == "mqm" else "overall").alias("criterion"),
    ).drop("kind", "whole", "from", "to", "start", "end")
    checker.timestamp("time")


def _parse_spans(checker: Checker) -> None:
    """Spans from JSON; an object without category is remembered, so that it can be written again."""
    spans: list[list[Span] | None] = []
    for line, text in checker.frame.select(LINE, "spans").iter_rows():
        try:
            spans.append(spans_from_json(text, _span))
        except SpanError as error:
            checker.bad.append(BadRow(checker.file, line, "spans", str(error)))
            spans.append(None)
    checker.frame = checker.frame.with_columns(span_series(spans))


def _span(value: Mapping[str, Any]) -> Span:
    start, end = value.get("start_i"), value.get("end_i")
    nowhere = start == MISSING or end == MISSING
    if not nowhere and not (isinstance(start, int) and isinstance(end, int)):
        raise SpanError(f"a span has start_i {start!r} and end_i {end!r}, which are neither numbers nor {MISSING!r}")
    if not nowhere:
        start, end = whole_or_none(start, "start_i"), whole_or_none(end, "end_i")
    kind = value.get("error_type")
    kinds = [text_or_none(part, "error_type") or "" for part in (kind if isinstance(kind, list) else [kind])]
    category = None if kind is None else "/".join(kinds)
    return {
        "start": None if nowhere else start,
        "end": None if nowhere else end + 1,  # type: ignore[operator]
        "side": "missing" if nowhere else "target",
        "category": category,
        "severity": value.get("severity"),
        "score": None,
        "comment": None if "error_type" in value else UNTYPED,
    }


UNTYPED = "no error_type"
"""The comment of a span that the file has no field error_type for, not even an empty one."""


def _cells(row: dict[str, Any], *, with_spans: bool) -> list[str]:
    source, _, target = (row["language_pair"] or "").partition("-")
    kinds = {control: kind for kind, control in reversed(list(_KINDS.items()))} | {"tutorial": "TGT"}
    score = row.get(f"{EXTRA}score") or ("0" if row["value"] is None else f"{row['value']:g}")
    end = 0 if row["time"] is None else round(row["time"].timestamp() * 1e6)
    start = end - round((row["seconds"] or 0) * 1e6)
    spans = [_json(row["spans"] or [])] if with_spans else []
    return [
        row["rater"],
        row["system"],
        row["segment"],
        row.get(f"{EXTRA}kind") or kinds[row["control"]],
        source,
        target,
        score,
        row["document"] or "",
        row.get(f"{EXTRA}whole") or "False",
        *spans,
        repr(start / 1e6),
        repr(end / 1e6),
    ]


def _json(spans: list[dict[str, Any]]) -> str:
    return json.dumps([_object(span) for span in spans], separators=(",", ":"), ensure_ascii=False)


def _object(span: dict[str, Any]) -> dict[str, Any]:
    place = {
        "start_i": MISSING if span["start"] is None else span["start"],
        "end_i": MISSING if span["end"] is None else span["end"] - 1,
        "severity": span["severity"],
    }
    if span["comment"] == UNTYPED:
        return place
    return {**place, "error_type": span["category"].split("/") if span["category"] else None}
