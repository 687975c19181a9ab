"""How much time post-editing takes off translating from scratch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from karat.human.effort import WORDS
from karat.identity import Identity
from karat.quick_dataclasses import dataclass
from karat.rows import Rows
from karat.significance import Interval, bootstrap
from karat.significance.alike import drawn_unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.ratings import Ratings
    from karat.human.plan import AnalysisPlan

COLUMNS = ("seconds", "words", "seconds_from_scratch", "words_from_scratch")
"""The sums that a share comes from."""


@dataclass(frozen=True)
class Saved:
    """The share of the time per word that post-editing saves; below 0 it takes longer than from scratch."""

    share: float
    interval: Interval | None

    def to_json(self) -> dict[str, Any]:
        """The part of a system's JSON entry; the interval is left out where nothing can be drawn."""
        bounds = {} if self.interval is None else {"time_saved_interval": [self.interval.low, self.interval.high]}
        return {"time_saved": self.share, **bounds}


def share_saved(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """One less the time per word of post-editing over that from scratch; NaN where there is nothing of either.

    >>> share_saved(np.array([[30.0, 10.0, 100.0, 20.0], [30.0, 10.0, 0.0, 0.0]])).tolist()
    [0.4, nan]
    """
    seconds, words, seconds_from_scratch, words_from_scratch = np.moveaxis(sums, -1, 0)
    lower = words * seconds_from_scratch
    shares = np.divide(seconds * words_from_scratch, lower, out=np.full_like(lower, np.nan), where=lower > 0)
    return np.asarray(1 - shares, dtype=np.float64)


def time_saved(edited: Ratings, from_scratch: Ratings, plan: AnalysisPlan) -> dict[str, Saved]:
    """What each system saves over the work from scratch, with an interval over source segments or documents."""
    edits, scratch = (_timed(ratings.ordinary.frame) for ratings in (edited, from_scratch))
    unit = _unit(pl.concat([edits, scratch]), plan)
    saved = {}
    for (system,), work in edits.group_by("system", maintain_order=True):
        rows = _rows(_sums(work, unit), _sums(scratch, unit))
        if not np.isnan(rows.score):
            saved[str(system)] = Saved(rows.score, _interval(rows, plan, unit))
    return saved


def _timed(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows that took a time and have words, with what of them is drawn."""
    timed = frame.filter(pl.col("seconds").is_not_null() & (WORDS > 0))
    return timed.select("system", "segment", "document", "seconds", WORDS.alias("words"))


def _unit(frame: pl.DataFrame, plan: AnalysisPlan) -> str:
    """What is drawn at random, as of the scores: documents where all are known and there are several."""
    if frame["document"].null_count():
        return "segment"
    return drawn_unit(frame["document"].n_unique(), plan.unit)[0]


def _sums(frame: pl.DataFrame, unit: str) -> pl.DataFrame:
    return frame.group_by(unit).agg(pl.col("seconds").sum(), pl.col("words").sum())


def _rows(edited: pl.DataFrame, from_scratch: pl.DataFrame) -> Rows:
    """A row for each unit; where it was worked on in one way only, the sums of the other are 0."""
    (unit, *_) = edited.columns
    both = edited.join(from_scratch, on=unit, how="full", coalesce=True, nulls_equal=True, suffix="_from_scratch")
    values = both.sort(unit).select(COLUMNS).fill_null(0).to_numpy().astype(np.float64)
    return Rows(values, COLUMNS, share_saved, Identity.of_scores("time saved"))


def _interval(rows: Rows, plan: AnalysisPlan, unit: str) -> Interval | None:
    """Resamples of the units, if there are several of both ways of working."""
    if min(np.count_nonzero(rows.values[:, COLUMNS.index(name)]) for name in COLUMNS[1::2]) < 2:
        return None
    return bootstrap(rows, plan.resampling(unit), threads=plan.threads).interval
