"""Single judgements of people as one score per system and segment."""

from __future__ import annotations

from collections import defaultdict

import polars as pl

from karat.corpus.ratings import Ratings, aligned, read_ratings, segment_names
from karat.corpus.score_tables import Level, ScoreTable
from karat.errors import InputError, did_you_mean
from karat.human.mqm import NAMED_WEIGHTS, has_spans, with_penalties

MQM_WEIGHTS = "wmt"


def rating_tables(path: str, criterion: str | None = None) -> list[ScoreTable]:
    """The mean over raters of what they said of each segment of each system; control items do not count.

    Segments whose names recur in other documents are named with their document.

    Errors that were marked, where nobody gave a number, cost what WMT's weights say.
    """
    ratings = Ratings(aligned(read_ratings(path).frame)).ordinary
    chosen = chosen_criterion(ratings, criterion, path)
    kept = ratings.where(criterion=chosen) if chosen else ratings
    if kept.frame["other_system"].null_count() < len(kept):
        raise InputError(f"{path} compares systems with each other: rank them with karat human, or give scores")
    sign = 1.0
    if kept.frame["value"].null_count() == len(kept) and has_spans(kept):
        kept, sign = with_penalties(kept, NAMED_WEIGHTS[MQM_WEIGHTS]), -1.0
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    unit = pl.coalesce(segment_names(kept.frame), "document", pl.lit(""))
    for system, name, value in kept.frame.select("system", unit.alias("unit"), "value").iter_rows():
        if value is not None:
            values[system][name].append(sign * value)
    if not values:
        raise InputError(f"{path} has no number to compare metrics with: give ratings with a column value")
    means: dict[str, dict[str, float | None]] = {
        system: {unit: sum(of) / len(of) for unit, of in units.items()} for system, units in values.items()
    }
    return [ScoreTable(chosen or "rating", _level(kept), path, means)]


def _level(ratings: Ratings) -> Level:
    """What was judged: segments, documents, or whole systems."""
    for level in ("segment", "document"):
        if ratings.frame[level].null_count() < len(ratings):
            return level
    return "system"


def chosen_criterion(ratings: Ratings, criterion: str | None, path: str) -> str | None:
    """The criterion asked for; where there are several and none is named, overall or adequacy or the first."""
    there = ratings.criteria
    if criterion is not None and criterion not in there:
        raise InputError(f"{path} has no judgements of {criterion!r}.{did_you_mean(criterion, there)}")
    usual = [name for name in ("overall", "adequacy") if name in there]
    return criterion or next(iter([*usual, *there]), None)
