"""Tables with named columns, as TSV, CSV, JSONL or Parquet: karat's own format, and that of the bundled sample.

The columns are those of `karat.corpus.ratings.schema`, or usual names for them (`ALIASES`). Other columns are kept as
``extra:NAME``, unless their names are nearly those of a known one: a misspelt ``ratter`` is refused. Where no column
names the protocol, it is the one that the caller names; else criteria called adequacy and fluency with whole numbers
from 1 to 5 are LDC's, and all others are ``custom``.
"""

from __future__ import annotations

import csv
import gc
import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from io import BytesIO, StringIO
from itertools import chain
from operator import itemgetter
from types import NoneType
from typing import Any, ClassVar

import polars as pl

from karat.corpus.column_names import ColumnNames
from karat.corpus.jsontext import JsonError, parse_flat_objects, parse_json
from karat.corpus.linefile import text_lines
from karat.corpus.parquet import parquet_frame
from karat.corpus.ratings.checks import Checker, checked, refusal
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.model import BadRow, Ratings
from karat.corpus.ratings.protocols.base import registered
from karat.corpus.ratings.schema import EXTRA, NAMES, SCHEMA, SPAN
from karat.corpus.ratings.spans import SpanError, span_series, spans_from_json, spans_to_json
from karat.corpus.ratings.tables import LINE, header_of, quoted_frame, quoted_rows, tab_frame, tab_rows
from karat.errors import InputError, did_you_mean

ALIASES = {
    "annotator": "rater",
    "judge": "rater",
    "worker": "rater",
    "user": "rater",
    "model": "system",
    "seg": "segment",
    "seg_id": "segment",
    "segment_id": "segment",
    "doc": "document",
    "document_id": "document",
    "lp": "language_pair",
    "score": "value",
    "rating": "value",
    "rank": "value",
    "duration": "seconds",
    "src": "source",
    "mt": "target",
    "hypothesis": "target",
    "pe": "post_edit",
    "repeat": "repeat",
}
_OTHERS = ("zscore", "z_score", "scores", "doc_id")
"""Names that are near to known ones, but known to be something else."""

WANTED = "a header with the columns rater, system, segment, criterion and value, and a row per judgement"
_MOST_KEYSTROKES = 1 << 40
_NUMBERS = [name for name, dtype in SCHEMA.items() if dtype in (pl.Float64, pl.Int64)]
_TEXTS = ("source", "target", "post_edit", "comment", "answer", "label", "broken")
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


