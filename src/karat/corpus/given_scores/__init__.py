"""Scores of metrics and of people that came from elsewhere, in the forms that files have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy_names import loader

if TYPE_CHECKING:
    from karat.corpus.given_scores.model import LEVELS, WHOLE, GivenScores, Level, UnitKey
    from karat.corpus.given_scores.mtme import MtmeScores, is_score_directory, language_pairs, read_mtme_directory
    from karat.corpus.given_scores.outputs import (
        is_comet_output,
        is_number_list,
        read_comet_output,
        read_number_list,
    )
    from karat.corpus.given_scores.records import read_score_records
    from karat.corpus.given_scores.tables import is_score_table, read_score_table

_HOMES = {
    "GivenScores": "karat.corpus.given_scores.model",
    "LEVELS": "karat.corpus.given_scores.model",
    "Level": "karat.corpus.given_scores.model",
    "MtmeScores": "karat.corpus.given_scores.mtme",
    "UnitKey": "karat.corpus.given_scores.model",
    "WHOLE": "karat.corpus.given_scores.model",
    "is_comet_output": "karat.corpus.given_scores.outputs",
    "is_number_list": "karat.corpus.given_scores.outputs",
    "is_score_directory": "karat.corpus.given_scores.mtme",
    "is_score_table": "karat.corpus.given_scores.tables",
    "language_pairs": "karat.corpus.given_scores.mtme",
    "read_comet_output": "karat.corpus.given_scores.outputs",
    "read_mtme_directory": "karat.corpus.given_scores.mtme",
    "read_number_list": "karat.corpus.given_scores.outputs",
    "read_score_records": "karat.corpus.given_scores.records",
    "read_score_table": "karat.corpus.given_scores.tables",
}

__all__ = [
    "LEVELS",
    "WHOLE",
    "GivenScores",
    "Level",
    "MtmeScores",
    "UnitKey",
    "is_comet_output",
    "is_number_list",
    "is_score_directory",
    "is_score_table",
    "language_pairs",
    "read_comet_output",
    "read_mtme_directory",
    "read_number_list",
    "read_score_records",
    "read_score_table",
]

__getattr__ = loader(__name__, _HOMES)
