"""Comparisons of two systems, from preferences and from rankings alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from karat.corpus.ratings.model import Ratings

KEYS = ("rater", "segment", "document", "domain", "language_pair", "criterion", "item", "control")
UNIT = ("document", "segment")


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


def unequal_meetings(pairs: pl.DataFrame) -> str | None:
    """Whether systems met unequally: the first system that met one more often than another on one unit, in words.

    >>> columns = {"document": [None, None], "segment": ["1", "1"], "first": ["a", "c"], "second": ["b", "b"]}
    >>> unequal_meetings(pl.DataFrame(columns, schema_overrides={"document": pl.String}))
    'on segment 1, a met b once and c never'
    """
    met = pairs.filter(pl.col("first") != pl.col("second"))
    systems = list(dict.fromkeys(name for row in met.select("first", "second").iter_rows() for name in row))
    both = [pl.min_horizontal("first", "second").alias("one"), pl.max_horizontal("first", "second").alias("other")]
    counts = met.group_by(*UNIT, *both, maintain_order=True).len("times")
    units = counts.group_by(*UNIT, maintain_order=True).agg(
        ((pl.len() < len(systems) * (len(systems) - 1) // 2) | (pl.col("times").n_unique() > 1)).alias("unequal"),
        pl.struct("one", "other", "times"),
    )
    for document, segment, _, meetings in units.filter("unequal").head(1).iter_rows():
        times = {frozenset((meeting["one"], meeting["other"])): meeting["times"] for meeting in meetings}
        place = " of ".join(f"{kind} {name}" for kind, name in (("segment", segment), ("document", document)) if name)
        return f"on {place or 'the whole'}, {_unequal(systems, times)}"
    return None


def _unequal(systems: Sequence[str], times: Mapping[frozenset[str], int]) -> str:
    """The system that met one opponent more often than another by the most, and how often it met both."""
    met = {
        system: {name: times.get(frozenset((system, name)), 0) for name in systems if name != system}
        for system in systems
    }
    system = max(systems, key=lambda name: max(met[name].values()) - min(met[name].values()))
    opponents = sorted(met[system], key=lambda name: -met[system][name])
    most, least = opponents[0], opponents[-1]
    return f"{system} met {most} {_often(met[system][most])} and {least} {_often(met[system][least])}"


def _often(times: int) -> str:
    return {0: "never", 1: "once"}.get(times, f"{times} times")
