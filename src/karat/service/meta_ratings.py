"""Single judgements of people as one score per system and segment."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from karat.corpus.ratings import Ratings, read_ratings
from karat.corpus.score_tables import ScoreTable
from karat.errors import InputError, did_you_mean


def rating_tables(path: str, criterion: str | None = None) -> list[ScoreTable]:
    """The mean over raters of what they said of each segment of each system; control items do not count."""
    ratings = read_ratings(path).ordinary
    chosen = chosen_criterion(ratings, criterion, path)
    kept = ratings.where(criterion=chosen) if chosen else ratings
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in kept.frame.select("system", "segment", "document", "value", "spans", "other_system").iter_rows(
        named=True
    ):
        if row["other_system"] is not None:
            raise InputError(f"{path} compares systems with each other: rank them with karat human, or give scores")
        unit = row["segment"] if row["segment"] is not None else row["document"] or ""
        values[row["system"]][unit].append(_value(row, path))
    level = "segment" if kept.frame["segment"].null_count() < len(kept.frame) else "document"
    if level == "document" and kept.frame["document"].null_count() == len(kept.frame):
        level = "system"
    means: dict[str, dict[str, float | None]] = {
        system: {unit: sum(of) / len(of) for unit, of in units.items()} for system, units in values.items()
    }
    return [ScoreTable(chosen or "rating", level, path, means)]  # type: ignore[arg-type]


def chosen_criterion(ratings: Ratings, criterion: str | None, path: str) -> str | None:
    """The criterion asked for; where there are several and none is named, overall or adequacy or the first."""
    there = ratings.criteria
    if criterion is not None and criterion not in there:
        raise InputError(f"{path} has no judgements of {criterion!r}.{did_you_mean(criterion, there)}")
    usual = [name for name in ("overall", "adequacy") if name in there]
    return criterion or next(iter([*usual, *there]), None)


def _value(row: dict[str, Any], path: str) -> float:
    """The number that was given, or what the marked errors cost."""
    if row["value"] is not None:
        return float(row["value"])
    spans = row["spans"]
    if spans is None or any(span["score"] is None for span in spans):
        raise InputError(
            f"{path}: a judgement of {row['system']} has no number and no error that costs any: give scores, which "
            "karat human makes of marked errors"
        )
    return -float(sum(span["score"] for span in spans))