class NamedColumns(RatingsFormat):
    """Reads and writes tables with a header."""

    holds = frozenset({*NAMES, EXTRA})
    empty_is_missing: ClassVar[bool] = True
    takes_columns = True

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the suffix; standard input, which has none, by the shape of its first line."""
        return file.suffix in cls.suffixes or (file.is_stdin and cls.shaped(file.head[0]))

    @classmethod
    def shaped(cls, line: str) -> bool:  # noqa: ARG003
        """Whether a file that starts with this line may be of this format."""
        return False

    def column_names(self, file: LoadedFile) -> set[str]:
        """The names of the columns, in lower case."""
        return {name.strip().lower() for name in self.table(file)[0].columns}

    @abstractmethod
    def table(self, file: LoadedFile) -> tuple[pl.DataFrame, list[BadRow]]:
        """The table as text, with line numbers."""

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """The columns by their names."""
        frame, bad = self.table(file)
        if bad and not set(frame.columns) - {LINE}:
            raise refusal(bad)
        renamed = _renamed(file, frame, options.columns)
        checker = Checker(file.name, _with_all_columns(renamed, options), bad)
        _type_columns(checker, empty_is_missing=self.empty_is_missing)
        _name_protocols(checker, options)
        return checked(checker, skip_bad=options.skip_bad, empty=f"has no ratings: expected {WANTED}")


def _renamed(file: LoadedFile, frame: pl.DataFrame, columns: ColumnNames) -> pl.DataFrame:
    """The frame with the names of the schema, as the caller says or as names tell; what is not known is extra."""
    roles: dict[str, str] = {}
    taken: set[str] = set()
    given = _given_roles(file, frame, columns)
    for name in frame.columns:
        if name == LINE:
            continue
        lowered = name.strip().lower()
        role = given.get(name) or (lowered if lowered in SCHEMA else ALIASES.get(lowered))
        if role is None:
            near = [] if lowered in _OTHERS else get_close_matches(lowered, [*SCHEMA, *ALIASES], n=1, cutoff=0.8)
            if near and not name.startswith(EXTRA):
                raise InputError(f"{file.name}, line 1: {name!r} is not a column of ratings; did you mean {near[0]!r}?")
            role = name if name.startswith(EXTRA) else EXTRA + name
        if role in taken:
            raise InputError(f"{file.name}, line 1: {name!r} is the second column for {role}: keep one")
        roles[name] = role
        taken.add(role)
    if not {"value", "label", "spans", "post_edit", "comment", "seconds"} & set(roles.values()):
        raise InputError(f"{file.name}, line 1: there is no column of judgements: expected {WANTED}; {_there(frame)}")
    return frame.rename(roles)


def _given_roles(file: LoadedFile, frame: pl.DataFrame, columns: ColumnNames) -> dict[str, str]:
    """What the caller says that columns are."""
    for role, name in columns.by_role.items():
        if role not in SCHEMA:
            raise InputError(f"there is nothing in ratings called {role!r}.{did_you_mean(role, SCHEMA)}")
        if name not in frame.columns:
            raise InputError(f"{file.name}, line 1: there is no column {name!r}; {_there(frame)}")
    return {name: role for role, name in columns.by_role.items()}


def _there(frame: pl.DataFrame) -> str:
    return f"there is: {', '.join(name for name in frame.columns if name != LINE)}"


def _with_all_columns(frame: pl.DataFrame, options: ReadOptions) -> pl.DataFrame:
    """The frame with the columns it lacks, filled with what the caller says, else null."""
    defaults = {
        "protocol": options.protocol,
        "criterion": options.criterion,
        "system": options.system,
        "language_pair": options.language_pair,
    }
    absent = [
        pl.lit(defaults.get(name), pl.String).alias(name)
        for name in (*NAMES, "repeat")
        if name not in frame.columns and name != "spans"
    ]
    spans = [] if "spans" in frame.columns else [pl.lit(None, pl.List(SPAN)).alias("spans")]
    return frame.with_columns(*absent, *spans)


def _type_columns(checker: Checker, *, empty_is_missing: bool) -> None:
    """Turn text into numbers, names, times and spans."""
    for name in _NUMBERS:
        checker.number(name)
    keys = pl.col("keystrokes")
    countable = (keys == keys.floor()) & (keys.abs() < _MOST_KEYSTROKES)
    checker.refuse(~countable, "keystrokes", "{} is not a whole number")
    checker.frame = checker.frame.with_columns(pl.when(countable).then(keys).alias("keystrokes"))
    for name, dtype in SCHEMA.items():
        if dtype == pl.String and name not in _TEXTS:
            checker.name(name)
    if empty_is_missing:
        checker.frame = checker.frame.with_columns(
            pl.when(pl.col(name) != "").then(pl.col(name)).alias(name)
            for name in checker.frame.columns
            if name in _TEXTS or name.startswith(EXTRA)
        )
    _repeats(checker)
    _bilingual(checker)
    _times(checker)
    if checker.frame.schema["spans"] == pl.String:
        _spans(checker)


def _repeats(checker: Checker) -> None:
    """A column `repeat` with 1 marks control items of that kind."""
    checker.name("repeat")
    checker.one_of("repeat", ("0", "1", "false", "true"))
    repeated = pl.when(pl.col("repeat").is_in(["1", "true"])).then(pl.lit("repeat"))
    checker.frame = checker.frame.with_columns(pl.coalesce("control", repeated).alias("control")).drop("repeat")


def _bilingual(checker: Checker) -> None:
    """A yes or no."""
    text = pl.col("bilingual").str.strip_chars().str.to_lowercase()
    known = text.is_in(list(_FLAGS))
    checker.refuse(~known & (text != ""), "bilingual", "{} is neither true nor false")
    flag = pl.when(known).then(text.is_in([text for text, flag in _FLAGS.items() if flag]))
    checker.frame = checker.frame.with_columns(flag.alias("bilingual"))


def _times(checker: Checker) -> None:
    """A time is ISO 8601 (UTC where it names no offset), or seconds since 1970."""
    text = pl.col("time").str.strip_chars()
    seconds = (text.cast(pl.Float64, strict=False) * 1e6).round().cast(pl.Int64, strict=False)
    iso = text.str.replace(" ", "T", literal=True)
    with_zone = pl.when(iso.str.contains(r"(Z|[+-]\d\d:?\d\d)$")).then(iso).otherwise(iso + "Z")
    parsed = with_zone.str.to_datetime("%+", time_unit="us", strict=False).dt.convert_time_zone("UTC")
    time = pl.coalesce(seconds.cast(pl.Datetime("us", "UTC")), parsed)
    checker.refuse(time.is_null() & (text != ""), "time", "{} is neither ISO 8601 nor seconds since 1970")
    checker.frame = checker.frame.with_columns(time.alias("time"))


def _spans(checker: Checker) -> None:
    """A cell of spans is a JSON list."""
    spans: list[list[dict[str, Any]] | None] = []
    for line, text in checker.frame.select(LINE, "spans").iter_rows():
        try:
            spans.append(None if not text or not text.strip() else spans_from_json(text))
        except SpanError as error:
            checker.bad.append(BadRow(checker.file, line, "spans", str(error)))
            spans.append(None)
    checker.frame = checker.frame.with_columns(span_series(spans))


def _name_protocols(checker: Checker, options: ReadOptions) -> None:
    """Fill in protocols and criteria that rows leave out."""
    if options.criterion is not None:
        checker.frame = checker.frame.with_columns(pl.col("criterion").fill_null(options.criterion))
    if options.protocol is not None:
        checker.frame = checker.frame.with_columns(pl.col("protocol").fill_null(options.protocol))
    unnamed = checker.frame.filter(pl.col("protocol").is_null())
    if not unnamed.is_empty():
        filled = pl.col("protocol").fill_null(_guessed(unnamed))
        checker.frame = checker.frame.with_columns(filled)
    aliases = {alias: protocol.name for alias, protocol in registered().items()}
    checker.frame = checker.frame.with_columns(pl.col("protocol").replace(aliases))
    defaults = {name: protocol.criterion for name, protocol in registered().items()}
    default = pl.col("protocol").replace_strict(defaults, default=None)
    checker.frame = checker.frame.with_columns(pl.coalesce("criterion", default).alias("criterion"))


def _guessed(unnamed: pl.DataFrame) -> str:
    criteria = set(unnamed["criterion"].unique().to_list())
    values = unnamed["value"].drop_nulls().unique()
    five = not values.is_empty() and values.is_in([1.0, 2.0, 3.0, 4.0, 5.0]).all()
    return "adequacy-fluency" if five and criteria <= {"adequacy", "fluency"} else "custom"


@register_format
class TsvRatings(NamedColumns):
    """Reads and writes tab-separated tables without quoting."""

    name = "tsv"
    description = "tab-separated table with named columns, no quoting"
    suffixes = (".tsv", ".tab")

    @classmethod
    def shaped(cls, line: str) -> bool:
        """A line with tabs."""
        return "\t" in line

    def table(self, file: LoadedFile) -> tuple[pl.DataFrame, list[BadRow]]:
        """A line is a row."""
        return tab_frame(file, header_of(file, tab_rows(file), WANTED), skip=1)

    def write(self, ratings: Ratings) -> bytes:
        """The columns that have any value."""
        frame = text_frame(ratings, "TSV")
        for name in frame.columns:
            bad = frame[name].str.contains(r"[\t\n]|\r$").fill_null(value=False)
            if bad.any():
                row = int(bad.arg_max() or 0) + 1
                raise InputError(
                    f"rating {row}: {name} has a tab or a line end, which TSV cannot hold: use CSV or JSONL"
                )
        return joined_lines(frame, "\t")


@register_format
class CsvRatings(NamedColumns):
    """Reads and writes comma-separated tables."""

    name = "csv"
    description = "comma-separated table with named columns, quoted where needed"
    suffixes = (".csv",)

    @classmethod
    def shaped(cls, line: str) -> bool:
        """A line with commas, and no tab."""
        return "," in line and "\t" not in line and not line.startswith("{")

    def table(self, file: LoadedFile) -> tuple[pl.DataFrame, list[BadRow]]:
        """Rows may span lines inside quotes."""
        return quoted_frame(file, header_of(file, quoted_rows(file), WANTED), skip=1)

    def write(self, ratings: Ratings) -> bytes:
        """The columns that have any value."""
        frame = text_frame(ratings, "CSV")
        special = '[",\r\n]'
        if not any(frame[name].str.contains(special).any() for name in frame.columns):
            return joined_lines(frame, ",")
        out = StringIO(newline="")
        returns = any(frame[name].str.contains("\r", literal=True).any() for name in frame.columns)
        writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL)
        writer.writerow(frame.columns)
        writer.writerows(frame.iter_rows())
        return out.getvalue().encode()


@register_format
class JsonlRatings(NamedColumns):
    """Reads and writes one JSON object per judgement."""

    name = "jsonl"
    description = "one JSON object with named fields per line"
    suffixes = (".jsonl", ".ndjson")
    empty_is_missing = False

    @classmethod
    def shaped(cls, line: str) -> bool:
        """A line that starts an object."""
        return line.startswith("{")

    def table(self, file: LoadedFile) -> tuple[pl.DataFrame, list[BadRow]]:
        """Every field as text; lists and objects as JSON."""
        return json_frame(file)

    def write(self, ratings: Ratings) -> bytes:
        """The fields of each row that have a value."""
        frame = ratings.frame.with_columns(pl.col("time").dt.strftime(TIME))
        return "".join(
            f"{json.dumps(_present(row), ensure_ascii=False)}\n" for row in frame.iter_rows(named=True)
        ).encode()


@register_format
class ParquetRatings(NamedColumns):
    """Reads and writes Parquet."""

    name = "parquet"
    description = "Parquet table with named columns"
    suffixes = (".parquet", ".pq")
    empty_is_missing = False

    def table(self, file: LoadedFile) -> tuple[pl.DataFrame, list[BadRow]]:
        """The table as text; spans stay spans where they are of karat's type."""
        frame = parquet_frame(file)
        texts = []
        for name, dtype in frame.schema.items():
            if dtype == pl.Datetime:
                texts.append(pl.col(name).dt.strftime(TIME))
            elif dtype != pl.List(SPAN):
                texts.append(pl.col(name).cast(pl.String))
        return frame.with_columns(texts).with_row_index(LINE, 1).with_columns(pl.col(LINE).cast(pl.Int64)), []

    def write(self, ratings: Ratings) -> bytes:
        """All columns, with their types."""
        out = BytesIO()
        ratings.frame.write_parquet(out)
        return out.getvalue()


