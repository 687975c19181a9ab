"""Files without a header: numbers in lines, words with error types, and COMET's training tables.

Numbers: a line per segment, with one number or several, one per rater (``effort3scores``); what they are about is
said by `protocol`, `criterion` and `system`. Words: ``word|TYPE`` with ``None`` for a right word, several types
joined by ``+``, and ``XX|OMISSION`` where something is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from karat.corpus.lines import split_lines
from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, position, register_format
from karat.corpus.ratings.formats.named import CsvRatings
from karat.corpus.ratings.model import BadRow, Ratings
from karat.corpus.ratings.protocols import protocol as protocol_named
from karat.corpus.ratings.protocols import protocol_names
from karat.corpus.ratings.schema import EXTRA
from karat.corpus.ratings.spans import FIELDS, Span, span_series
from karat.corpus.ratings.tables import LINE, frame_of, header_of, quoted_rows, space_rows
from karat.errors import InputError


@register_format
class NumberLines(RatingsFormat):
    """Reads and writes lines of numbers."""

    name = "numbers"
    description = "a line per segment, with one number or one per rater, and nothing else"
    suffixes = (".scores", ".hter", ".effort", ".effort3scores")
    holds = frozenset({"rater", "segment", "value"})
    partly: ClassVar[Mapping[str, pl.Expr]] = {
        "rater": (pl.col("rater") == position("segment")) & (pl.col("rater").n_unique() > 1)
    }

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the suffix."""
        return file.suffix in cls.suffixes

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per number; the n-th number of a line is the n-th rater's, if there are several."""
        rows = list(space_rows(file))
        width = len(rows[0][1]) if rows else 0
        if not width:
            raise InputError(f"{file.name}, line 1: there is no number")
        columns = [str(number) for number in range(1, width + 1)]
        frame, bad = frame_of(file, columns, iter(rows))
        long = frame.unpivot(columns, index=LINE, variable_name="rater").sort(LINE, maintain_order=True)
        checker = Checker(file.name, long, bad)
        checker.number("value")
        known = {".hter": "post-edit", ".effort": "effort", ".effort3scores": "effort"}
        name = options.protocol or known.get(file.suffix, "custom")
        checker.frame = checker.frame.with_columns(
            pl.col(LINE).cast(pl.String).alias("segment"),
            pl.when(pl.lit(width > 1)).then(pl.col("rater")).alias("rater"),
            pl.lit(name).alias("protocol"),
            pl.lit(options.criterion or protocol_named(name).criterion).alias("criterion"),
            pl.lit(options.system or "mt").alias("system"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Values of one system and criterion, by segments that are numbered without a gap."""
        single = pl.struct("protocol", "criterion", "system").n_unique() == 1
        alone = pl.struct("rater", "segment").is_first_distinct()
        expected = pl.int_range(pl.len()) // pl.col("rater").n_unique() + 1
        enough = [name for name in protocol_names() if all("value" in need for need in protocol_named(name).needs)]
        fits = pl.col("value").is_not_null() & (pl.col("segment") == expected.cast(pl.String)) & single & alone
        fits &= pl.col("protocol").is_in(enough)
        return ratings.frame.select(fits).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """The numbers of a segment in a line, separated by tabs."""
        grouped = ratings.frame.group_by("segment", maintain_order=True).agg("value")["value"].to_list()
        whole = all(value.is_integer() for values in grouped for value in values)
        texts = ("\t".join(repr(int(value)) if whole else repr(value) for value in values) for values in grouped)
        return "".join(f"{text}\n" for text in texts).encode()


_WORD = re.compile(r"(?P<word>.*)\|(?P<types>[A-Za-z_]+(?:\+[A-Za-z_]+)*)")
_OMITTED = "XX"


@register_format
class WordErrorTypes(RatingsFormat):
    """Reads and writes words with their error types."""

    name = "word-errors"
    description = "words with error types: word|TYPE, None for a right word, XX|OMISSION for a missing one"
    suffixes = (".hyp", ".ref")
    holds = frozenset({"segment", "target", "spans", "protocol", "criterion"})
    span_holds = frozenset(FIELDS) - {"severity", "score"}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the first line."""
        words = file.head[0].split()
        return bool(words) and all(_WORD.fullmatch(word) for word in words)

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per line; a neighbouring file ``*.ids`` names documents and segments."""
        bad: list[BadRow] = []
        lines = split_lines(file.text())
        read = [_words(line, file.name, number, bad) for number, line in enumerate(lines, 1)]
        documents, segments = _ids(file, len(lines))
        frame = pl.DataFrame(
            {
                LINE: range(1, len(lines) + 1),
                "target": [text for text, _ in read],
                "document": documents,
                "segment": segments,
            },
            schema={LINE: pl.Int64, "target": pl.String, "document": pl.String, "segment": pl.String},
        ).with_columns(
            span_series([spans for _, spans in read]),
            pl.lit("error-types").alias("protocol"),
            pl.lit("penalty").alias("criterion"),
            pl.lit(options.system or file.stem.split(".")[-1]).alias("system"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return checked(Checker(file.name, frame, bad), skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Judgements of words whose text is known."""
        known = pl.col("target").is_not_null() & pl.col("spans").is_not_null()
        single = pl.col("system").n_unique() == 1
        numbered = pl.col("segment") == pl.int_range(1, pl.len() + 1).cast(pl.String)
        fits = ratings.frame.select((pl.col("protocol") == "error-types") & known & single & numbered).to_series()
        rows = ratings.frame.select("target", "spans").iter_rows()
        comes_back = [text is not None and spans is not None and _comes_back(text, spans) for text, spans in rows]
        return fits & pl.Series(comes_back, dtype=pl.Boolean)

    def write(self, ratings: Ratings) -> bytes:
        """A line per judgement; a space follows every word."""
        rows = ratings.frame.select("target", "spans").iter_rows()
        return "".join("".join(f"{word} " for word in _typed(text, spans)) + "\n" for text, spans in rows).encode()


def _words(line: str, file: str, number: int, bad: list[BadRow]) -> tuple[str, list[Span]]:
    """The text of a line and its errors."""
    words: list[str] = []
    spans: list[Span] = []
    position = 0
    for token in line.split():
        match = _WORD.fullmatch(token)
        if match is None:
            bad.append(BadRow(file, number, "word", f"{token!r} has no error type: write {token}|None"))
            continue
        word, types = match["word"], match["types"].split("+")
        missing = word == _OMITTED and "OMISSION" in types
        end = position if missing else position + len(word)
        note = _nth_missing(spans, position) if missing else None
        if types != ["None"]:
            spans += [_typed_span(position, end, kind, missing=missing, note=note) for kind in types]
        if not missing:
            words.append(word)
            position = end + 1
    text = " ".join(words)
    return text, [
        {**span, "start": min(span["start"], len(text)), "end": min(span["end"], len(text))} for span in spans
    ]


def _nth_missing(spans: list[Span], position: int) -> str | None:
    """What tells the missing words of one place apart: nothing for the first, then a number."""
    notes = {span["comment"] for span in spans if span["side"] == "missing" and span["start"] == position}
    return f"missing word {len(notes) + 1}" if notes else None


def _comes_back(text: str, spans: list[dict[str, Any]]) -> bool:
    """Whether words with types say the same: spans are words, and types are plain."""
    wrong: list[BadRow] = []
    again, read_spans = _words(" ".join(_typed(text, spans)), "", 0, wrong)
    kept = ("start", "end", "side", "category", "comment")
    return (
        not wrong
        and again == text
        and sorted(repr([span[name] for name in kept]) for span in spans)
        == sorted(repr([span[name] for name in kept]) for span in read_spans)
    )


def _typed_span(start: int, end: int, kind: str, *, missing: bool, note: str | None) -> Span:
    side = "missing" if missing else "target"
    return {
        "start": start,
        "end": end,
        "side": side,
        "category": kind,
        "severity": None,
        "score": None,
        "comment": note,
    }


def _typed(text: str, spans: list[dict[str, Any]]) -> Iterator[str]:
    """The words with their types, missing ones before the word that they precede."""
    position = 0
    for word in [*text.split(" "), None] if text else [None]:
        starting = [span for span in spans if span["start"] == min(position, len(text))]
        omitted = [span for span in starting if span["side"] == "missing"]
        for note in dict.fromkeys(span["comment"] for span in omitted):
            yield f"{_OMITTED}|{'+'.join(span['category'] for span in omitted if span['comment'] == note)}"
        if word is not None:
            types = [span["category"] for span in starting if span["side"] == "target"]
            yield f"{word}|{'+'.join(types) or 'None'}"
            position += len(word) + 1


def _ids(file: LoadedFile, count: int) -> tuple[list[str | None], list[str]]:
    """Documents and segments from the file of ids beside it, if there is one."""
    paths = [] if file.is_stdin else sorted(Path(file.given).parent.glob("*.ids"))
    numbered = [str(number) for number in range(1, count + 1)]
    if len(paths) != 1:
        return [None] * count, numbered
    lines = split_lines(LoadedFile(str(paths[0]), paths[0].read_bytes()).text())
    if len(lines) != count:
        raise InputError(f"{paths[0]} has {len(lines)} lines, and {file.name} has {count}")
    documents = [match[1] if (match := re.search(r'doc="([^" ]+)', line)) else None for line in lines]
    return documents, numbered


@register_format
class CometPairs(RatingsFormat):
    """Reads COMET's table of better and worse translations."""

    name = "comet-pairs"
    description = "COMET's pairs of a better and a worse translation (src, ref, pos, neg)"
    suffixes = (".csv",)
    priority = 3

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return {"pos", "neg"} <= set(file.head[0].split(","))

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A preference per row, of pos over neg."""
        rows = quoted_rows(file)
        names = header_of(file, rows, "a header with src, ref, pos and neg")
        frame, bad = frame_of(file, names, rows)
        checker = Checker(file.name, frame, bad)
        checker.frame = checker.frame.with_columns(
            pl.int_range(1, pl.len() + 1).cast(pl.String).alias("segment"),
            pl.col("src").alias("source"),
            pl.col("pos").alias("target"),
            pl.col("neg").alias(f"{EXTRA}other_target"),
            pl.col("ref").alias(f"{EXTRA}reference"),
            pl.lit("pos").alias("system"),
            pl.lit("neg").alias("other_system"),
            pl.lit("first").alias("label"),
            pl.lit("preference").alias("protocol"),
            pl.lit("overall").alias("criterion"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        ).drop(names)
        return checked(checker, skip_bad=options.skip_bad)


@register_format
class CometScores(RatingsFormat):
    """Reads COMET's table of scored translations."""

    name = "comet-scores"
    description = "COMET's scored translations (src, mt, ref, score)"
    suffixes = (".csv",)
    priority = 2

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return file.head[0].strip().split(",") == ["src", "mt", "ref", "score"]

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per segment, numbered, of one system."""
        named_options = replace(options, system=options.system or "mt")
        ratings = CsvRatings().read(file, named_options)
        numbered = pl.int_range(1, pl.len() + 1).cast(pl.String).alias("segment")
        return replace(ratings, frame=ratings.frame.with_columns(numbered))
