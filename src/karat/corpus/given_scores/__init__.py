"""Scores of metrics and of people that came from elsewhere, in the forms that files have them."""

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
