"""Human scores and ratings as mt-metrics-eval keeps them.

``LANGUAGES.PROTOCOL.LEVEL.score`` has a line ``SYSTEM<TAB>SCORE`` per system and segment (level ``seg``, in the order
of the source), document (``doc``) or system (``sys``), and ``DOMAIN<TAB>SYSTEM<TAB>SCORE`` for domains. ``None`` is
no judgement. ``*.seg.rating`` has ``SYSTEM<TAB>JSON`` (and perhaps ``<TAB>RATER``) with the errors that were marked.
Scores of MQM are negative sums, so higher is better. A directory ``human-scores`` (or the one that holds it) gives
all of its files.

Written score files are byte for byte those that were read, except that 5.0 becomes 5 where all values are whole. In
rating files 5 may become 5.0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from karat.corpus.jsontext import parse_json
from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.model import BadRow, Ratings, Unjudged
from karat.corpus.ratings.protocols.base import registered
from karat.corpus.ratings.spans import (
    FIELDS,
    Span,
    SpanError,
    checked_spans,
    marks,
    score_or_none,
    span_series,
    text_or_none,
    whole_or_none,
)
from karat.corpus.ratings.tables import LINE, frame_of, tab_frame, tab_rows
from karat.errors import InputError

NONE = "None"
_NAME = re.compile(
    r"(?:(?P<pair>[a-zA-Z_]+-[a-zA-Z_]+)\.)?(?P<what>.+)\.(?P<level>seg|doc|sys|domain)\.(?:score|rating)"
)
_COLUMNS = {
    "seg": ("system", "value"),
    "doc": ("system", "value"),
    "sys": ("system", "value"),
    "domain": ("domain", "system", "value"),
}


class MtmeFile(RatingsFormat):
    """A file whose name says the language pair, the protocol and the level."""

    ending: ClassVar[str]
    priority = 3
    keeps_unjudged = True

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the name."""
        return file.given.endswith(cls.ending)

    def described(self, file: LoadedFile, options: ReadOptions) -> tuple[str | None, str, str, str]:
        """Language pair, protocol, criterion and level, as the name and the options say."""
        match = _NAME.fullmatch(Path(file.given).name)
        pair, title, level = (match["pair"], match["what"], match["level"]) if match else (None, "", "seg")
        names = [title.lower().partition(".")[0], re.split(r"[^a-z]", title.lower())[0]]
        known = next((registered()[name].name for name in names if name in registered()), "custom")
        protocol = options.protocol or known
        criterion = options.criterion or ("score" if protocol == "mqm" else registered()[protocol].criterion)
        return options.language_pair or pair, protocol, criterion, level


