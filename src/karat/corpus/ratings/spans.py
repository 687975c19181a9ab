"""Error spans as JSON, and as marks in a text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from karat.arguments import LARGEST_SCORE, within_reach
from karat.corpus.jsontext import JsonError, parse_json
from karat.corpus.ratings.schema import SPAN

Span = dict[str, Any]

FIELDS = ("start", "end", "side", "category", "severity", "score", "comment")


_LONGEST_TEXT = 1 << 40


class SpanError(ValueError):
    """Text that is no list of spans; the message says why."""


def spans_from_json(text: str, make: Callable[[Mapping[str, Any]], Span] | None = None) -> list[Span]:
    """The spans in a JSON list of objects; `make` turns an object of another format into a span."""
    try:
        values = parse_json(text)
    except JsonError as error:
        raise SpanError(str(error)) from error
    return checked_spans(values, make or own_span)


def checked_spans(values: Any, make: Callable[[Mapping[str, Any]], Span]) -> list[Span]:
    """The spans in a list of objects."""
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise SpanError("spans must be a list of objects")
    return [make(value) for value in values]


def own_span(value: Mapping[str, Any]) -> Span:
    """A span as karat writes it; the side is the target's unless it says otherwise."""
    if unknown := [name for name in value if name not in FIELDS]:
        raise SpanError(f"a span has {unknown[0]!r}; it may have {', '.join(FIELDS)}")
    start, end = (whole_or_none(value.get(name), name) for name in ("start", "end"))
    score = score_or_none(value.get("score"))
    side = value.get("side") or ("missing" if start is None else "target")
    texts = {name: text_or_none(value.get(name), name) for name in ("category", "severity", "comment")}
    return {"start": start, "end": end, "side": side, "score": score, **texts}


def whole_or_none(value: Any, name: str) -> int | None:
    """A whole number that a column can hold, or nothing."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LONGEST_TEXT):
        return value
    raise SpanError(f"a span's {name} is {value!r}, not a whole number")


def score_or_none(value: Any) -> float | None:
    """A number that can be reckoned with, or nothing."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and within_reach(value)):
        return value
    raise SpanError(f"a span's score is {value!r}, not a number up to {LARGEST_SCORE:g}")


def text_or_none(value: Any, name: str) -> str | None:
    """Text, or nothing."""
    if value is None or isinstance(value, str):
        return value
    raise SpanError(f"a span's {name} is {value!r}, not text")


def span_series(rows: Sequence[Sequence[Mapping[str, Any]] | None]) -> pl.Series:
    """The spans of all rows as a column, made field by field: polars is slow at lists of lists of objects."""
    flat = {name: [span[name] for spans in rows if spans for span in spans] for name in FIELDS}
    index = [row for row, spans in enumerate(rows) for _ in spans or ()]
    schema = {"row": pl.Int64, **{field.name: field.dtype for field in SPAN.fields}}
    marked = pl.DataFrame({"row": index, **flat}, schema=schema, strict=False)
    lists = marked.group_by("row", maintain_order=True).agg(pl.struct(FIELDS).alias("spans"))
    asked = pl.DataFrame(
        {"row": range(len(rows)), "asked": [spans is not None for spans in rows]}, schema_overrides={"row": pl.Int64}
    )
    none = pl.lit(pl.Series([[]], dtype=pl.List(SPAN)))
    joined = asked.join(lists, on="row", how="left").sort("row")
    spans = pl.when(pl.col("spans").is_null() & pl.col("asked")).then(none).otherwise(pl.col("spans"))
    return joined.select(spans.alias("spans")).to_series()


def marks(side: str) -> pl.Expr:
    """Whether a judgement has a span with a place on that side."""
    span = pl.element().struct
    placed = pl.col("spans").list.eval((span.field("side") == side) & span.field("start").is_not_null())
    return placed.list.any().fill_null(value=False)


def spans_to_json(spans: Iterable[Mapping[str, Any]]) -> str:
    """A JSON list with the fields that have a value."""
    return json.dumps(
        [{name: span[name] for name in FIELDS if span[name] is not None} for span in spans], ensure_ascii=False
    )
