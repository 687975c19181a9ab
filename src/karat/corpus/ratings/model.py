"""Ratings: the one table that every judgement of people ends up in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from karat.corpus.language_codes import chosen_pair
from karat.corpus.ratings.schema import EXTRA, NAMES, SCHEMA
from karat.errors import InputError, did_you_mean
from karat.quick_dataclasses import dataclass

Filter = str | Iterable[str | None] | None
"""One value of a column, or several; None takes all."""


@dataclass(frozen=True)
class BadRow:
    """A row that was left out because it makes no sense, and why."""

    file: str
    line: int | None
    field: str
    problem: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}, {self.field}: {self.problem}"


class Unjudged(NamedTuple):
    """An output that a file lists without a judgement, and how many judgements stand before it."""

    system: str
    unit: str
    after: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """Judgements of people, one per row of `frame`.

    `skipped` are the rows of the file that were left out on request, `notes` what a reader should know about how it was
    read, and `unjudged` the outputs that the file lists without a judgement.

    >>> ratings = Ratings.of({"rater": ["r1", "r2"], "system": ["a", "a"], "segment": ["1", "1"],
    ...                       "protocol": ["da", "da"], "criterion": ["overall", "overall"], "value": [70, 90]})
    >>> len(ratings), ratings.raters, ratings.criteria
    (2, ('r1', 'r2'), ('overall',))
    >>> ratings.where(rater="r2").frame["value"].to_list()
    [90.0]
    """

    frame: pl.DataFrame
    skipped: tuple[BadRow, ...] = ()
    notes: tuple[str, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()

    def __post_init__(self) -> None:
        dtypes = dict(self.frame.schema)
        if wrong := [name for name, dtype in SCHEMA.items() if dtypes.get(name) != dtype]:
            raise InputError(f"a table of ratings must have these columns with their types: {', '.join(wrong)}")
        for name in dtypes:
            if name not in SCHEMA and not name.startswith(EXTRA):
                raise InputError(
                    f"a table of ratings has no column {name!r}: call it {EXTRA}{name}.{did_you_mean(name, NAMES)}"
                )

    @classmethod
    def of(cls, columns: Mapping[str, Any] | pl.DataFrame, skipped: Iterable[BadRow] = ()) -> Ratings:
        """Ratings of some columns, cast to their types; the columns that are not given are null."""
        frame = columns if isinstance(columns, pl.DataFrame) else pl.DataFrame(dict(columns), strict=False)
        present = [pl.col(name).cast(SCHEMA[name]) for name in frame.columns if name in SCHEMA]
        absent = [pl.lit(None, dtype).alias(name) for name, dtype in SCHEMA.items() if name not in frame.columns]
        extra = [name for name in frame.columns if name not in SCHEMA]
        ordered = frame.with_columns(*present, *absent).select(*NAMES, *extra)
        return cls(ordered, tuple(skipped))

    @classmethod
    def concat(cls, parts: Iterable[Ratings]) -> Ratings:
        """All the ratings of several tables."""
        tables = list(parts)
        if not tables:
            return cls.of({})
        joined = cls.of(pl.concat([table.frame for table in tables], how="diagonal"))
        return replace(
            joined,
            skipped=tuple(row for table in tables for row in table.skipped),
            notes=tuple(note for table in tables for note in table.notes),
            unjudged=tuple(_moved(tables)),
        )

    def __len__(self) -> int:
        return len(self.frame)

    def names(self, column: str) -> tuple[str, ...]:
        """The different values of a column of names, in order of first appearance."""
        if SCHEMA.get(column) != pl.String:
            raise InputError(f"ratings have no column of names {column!r}.{did_you_mean(column, SCHEMA)}")
        return tuple(self.frame[column].drop_nulls().unique(maintain_order=True))

    def systems_in_order(self) -> tuple[str, ...]:
        """Systems in the order of the file, those without any judgement included."""
        places = {name: (row, 1) for row, name in reversed(list(enumerate(self.frame["system"].to_list())))}
        for unjudged in reversed(self.unjudged):
            places[unjudged.system] = min(places.get(unjudged.system, (unjudged.after, 0)), (unjudged.after, 0))
        return tuple(sorted(places, key=lambda name: places[name]))

    @property
    def raters(self) -> tuple[str, ...]:
        """Who judged."""
        return self.names("rater")

    @property
    def systems(self) -> tuple[str, ...]:
        """Whose output was judged, the second one of comparisons included."""
        return tuple(dict.fromkeys((*self.names("system"), *self.names("other_system"))))

    @property
    def protocols(self) -> tuple[str, ...]:
        """How people were asked."""
        return self.names("protocol")

    @property
    def criteria(self) -> tuple[str, ...]:
        """What was asked for."""
        return self.names("criterion")

    def where(
        self,
        *,
        protocol: Filter = None,
        criterion: Filter = None,
        rater: Filter = None,
        system: Filter = None,
        control: Filter = None,
        language_pair: Filter = None,
    ) -> Ratings:
        """The rows with these values; `control=[None]` takes the ordinary items only."""
        wanted = {
            "protocol": protocol,
            "criterion": criterion,
            "rater": rater,
            "system": system,
            "control": control,
            "language_pair": language_pair,
        }
        conditions = [_condition(name, values) for name, values in wanted.items() if values is not None]
        return replace(self, frame=self.frame.filter(*conditions)) if conditions else self

    def of_one_language_pair(self, wanted: str | None, file: str) -> Ratings:
        """The ratings of the language pair that is meant; of several, one must be, for they are different tasks.

        Ratings that name no language pair are taken to be of the one that is meant.
        """
        there = self.names("language_pair")
        if wanted is not None and there:
            return self.where(language_pair=chosen_pair(wanted, there, file))
        if len(there) > 1:
            raise InputError(
                f"{file} has ratings of {len(there)} language pairs: choose one with -l: {', '.join(there)}"
            )
        return self

    @property
    def ordinary(self) -> Ratings:
        """The rows that are no control items."""
        return self.where(control=[None])


def _moved(tables: Iterable[Ratings]) -> Iterator[Unjudged]:
    """What is unjudged in several tables that are put one after the other."""
    before = 0
    for table in tables:
        yield from (unjudged._replace(after=unjudged.after + before) for unjudged in table.unjudged)
        before += len(table)


def _condition(column: str, values: str | Iterable[str | None]) -> pl.Expr:
    wanted = [values] if isinstance(values, str) else list(values)
    named = [value for value in wanted if value is not None]
    condition = pl.col(column).is_in(named)
    return condition | pl.col(column).is_null() if None in wanted else condition