_CHUNK = 1 << 16
TIME = "%Y-%m-%dT%H:%M:%S%.fZ"


def joined_lines(frame: pl.DataFrame, separator: str) -> bytes:
    """A header and the rows of a table of text, none of which needs quoting."""
    rows = frame.select(pl.concat_str(pl.all().fill_null(""), separator=separator)).to_series().to_list()
    return "\n".join([separator.join(frame.columns), *rows, ""]).encode()


def json_frame(file: LoadedFile) -> tuple[pl.DataFrame, list[BadRow]]:
    """The objects of JSON lines as a table of text, made some at a time."""
    bad: list[BadRow] = []
    lines = text_lines(file)
    while lines and not lines[-1].strip():
        lines.pop()
    frames = [pl.DataFrame(schema={LINE: pl.Int64})]
    with _no_search_for_cycles():
        frames += [
            _text_frame(_numbered(file, lines[start : start + _CHUNK], start + 1, bad))
            for start in range(0, len(lines), _CHUNK)
        ]
    return pl.concat(frames, how="diagonal"), bad


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Parsed objects have no cycles; Python looks for some among them again and again, for a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _text_frame(numbered: list[tuple[int, dict[str, Any]]]) -> pl.DataFrame:
    """The fields of objects as columns of text, beside the numbers of their lines."""
    values = [value for _, value in numbered]
    names = list(dict.fromkeys(chain.from_iterable(values)))
    columns = {name: _texts(column) for name, column in zip(names, _columns(values, names), strict=True)}
    schema = {LINE: pl.Int64, **dict.fromkeys(names, pl.String)}
    return pl.DataFrame({LINE: [line for line, _ in numbered], **columns}, schema=schema)


