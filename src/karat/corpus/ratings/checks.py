"""Checks of whole columns at once; the rows that fail are known by line, field and reason."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from karat.arguments import LARGEST_SCORE
from karat.corpus.ratings.model import BadRow, Ratings
from karat.corpus.ratings.protocols import protocol, protocol_names
from karat.corpus.ratings.schema import CONTROLS, SCHEMA, SIDES
from karat.corpus.ratings.tables import LINE
from karat.errors import InputError, did_you_mean

LATEST = 1e11
"""Seconds since 1970 that are taken for a time, some three thousand years."""
SHOWN = 60
"""How many characters of a wrong value a message shows."""


class Checker:
    """A frame with a column of line numbers, whose bad rows are collected, to be refused or left out at the end."""

    def __init__(self, file: str, frame: pl.DataFrame, bad: Iterable[BadRow] = ()) -> None:
        self.file = file
        self.frame = frame
        self.bad = list(bad)

    def complete(self) -> None:
        """Add the columns that the format does not have, as nulls."""
        absent = [name for name in SCHEMA if name not in self.frame.columns]
        self.frame = self.frame.with_columns(pl.lit(None, SCHEMA[name]).alias(name) for name in absent)

    def refuse(self, failing: pl.Expr, field: str, problem: str, shown: str | None = None) -> None:
        """Take note of the rows for which the expression is true; `{}` in the problem is the value shown."""
        column = shown or field
        rows = self.frame.filter(failing.fill_null(False)).select(LINE, pl.col(column).cast(pl.String, strict=False))
        for line, value in rows.iter_rows():
            self.bad.append(BadRow(self.file, line, field, problem.replace("{}", _short(value))))

    def number(self, field: str) -> None:
        """Turn a column of text into finite numbers; blank is null."""
        text = pl.col(field).str.strip_chars()
        number = text.cast(pl.Float64, strict=False)
        blank = pl.col(field).is_null() | (text == "")
        self.refuse(~blank & ~number.is_finite().fill_null(False), field, "{} is not a finite number")
        self.frame = self.frame.with_columns(pl.when(number.is_finite()).then(number).alias(field))

    def timestamp(self, field: str) -> None:
        """Turn seconds since 1970 into times; what lies thousands of years from then is refused."""
        seconds = pl.col(field)
        near = seconds.is_between(-LATEST, LATEST)
        self.refuse(seconds.is_not_null() & ~near, field, "{} is not a time in seconds since 1970")
        time = (pl.when(near).then(seconds) * 1e6).round().cast(pl.Int64).cast(pl.Datetime("us", "UTC"))
        self.frame = self.frame.with_columns(time.alias(field))

    def name(self, field: str) -> None:
        """Strip a column of names; blank is null."""
        text = pl.col(field).str.strip_chars()
        self.frame = self.frame.with_columns(pl.when(text != "").then(text).alias(field))

    def required(self, field: str, remedy: str) -> None:
        """Refuse rows that have nothing there."""
        self.refuse(pl.col(field).is_null(), field, f"there is none: {remedy}")

    def one_of(self, field: str, allowed: Iterable[str]) -> None:
        """Refuse rows with any other value."""
        names = list(allowed)
        self.refuse(~pl.col(field).is_in(names), field, f"{{}} is none of {', '.join(names)}")

    def ratings(self, *, skip_bad: bool, empty: str) -> Ratings:
        """The good rows as ratings; bad ones are refused unless they may be skipped, and no row at all is refused."""
        if self.bad and not skip_bad:
            raise refusal(self.bad)
        lines = [row.line for row in self.bad if row.line is not None]
        frame = self.frame.filter(~pl.col(LINE).is_in(lines)) if lines else self.frame
        if frame.is_empty():
            detail = f"; all of its {len(set(lines))} rows are bad, the first: {min_row(self.bad)}" if self.bad else ""
            raise InputError(f"{self.file} {empty}{detail}")
        return Ratings.of(frame.drop(LINE), first_problems(self.bad))


def checked(checker: Checker, *, skip_bad: bool, empty: str = "has no ratings") -> Ratings:
    """The frame as ratings, after the checks that every format shares; columns it does not have are null."""
    checker.complete()
    check_rows(checker)
    return checker.ratings(skip_bad=skip_bad, empty=empty)


def first_problems(bad: Iterable[BadRow]) -> list[BadRow]:
    """One problem per row, in the order of the file."""
    by_line: dict[tuple[str, int | None], BadRow] = {}
    for row in bad:
        by_line.setdefault((row.file, row.line), row)
    return sorted(by_line.values(), key=lambda row: row.line or 0)


def min_row(bad: Iterable[BadRow]) -> BadRow:
    """The first of the bad rows in the file."""
    return first_problems(bad)[0]


def refusal(bad: Iterable[BadRow]) -> InputError:
    """The error about the first bad row, which says how many more there are."""
    rows = first_problems(bad)
    more = f" ({len(rows) - 1} more bad row{'s' if len(rows) > 2 else ''})" if len(rows) > 1 else ""
    advice = "correct it, or leave out what is bad: --skip-bad of karat human and karat convert (skip_bad=True)"
    return InputError(f"{rows[0]}{more}; {advice}")


def check_rows(checker: Checker) -> None:
    """What must hold for every judgement: a known protocol and criterion, a value on its scale, an answer at all."""
    checker.required("protocol", "name the protocol")
    checker.one_of("control", CONTROLS)
    named = checker.frame["protocol"].drop_nulls().unique().to_list()
    for name in named:
        if name not in protocol_names():
            problem = f"there is no protocol {name!r}.{did_you_mean(name, protocol_names())}"
            checker.refuse(pl.col("protocol") == name, "protocol", problem)
        else:
            _check_protocol(checker, name)
    checker.refuse(pl.col("value").abs() > LARGEST_SCORE, "value", f"{{}} is beyond {LARGEST_SCORE:g}, as no rating is")
    if checker.frame.schema["spans"] != pl.Null:
        check_spans(checker)


def _check_protocol(checker: Checker, name: str) -> None:
    rules = protocol(name)
    of_protocol = pl.col("protocol") == name
    for criterion in checker.frame.filter(of_protocol)["criterion"].unique().to_list():
        of_criterion = of_protocol & pl.col("criterion").eq_missing(pl.lit(criterion))
        if criterion is None or (criterion not in rules.scales and not rules.open_criteria):
            problem = f"{name} has no criterion {criterion!r}; it has {', '.join(rules.scales)}"
            checker.refuse(of_criterion, "criterion", problem)
            continue
        scale, value = rules.scale(criterion), pl.col("value")
        outside = pl.lit(False)
        if scale.minimum is not None:
            outside |= value < scale.minimum
        if scale.maximum is not None:
            outside |= value > scale.maximum
        if scale.whole:
            outside |= value != value.floor()
        checker.refuse(of_criterion & outside, "value", f"{{}} is not {scale.says()}, as {criterion} of {name} is")
    for need in rules.needs:
        columns = need.split("|")
        absent = pl.all_horizontal(pl.col(column).is_null() for column in (*columns, "broken"))
        checker.refuse(of_protocol & absent, columns[0], f"there is no {' or '.join(columns)}, but {name} needs one")
    if rules.answers:
        known_answer = pl.col("label").is_in(rules.answers) | pl.col("label").is_null()
        checker.refuse(of_protocol & ~known_answer, "label", f"{{}} is none of {', '.join(rules.answers)}")


def check_spans(checker: Checker) -> None:
    """Spans must be ordered, and lie within the text that they are in, where it is known."""
    spans = checker.frame.select(LINE, "spans", *(pl.col(side).str.len_chars() for side in ("target", "source")))
    flat = spans.explode("spans").drop_nulls("spans").unnest("spans")
    side = pl.col("side").fill_null("")
    length = pl.when(side == "source").then(pl.col("source")).otherwise(pl.col("target"))
    start, end = pl.col("start"), pl.col("end")
    rules = (
        (~side.is_in(SIDES), "side", f"a span's side is {{}}, not one of {', '.join(SIDES)}"),
        (start.is_null() != end.is_null(), "start", "a span has only one of start and end"),
        (start.is_null() & (side != "missing"), "side", "a span has neither start nor end, and {} is not missing"),
        ((start < 0) | (end < start), "end", "a span ends at {}, which is before its start, or before the text"),
        (end > length, "end", "a span ends at {}, which is beyond the end of the text (offsets count code points)"),
    )
    for failing, shown, problem in rules:
        rows = flat.filter(failing.fill_null(False)).select(LINE, pl.col(shown).cast(pl.String))
        for line, value in rows.iter_rows():
            checker.bad.append(BadRow(checker.file, line, "spans", problem.replace("{}", _short(value))))


def _short(value: str | None) -> str:
    if value is None:
        return "nothing"
    return repr(value if len(value) <= SHOWN else value[: SHOWN - 1] + "…")
