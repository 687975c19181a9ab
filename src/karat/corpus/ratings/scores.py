"""Ratings as segment scores: the mean of what people said about each segment of each system.

Control items are left out, repeats among them. A ranking's score is the mean rank; comparisons of two systems give the
share of wins, a tie being half of one.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from karat.corpus.outside import Key, OutsideScores
from karat.corpus.ratings.alignment import aligned, taken_apart
from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.pairs import comparisons
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


def segment_scores(ratings: Ratings, file: str, criteria: Sequence[str] = ()) -> tuple[OutsideScores, ...]:
    """The segment scores by criterion, in order of first appearance; `criteria` chooses some of them."""
    ordinary = Ratings(aligned(ratings.frame)).ordinary.frame
    kinds = ordinary.select("protocol", "criterion").unique(maintain_order=True).rows()
    names = [measure_name(*kind) for kind in kinds]
    named = {
        name if names.count(name) == 1 else f"{kind[0]}-{kind[1]}": kind
        for name, kind in zip(names, kinds, strict=True)
    }
    for wanted in criteria:
        if not any(wanted in (name, kind[1]) for name, kind in named.items()):
            raise InputError(f"{file} has no ratings of {wanted!r}.{did_you_mean(wanted, named)}")
    found = []
    for name, (of_protocol, criterion) in named.items():
        if criteria and name not in criteria and criterion not in criteria:
            continue
        mine = Ratings(ordinary.filter((pl.col("protocol") == of_protocol) & (pl.col("criterion") == criterion)))
        compared = mine.frame["other_system"].null_count() < len(mine)
        values = _wins(mine) if compared else _values(mine)
        higher = compared or protocol(of_protocol).scale(criterion).higher_is_better
        found.append(_scores(f"{name}-wins" if compared else name, file, values, higher_is_better=higher))
    return tuple(one for one in found if one is not None) or _refuse(file, list(named))


def _refuse(file: str, names: list[str]) -> tuple[OutsideScores, ...]:
    raise InputError(
        f"{file} has no values that could be compared, only spans, labels or texts ({', '.join(names) or 'nothing'}); "
        "ratings are compared by their values"
    )


def _values(ratings: Ratings) -> pl.DataFrame:
    """System, unit and value of each judgement."""
    return ratings.frame.select("system", *_unit(), "value")


def _wins(ratings: Ratings) -> pl.DataFrame:
    """Two rows per comparison, with what each system wins."""
    pairs = comparisons(taken_apart(ratings)).filter(pl.col("outcome").is_in(list(_POINTS)))
    return pl.concat(
        pairs.select(
            pl.col(side).alias("system"),
            *_unit(),
            pl.col("outcome")
            .replace_strict({outcome: points[place] for outcome, points in _POINTS.items()}, return_dtype=pl.Float64)
            .alias("value"),
        )
        for place, side in enumerate(("first", "second"))
    )


def _unit() -> tuple[pl.Expr, pl.Expr]:
    """Document and segment; a whole document is its own segment."""
    return pl.col("document"), pl.coalesce("segment", "document").alias("segment")


def _scores(name: str, file: str, values: pl.DataFrame, *, higher_is_better: bool) -> OutsideScores | None:
    """The mean of each system and segment; what a system was not judged on is missing."""
    known = values.drop_nulls(["system", "segment", "value"])
    if known.is_empty():
        return None
    means = known.group_by("system", "document", "segment", maintain_order=True).agg(pl.col("value").mean())
    keys: list[Key] = list(dict.fromkeys(means.select("document", "segment").iter_rows()))
    scores = OutsideScores(name, file, higher_is_better)
    by_system: dict[str, dict[Key, float | None]] = scores.systems
    for system, document, segment, value in means.iter_rows():
        by_system.setdefault(system, dict.fromkeys(keys))[document, segment] = value
    return scores
