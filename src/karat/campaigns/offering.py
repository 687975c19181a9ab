"""Errors that were marked before, to be offered to raters: kept, changed or removed by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.campaigns.said import Mark
from karat.errors import InputError

if TYPE_CHECKING:
    from karat.campaigns.material import Material
    from karat.corpus.ratings import Ratings

Offered = Mapping[tuple[str, str], tuple[Mark, ...]]
"""Marks by segment and system."""

SIDES = {"target": "hypothesis", "source": "source"}


def offered_in(ratings: Ratings) -> dict[tuple[str, str], tuple[Mark, ...]]:
    """The spans of the first judgement of each output, without those that have no place."""
    marks: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for row in ratings.frame.select("segment", "system", "spans").drop_nulls().iter_rows(named=True):
        placed = (span for span in row["spans"] if span["side"] in SIDES and span["start"] is not None)
        marks.setdefault((row["segment"], row["system"]), tuple(map(_mark, placed)))
    if not marks:
        raise InputError("there are no spans to offer: name ratings in which errors of segments are marked")
    return marks


def _mark(span: Mapping[str, object]) -> Mark:
    known = {name: span[name] for name in ("start", "end", "category", "severity") if span[name] is not None}
    return Mark(text=SIDES[str(span["side"])], **known)  # type: ignore[arg-type]


def with_offered(material: Material, offered: Offered) -> Material:
    """The texts with what is offered of each output; if nothing fits any of them, they are refused."""
    known = {(segment.name, system) for segment in material.segments for system in segment.outputs}
    if offered and not offered.keys() & known:
        segment, system = next(iter(offered))
        raise InputError(f"spans are offered of {system} in segment {segment!r} and others, none of which is judged")
    return replace(
        material,
        segments=tuple(
            replace(
                segment,
                spans={
                    system: offered[segment.name, system]
                    for system in segment.outputs
                    if offered.get((segment.name, system))
                },
            )
            for segment in material.segments
        ),
    )
