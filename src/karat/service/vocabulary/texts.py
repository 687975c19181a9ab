"""Words about texts, files and parts of a test set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy_names import loader

if TYPE_CHECKING:
    from karat.corpus import Diagnostic, Targeted, system_arguments
    from karat.corpus.column_names import Pairs
    from karat.corpus.given_scores import is_score_directory
    from karat.evidence import LEVELS, UNITS, Level, Unit

_HOMES = {
    "Diagnostic": "karat.corpus.diagnostics",
    "LEVELS": "karat.evidence",
    "Level": "karat.evidence",
    "Pairs": "karat.corpus.column_names",
    "Targeted": "karat.corpus.model",
    "UNITS": "karat.evidence",
    "Unit": "karat.evidence",
    "is_score_directory": "karat.corpus.given_scores.mtme",
    "system_arguments": "karat.corpus.naming",
}

__all__ = [
    "LEVELS",
    "UNITS",
    "Diagnostic",
    "Level",
    "Pairs",
    "Targeted",
    "Unit",
    "is_score_directory",
    "system_arguments",
]

__getattr__ = loader(__name__, _HOMES)
