"""MQM as Google publishes it and as Marot shows it: a TSV row per error, with the span between <v> and </v>.

Quotation marks mean nothing in these files. Rows of the same system, document, segment and rater are one judgement;
one that found nothing has a single row with the severity No-error. Some files have the offsets ``start`` and ``end``
instead of texts, -1 where nothing is marked. Rows of the severity HOTW-test, by which raters show that they pay
attention, are control items. Written files have the rows of a judgement together, and No-error spelt so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import polars as pl

from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.schema import EXTRA, SPAN
from karat.corpus.ratings.spans import FIELDS, marks
from karat.corpus.ratings.tables import LINE, header_of, tab_frame, tab_rows
from karat.errors import InputError

NO_ERROR = "No-error"
HOTW = "HOTW-test"
_OPEN, _CLOSE = "<v>", "</v>"
_POSITION = f"{EXTRA}doc_segment"
_KEYS = ("system", "document", "segment", "rater", "control")
_LONGEST_TEXT = 1 << 40
_ROLES = {
    "system": "system",
    "doc": "document",
    "doc_id": _POSITION,
    "docSegId": _POSITION,
    "seg_id": "segment",
    "globalSegId": "segment",
    "rater": "rater",
    "source": "source",
    "target": "target",
    "start": "start",
    "end": "end",
    "category": "category",
    "severity": "severity",
    "comment": "note",
    "metadata": "note",
}
_NEEDED = ("system", "segment", "rater", "category", "severity")


class MqmTable(RatingsFormat):
    """Reads a row per error, and writes one."""

    suffixes = (".tsv",)
    priority = 2
    holds = frozenset(
        {"system", "document", "segment", "rater", "source", "target", "spans", "comment", "control", _POSITION}
        | {"protocol", "criterion"}
    )
    span_holds = frozenset(FIELDS) - {"score"}
    partly: ClassVar[Mapping[str, pl.Expr]] = {"comment": pl.col("spans").list.len() == 0}
    header: ClassVar[tuple[str, ...]]

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        names = set(file.head[0].split("\t"))
        return {"category", "severity", "rater", "target"} <= names and cls.header[3] in names

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """The errors of each judgement, gathered."""
        names = header_of(file, tab_rows(file), "a header with system, doc, seg_id, rater, category and severity")
        roles = [_ROLES.get(name, EXTRA + name) for name in names]
        if absent := [name for name in _NEEDED if name not in roles]:
            raise InputError(
                f"{file.name}, line 1: there is no column for the {absent[0]}; there is: {', '.join(names)}"
            )
        frame, bad = tab_frame(file, roles, skip=1)
        checker = Checker(file.name, frame, bad)
        notes = _errors(checker)
        _contradictions(checker)
        checker.frame = _judgements(_without_bad(checker, skip_bad=options.skip_bad)).with_columns(
            pl.lit("mqm").alias("protocol"),
            pl.lit("penalty").alias("criterion"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return replace(checked(checker, skip_bad=options.skip_bad, empty="has no judgements"), notes=notes)

    def writable(self, ratings: Ratings) -> pl.Series:
        """MQM judgements with spans, whose texts are there to be marked and hold no tab, line end or own mark."""
        plain = pl.all_horizontal(
            ~pl.col(name).str.contains(r"[\t\n\r]|</?v>").fill_null(value=False)
            for name in ("source", "target", "comment")
        )
        marked = pl.all_horizontal(pl.col(side).is_not_null() | ~marks(side) for side in ("source", "target"))
        plain &= ~marks("missing") & _known_control() & _in_one_line()
        return ratings.frame.select(
            (pl.col("protocol") == "mqm") & pl.col("spans").is_not_null() & plain & marked
        ).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A row per error, or one that says there is none."""
        lines = ["\t".join(self.header)]
        for row in ratings.frame.iter_rows(named=True):
            lines += ["\t".join(cell or "" for cell in cells) for cells in self.rows(row)]
        return "".join(f"{line}\n" for line in lines).encode()

    def rows(self, row: dict[str, Any]) -> Iterator[list[str | None]]:
        """The rows of one judgement."""
        place, texts = _place(row), {"source": row["source"], "target": row["target"]}
        if not row["spans"]:
            yield [*place, *texts.values(), NO_ERROR, NO_ERROR, row["comment"]]
        for span in row["spans"]:
            marked = {side: _marked(text, span, side) for side, text in texts.items()}
            yield [*place, *marked.values(), span["category"], span["severity"], span["comment"]]


