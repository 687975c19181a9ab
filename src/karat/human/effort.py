"""Post-editing: HTER, seconds and keystrokes per word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from karat.corpus.ratings import Ratings
from karat.errors import InputError
from karat.metrics.ter import Ter
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def hter(hypotheses: list[str], post_edits: list[str], *, threads: int | None = None) -> Floats:
    """Edits from each output to its post-edit, per word of the post-edit, at most 1.

    >>> hter(["a b c d"], ["a b c e"]).tolist()
    [0.25]
    """
    rows = Ter().prepare(post_edits, threads=threads).rows(hypotheses)
    return np.asarray(np.minimum(rows.unit_scores() / 100, 1.0))


def with_hter(ratings: Ratings) -> Ratings:
    """The rows that have an output and its post-edit, with HTER as their value; a value of the file is replaced."""
    frame = ratings.frame.filter(pl.col("post_edit").is_not_null() & pl.col("target").is_not_null())
    if not len(frame):
        raise InputError("HTER needs the output (target) and its post-edit in the same row: none has both")
    values = hter(frame["target"].to_list(), frame["post_edit"].to_list())
    named = frame.with_columns(pl.Series("value", values), pl.lit("hter").alias("criterion"))
    return Ratings.of(named, ratings.skipped)


WORDS = pl.coalesce("source", "target", "post_edit").str.extract_all(r"\S+").list.len().cast(pl.Int64)
"""The words of a row: of the source where it is known, else of the output."""


def with_seconds_per_word(ratings: Ratings) -> Ratings:
    """The rows that have a time and a text, with seconds per word as their value."""
    frame = ratings.frame.filter(pl.col("seconds").is_not_null() & (WORDS > 0))
    if not len(frame):
        raise InputError("time per word needs seconds and a source text in the same row: none has both")
    return Ratings.of(frame.with_columns((pl.col("seconds") / WORDS).alias("value")), ratings.skipped)


@dataclass(frozen=True)
class Effort:
    """What the work on one system's output took, in all."""

    system: str
    rows: int
    words: int
    seconds_per_word: float | None
    keystrokes_per_word: float | None

    def to_json(self) -> dict[str, Any]:
        """The part of a system's JSON entry."""
        return {
            "words": self.words,
            "seconds_per_word": self.seconds_per_word,
            "keystrokes_per_word": self.keystrokes_per_word,
        }


def effort(ratings: Ratings) -> dict[str, Effort]:
    """Seconds and keystrokes per word, by system: of the source where it is known, else of the output.

    Both are sums over sums, so that a long segment counts for its length.
    """
    frame = ratings.ordinary.frame.with_columns(WORDS.alias("words")).filter(pl.col("words") > 0)
    efforts = {}
    for (system,), rows in frame.group_by("system", maintain_order=True):
        per_word = {
            column: _per_word(rows.filter(pl.col(column).is_not_null()), column) for column in ("seconds", "keystrokes")
        }
        efforts[str(system)] = Effort(
            str(system), len(rows), int(rows["words"].sum()), per_word["seconds"], per_word["keystrokes"]
        )
    return efforts


def _per_word(rows: pl.DataFrame, column: str) -> float | None:
    words = int(rows["words"].sum())
    return float(rows[column].sum()) / words if words else None
