"""Comparisons of two systems, from preferences and from rankings alike."""

from __future__ import annotations

import polars as pl

from karat.corpus.ratings.model import Ratings

KEYS = ("rater", "segment", "document", "domain", "language_pair", "criterion", "item", "control")


def comparisons(ratings: Ratings) -> pl.DataFrame:
    """One row per pair of systems that a rater compared: `KEYS`, ``first``, ``second`` and ``outcome``.

    The outcome is first, second or tie. Preferences and WMT's pairs come as they are, in their order. A ranking of N
    systems gives all pairs of its rows (those that share all keys), the earlier row first. Other protocols give none.

    >>> ratings = Ratings.of({"rater": ["r"] * 3, "system": ["a", "b", "c"], "segment": ["1"] * 3, "item": ["i"] * 3,
    ...     "protocol": ["ranking"] * 3, "criterion": ["overall"] * 3, "value": [1, 2, 2]})
    >>> comparisons(ratings).select("first", "second", "outcome").rows()
    [('a', 'b', 'first'), ('a', 'c', 'first'), ('b', 'c', 'tie')]
    """
    frame = ratings.frame.with_row_index("row").filter(pl.col("protocol").is_in(["ranking", "preference"]))
    paired = frame.filter(pl.col("other_system").is_not_null()).select(
        "row",
        pl.lit(0, pl.UInt32).alias("second_row"),
        *KEYS,
        pl.col("system").alias("first"),
        pl.col("other_system").alias("second"),
        pl.coalesce("label", _outcome("value", "other_value")).alias("outcome"),
    )
    return pl.concat([paired, _from_rankings(frame)]).sort("row", "second_row").drop("row", "second_row")


def _from_rankings(frame: pl.DataFrame) -> pl.DataFrame:
    ranked = frame.filter((pl.col("protocol") == "ranking") & pl.col("other_system").is_null())
    firsts = ranked.select("row", *KEYS, "value", pl.col("system").alias("first"))
    seconds = ranked.select(
        *KEYS, pl.col("row").alias("second_row"), pl.col("value").alias("other"), pl.col("system").alias("second")
    )
    pairs = firsts.join(seconds, on=list(KEYS), how="inner", nulls_equal=True).filter(
        pl.col("row") < pl.col("second_row")
    )
    return pairs.select("row", "second_row", *KEYS, "first", "second", _outcome("value", "other").alias("outcome"))


def _outcome(value: str, other: str) -> pl.Expr:
    """Who wins by rank: the lower one."""
    first, second = pl.col(value), pl.col(other)
    wins = pl.when(first < second).then(pl.lit("first")).when(first > second).then(pl.lit("second"))
    return wins.when(first == second).then(pl.lit("tie"))
