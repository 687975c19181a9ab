"""The spans that raters marked, output by output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from karat.human.agreement.base import MarkedSpan

if TYPE_CHECKING:
    from karat.corpus.ratings import Ratings


def spans_by_output(ratings: Ratings) -> list[list[list[MarkedSpan]]]:
    """For each output that was judged: the spans in the translation that each of its raters marked.

    A rater's first judgement of an output counts; errors that mark no place in it are left out.
    """
    frame = ratings.frame.filter(pl.col("spans").is_not_null())
    keys = ["system", "document", "segment"]
    first = frame.unique(subset=[*keys, "rater"], keep="first", maintain_order=True)
    several = first.filter(pl.len().over(keys) > 1)
    grouped = several.group_by(keys, maintain_order=True).agg("spans")
    return [[_spans(spans) for spans in raters] for raters in grouped["spans"].to_list()]


def _spans(spans: list[dict[str, object]]) -> list[MarkedSpan]:
    return [
        MarkedSpan(int(str(span["start"])), int(str(span["end"])), str(span["severity"] or "minor"))
        for span in spans
        if span["side"] == "target" and span["start"] is not None and span["end"] is not None
    ]
