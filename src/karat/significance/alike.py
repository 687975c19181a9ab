"""What is to be said where segments are drawn although it is known that they come from documents."""

from __future__ import annotations

from karat.corpus.diagnostics import Diagnostic

ALIKE = "segments of one document are alike, so intervals come out too narrow and p too small"


def segments_despite_documents(documents: int) -> Diagnostic:
    """The warning about segments as units of a test and of intervals."""
    return Diagnostic("unit", f"segments are the unit although {_known(documents)}: {ALIKE}")


def ranks_despite_documents(documents: int) -> Diagnostic:
    """The warning about a test that knows no other units than segments."""
    why = "segments of one document are alike, so p comes out too small"
    return Diagnostic("unit", f"the rank-sum test takes segments although {_known(documents)}: {why}")


def _known(documents: int) -> str:
    return "1 document is known" if documents == 1 else f"{documents:,} documents are known"
