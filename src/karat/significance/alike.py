"""Which unit is drawn where documents are known, and what is to be said where it is the segment."""

from __future__ import annotations

from typing import Literal

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError

ALIKE = "segments of one document are alike, so intervals come out too narrow and p too small"


def drawn_unit(
    documents: int, asked: Literal["segment", "document"] | None, subject: str = "all segments"
) -> tuple[Literal["segment", "document"], tuple[Diagnostic, ...]]:
    """The unit where so many documents are known, with what is to be said of it: one document leaves only segments.

    >>> drawn_unit(12, None), drawn_unit(1, None)[0]
    (('document', ()), 'segment')
    """
    if asked == "segment":
        return "segment", (segments_despite_documents(documents),)
    if documents > 1:
        return "document", ()
    if asked == "document":
        raise InputError(
            f"{subject} are of one document, so documents cannot be drawn: take segments as units (unit segment)"
        )
    return "segment", (Diagnostic("one-document", f"{subject} are of one document, so segments are the unit: {ALIKE}"),)


def segments_despite_documents(documents: int) -> Diagnostic:
    """The warning about segments as units of a test and of intervals."""
    return Diagnostic("unit", f"segments are the unit although {_known(documents)}: {ALIKE}")


def ranks_despite_documents(documents: int) -> Diagnostic:
    """The warning about a test that knows no other units than segments."""
    why = "segments of one document are alike, so p comes out too small"
    return Diagnostic("unit", f"the rank-sum test takes segments although {_known(documents)}: {why}")


def _known(documents: int) -> str:
    return "1 document is known" if documents == 1 else f"{documents:,} documents are known"
