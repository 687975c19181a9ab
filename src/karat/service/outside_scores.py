"""Segment scores from files: those of metrics, and the means of what people said."""

from __future__ import annotations

from collections.abc import Sequence

from karat.corpus import Diagnostic
from karat.corpus.files import InputFile
from karat.corpus.outside import OutsideScores, read_outside_scores
from karat.errors import InputError

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
    told = tuple(Diagnostic("ratings", note) for note in ratings.notes)
    return segment_scores(ratings, file.name, criteria), told
