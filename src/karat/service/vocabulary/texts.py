"""Words about texts, files and parts of a test set."""

from karat.corpus import Diagnostic, Targeted, system_arguments
from karat.corpus.column_names import Pairs
from karat.corpus.given_scores import is_score_directory
from karat.evidence import LEVELS, UNITS, Level, Unit

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
