"""Looks into the texts of a report by every analysis there is, and puts what they say beside the segments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from karat.analysis.kind_contrasts import kind_contrasts
from karat.analysis.segment_facets import (
    with_buckets,
    with_flaws,
    with_ngrams,
    with_reading,
    with_word_errors,
    with_words,
)
from karat.results.audit import AuditResult
from karat.results.flaws import FlawsResult
from karat.results.kinds import KindsResult
from karat.results.reading import ReadingResult
from karat.service.analysed_texts import Reading, Resamples
from karat.service.analysing import (
    BucketsRequest,
    ErrorsRequest,
    NgramChoice,
    NgramsRequest,
    WordsRequest,
    buckets_of,
    errors_of,
    ngrams_of,
    texts_of,
    words_of,
)
from karat.service.audit import AuditRequest, audit_of
from karat.service.flaws import flaws_of
from karat.service.reading import reading_of
from karat.service.requests import EvidenceRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.analysis.segment_view import SegmentView
    from karat.evidence import Evidence, Unit
    from karat.results.analyses import BucketsResult, ErrorsResult, NgramsResult, WordsResult
    from karat.results.base import Result
    from karat.service.inputs import Input

MOST_CLASSED = 2000
"""Every word has its class in the segment browser where there are no more outputs than this."""


@dataclass(frozen=True, kw_only=True)
class Looks:
    """What analyses of the texts say; None where there are no texts to look into."""

    kinds: KindsResult | None = None
    buckets: BucketsResult | None = None
    words: WordsResult | None = None
    ngrams: NgramsResult | None = None
    errors: ErrorsResult | None = None
    findings: FlawsResult | None = None
    segments: ReadingResult | None = None
    audit: AuditResult | None = None

    def parts(self) -> dict[str, Result]:
        """The analyses by name."""
        names = ("kinds", "buckets", "words", "ngrams", "errors", "findings", "segments", "audit")
        return {name: part for name in names if (part := getattr(self, name)) is not None}

    def beside(self, view: SegmentView) -> SegmentView:
        """The view of segments with all that is said about them."""
        if self.buckets is not None:
            view = with_buckets(view, self.buckets.buckets)
        if self.words is not None:
            view = with_words(view, self.words.words)
        if self.ngrams is not None:
            view = with_ngrams(view, self.ngrams.ngrams)
        if self.findings is not None:
            view = with_flaws(view, self.findings.report)
        if self.errors is not None:
            classed = with_word_errors(view, self.errors.errors)
            few = len(self.errors.errors.words) <= MOST_CLASSED
            view = classed if few else replace(classed, word_classes=())
        return view if self.segments is None else with_reading(view, self.segments.reading)


def look_into(
    evidence: Evidence,
    texts: Input | None,
    *,
    baseline: str | None,
    contenders: Sequence[tuple[str, str]] = (),
    unit: Unit | None,
    seed: int,
    threads: int | None,
) -> Looks:
    """Look into the texts of one test set, where there are any; systems are compared with the baseline.

    Of the pairs of `contenders` it is asked on which kinds of segments they differ.
    """
    corpus = evidence.corpus
    if corpus is None or texts is None or not corpus.references:
        return Looks()
    request = EvidenceRequest(texts=texts)
    cut = texts_of(evidence, Reading(threads=threads), Resamples(baseline=baseline, unit=unit, seed=seed))
    # Errors go first, for all later ones use words that are matched with their stems.
    errors = errors_of(ErrorsRequest(texts=texts), cut)
    flaws = flaws_of(corpus, scored=evidence.measures, threads=threads)
    several = len(evidence.systems) > 1
    buckets = buckets_of(BucketsRequest(evidence=request), evidence, cut)
    contrasts = kind_contrasts(evidence.measures[0], buckets.buckets, contenders, cut.resampler)
    return Looks(
        kinds=None if contrasts is None else KindsResult(contrasts=contrasts),
        buckets=buckets,
        words=words_of(WordsRequest(texts=texts), cut),
        ngrams=ngrams_of(NgramsRequest(texts=texts, choice=NgramChoice(top=5)), cut),
        errors=errors,
        findings=FlawsResult(report=flaws),
        segments=ReadingResult(reading=reading_of(evidence, count=3, baseline=baseline)) if several else None,
        audit=_audited(evidence, texts, unit, seed, threads),
    )


def _audited(evidence: Evidence, texts: Input, unit: Unit | None, seed: int, threads: int | None) -> AuditResult | None:
    """The audit of BLEU, where that is among the metrics."""
    if not any(measure.identity.metric == "bleu" for measure in evidence.measures):
        return None
    asked = AuditRequest(texts=texts, unit=unit, seed=seed, threads=threads)
    return AuditResult(audit=audit_of(evidence, asked))