def _columns(values: list[dict[str, Any]], names: list[str]) -> Iterable[Sequence[Any]]:
    """The values of each name, None where an object lacks it; quickly where all have the same names."""
    if len(names) > 1 and all(len(value) == len(names) for value in values):
        return zip(*map(itemgetter(*names), values), strict=True)
    return [[value.get(name) for value in values] for name in names]


def _numbered(file: LoadedFile, lines: list[str], first: int, bad: list[BadRow]) -> list[tuple[int, dict[str, Any]]]:
    """The objects with the numbers of their lines: parsed together where all are plain, else one by one."""
    flat = parse_flat_objects(lines)
    return list(_objects(file, lines, first, bad) if flat is None else enumerate(flat, first))


def _objects(file: LoadedFile, lines: list[str], first: int, bad: list[BadRow]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, first):
        try:
            value = parse_json(line)
        except JsonError as error:
            bad.append(BadRow(file.name, number, "row", str(error)))
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            bad.append(BadRow(file.name, number, "row", "expected a JSON object"))


def _texts(values: Sequence[Any]) -> Sequence[str | None]:
    kinds = set(map(type, values))
    if kinds <= {str, NoneType}:
        return values
    if kinds <= {float, int}:
        return list(map(repr, values))
    return [_text(value) for value in values]


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if type(value) in (float, int):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def _present(row: dict[str, Any]) -> dict[str, Any]:
    spans = row["spans"]
    if spans is not None:
        row["spans"] = [{name: part for name, part in span.items() if part is not None} for span in spans]
    return {name: value for name, value in row.items() if value is not None}


