"""Scores that came from elsewhere, out of any file that has them: those of metrics, and what people said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic
from karat.corpus.column_names import NO_NAMES, ColumnNames
from karat.corpus.files import InputFile
from karat.corpus.given_scores import (
    GivenScores,
    is_comet_output,
    is_number_list,
    is_score_table,
    read_comet_output,
    read_number_list,
    read_score_records,
    read_score_table,
)
from karat.errors import InputError
from karat.service.ratings import is_campaign, ratings_at

if TYPE_CHECKING:
    from karat.corpus.ratings import Ratings

_PEOPLE = {"rater", "annotator", "judge", "worker", "protocol", "criterion"}
"""Columns that a table of ratings has and a table of scores has not."""

MQM_WEIGHTS = "wmt"


def read_given_scores(
    path: str,
    *,
    criteria: Sequence[str] = (),
    only: Mapping[str, str] | None = None,
    column: str | None = None,
    columns: ColumnNames = NO_NAMES,
    system: str | None = None,
    language_pair: str | None = None,
    as_gold: bool = False,
) -> tuple[tuple[GivenScores, ...], tuple[Diagnostic, ...]]:
    """The scores in a file of scores or ratings, and what is to be said about how it was read.

    Ratings are told by their format, or by a column that names raters, protocol or criterion; of several raters the
    mean counts, and `criteria` chooses among what they are about. `only` keeps lines of shared tasks' files that have
    these values, and `column` names the one of the score. `columns` say what those of a table are where their names do
    not, and `system` is the one that a file is about which names none. `language_pair` chooses among those of ratings,
    of which several are refused. Wins against unequal opponents are refused, or warned of if judgements are read
    `as_gold`.
    """
    from karat.corpus.ratings.formats.base import format_of, loaded
    from karat.corpus.ratings.formats.named import NamedColumns

    if is_campaign(path):
        return _ratings_in(InputFile.of(path), criteria, language_pair, as_gold=as_gold)
    file = loaded(InputFile.of(path))
    first_line = next((line for line in file.head if line.strip()), "")
    if is_comet_output(file.data) and not criteria:
        return read_comet_output(file, columns), ()
    if only or column or is_score_table(first_line):
        return tuple(read_score_table(file, only, column or columns.by_role.get("score"))), ()
    if columns.by_role:
        return read_score_records(file, columns=columns, system=system), ()
    try:
        form = format_of(file)
    except InputError:
        if is_number_list(file.head[:-1] or file.head):
            return (read_number_list(file, system),), ()
        return read_score_records(file, system=system), ()
    if isinstance(form, NamedColumns) and not form.column_names(file) & _PEOPLE:
        if criteria:
            raise InputError(f"{file.name} holds scores, not ratings, so there is no criterion to choose")
        return read_score_records(file, form.name, system=system), ()
    return _ratings_in(file, criteria, language_pair, as_gold=as_gold)


def _ratings_in(
    file: InputFile, criteria: Sequence[str], language_pair: str | None, *, as_gold: bool
) -> tuple[tuple[GivenScores, ...], tuple[Diagnostic, ...]]:
    """The means of what people said, test set by test set where a column names these."""
    scores: list[GivenScores] = []
    warnings: list[Diagnostic] = []
    for testset, ratings in _by_testset(ratings_at(file).of_one_language_pair(language_pair, file.name)):
        means, said = _means_of(ratings, file, criteria, as_gold=as_gold)
        scores += [replace(mean, testset=testset) for mean in means]
        warnings += said
    return tuple(scores), tuple(dict.fromkeys(warnings))


def _by_testset(ratings: Ratings) -> Iterator[tuple[str | None, Ratings]]:
    from karat.corpus.ratings.schema import EXTRA

    column = f"{EXTRA}testset"
    if column not in ratings.frame.columns:
        yield None, ratings
        return
    for (testset,), frame in ratings.frame.group_by(column, maintain_order=True):
        yield None if testset is None else str(testset), replace(ratings, frame=frame)


def _means_of(
    ratings: Ratings, file: InputFile, criteria: Sequence[str], *, as_gold: bool
) -> tuple[tuple[GivenScores, ...], tuple[Diagnostic, ...]]:
    """The means of what people said; errors that were marked are weighed where nobody gave a number."""
    from karat.corpus.ratings import Ratings, aligned, without_duplicates
    from karat.corpus.ratings.scores import chosen_criteria, rating_scores
    from karat.human.mqm import NAMED_WEIGHTS, with_penalties

    ratings, repeated = without_duplicates(ratings)
    warnings = [Diagnostic("ratings", note) for note in ratings.notes]
    warnings += [] if repeated is None else [replace(repeated, message=f"{file.name}: {repeated.message}")]
    if _has_errors_only(ratings):
        weights = NAMED_WEIGHTS[MQM_WEIGHTS]
        plain = ratings.protocols == ("mqm",)
        ratings = with_penalties(ratings.ordinary, weights if plain else weights.with_plain_errors())
        weighed = f"{file.name}: errors are weighed as WMT does: karat human offers other weights"
        warnings.append(Diagnostic("ratings", weighed))
    by_criterion = chosen_criteria(Ratings(aligned(ratings.frame)).ordinary, file.name, criteria)
    unfair = [Diagnostic("unequal-opponents", message) for message in _unfair(by_criterion, file.name)]
    if unfair and not as_gold:
        raise InputError(unfair[0].message)
    warnings += unfair
    warnings += [
        warning for name, mine in by_criterion.items() for warning in _unbalanced(mine, f"{file.name}: {name}")
    ]
    return rating_scores(by_criterion, file.name), tuple(warnings)


def _unfair(by_criterion: Mapping[str, Ratings], file: str) -> Iterator[str]:
    """What is wrong with comparisons in which systems met other opponents, and what helps."""
    from karat.corpus.ratings.scores import unfair_opponents

    for name, ratings in by_criterion.items():
        if (unfair := unfair_opponents(ratings)) is not None:
            yield f"{file}: {name}: {unfair}; use karat human, which compares each system with those that it met"


def _unbalanced(ratings: Ratings, where: str) -> Iterator[Diagnostic]:
    """A warning where systems were not judged alike, so that their means are not those of like with like."""
    from karat.human.extraction import judgements
    from karat.human.scales.balance import balance

    if ratings.frame["value"].null_count() == len(ratings) or _compares(ratings):
        return
    state = balance(judgements(ratings))
    if not state.balanced:
        offer = "karat human --model always takes segments and raters into account"
        yield Diagnostic("unbalanced", f"{where}: {state.says()}; {offer}")


def _compares(ratings: Ratings) -> bool:
    return ratings.frame["other_system"].null_count() < len(ratings)


def _has_errors_only(ratings: Ratings) -> bool:
    """Whether there are errors, which have to be weighed, and no number."""
    from karat.human.mqm import has_spans

    return ratings.frame["value"].null_count() == len(ratings) and has_spans(ratings)
