"""All analyses of one test set at once, which share its scores, words and resamples."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from karat.analysis.ngrams import NgramChoice
from karat.analysis.reading import with_texts
from karat.quick_dataclasses import dataclass
from karat.results.all_analyses import AllAnalysesResult
from karat.results.flaws import FlawsResult
from karat.results.reading import ReadingResult
from karat.service.analysed_texts import Reading, Resamples
from karat.service.analysing import (
    BucketsRequest,
    ErrorsRequest,
    NgramsRequest,
    WordsRequest,
    buckets_of,
    errors_of,
    ngrams_of,
    texts_of,
    words_of,
)
from karat.service.flaws import flaws_of
from karat.service.gathering import gather_one
from karat.service.listening import SILENT, Listeners
from karat.service.reading import reading_of

if TYPE_CHECKING:
    from karat.corpus import Diagnostic
    from karat.service.requests import EvidenceRequest


@dataclass(frozen=True, kw_only=True)
class AllAnalysesRequest:
    """Texts and metrics, terms, how many n-grams, segments and findings are listed, and how resamples are drawn."""

    evidence: EvidenceRequest
    terms: str | None = None
    top: int = 5
    shown: int = 20
    resamples: Resamples = field(default_factory=Resamples)
    reading: Reading = field(default_factory=Reading)


def analyse_all(request: AllAnalysesRequest, listeners: Listeners = SILENT) -> AllAnalysesResult:
    """Score and read the texts once, then look at them in every way."""
    evidence = gather_one(request.evidence, listeners)
    texts = texts_of(evidence, request.reading, request.resamples)
    source = request.evidence.texts
    assert source is not None
    # Errors go first, for all later ones use words that are matched with their stems.
    errors = errors_of(ErrorsRequest(texts=source), texts)
    buckets = buckets_of(BucketsRequest(evidence=request.evidence), evidence, texts)
    words = words_of(WordsRequest(texts=source), texts)
    ngrams = ngrams_of(NgramsRequest(texts=source, choice=NgramChoice(top=request.top)), texts)
    report = flaws_of(texts.corpus, terms=request.terms, scored=evidence.measures, threads=texts.threads)
    reading = reading_of(evidence, count=request.top, baseline=request.resamples.baseline)
    parts = (buckets, words, ngrams, errors)
    said: dict[Diagnostic, None] = dict.fromkeys(warning for part in parts for warning in part.warnings)
    return AllAnalysesResult(
        buckets=buckets,
        words=words,
        ngrams=ngrams,
        errors=errors,
        findings=FlawsResult(report=report, shown=request.shown),
        segments=ReadingResult(reading=with_texts(reading, evidence.corpus)),
        warnings=tuple(said),
    )
