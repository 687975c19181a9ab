"""Flaws of single segments, from files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.analysis.flaws.search import search_flaws
from karat.analysis.flaws.situation import Situation
from karat.analysis.flaws.terms import read_terms
from karat.corpus.diagnostics import diagnose
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.registry import metric
from karat.results.flaws import FlawsResult
from karat.service.inputs import only_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from karat.analysis.flaws.model import FlawReport
    from karat.corpus import Corpus
    from karat.evidence import Measure
    from karat.service.inputs import Input

SCORED_BY = "chrf"
"""What tells whether a segment is far below those of other systems."""


@dataclass(frozen=True, kw_only=True)
class FlawsRequest:
    """Texts, perhaps a file of terms, and whether languages are told apart, which takes an extra and its time."""

    texts: Input
    terms: str | None = None
    identify_languages: bool = False
    shown: int = 20
    threads: int | None = None


def find_flaws(request: FlawsRequest) -> FlawsResult:
    """Look for flaws in all segments of all systems."""
    _, corpus = only_block(request.texts.testsets(whole=True))
    report = flaws_of(
        corpus, terms=request.terms, identify_languages=request.identify_languages, threads=request.threads
    )
    return FlawsResult(report=report, shown=request.shown, warnings=diagnose(corpus))


def flaws_of(
    corpus: Corpus,
    *,
    terms: str | None = None,
    identify_languages: bool = False,
    scored: Sequence[Measure] = (),
    threads: int | None = None,
) -> FlawReport:
    """The flaws of texts that are there already, and that may be scored already."""
    corpus.require_systems("look at")
    if corpus.source is None and not corpus.references:
        raise InputError("there is nothing to hold outputs against: add the source with -s, or references with -r")
    situation = Situation.of(
        corpus,
        terms=() if terms is None else read_terms(terms),
        scores=_scores(corpus, threads, scored) if corpus.references else {},
        identify_languages=identify_languages,
    )
    return search_flaws(situation)


def _scores(corpus: Corpus, threads: int | None, scored: Sequence[Measure] = ()) -> dict[str, NDArray[np.float64]]:
    prepared = metric(SCORED_BY).prepare(corpus.references_for(), threads=threads)
    same = next((measure for measure in scored if measure.identity.signature == prepared.signature), None)
    if same is not None and same.rows.keys() == corpus.systems.keys():
        return {name: rows.unit_scores() for name, rows in same.segment_rows().items()}
    return {name: prepared.rows(column).unit_scores() for name, column in corpus.systems.items()}
