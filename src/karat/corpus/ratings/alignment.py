"""Names of segments and systems that mean the same in every row, where a file's own names do not."""

from __future__ import annotations

import polars as pl

from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.pairs import KEYS

TASK_COLUMN = "extra:kind"
"""The column by which ratings that come from Appraise are known."""
JOINED = "+"
"""What stands between the names of systems whose identical outputs were judged once."""


def aligned(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with names of segments that mean the same for every system.

    Appraise writes the system into the name of a document (``doc#system``) and numbers items by their place in a task.
    What stands before the mark is the document, and the order of its items within a task is that of its segments.
    """
    if TASK_COLUMN not in frame.columns or not frame["document"].str.contains("#", literal=True).any():
        return frame
    place = pl.col("segment").cast(pl.Int64, strict=False).rank("dense").over("rater", "document")
    return frame.with_columns(
        pl.coalesce(place.cast(pl.Int64).cast(pl.String), "segment").alias("segment"),
        pl.col("document").str.split("#").list.first(),
    )


def segment_names(frame: pl.DataFrame) -> pl.Expr:
    """The segment of each row, named with its document where names alone are not unique."""
    named = frame.filter(pl.col("segment").is_not_null())
    several = named.group_by("segment").agg(pl.col("document").n_unique().alias("n")).filter(pl.col("n") > 1)
    if several.is_empty():
        return pl.col("segment")
    return pl.concat_str([pl.col("document").fill_null(""), pl.col("segment")], separator="/")


def taken_apart(ratings: Ratings) -> Ratings:
    """Rankings in which systems that share an output (``a+b``) stand by themselves, each with the rank of the output.

    They tie with each other. Where no output is shared the ratings stay as they are.

    >>> ratings = Ratings.of({"rater": ["r"], "system": ["a+b"], "other_system": ["c"], "segment": ["1"],
    ...     "protocol": ["ranking"], "criterion": ["overall"], "value": [1], "other_value": [2]})
    >>> taken_apart(ratings).frame.select("system", "value").rows()
    [('a', 1.0), ('b', 1.0), ('c', 2.0)]
    """
    frame = ratings.frame.filter(pl.col("protocol") == "ranking")
    sides = ("system", "other_system")
    if not any(frame[side].str.contains(JOINED, literal=True).any() for side in sides):
        return ratings
    first = frame.select(*KEYS, "system", "value")
    second = frame.select(*KEYS, pl.col("other_system").alias("system"), pl.col("other_value").alias("value"))
    every = pl.concat([first, second]).filter(pl.col("system").is_not_null())
    single = every.with_columns(pl.col("system").str.split(JOINED)).explode("system")
    ranked = single.unique(subset=[*KEYS, "system"], maintain_order=True)
    return Ratings.of(ranked.with_columns(pl.lit("ranking").alias("protocol")))
