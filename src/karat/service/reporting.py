"""`karat report`: everything that can be said about systems, as one result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from karat.analysis.segment_facets import with_ratings
from karat.analysis.segment_view import segment_view
from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.meta.measures import MeasureSettings
from karat.meta.study import Plan
from karat.results.report import ReportResult
from karat.service.comparing import CompareRequest, RankRequest, compare_evidence, gathered_evidence, rank_evidence
from karat.service.gathering import gather
from karat.service.human import HumanRequest, analyse_ratings, read_judgements
from karat.service.listening import SILENT, Listeners
from karat.service.looking import Looks, look_into
from karat.service.meta import MetaRequest, evaluate_evidence
from karat.service.requests import EvidenceRequest, GoldRequest
from karat.service.scoring import score_evidence
from karat.significance import Options
from karat.text import default_tokenizer

if TYPE_CHECKING:
    from karat.analysis.segment_view import SegmentView
    from karat.evidence import Evidence, Unit
    from karat.results.comparisons import CompareResult, RankResult
    from karat.results.human import HumanResult
    from karat.results.meta import MetaResult


@dataclass(frozen=True, kw_only=True)
class ReportRequest:
    """What a report is about: texts and scores, and what people said of them.

    `baseline` is the system that differences are first shown from. With `redact` no text is in the report. Of the
    segments, the first `max_segments` can be read one by one; all of them if it is None. `runs` are the systems where
    one has several runs, each with the names of these; the baseline is one of them then.
    """

    evidence: EvidenceRequest
    unit: Unit | None = None
    options: Options = field(default_factory=Options)
    baseline: str | None = None
    ratings: HumanRequest | None = None
    redact: bool = False
    max_segments: int | None = None
    runs: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def baseline_output(self) -> str | None:
        """The output that differences are first shown from: the baseline, or its first run."""
        runs = dict(self.runs)
        return runs[self.baseline][0] if self.baseline in runs else self.baseline


USUAL_TOKENIZER = "13a"
QUOTING = ("ngrams", "findings", "audit")
"""Analyses that show pieces of texts."""


def report(request: ReportRequest, listeners: Listeners = SILENT) -> ReportResult:
    """Score, rank, and look into everything that is there to be looked into."""
    gathered = gathered_evidence(request.evidence, listeners)
    _refuse_unknown_baseline([name for name, _ in request.runs] or gathered[0].systems, request.baseline)
    scores = score_evidence(
        [evidence for evidence in gathered if not evidence.pooled_testsets],
        request.options.resampling(None),
        unit=request.unit,
        threads=request.evidence.threads,
    )
    ranked = _ranked(request, gathered, listeners)
    over_runs = _over_runs(request, gathered, listeners)
    judged = () if request.ratings is None else _judged(request, request.ratings)
    looks = _looks(request, gathered, ranked, judged)
    looked = looks.parts()
    if request.redact:
        looked = {name: part for name, part in looked.items() if name not in QUOTING}
    human = None if request.ratings is None else _human(request.ratings, gathered, listeners)
    metas = _metas(request, judged)
    parts = [part for part in (scores, ranked, over_runs, human, *metas, *looked.values()) if part is not None]
    return ReportResult(
        scores=scores,
        ranked=ranked,
        over_runs=over_runs,
        human=human,
        metas=metas,
        looks=looked,
        segments=_segments(request, gathered, looks),
        facts=tuple(_facts(gathered[0])),
        baseline=request.baseline_output,
        warnings=tuple(
            dict.fromkeys([*(warning for part in parts for warning in part.warnings), *_absent(gathered, looks)])
        ),
    )


def _absent(gathered: Sequence[Evidence], looks: Looks) -> Iterator[Diagnostic]:
    """What this report says nothing of, and why."""
    if len(gathered) > 1:
        yield Diagnostic(
            "not-looked-into", "texts are looked into one test set at a time: choose one for more than scores"
        )
    elif looks.buckets is None:
        yield Diagnostic("not-looked-into", "no texts with references are here: the report is about scores alone")
    elif looks.audit is None:
        yield Diagnostic("no-audit", "the audit looks at BLEU, which is not among the metrics: add -m bleu")


def _ranked(request: ReportRequest, gathered: Sequence[Evidence], listeners: Listeners) -> RankResult | None:
    """All pairs of systems; None where there is no pair."""
    if len(gathered[0].systems) == 1:
        return None
    asked = RankRequest(evidence=request.evidence, unit=request.unit, options=request.options)
    return rank_evidence(asked, gathered, listeners)


def _over_runs(request: ReportRequest, gathered: Sequence[Evidence], listeners: Listeners) -> CompareResult | None:
    """Systems over their runs; None where each has one, or there is one system only."""
    if len(request.runs) < 2:
        return None
    asked = CompareRequest(
        evidence=request.evidence,
        unit=request.unit,
        options=request.options,
        baseline=request.baseline,
        runs=request.runs,
    )
    return compare_evidence(asked, gathered, listeners)


def _human(ratings: HumanRequest, gathered: Sequence[Evidence], listeners: Listeners) -> HumanResult:
    """What people said, with the documents of the test set; of several, segments are not known apart by their ids."""
    if len(gathered) == 1:
        return analyse_ratings(ratings, listeners, gathered[0].segments)
    return analyse_ratings(replace(ratings, plan=replace(ratings.plan, unit=None)), listeners)


def _looks(
    request: ReportRequest, gathered: Sequence[Evidence], ranked: RankResult | None, judged: Sequence[Evidence]
) -> Looks:
    """What analyses say about one test set; systems are compared with the next best one, unless another is named."""
    if len(gathered) > 1:
        return Looks()
    first = None if ranked is None else ranked.verdict().measures[0]
    next_best = None if first is None or first.lead is None else first.lead.loser
    options, evidence = request.options, request.evidence
    return look_into(
        replace(gathered[0], golds=judged[0].golds) if judged else gathered[0],
        evidence.texts,
        baseline=request.baseline_output or next_best,
        contenders=() if first is None or request.runs else first.contenders,
        unit=request.unit,
        seed=options.seed,
        threads=evidence.threads,
    )


def _segments(request: ReportRequest, gathered: Sequence[Evidence], looks: Looks) -> SegmentView | None:
    """All segments with what people said about them; None where there are several test sets, or no segments."""
    evidence = gathered[0]
    if len(gathered) > 1 or evidence.streamed or not len(evidence.segments) or request.max_segments == 0:
        return None
    target = None if evidence.corpus is None else evidence.corpus.target_language
    view = segment_view(evidence, tokenize=USUAL_TOKENIZER if target is None else default_tokenizer(target))
    view = looks.beside(view)
    if request.ratings is not None:
        view = with_ratings(view, read_judgements(request.ratings), evidence.segments)
    if request.max_segments is not None:
        view = view.taken(range(min(request.max_segments, len(view))))
    return view.without_texts() if request.redact else view


def _refuse_unknown_baseline(names: Sequence[str], baseline: str | None) -> None:
    if baseline is not None and baseline not in names:
        raise InputError(f"there is no system {baseline!r} to take as a baseline: there is {', '.join(names)}")


def _facts(evidence: Evidence) -> list[str]:
    """What else a reader wants to know about the test set, in few words."""
    facts = []
    if evidence.corpus is not None:
        count = len(evidence.corpus.references)
        facts.append("1 reference" if count == 1 else f"{count} references")
    if evidence.language_pair is not None:
        facts.append(evidence.language_pair)
    return facts


def _judged(request: ReportRequest, ratings: HumanRequest) -> tuple[Evidence, ...]:
    """The evidence with what people said of the same segments."""
    gold = GoldRequest(paths=ratings.paths, criteria=ratings.criteria, every=not ratings.criteria)
    return tuple(gather(replace(request.evidence, gold=gold)))


def _metas(request: ReportRequest, judged: Sequence[Evidence]) -> tuple[MetaResult, ...]:
    """How well the metrics agree with people, for each thing that these were asked about."""
    names = dict.fromkeys(judgements.name for evidence in judged for judgements in evidence.golds)
    plan = Plan(settings=MeasureSettings(seed=request.options.seed), contests=())
    return tuple(
        evaluate_evidence(
            MetaRequest(evidence=request.evidence, plan=plan),
            [
                replace(evidence, golds=tuple(judgements for judgements in evidence.golds if judgements.name == name))
                for evidence in judged
            ],
        )
        for name in names
    )
