"""Ratings from one format to another: nothing is lost in silence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic
from karat.corpus.files import InputFile
from karat.errors import InputError
from karat.results.converting import ConvertResult
from karat.service.ratings import is_campaign, ratings_at

if TYPE_CHECKING:
    from karat.corpus.column_names import Pairs
    from karat.corpus.ratings import Ratings, RatingsFormat


@dataclass(frozen=True, kw_only=True)
class ConvertRequest:
    """A file of ratings and the format that it is to have; the rest says what the file leaves out.

    With `skip_bad`, rows that make no sense and rows that do not fit into the format are left out and listed.
    """

    path: str
    to: str
    format: str | None = None
    protocol: str | None = None
    criterion: str | None = None
    system: str | None = None
    language_pair: str | None = None
    columns: Pairs = ()
    skip_bad: bool = False


def convert_ratings(request: ConvertRequest) -> ConvertResult:
    """Read ratings and write them in another format; what that cannot hold is refused, or reported with its count."""
    from karat.corpus.ratings import format_of
    from karat.corpus.ratings.formats.base import loaded

    file = loaded(InputFile.of(request.path))
    ratings = ratings_at(
        file,
        format=request.format,
        protocol=request.protocol,
        criterion=request.criterion,
        system=request.system,
        language_pair=request.language_pair,
        columns=request.columns,
        skip_bad=request.skip_bad,
    )
    read_as = "campaign" if is_campaign(file.given) else request.format or format_of(file).name
    return converted(ratings, file.name, read_as, request.to, skip_bad=request.skip_bad)


def converted(ratings: Ratings, name: str, read_as: str, to: str, *, skip_bad: bool = False) -> ConvertResult:
    """Ratings that have been read, in another format."""
    from karat.corpus.ratings import format_named

    target = format_named(to)
    kept, unfit = _fitting(ratings, target, skip_bad=skip_bad)
    notes = list(ratings.notes)
    if ratings.unjudged and not target.keeps_unjudged:
        notes.append(f"{name} lists {len(ratings.unjudged)} outputs without a judgement; {to} does not")
    return ConvertResult(
        file=name,
        read_as=read_as,
        written_as=to,
        files=target.files(kept) if target.directory else {"": target.write(kept)},
        count=len(kept),
        skipped=ratings.skipped,
        unfit=unfit,
        lost=target.lost(kept),
        warnings=tuple(Diagnostic("ratings", note) for note in notes),
    )


def _fitting(ratings: Ratings, target: RatingsFormat, *, skip_bad: bool) -> tuple[Ratings, tuple[str, ...]]:
    """The ratings that the format can hold; others are refused unless they may be skipped."""
    from karat.corpus.ratings import describe_rating, refuse_unwritable

    fits = target.writable(ratings).fill_null(value=False)
    if fits.all():
        return ratings, ()
    if not skip_bad:
        refuse_unwritable(ratings, target)
    kept = replace(ratings, frame=ratings.frame.filter(fits))
    unfit = ratings.frame.filter(~fits)
    if not len(kept):
        raise InputError(f"none of the {len(ratings)} ratings fits into {target.name}: choose another format")
    refuse_unwritable(kept, target)
    return kept, tuple(describe_rating(row) for row in unfit.iter_rows(named=True))


def rating_formats() -> tuple[tuple[str, str, bool], ...]:
    """Every format of ratings: its name, what it is, and whether karat writes it."""
    from karat.corpus.ratings import formats

    return tuple((name, form.description, form.writes()) for name, form in formats().items())
