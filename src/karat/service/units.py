"""What is drawn at random: documents where they are known, else segments."""

from __future__ import annotations

from collections.abc import Sequence

from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.evidence import Unit, Units
from karat.significance.alike import ALIKE, segments_despite_documents

PARTLY = "segments are the unit of all test sets together, for not all test sets tell their documents"


def choose_units(
    segments: int, documents: Sequence[str] | None, asked: Unit | None, *, partly_labelled: bool = False
) -> tuple[Units, Sequence[str] | None, tuple[Diagnostic, ...]]:
    """The units, the labels to group segments by (None where they stay as they are), and what is to be said.

    `partly_labelled` tells that documents are known of some test sets, but not of all that are drawn from together.
    """
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
    if asked == "segment":
        units = Units("segment", segments, segments, "asked for, although documents are known")
        return units, None, (segments_despite_documents(count),)
    if count < 2:
        raise InputError(
            "all segments are of one document, so documents cannot be drawn: take segments as units (unit segment)"
        )
    return Units("document", count, segments, "documents are known"), documents, ()
