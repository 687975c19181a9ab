"""The files of two studies on human parity: Läubli et al. (2018) and Läubli et al. (2020).

Both ask for preferences between translations by people and by a machine, of sentences and of documents.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from typing import ClassVar

import polars as pl

from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.schema import EXTRA
from karat.corpus.ratings.tables import LINE, frame_of, header_of, quoted_rows

_PARITY = ("participant_id", "condition", "type", "exp_item_number", "rating")


@register_format
class ParityRatings(RatingsFormat):
    """Reads and writes preferences between a human and a machine translation."""

    name = "parity"
    description = (
        "preferences between a human translation and MT (participant_id, condition, type, exp_item_number, rating)"
    )
    suffixes = (".csv",)
    priority = 3
    holds = frozenset({"rater", "system", "other_system", "segment", "document", "protocol", "criterion", "label"})

    partly: ClassVar[Mapping[str, pl.Expr]] = {"document": pl.col("segment").is_null()}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return tuple(file.head[0].split(",")) == _PARITY

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per judgement; the human translation is the first system."""
        rows = quoted_rows(file)
        next(rows, None)
        frame, bad = frame_of(file, _PARITY, rows)
        checker = Checker(file.name, frame, bad)
        checker.one_of("type", ("document", "sentence"))
        checker.one_of("rating", ("human", "mt", "tie"))
        item, whole = pl.col("exp_item_number"), pl.col("type") == "document"
        checker.frame = checker.frame.select(
            LINE,
            pl.col("participant_id").alias("rater"),
            pl.lit("human").alias("system"),
            pl.lit("mt").alias("other_system"),
            pl.when(whole).then(item).alias("document"),
            pl.when(~whole).then(item).alias("segment"),
            pl.col("condition").alias("criterion"),
            pl.col("rating").replace({"human": "first", "mt": "second"}).alias("label"),
            pl.lit("preference").alias("protocol"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Preferences between human and mt."""
        pair = (pl.col("system") == "human") & (pl.col("other_system") == "mt")
        named = pl.col("rater").is_not_null() & pl.coalesce("segment", "document").is_not_null()
        return ratings.frame.select((pl.col("protocol") == "preference") & pair & named).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """The same columns."""
        frame = ratings.frame.select(
            "rater",
            "criterion",
            pl.when(pl.col("segment").is_null()).then(pl.lit("document")).otherwise(pl.lit("sentence")).alias("type"),
            pl.coalesce("segment", "document").alias("item"),
            pl.col("label").replace({"first": "human", "second": "mt"}),
        )
        out = StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([_PARITY, *frame.iter_rows()])
        return out.getvalue().encode()


_GROUPED = (
    "file_id", "file_order", "task_id", "task_order", "wmt_article", "wmt_line", "level", "fluency_rater1",
    "fluency_rater2", "adequacy_rater1", "adequacy_rater2", "A_origin", "B_origin",
)  # fmt: skip


@register_format
class ParityTable(RatingsFormat):
    """Reads preferences that stand in columns, one per criterion and rater."""

    name = "parity-table"
    description = "preferences of two raters per criterion in columns (fluency_rater1, ..., A_origin, B_origin)"
    suffixes = (".csv",)
    priority = 3

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return tuple(file.head[0].split(",")) == _GROUPED

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per judgement; spam items are control items, and raters are named after criterion, group and number."""
        rows = quoted_rows(file)
        next(rows, None)
        frame, bad = frame_of(file, _GROUPED, rows)
        answers = [name for name in _GROUPED if "_rater" in name]
        long = frame.unpivot(answers, index=[LINE, *(n for n in _GROUPED if n not in answers)]).sort(
            LINE, maintain_order=True
        )
        checker = Checker(file.name, long, bad)
        answer, first, second = pl.col("value"), pl.col("A_origin"), pl.col("B_origin")
        known = (answer == first) | (answer == second) | (answer == "tie")
        checker.refuse(~known, "value", "{} is neither the origin of A, nor that of B, nor tie")
        parts = pl.col("variable").str.split("_rater")
        whole = pl.col("level") == "document"
        item = pl.concat_str("file_id", "file_order", separator="-")
        checker.frame = checker.frame.select(
            LINE,
            first.alias("system"),
            second.alias("other_system"),
            pl.when(answer == "tie")
            .then(pl.lit("tie"))
            .when(answer == first)
            .then(pl.lit("first"))
            .otherwise(pl.lit("second"))
            .alias("label"),
            parts.list.first().alias("criterion"),
            pl.concat_str(parts.list.first(), pl.col("file_id").str.head(1), parts.list.last(), separator="-").alias(
                "rater"
            ),
            pl.when(whole).then(item).otherwise(pl.col("wmt_article")).alias("document"),
            pl.when(~whole).then(item).alias("segment"),
            pl.when((first == "spam") | (second == "spam")).then(pl.lit("spam")).alias("control"),
            pl.col("task_id").alias(f"{EXTRA}task"),
            pl.lit("preference").alias("protocol"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return checked(checker, skip_bad=options.skip_bad)


@register_format
class ParitySheet(RatingsFormat):
    """Reads the sheet of one rater, who prefers A, B or neither (X)."""

    name = "parity-sheet"
    description = "the sheet of one rater: ID and Judgement, which is A, B or X"
    suffixes = (".csv",)
    priority = 3

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return file.head[0].strip() == "ID,Judgement"

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per judgement; the rater is named after the file, and the systems are A and B, since raters were "
        "blind."""
        rows = quoted_rows(file)
        next(rows, None)
        frame, bad = frame_of(file, ("item", "label"), rows)
        checker = Checker(file.name, frame, bad)
        checker.name("label")
        checker.one_of("label", ("A", "B", "X"))
        whole = pl.col("item").str.contains(r"d-\d+$")
        checker.frame = checker.frame.with_columns(
            pl.col("label").replace({"A": "first", "B": "second", "X": "tie"}),
            pl.lit("A").alias("system"),
            pl.lit("B").alias("other_system"),
            pl.when(whole).then(pl.col("item")).alias("document"),
            pl.when(~whole).then(pl.col("item")).alias("segment"),
            pl.lit(file.stem).alias("rater"),
            pl.lit("preference").alias("protocol"),
            pl.lit(options.criterion or "overall").alias("criterion"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return checked(checker, skip_bad=options.skip_bad)


@register_format
class ParityErrors(RatingsFormat):
    """Reads counts of errors by type."""

    name = "parity-errors"
    description = "counts of errors by type: Item, Example (A, B, C), a column per type, Notes"
    suffixes = (".csv",)
    priority = 3

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return file.head[0].startswith("Item,Example,") and file.head[0].rstrip().endswith(",Notes")

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per type; the examples A, B and C are the systems."""
        rows = quoted_rows(file)
        names = header_of(file, rows, "a header with Item, Example, a column per type, and Notes")
        frame, bad = frame_of(file, names, rows)
        types = names[2:-1]
        long = frame.unpivot(
            types, index=[LINE, "Item", "Example", "Notes"], variable_name="criterion", value_name="value"
        )
        checker = Checker(file.name, long.sort(LINE, maintain_order=True), bad)
        checker.number("value")
        checker.frame = checker.frame.select(
            LINE,
            "criterion",
            "value",
            pl.col("Item").alias("segment"),
            pl.col("Example").alias("system"),
            pl.when(pl.col("Notes") != "").then(pl.col("Notes")).alias("comment"),
            pl.lit("error-types").alias("protocol"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return checked(checker, skip_bad=options.skip_bad)