@register_format
class MtmeScoreFile(MtmeFile):
    """Reads and writes score files."""

    name = "mtme-scores"
    description = "human scores of mt-metrics-eval (*.seg.score, *.doc.score, *.sys.score, *.domain.score)"
    suffixes = (".score",)
    ending = ".score"
    holds = frozenset({"system", "segment", "document", "domain", "value", "protocol", "criterion", "language_pair"})
    partly: ClassVar[Mapping[str, pl.Expr]] = {
        "document": pl.col("segment").is_null(),
        "domain": pl.col("segment").is_null() & pl.col("document").is_null(),
    }

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A line per judgement."""
        pair, protocol, criterion, level = self.described(file, options)
        frame, bad = tab_frame(file, _COLUMNS[level])
        checker = Checker(file.name, _numbered(frame, level), bad)
        unit = {"seg": "segment", "doc": "document", "domain": "domain"}.get(level, "system")
        unjudged = unjudged_of(checker.frame, pl.col("value") == NONE, unit)
        checker.frame = checker.frame.filter(pl.col("value") != NONE)
        checker.name("system")
        checker.required("system", "every line must name it")
        checker.number("value")
        checker.frame = checker.frame.with_columns(
            pl.lit(pair, pl.String).alias("language_pair"),
            pl.lit(protocol).alias("protocol"),
            pl.lit(criterion).alias("criterion"),
        )
        return replace(checked(checker, skip_bad=options.skip_bad), unjudged=unjudged)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Values without rater: one per system and segment."""
        frame = ratings.frame
        alone = pl.struct("system", "segment", "document", "domain", "protocol", "criterion").is_first_distinct()
        numbered = pl.col("segment").is_null() | pl.col("segment").str.contains(r"^[1-9]\d*$")
        one_kind = pl.struct("protocol", "criterion", "language_pair").n_unique() == 1
        fits = pl.col("value").is_not_null() & pl.col("system").is_not_null() & pl.col("rater").is_null()
        return frame.select(fits & alone & numbered & one_kind).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A line per system and segment; None where there is no judgement."""
        frame = ratings.frame
        whole = frame.select((pl.col("value") == pl.col("value").floor()).all()).item()
        texts = [str(int(value)) if whole else repr(value) for value in frame["value"]]
        for unit in ("segment", "document"):
            if frame[unit].null_count() == 0:
                keys = zip(frame["system"], frame[unit].cast(pl.Int64), strict=True)
                return _lines(ratings, dict(zip(keys, texts, strict=True)))
        columns = ("domain", "system") if frame["domain"].null_count() == 0 else ("system",)
        places = frame.select(columns).iter_rows()
        return "".join("\t".join((*place, text)) + "\n" for place, text in zip(places, texts, strict=True)).encode()


def _numbered(frame: pl.DataFrame, level: str) -> pl.DataFrame:
    """The frame with the number of the segment or document: how often the system has been named before."""
    if level not in ("seg", "doc"):
        return frame
    name = {"seg": "segment", "doc": "document"}[level]
    return frame.with_columns(pl.col("system").cum_count().over("system").cast(pl.String).alias(name))


def _lines(ratings: Ratings, texts: dict[tuple[str, int], str]) -> bytes:
    """Lines by system, then by number; None where there is nothing."""
    known = [*(place for _, place in texts), *(int(unjudged.unit) for unjudged in ratings.unjudged)]
    last = max(known, default=0)
    lines = (
        f"{system}\t{texts.get((system, place), NONE)}"
        for system in ratings.systems_in_order()
        for place in range(1, last + 1)
    )
    return "".join(f"{line}\n" for line in lines).encode()


def unjudged_of(frame: pl.DataFrame, missing: pl.Expr, unit: str) -> tuple[Unjudged, ...]:
    """The rows of a frame that are no judgements, each with the number of judgements before it."""
    counted = frame.with_columns((~missing).cum_sum().cast(pl.Int64).alias("after")).filter(missing)
    return tuple(
        Unjudged(*row) for row in counted.select(pl.col("system"), pl.col(unit).alias("unit"), "after").iter_rows()
    )


@register_format
class MtmeRatings(MtmeFile):
    """Reads and writes rating files."""

    name = "mtme-ratings"
    description = "error spans of mt-metrics-eval (*.seg.rating)"
    suffixes = (".rating",)
    ending = ".rating"
    holds = frozenset({"system", "segment", "rater", "spans", "protocol", "criterion", "language_pair"})
    span_holds = frozenset(FIELDS) - {"comment"}

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A line per judgement; its errors are spans with their scores."""
        pair, protocol, _, _ = self.described(file, options)
        lines = [(line, cells if len(cells) == 3 else [*cells, ""]) for line, cells in tab_rows(file)]
        frame, bad = frame_of(file, ("system", "rating", "rater"), iter(lines))
        numbered = _numbered(frame, "seg")
        unjudged = unjudged_of(numbered, pl.col("rating") == NONE, "segment")
        checker = Checker(file.name, numbered.filter(pl.col("rating") != NONE), bad)
        checker.name("rater")
        _parse(checker)
        checker.frame = checker.frame.drop("rating").with_columns(
            pl.lit(pair, pl.String).alias("language_pair"),
            pl.lit(protocol).alias("protocol"),
            pl.lit("penalty" if protocol == "mqm" else registered()[protocol].criterion).alias("criterion"),
        )
        return replace(checked(checker, skip_bad=options.skip_bad), unjudged=unjudged)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Judgements with spans, of numbered segments."""
        numbered = pl.col("segment").str.contains(r"^[1-9]\d*$").fill_null(value=False)
        alone = pl.struct("system", "segment").is_first_distinct()
        mqm = (pl.col("protocol") == "mqm") & pl.col("spans").is_not_null() & ~marks("missing")
        return ratings.frame.select(mqm & numbered & alone).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A line per system and segment."""
        texts: dict[tuple[str, int], str] = {}
        for system, segment, spans, rater in ratings.frame.select("system", "segment", "spans", "rater").iter_rows():
            text = json.dumps({"errors": [_error(span) for span in spans]}, ensure_ascii=True)
            texts[system, int(segment)] = text if rater is None else f"{text}\t{rater}"
        return _lines(ratings, texts)


def _parse(checker: Checker) -> None:
    spans: list[list[Span] | None] = []
    for line, text in checker.frame.select(LINE, "rating").iter_rows():
        try:
            spans.append(_spans(text))
        except (ValueError, TypeError, KeyError) as error:
            checker.bad.append(BadRow(checker.file, line, "rating", f"{error} in {text[:60]!r}"))
            spans.append(None)
    checker.frame = checker.frame.with_columns(span_series(spans))


def _spans(text: str) -> list[Span]:
    value = parse_json(text)
    if not isinstance(value, dict) or "errors" not in value:
        raise SpanError("there are no errors")
    return checked_spans(value["errors"], _span)


def _span(error: Mapping[str, Any]) -> Span:
    start, end = (whole_or_none(error.get(name), name) for name in ("start", "end"))
    side = "source" if error.get("is_source_error") else "target"
    texts = {name: text_or_none(error.get(name), name) for name in ("category", "severity")}
    return {
        "start": start,
        "end": end,
        "side": "missing" if start is None else side,
        "comment": None,
        "score": score_or_none(error.get("score")),
        **texts,
    }


def _error(span: Mapping[str, Any]) -> dict[str, Any]:
    parts = {name: span[name] for name in ("start", "end", "category", "severity", "score")}
    return {**parts, "is_source_error": span["side"] == "source"}


@register_format
class MtmeDirectory(RatingsFormat):
    """Reads all human scores and ratings of a directory."""

    name = "mtme"
    description = "directory human-scores of mt-metrics-eval, or the test set that holds it"
    directory = True
    priority = 1

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """A directory with such files, or with a directory of them."""
        return bool(_human_scores(file.path))

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """The ratings of all files; the language pair chooses where there are several."""
        paths = _human_scores(file.path)
        pair = options.language_pair
        if pair is not None:
            paths = [path for path in paths if path.name.startswith(f"{pair}.")]
        if not paths:
            raise InputError(f"{file.name} has no human scores{'' if pair is None else f' of {pair}'}")
        tables = []
        for path in paths:
            loaded = LoadedFile(str(path), path.read_bytes())
            reader = MtmeScoreFile() if path.name.endswith(".score") else MtmeRatings()
            tables.append(reader.read(loaded, replace(options, protocol=None, criterion=None)))
        return Ratings.concat(tables)


def _human_scores(directory: Path) -> list[Path]:
    inner = directory / "human-scores"
    place = inner if inner.is_dir() else directory
    return sorted(path for path in place.iterdir() if path.name.endswith((".score", ".rating")))
