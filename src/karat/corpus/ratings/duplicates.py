"""Judgements that one rater gave twice without a mark: averaged, so that a rater counts once for an item."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from karat.corpus.diagnostics import Diagnostic
from karat.corpus.ratings.model import Ratings

GROUP = ("row", "rater", "language_pair", "protocol", "criterion", "question", "system", "document", "segment")


def without_duplicates(ratings: Ratings) -> tuple[Ratings, Diagnostic | None]:
    """The ratings with one value per rater and item, the mean where there were several; and what is to be said of it.

    Control items, repeats among them, stay as they are, and so do comparisons and rows without a rater or a value.

    >>> ratings = Ratings.of({"rater": ["r", "r", "s"], "system": ["a"] * 3, "segment": ["1"] * 3,
    ...     "protocol": ["da"] * 3, "criterion": ["overall"] * 3, "value": [60, 70, 90]})
    >>> merged, note = without_duplicates(ratings)
    >>> merged.frame["value"].to_list(), note.code
    ([65.0, 90.0], 'duplicate-judgements')
    """
    counted = _counted(ratings)
    repeated = counted.filter((pl.col("times") > 1) & (pl.col("turn") == 0))
    if repeated.is_empty():
        return ratings, None
    averaged = counted.with_columns(pl.col("value").mean().over(GROUP)).filter(pl.col("turn") == 0)
    merged = replace(ratings, frame=averaged.drop("row", "times", "turn"))
    return merged, _note(repeated, len(ratings) - len(merged))


def first_judgements(ratings: Ratings) -> Ratings:
    """The ratings without a rater's later judgements of the same item: answers as they were given, one for each."""
    return replace(ratings, frame=_counted(ratings).filter(pl.col("turn") == 0).drop("row", "times", "turn"))


def _counted(ratings: Ratings) -> pl.DataFrame:
    """The rows with how often the rater judged the item, and which turn this is."""
    single = pl.col("control").is_null() & pl.col("other_system").is_null() & (pl.col("protocol") != "ranking")
    countable = single & pl.col("rater").is_not_null() & pl.col("value").is_not_null()
    # A row that is not countable is a group of its own.
    group = pl.when(countable).then(pl.lit(-1)).otherwise(pl.int_range(pl.len())).alias("row")
    times, turn = pl.len().over(GROUP).alias("times"), pl.int_range(pl.len()).over(GROUP).alias("turn")
    return ratings.frame.with_columns(group).with_columns(times, turn)


def _note(repeated: pl.DataFrame, spare: int) -> Diagnostic:
    first = repeated.row(0, named=True)
    known = [f"{name} {first[name]}" for name in ("document", "segment") if first[name] is not None]
    place = ", ".join([f"system {first['system']}", *known])
    items = "1 item was" if len(repeated) == 1 else f"{len(repeated):,} items were"
    rows = "1 row" if spare == 1 else f"{spare:,} rows"
    return Diagnostic(
        "duplicate-judgements",
        f"{items} judged more than once by one rater without being marked as repeats ({rows} too many), such as "
        f"{place}, by {first['rater']}: the mean of a rater's values counts",
    )
