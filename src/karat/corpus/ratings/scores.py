"""Ratings as scores: the mean of what people said about each segment of each system, or about whole documents.

Control items are left out, repeats among them. A ranking's score is the mean rank; comparisons of two systems give the
share of wins, a tie being half of one. Both depend on the opponents, so that they are fair scores only where every
system met every other equally often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from karat.corpus.given_scores import WHOLE, GivenScores, Level, UnitKey
from karat.corpus.ratings.alignment import taken_apart
from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.pairs import comparisons, unequal_meetings
from karat.corpus.ratings.protocols import protocol
from karat.errors import InputError, did_you_mean

GENERIC = ("overall", "penalty", "score", "z")
"""Criteria that say nothing without their protocol."""

_POINTS = {"first": (1.0, 0.0), "second": (0.0, 1.0), "tie": (0.5, 0.5)}


def measure_name(protocol_name: str, criterion: str) -> str:
    """What a criterion is called where it stands beside metrics.

    >>> measure_name("adequacy-fluency", "adequacy"), measure_name("da", "overall"), measure_name("da", "z")
    ('adequacy', 'da', 'da-z')
    """
    if criterion not in GENERIC:
        return criterion
    return protocol_name if criterion == protocol(protocol_name).criterion else f"{protocol_name}-{criterion}"


def rating_scores(by_criterion: Mapping[str, Ratings], file: str) -> tuple[GivenScores, ...]:
    """The scores of each criterion that has values, level by level."""
    by_level = tuple(scores for name, ratings in by_criterion.items() for scores in _by_level(name, ratings, file))
    if not by_level:
        names = ", ".join(by_criterion) or "nothing"
        raise InputError(
            f"{file} has no values that could be compared, only spans, labels or texts ({names}); "
            "ratings are compared by their values"
        )
    return by_level


def unfair_opponents(ratings: Ratings) -> str | None:
    """Why shares of wins, or mean ranks, are no fair scores, where they are not: systems met other opponents."""
    unequal = unequal_meetings(_decided(ratings))
    if unequal is None:
        return None
    score = "share of wins" if ratings.frame["other_system"].null_count() < len(ratings) else "mean rank"
    return f"systems did not meet the same opponents alike ({unequal}), so a system's {score} depends on whom it met"


def chosen_criteria(ratings: Ratings, file: str, criteria: Sequence[str] = ()) -> dict[str, Ratings]:
    """The ratings of each criterion by the name that it has beside metrics, or of those that are asked for."""
    named = _named(ratings)
    for wanted in criteria:
        if not any(wanted in (name, criterion) for name, (_, criterion) in named.items()):
            raise InputError(f"{file} has no ratings of {wanted!r}.{did_you_mean(wanted, named)}")
    return {
        name: Ratings(ratings.frame.filter((pl.col("protocol") == kind[0]) & (pl.col("criterion") == kind[1])))
        for name, kind in named.items()
        if not criteria or name in criteria or kind[1] in criteria
    }


def _named(ratings: Ratings) -> Mapping[str, tuple[str, str]]:
    """Protocol and criterion by a name that is theirs alone."""
    kinds = ratings.frame.select("protocol", "criterion").unique(maintain_order=True).rows()
    names = [measure_name(*kind) for kind in kinds]
    return {
        name if names.count(name) == 1 else f"{kind[0]}-{kind[1]}": kind
        for name, kind in zip(names, kinds, strict=True)
    }


def _by_level(name: str, ratings: Ratings, file: str) -> list[GivenScores]:
    """The scores of one criterion: of segments, of whole documents, of whole systems."""
    compared = ratings.frame["other_system"].null_count() < len(ratings)
    kind = ratings.frame.row(0, named=True)
    higher = compared or protocol(kind["protocol"]).scale(kind["criterion"]).higher_is_better
    values = _wins(ratings) if compared else _values(ratings)
    known = values.drop_nulls(["system", "value"])
    by_level = []
    for level, of_level in LEVEL_OF_ROW.items():
        part = known.filter(of_level)
        if len(part):
            scores = GivenScores(f"{name}-wins" if compared else name, level, file, higher, _means(part, level))
            by_level.append(scores)
    return by_level


LEVEL_OF_ROW: dict[Level, pl.Expr] = {
    "segment": pl.col("segment").is_not_null(),
    "document": pl.col("segment").is_null() & pl.col("document").is_not_null(),
    "system": pl.col("segment").is_null() & pl.col("document").is_null(),
}


def _means(values: pl.DataFrame, level: Level) -> dict[str, dict[UnitKey, float | None]]:
    """The mean of each system and unit; what a system was not judged on is missing."""
    means = values.group_by("system", "document", "segment", maintain_order=True).agg(pl.col("value").mean())
    keys = list(dict.fromkeys(_key(level, *row) for row in means.select("document", "segment").iter_rows()))
    systems: dict[str, dict[UnitKey, float | None]] = {}
    for system, document, segment, value in means.iter_rows():
        systems.setdefault(system, dict.fromkeys(keys))[_key(level, document, segment)] = value
    return systems


def _key(level: Level, document: str | None, segment: str | None) -> UnitKey:
    if level == "segment":
        return document, segment or ""
    return WHOLE if level == "system" else (None, document or "")


def _values(ratings: Ratings) -> pl.DataFrame:
    """System, unit and value of each judgement."""
    return ratings.frame.select("system", "document", "segment", "value")


def _wins(ratings: Ratings) -> pl.DataFrame:
    """Two rows per comparison, with what each system wins."""
    pairs = _decided(ratings)
    return pl.concat(
        pairs.select(
            pl.col(side).alias("system"),
            "document",
            "segment",
            pl.col("outcome")
            .replace_strict({outcome: points[place] for outcome, points in _POINTS.items()}, return_dtype=pl.Float64)
            .alias("value"),
        )
        for place, side in enumerate(("first", "second"))
    )


def _decided(ratings: Ratings) -> pl.DataFrame:
    """The comparisons that have an outcome, systems that share an output each by itself."""
    return comparisons(taken_apart(ratings)).filter(pl.col("outcome").is_in(list(_POINTS)))
