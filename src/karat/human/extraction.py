"""From the table of ratings to arrays: the values of one criterion, and the pairs of comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from karat.corpus.ratings import aligned, comparisons, segment_names, taken_apart
from karat.human.comparing.comparisons import Comparisons
from karat.human.scales.judgements import CONTROL_CODES, ORDINARY, OTHER, Judgements

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.ratings import Ratings

    Codes = NDArray[np.intp]


def coded(column: pl.Series) -> tuple[tuple[str, ...], Codes]:
    """The different names in order of first appearance, and each entry as a code into them; -1 for null."""
    names = column.drop_nulls().unique(maintain_order=True)
    codes = column.cast(pl.Enum(names)).to_physical().cast(pl.Int64).fill_null(-1)
    return tuple(names), codes.to_numpy().astype(np.intp)


def judgements(ratings: Ratings, *, standardised: bool = False) -> Judgements:
    """The rows that have a system and a value, as arrays; all of one protocol and criterion."""
    frame = ratings.frame.filter(pl.col("value").is_not_null() & pl.col("system").is_not_null())
    frame = aligned(frame)
    frame = frame.with_columns(_unit(frame).alias("unit"), pl.col("rater").fill_null("unknown"))
    systems, system = coded(frame["system"])
    segments, segment = coded(frame["unit"])
    raters, rater = coded(frame["rater"])
    documents, document = coded(frame["document"])
    domains, domain = coded(frame["domain"])
    _, text = coded(frame["target"])
    control = frame["control"].replace_strict(CONTROL_CODES, default=OTHER, return_dtype=pl.Int8)
    return Judgements(
        systems=systems,
        segments=segments,
        raters=raters,
        documents=documents,
        domains=domains,
        system=system,
        segment=segment,
        rater=rater,
        document=document,
        domain=domain,
        text=text,
        control=np.where(frame["control"].is_null().to_numpy(), ORDINARY, control.to_numpy()).astype(np.int8),
        value=frame["value"].to_numpy().astype(np.float64),
        seconds=frame["seconds"].fill_null(float("nan")).to_numpy().astype(np.float64),
        gold=_gold(frame),
        standardised=standardised,
    )


def _unit(frame: pl.DataFrame) -> pl.Expr:
    """What was judged of a system: the segment, or the document as a whole."""
    whole = pl.coalesce(segment_names(frame), pl.col("document"), pl.lit("all"))
    if frame["question"].is_null().all():
        return whole
    return pl.concat_str([whole, pl.col("question").fill_null("")], separator="?")


def _gold(frame: pl.DataFrame) -> NDArray[np.float64] | None:
    """The right answers of gold items, where the file has them in a column of its own."""
    if "extra:gold" not in frame.columns:
        return None
    return frame["extra:gold"].cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy().astype(np.float64)


def pair_judgements(ratings: Ratings, *, expanded: bool = False) -> Comparisons:
    """The pairs of rankings and preferences as arrays; control items are left out.

    `expanded` gives systems that share an output (``a+b``) each its own comparisons, as WMT did for scores: every one
    has the rank of the output, and they tie with each other. Agreement is counted on what was judged, unexpanded.
    """
    frame = comparisons(taken_apart(ratings.ordinary) if expanded else ratings.ordinary)
    frame = frame.filter(pl.col("outcome").is_not_null())
    both = pl.concat([frame["first"], frame["second"]])
    systems, codes = coded(both)
    unit = frame.select(pl.coalesce(segment_names(frame), "document", pl.lit("all")).alias("unit"))["unit"]
    at_once = [pl.col(key).fill_null("") for key in ("rater", "item")]
    held = frame.select(pl.concat_str(at_once, separator="/").alias("held"))
    outcome = frame["outcome"].replace_strict({"first": 1, "second": -1, "tie": 0}, return_dtype=pl.Int8)
    return Comparisons(
        systems=systems,
        first=codes[: len(frame)],
        second=codes[len(frame) :],
        outcome=outcome.to_numpy().astype(np.int8),
        segment=coded(unit)[1],
        rater=coded(frame["rater"].fill_null("unknown"))[1],
        ranking=coded(held["held"])[1],
        document=coded(frame["document"])[1],
    )
