"""Errors weighed: the penalty of each judgement, and which categories and severities it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

import polars as pl

from karat.corpus.ratings import Ratings
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from typing import Any

NO_ERROR = ("no-error", "no_error", "noerror", "none", "neutral", "hotw-test")
"""Severities that cost nothing; the last one marks errors that were planted to see who pays attention."""


@dataclass(frozen=True)
class Weights:
    """What an error costs: by category first (a prefix of it, perhaps only of one severity), else by severity.

    >>> weights = Weights.parse("major=5,minor=1,minor:fluency/punctuation=0.1")
    >>> weights.weight("Minor", "Fluency/Punctuation"), weights.weight("Major", "Accuracy/Omission")
    (0.1, 5.0)
    """

    severities: Mapping[str, float]
    categories: tuple[tuple[str | None, str, float], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Weights:
        """From `severity=number`, `:category=number` or `severity:category=number`, separated by commas; or a name."""
        if text in NAMED_WEIGHTS:
            return NAMED_WEIGHTS[text]
        severities: dict[str, float] = {}
        categories: list[tuple[str | None, str, float]] = []
        for part in text.split(","):
            name, _, number = part.partition("=")
            try:
                weight = float(number)
            except ValueError as error:
                raise InputError(
                    f"weights are {text!r}: write severity=number, severity:category=number or :category=number, "
                    f"separated by commas, or one of {', '.join(NAMED_WEIGHTS)}"
                ) from error
            if not 0 <= weight < inf:
                raise InputError(f"what an error costs is 0 or more, and not {part.strip()!r}")
            severity, colon, category = name.strip().lower().partition(":")
            if colon:
                categories.append((severity or None, category, weight))
            else:
                severities[severity] = weight
        return cls(severities, tuple(categories))

    def with_plain_errors(self) -> Weights:
        """The same where an error without a severity counts 1: for protocols that ask for none."""
        return replace(self, severities={"": 1.0, **self.severities})

    def weight(self, severity: str | None, category: str | None) -> float:
        """The weight of one error; a severity without one is refused."""
        grade, kind = (severity or "").strip().lower(), (category or "").strip().lower()
        if grade in NO_ERROR or kind in NO_ERROR:
            return 0.0
        for only, prefix, weight in self.categories:
            if only in (None, grade) and kind.startswith(prefix):
                return weight
        if grade not in self.severities:
            known = ", ".join(self.severities)
            raise InputError(f"an error has the severity {severity!r}, which has no weight (there is: {known}): add it")
        return self.severities[grade]


NAMED_WEIGHTS: dict[str, Weights] = {
    "wmt": Weights(
        {"critical": 5.0, "major": 5.0, "minor": 1.0},
        ((None, "non-translation", 25.0), ("minor", "fluency/punctuation", 0.1)),
    ),
    "wmt20": Weights(
        {"critical": 5.0, "major": 5.0, "minor": 1.0},
        ((None, "non-translation", 25.0), ("minor", "fluency/punctuation", 0.1), (None, "source error", 0.0)),
    ),
    "plain": Weights({"critical": 10.0, "major": 5.0, "minor": 1.0}),
    "counts": Weights({"critical": 1.0, "major": 1.0, "minor": 1.0}),
}
"""WMT's (Freitag et al. 2021); those of the averages of 2020, which forgive errors of the source; 10, 5 and 1 without
exceptions; and a mere count."""


def has_spans(ratings: Ratings) -> bool:
    """Whether errors were asked for."""
    return not ratings.frame["spans"].is_null().all()


def error_table(ratings: Ratings, weights: Weights) -> pl.DataFrame:
    """One row per error: the row it stands in, system, rater, severity, category and weight."""
    frame = ratings.frame.with_row_index("row").filter(pl.col("spans").list.len() > 0)
    errors = frame.select("row", "system", "rater", "control", "spans").explode("spans").unnest("spans")
    kinds = errors.select("severity", "category").unique()
    weighed = kinds.with_columns(
        pl.Series("weight", [weights.weight(*kind) for kind in kinds.iter_rows()], dtype=pl.Float64)
    )
    return errors.join(weighed, on=["severity", "category"], how="left", nulls_equal=True, maintain_order="left")


def with_penalties(ratings: Ratings, weights: Weights) -> Ratings:
    """The same ratings with the summed weight of the errors as their value; rows without spans are left out."""
    frame = ratings.frame.with_row_index("row").filter(pl.col("spans").is_not_null())
    sums = error_table(ratings, weights).group_by("row").agg(pl.col("weight").sum().alias("penalty"))
    summed = frame.join(sums, on="row", how="left", maintain_order="left").with_columns(
        pl.col("penalty").fill_null(0.0).alias("value"), pl.lit("penalty").alias("criterion")
    )
    return Ratings.of(summed.drop("row", "penalty"), ratings.skipped)


def breakdown(ratings: Ratings, weights: Weights) -> dict[str, list[dict[str, Any]]]:
    """For each system how many errors of which category and severity there are, and what they cost, dearest first."""
    errors = error_table(ratings.where(control=[None, "repeat"]), weights).filter(pl.col("weight").is_not_null())
    grouped = (
        errors.group_by("system", "category", "severity")
        .agg(pl.len().alias("count"), pl.col("weight").sum().alias("penalty"))
        .sort("penalty", "count", "category", "severity", descending=[True, True, False, False])
    )
    errors_of: dict[str, list[dict[str, Any]]] = {system: [] for system in ratings.systems}
    for row in grouped.iter_rows(named=True):
        errors_of[row.pop("system")].append(row)
    return errors_of
