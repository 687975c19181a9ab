"""Segment scores from files: those of metrics, and the means of what people said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic
from karat.corpus.files import InputFile
from karat.corpus.outside import OutsideScores, read_outside_scores
from karat.errors import InputError

if TYPE_CHECKING:
    from karat.corpus.ratings import Ratings

_PEOPLE = {"rater", "annotator", "judge", "worker", "protocol", "criterion"}
"""Columns that a table of ratings has and a table of scores has not."""


def scores_in(path: str, criteria: Sequence[str] = ()) -> tuple[tuple[OutsideScores, ...], tuple[Diagnostic, ...]]:
    """The scores in a file of scores or ratings, and what is to be said about how it was read.

    Ratings are told by their format, or by a column that names raters, protocol or criterion. Of several raters the
    mean counts. `criteria` chooses among what ratings are about.
    """
    from karat.corpus.ratings import read_ratings
    from karat.corpus.ratings.formats.base import LoadedFile, format_of, loaded
    from karat.corpus.ratings.formats.named import NamedColumns
    from karat.corpus.ratings.scores import segment_scores
    from karat.human.mqm import NAMED_WEIGHTS, with_penalties

    file: LoadedFile = loaded(InputFile.of(path))
    try:
        found = format_of(file)
    except InputError:
        return read_outside_scores(file), ()
    if isinstance(found, NamedColumns) and not found.column_names(file) & _PEOPLE:
        if criteria:
            raise InputError(f"{file.name} holds scores, not ratings, so there is no criterion to choose")
        return read_outside_scores(file, found.name), ()
    ratings = read_ratings(file)
    notes = [*ratings.notes]
    if _is_mqm_without_values(ratings):
        ratings = with_penalties(ratings.ordinary, NAMED_WEIGHTS["wmt"])
        notes.append(f"{file.name}: errors are weighed as WMT does: karat human offers other weights")
    told = tuple(Diagnostic("ratings", note) for note in notes)
    return segment_scores(ratings, file.name, criteria), told


def _is_mqm_without_values(ratings: Ratings) -> bool:
    """Whether there are errors, which have to be weighed, and nothing else."""
    return ratings.protocols == ("mqm",) and ratings.frame["value"].null_count() == len(ratings)
