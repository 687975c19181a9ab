"""What is drawn at random: documents where they are known, else segments."""

from __future__ import annotations

from collections.abc import Sequence

from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.evidence import Unit, Units
from karat.significance.alike import ALIKE, drawn_unit

PARTLY = "segments are the unit of all test sets together, for not all test sets tell their documents"


def choose_units(
    segments: int,
    documents: Sequence[str] | None,
    asked: Unit | None,
    *,
    partly_labelled: bool = False,
    grouped: int = 0,
) -> tuple[Units, Sequence[str] | None, tuple[Diagnostic, ...]]:
    """The units, the labels to group segments by (None where they stay as they are), and what is to be said.

    `partly_labelled` tells that documents are known of some test sets, but not of all that are drawn from together;
    `grouped` is the number of segments where the rows are those of documents already.
    """
    if asked == "segment" and grouped:
        raise InputError("rows of segments were not kept, only sums of documents: score again with --keep-rows")
    if asked == "document" and documents is None:
        raise InputError(
            "documents as units need to know which segment belongs to which document: "
            "name the documents (one label per segment), or give a corpus or scores that have them"
        )
    if documents is None and partly_labelled:
        units = Units("segment", segments, segments, "documents are known of some test sets only")
        return units, None, (Diagnostic("unit", f"{PARTLY}: {ALIKE}"),)
    if documents is None:
        return Units("segment", segments, segments, "no documents are known"), None, ()
    count = len(set(documents))
    if grouped and count == 1:
        raise InputError(
            "there are sums of one document only, of which nothing can be drawn: score again with --keep-rows, into "
            "another directory"
        )
    unit, warnings = drawn_unit(count, "document" if grouped else asked)
    if unit == "document":
        return Units("document", count, grouped or segments, "documents are known"), documents, warnings
    reason = "all segments are of one document" if asked is None else "asked for, although documents are known"
    return Units("segment", segments, segments, reason), None, warnings
