"""The columns of the table of ratings: one row per judgement.

A judgement is one answer of one rater: a value, a label, a place in a ranking, a preference between two systems, a set
of error spans, a post-edited text, or an answer to a question. Whatever a row has no use for is null. Columns whose
names start with ``extra:`` may stand beside these; they hold text that belongs to one format only, and travel with the
row.
"""

from __future__ import annotations

import polars as pl

from karat.quick_dataclasses import dataclass

EXTRA = "extra:"
"""What the names of further columns start with."""

SPAN = pl.Struct(
    {
        "start": pl.Int64,
        "end": pl.Int64,
        "side": pl.String,
        "category": pl.String,
        "severity": pl.String,
        "score": pl.Float64,
        "comment": pl.String,
    }
)
"""An error: code points `start` to `end` (exclusive) of the text on its `side`; both null where nothing is marked."""

SIDES = ("target", "source", "missing")
"""Where an error is marked: in the translation, in the source, or nowhere, because something is missing."""

CONTROLS = ("repeat", "bad-reference", "reference", "gold", "spam", "tutorial", "other")
"""What kinds of control items there are."""


@dataclass(frozen=True)
class Column:
    """One column: its type and what it says."""

    name: str
    dtype: pl.DataType
    help: str


COLUMNS: tuple[Column, ...] = (
    Column("rater", pl.String(), "who judged"),
    Column("system", pl.String(), "whose output was judged; in a comparison, the one shown first"),
    Column("other_system", pl.String(), "in a comparison of two, the one shown second"),
    Column("segment", pl.String(), "which segment; null where a whole document or a system was judged"),
    Column("document", pl.String(), "which document (or passage)"),
    Column("domain", pl.String(), "which domain"),
    Column("language_pair", pl.String(), "such as en-de"),
    Column("protocol", pl.String(), "how people were asked: a name out of the protocols karat knows"),
    Column("criterion", pl.String(), "what was asked for: adequacy, fluency, overall, ..."),
    Column("value", pl.Float64(), "the answer as a number; in a ranking the rank; 1 for a correct answer, else 0"),
    Column("other_value", pl.Float64(), "in a comparison of two, the rank of the second system"),
    Column("label", pl.String(), "the answer in words; in a preference: first, second or tie"),
    Column("item", pl.String(), "what was judged at one time: rows of one ranking share it"),
    Column("question", pl.String(), "which question was answered"),
    Column("answer", pl.String(), "which answer was given"),
    Column("control", pl.String(), f"null for an ordinary item, else one of {', '.join(CONTROLS)}"),
    Column("time", pl.Datetime("us", "UTC"), "when the judgement was made"),
    Column("seconds", pl.Float64(), "how long it took"),
    Column("keystrokes", pl.Int64(), "how many keys were pressed"),
    Column("source", pl.String(), "the source text that was shown"),
    Column("target", pl.String(), "the translation that was judged; span offsets count its code points"),
    Column("post_edit", pl.String(), "the translation as the rater corrected it (or made it)"),
    Column("spans", pl.List(SPAN), "the errors that were marked; empty if none was found, null if none was asked for"),
    Column("comment", pl.String(), "what the rater remarked"),
    Column("shown", pl.String(), "what stood beside the translation: source, reference, source+reference, or nothing"),
    Column("bilingual", pl.Boolean(), "whether the rater reads the source language"),
    Column("broken", pl.String(), "why it could not be judged, as the rater said: such as a source that is cut off"),
)

NAMES = tuple(column.name for column in COLUMNS)
SCHEMA: dict[str, pl.DataType] = {column.name: column.dtype for column in COLUMNS}