def number_text(column: pl.Expr) -> pl.Expr:
    """Numbers as text, whole ones without a point."""
    return column.cast(pl.String).str.strip_suffix(".0")


def text_frame(ratings: Ratings, format: str) -> pl.DataFrame:  # noqa: A002
    """The columns that have any value, as text; an empty text is refused, since a table cannot tell it from none."""
    used = [name for name in ratings.frame.columns if ratings.frame[name].null_count() < len(ratings)]
    frame = ratings.frame.select(used)
    for name in used:
        if frame.schema[name] == pl.String and (empty := (frame[name] == "").fill_null(value=False)).any():
            row = int(empty.arg_max() or 0) + 1
            raise InputError(
                f"rating {row}: {name} is an empty text, which {format} cannot tell from a missing one: use JSONL"
            )
    if "spans" in used:
        texts = [None if spans is None else spans_to_json(spans) for spans in frame["spans"].to_list()]
        frame = frame.with_columns(pl.Series("spans", texts, pl.String))
    numbers = [number_text(pl.col(name)).alias(name) for name in used if SCHEMA.get(name) in (pl.Float64, pl.Int64)]
    times = [pl.col("time").dt.strftime(TIME)] if "time" in used else []
    flags = [pl.col("bilingual").cast(pl.String)] if "bilingual" in used else []
    return frame.with_columns(*numbers, *times, *flags)
