"""`karat human`: what people said about systems, out of files of ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic, read_corpus
from karat.errors import InputError
from karat.evidence import Segments
from karat.human.plan import AnalysisPlan
from karat.quick_dataclasses import dataclass
from karat.results.human import HumanResult
from karat.service.listening import SILENT, Listeners
from karat.service.ratings import ratings_at

if TYPE_CHECKING:
    import polars as pl

    from karat.corpus import Corpus
    from karat.corpus.column_names import Pairs
    from karat.corpus.ratings import Ratings
    from karat.human.results import CriterionResult

SKIPPED_SHOWN = 5
WARNED_OF = (
    *("unbalanced", "duplicate-judgements", "out-of-reach", "test-against-score", "test-against-mean"),
    *("nothing-shared", "not-tested", "model-left-out", "raters-left-out", "unit", "one-document"),
)
"""Codes of notes that whoever runs the analysis must not miss."""


@dataclass(frozen=True, kw_only=True)
class HumanRequest:
    """Which ratings are analysed, and how."""

    paths: tuple[str, ...]
    format: str | None = None
    protocols: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    language_pair: str | None = None
    excluded: tuple[str, ...] = ()
    corpus: str | None = None
    columns: Pairs = ()
    skip_bad: bool = False
    plan: AnalysisPlan = field(default_factory=AnalysisPlan)


def analyse_ratings(
    request: HumanRequest, listeners: Listeners = SILENT, segments: Segments | None = None
) -> HumanResult:
    """Read the ratings, choose what is asked for, and analyse every criterion.

    Segments that are known already tell documents and domains as those of a corpus do.
    """
    return analysed(read_judgements(request), request, listeners, segments)


def analysed(
    ratings: Ratings, request: HumanRequest, listeners: Listeners = SILENT, segments: Segments | None = None
) -> HumanResult:
    """The same of ratings that have been read; the request's files do not count."""
    from karat.human.analysis import analyse, placed, selected

    chosen = selected(
        ratings,
        protocols=request.protocols,
        criteria=request.criteria,
        language_pair=request.language_pair,
        excluded=request.excluded,
    )
    if request.corpus is not None:
        chosen = placed(chosen, _labels(_segments_of(read_corpus(request.corpus), request.corpus)))
    elif segments is not None and (segments.documents is not None or segments.domains is not None):
        chosen = placed(chosen, _labels(segments))
    analysis = analyse(chosen, replace(request.plan, progress=listeners.draws))
    warnings = (*_skipped(ratings), *_tutorials(chosen), *_warnings(analysis.criteria))
    return HumanResult(criteria=analysis.criteria, sheet=analysis.sheet, warnings=warnings)


def read_judgements(request: HumanRequest) -> Ratings:
    from karat.corpus.ratings import Ratings

    if not request.paths:
        raise InputError("no ratings were given: name one or more files, or - for stdin")
    # A protocol that a file does not name may be named by the request; a criterion is only ever chosen by it.
    assumed = request.protocols[0] if len(request.protocols) == 1 else None
    return Ratings.concat(
        ratings_at(
            path,
            format=request.format,
            protocol=assumed,
            language_pair=request.language_pair,
            columns=request.columns,
            skip_bad=request.skip_bad,
        )
        for path in request.paths
    )


def _segments_of(corpus: Corpus, path: str) -> Segments:
    if corpus.documents is None and corpus.domains is None:
        raise InputError(f"{path} tells neither documents nor domains: leave out --corpus")
    ids = corpus.ids or tuple(str(number) for number in range(1, len(corpus) + 1))
    return Segments(ids, corpus.documents, corpus.domains)


def _labels(segments: Segments) -> pl.DataFrame:
    """The documents and domains of segments."""
    import polars as pl

    columns = {"segment": segments.ids}
    known = {"document": segments.documents, "domain": segments.domains}
    columns |= {name: values for name, values in known.items() if values is not None}
    return pl.DataFrame({name: list(values) for name, values in columns.items()})


def _skipped(ratings: Ratings) -> Iterator[Diagnostic]:
    if ratings.skipped:
        shown = "; ".join(str(row) for row in ratings.skipped[:SKIPPED_SHOWN])
        more = len(ratings.skipped) - SKIPPED_SHOWN
        rest = f"; and {more:,} more" if more > 0 else ""
        rows = "1 malformed row was" if len(ratings.skipped) == 1 else f"{len(ratings.skipped):,} malformed rows were"
        yield Diagnostic("skipped", f"{rows} skipped: {shown}{rest}")


def _tutorials(ratings: Ratings) -> Iterator[Diagnostic]:
    """What raters practised on is not what systems are ranked by, and whoever knows the file should hear of it."""
    rows = ratings.where(control=["tutorial"])
    if len(rows):
        named = f" ({_listed(list(rows.systems), 'systems')})" if rows.systems else ""
        yield Diagnostic("tutorial", f"{len(rows):,} judgements of a tutorial{named} are not counted among the systems")


def _warnings(criteria: Iterable[CriterionResult]) -> Iterator[Diagnostic]:
    for criterion in criteria:
        where = f"{criterion.protocol} {criterion.criterion}"
        for note in criterion.notes:
            if note.code in WARNED_OF:
                yield replace(note, message=f"{where}: {note.message}")
        yield from _rater_warnings(criterion, where)


def _rater_warnings(criterion: CriterionResult, where: str) -> Iterator[Diagnostic]:
    constant = [rater.rater for rater in criterion.raters if rater.deviation in (None, 0.0)]
    if constant and "raters-left-out" not in {note.code for note in criterion.notes}:
        yield Diagnostic(
            "constant-rater",
            f"{where}: the values of {_listed(constant)} do not vary (or are one), so their z is taken as 0",
        )
    flagged = [rater.rater for rater in criterion.raters if rater.flags]
    if flagged and not criterion.left_out:
        yield Diagnostic(
            "flagged-raters",
            f"{where}: look at {_listed(flagged)} (flags among the raters); "
            "karat human --without shows results without them, too",
        )


def _listed(names: list[str], kind: str = "raters") -> str:
    shown = ", ".join(names[:SKIPPED_SHOWN])
    return shown if len(names) <= SKIPPED_SHOWN else f"{shown} and {len(names) - SKIPPED_SHOWN} more {kind}"