@register_format
class GoogleMqm(MqmTable):
    """The files of google/wmt-mqm-human-evaluation."""

    name = "google-mqm"
    description = "Google's MQM: TSV with a row per error, spans between <v> and </v>"
    header = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "comment")


@register_format
class Marot(MqmTable):
    """The files of Marot and Anthea."""

    name = "marot"
    description = "Marot's TSV with a row per error, spans between <v> and </v>, and metadata as JSON"
    header = (
        "system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata",
    )  # fmt: skip


@register_format
class MqmOffsets(MqmTable):
    """MQM without texts."""

    name = "mqm-offsets"
    description = (
        "MQM without texts: TSV with a row per error and the offsets start and end, -1 where nothing is marked"
    )
    header = ("system", "doc", "docSegId", "globalSegId", "rater", "start", "end", "category", "severity")
    holds = MqmTable.holds - {"source", "target", "comment"}
    span_holds = MqmTable.span_holds - {"comment"}
    partly: ClassVar[Mapping[str, pl.Expr]] = {}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the offsets in the header."""
        names = set(file.head[0].split("\t"))
        return {"category", "severity", "rater", "start", "end"} <= names

    def writable(self, ratings: Ratings) -> pl.Series:
        """MQM judgements with spans in the target."""
        spans = (pl.col("protocol") == "mqm") & pl.col("spans").is_not_null() & ~marks("source")
        spans &= ~marks("missing") & _known_control() & _in_one_line()
        return ratings.frame.select(spans).to_series()

    def rows(self, row: dict[str, Any]) -> Iterator[list[str | None]]:
        """The rows of one judgement."""
        if not row["spans"]:
            yield [*_place(row), "-1", "-1", NO_ERROR, NO_ERROR]
        for span in row["spans"]:
            ends = ["-1" if span[name] is None else str(span[name]) for name in ("start", "end")]
            yield [*_place(row), *ends, span["category"], span["severity"]]


def _errors(checker: Checker) -> tuple[str, ...]:
    """Find the spans, and refuse rows that make no sense; returns what a reader should know."""
    for name in ("system", "segment", "rater", "severity"):
        checker.name(name)
        checker.required(name, "every row must name it")
    columns = checker.frame.columns
    absent = [name for name in ("document", "source", "target", "category", "note", _POSITION) if name not in columns]
    checker.frame = checker.frame.with_columns(pl.lit(None, pl.String).alias(name) for name in absent)
    free = pl.col("severity").str.to_lowercase().is_in([NO_ERROR.lower(), "no error"])
    hotw = pl.col("severity") == HOTW
    checker.frame = checker.frame.with_columns(free.alias("free"), pl.when(hotw).then(pl.lit("gold")).alias("control"))
    return _offsets(checker) if "start" in columns and "end" in columns else _tags(checker)


def _contradictions(checker: Checker) -> None:
    """Refuse rows that say there is no error where other rows of the same judgement say something, or the same."""
    alone = pl.len().over(_KEYS) == 1
    checker.refuse(pl.col("free") & ~alone, "severity", "{}, but the same judgement has other rows")


def _offsets(checker: Checker) -> tuple[str, ...]:
    for name in ("start", "end"):
        checker.number(name)
        whole = (pl.col(name) == pl.col(name).floor()) & (pl.col(name).abs() < _LONGEST_TEXT)
        checker.refuse(~whole, name, "{} is not the place of a character")
        checker.frame = checker.frame.with_columns(pl.when(whole).then(pl.col(name)).alias(name))
    unmarked = pl.col("start") < 0
    marked = [pl.when(~unmarked).then(pl.col(name)).cast(pl.Int64).alias(name) for name in ("start", "end")]
    side = pl.when(unmarked).then(pl.lit("missing")).otherwise(pl.lit("target"))
    checker.frame = checker.frame.with_columns(*marked, side.alias("side"))
    return ()


def _tags(checker: Checker) -> tuple[str, ...]:
    """Offsets from the tags; text loses them. A tag that is never closed marks the rest of the text."""
    counts = {
        side: (
            pl.col(side).str.count_matches(_OPEN, literal=True),
            pl.col(side).str.count_matches(_CLOSE, literal=True),
        )
        for side in ("source", "target")
    }
    for side, (opened, closed) in counts.items():
        checker.refuse((opened > 1) | (closed > opened), side, "<v> and </v> do not mark one span: {}")
    both = (counts["source"][0] > 0) & (counts["target"][0] > 0)
    checker.refuse(both, "target", "a span is marked in the source and in the target: {}")
    unclosed = [
        (side, checker.frame.filter((opened == 1) & (closed == 0))[LINE]) for side, (opened, closed) in counts.items()
    ]
    in_source = pl.col("source").str.contains(_OPEN, literal=True).fill_null(value=False)
    in_target = pl.col("target").str.contains(_OPEN, literal=True).fill_null(value=False)
    where = (
        pl.when(in_target).then(pl.lit("target")).when(in_source).then(pl.lit("source")).otherwise(pl.lit("missing"))
    )
    marked = pl.when(in_source & ~in_target).then(pl.col("source")).otherwise(pl.col("target"))
    before = marked.str.splitn(_OPEN, 2)
    inside = before.struct.field("field_1").str.splitn(_CLOSE, 2).struct.field("field_0")
    start = pl.when(in_source | in_target).then(before.struct.field("field_0").str.len_chars().cast(pl.Int64))
    checker.frame = checker.frame.with_columns(
        where.alias("side"), start.alias("start"), (start + inside.str.len_chars().cast(pl.Int64)).alias("end")
    ).with_columns(pl.col(name).str.replace_all("</?v>", "") for name in ("source", "target"))
    return tuple(
        f"{checker.file}, line {line}, {name}: <v> is not closed, so the span reaches to the end of the text"
        for name, lines in unclosed
        for line in lines
    )


def _without_bad(checker: Checker, *, skip_bad: bool) -> pl.DataFrame:
    """The good rows of errors; where bad ones must not be skipped, all stay until they are refused."""
    lines = [row.line for row in checker.bad if row.line is not None]
    return checker.frame.filter(~pl.col(LINE).is_in(lines)) if skip_bad and lines else checker.frame


def _judgements(errors: pl.DataFrame) -> pl.DataFrame:
    """One row per judgement, in order of first appearance."""
    span = pl.struct(
        "start",
        "end",
        "side",
        "category",
        "severity",
        pl.lit(None, pl.Float64).alias("score"),
        pl.when(pl.col("note") != "").then(pl.col("note")).alias("comment"),
    ).cast(SPAN)
    others = [name for name in errors.columns if name in ("source", "target", _POSITION) or name.startswith(EXTRA)]
    free = pl.col("free")
    remark = pl.when(pl.col("note") != "").then(pl.col("note")).filter(free).first()
    return errors.group_by(_KEYS, maintain_order=True).agg(
        pl.col(LINE).first(),
        *(pl.col(name).first() for name in dict.fromkeys(others)),
        span.filter(~free).alias("spans"),
        remark.alias("comment"),
    )


def _known_control() -> pl.Expr:
    """Whether a control item is one that the severity of its only error tells."""
    marked = pl.col("spans").list.eval(pl.element().struct.field("severity") == HOTW).list.all()
    return pl.col("control").is_null() | ((pl.col("control") == "gold") & marked & (pl.col("spans").list.len() > 0))


def _in_one_line() -> pl.Expr:
    """Whether what is said of each span fits into a cell."""
    said = [pl.element().struct.field(name) for name in ("category", "severity", "comment")]
    apart = [text.str.contains(r"[\t\n\r]").fill_null(value=False) for text in said]
    return ~pl.col("spans").list.eval(pl.any_horizontal(apart)).list.any().fill_null(value=False)


def _place(row: dict[str, Any]) -> list[str | None]:
    return [row["system"], row["document"], row.get(_POSITION), row["segment"], row["rater"]]


def _marked(text: str | None, span: dict[str, Any], side: str) -> str | None:
    start, end = span["start"], span["end"]
    if text is None or start is None or span["side"] != side:
        return text
    return f"{text[:start]}{_OPEN}{text[start:end]}{_CLOSE}{text[end:]}"
