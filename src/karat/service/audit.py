"""The audit of BLEU, from files: what it cannot see, and how far its verdicts can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.audit.model import Audit, Detectable, Facts, PeopleFit, SystemPoint
from karat.analysis.audit.orderings import MOST_PHRASES, NumberedWords, Workshop, freedoms, summary
from karat.analysis.audit.shares import score_shares
from karat.analysis.audit.signals import REFERENCE, Likeness, PairTexts, pair_score, signals
from karat.analysis.measure_table import AuditedMeasure, MeasureTable
from karat.errors import InputError, MissingExtraError, MissingResourceError
from karat.meta.outliers import outliers
from karat.registry import metric
from karat.resources import function_words
from karat.results.audit import AuditResult
from karat.service.drawn import Drawn
from karat.service.gathering import gather_one
from karat.service.listening import SILENT, Listeners
from karat.service.requests import EvidenceRequest, GoldRequest
from karat.significance import DEFAULT_SEED, power
from karat.text import tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from karat.analysis.audit.model import Example, Freedom
    from karat.corpus import Corpus, Targeted
    from karat.evidence import Evidence, Measure, Unit
    from karat.service.inputs import Input

DEFAULT_METRICS = ("bleu", "chrf", "ter")
ALPHA, POWER = 0.05, 0.8
NO_DEVIATION = 1e-9
"""Less than this is rounding."""


@dataclass(frozen=True, kw_only=True)
class AuditRequest:
    """Texts, metrics whose verdicts are compared with BLEU's, and perhaps ratings.

    `examples` segments of each system are shown with other texts that score at least as high; `verify` enumerates all
    orders of their phrases.
    """

    texts: Input
    metrics: tuple[str, ...] = DEFAULT_METRICS
    ratings: str | None = None
    criteria: tuple[str, ...] = ()
    unit: Unit | None = None
    examples: int = 1
    verify: bool = False
    seed: int = DEFAULT_SEED
    targeted: Targeted = "never"
    threads: int | None = None


def audit(request: AuditRequest, listeners: Listeners = SILENT) -> AuditResult:
    """Audit BLEU on one test set."""
    named = any(metric(spec).name == "bleu" for spec in request.metrics if not spec.startswith("suite:"))
    gold = None
    if request.ratings is not None:
        gold = GoldRequest(paths=(request.ratings,), criteria=request.criteria, every=True)
    evidence = gather_one(
        EvidenceRequest(
            texts=request.texts,
            metrics=request.metrics if named else ("bleu", *request.metrics),
            gold=gold,
            targeted=request.targeted,
            threads=request.threads,
        ),
        listeners,
    )
    audit = audit_of(evidence, request)
    return AuditResult(audit=audit, warnings=(*evidence.warnings, *Drawn.of(evidence, request.unit).warnings))


def audit_of(evidence: Evidence, request: AuditRequest) -> Audit:
    """The audit of evidence that is there already."""
    corpus = evidence.corpus
    if corpus is None or not corpus.references:
        raise InputError("an audit needs texts and references: BLEU is about words")
    corpus = corpus.select(systems=[name for name in evidence.systems if name in corpus.systems])
    measures = sorted(_scored(evidence), key=lambda measure: measure.identity.metric != "bleu")
    bleu = measures[0]
    form = metric(bleu.name)
    tokenize, lowercase = str(getattr(form, "tokenize", "13a")), bool(getattr(form, "lowercase", False))
    reading = NumberedWords.of(
        corpus.references_for(), corpus.systems, tokenize=tokenize, lowercase=lowercase, threads=request.threads
    )
    drawn = Drawn.of(evidence, request.unit)
    # Of one unit nothing can be said about chance, and so nothing about pairs.
    testable = drawn.units.count > 1
    tables = [MeasureTable(_audited(measure, drawn)) for measure in measures if testable]
    pairs = list(combinations(corpus.systems, 2)) if testable else []
    free = {name: tuple(freedoms(reading, name)) for name in corpus.systems}
    return Audit(
        measure=bleu.name,
        signature=str(bleu.identity.signature),
        systems=tuple(corpus.systems),
        facts=_facts(evidence, corpus, drawn, tables, reading, tokenize),
        pairs=tuple(pair_score(table, *pair) for table in tables for pair in pairs),
        signals=tuple(
            signals(tables, _pair_texts(corpus, tokenize, request.threads), drawn.units.unit) if pairs else ()
        ),
        summaries=tuple(summary(of_system) for of_system in free.values()),
        freedoms=tuple(freedom for of_system in free.values() for freedom in of_system),
        examples=tuple(_examples(request, reading, bleu, free)),
        fits=tuple(_fits(evidence, measures)),
    )


def _audited(measure: Measure, drawn: Drawn) -> AuditedMeasure:
    by_unit, by_segment = drawn.grouped(measure), measure.comparable()
    return AuditedMeasure(measure.name, measure.identity.higher_is_better, by_unit, by_segment)


def _scored(evidence: Evidence) -> list[Measure]:
    return [measure for measure in evidence.measures if measure.rows]


def _pair_texts(corpus: Corpus, tokenize: str, threads: int | None) -> PairTexts:
    """Likeness of all texts; those of references stand under names that no system has."""
    kept = tokenizer(tokenize)
    references = {f"{REFERENCE}{name}": column.text for name, column in corpus.references.items()}
    columns = {**corpus.systems, **references}
    lines = {name: column.to_list() for name, column in columns.items()}
    identical = {
        (reference, name): np.flatnonzero(
            [bool(text) and text == other for text, other in zip(lines[name], lines[reference], strict=True)]
        )
        for reference in references
        for name in corpus.systems
    }
    likeness = Likeness({name: column.tokens(kept, threads) for name, column in columns.items()}, threads)
    return PairTexts(likeness, tuple(references), identical, len(corpus))


def _facts(
    evidence: Evidence,
    corpus: Corpus,
    drawn: Drawn,
    tables: Sequence[MeasureTable],
    reading: NumberedWords,
    tokenize: str,
) -> Facts:
    documents = evidence.segments.documents
    tokenised = [
        name for said in evidence.warnings if said.code == "tokenized" if (name := said.system or said.reference)
    ]
    columns = {**{name: column.text for name, column in corpus.references.items()}, **corpus.systems}
    return Facts(
        segments=len(corpus),
        documents=None if documents is None else len(set(documents)),
        unit=drawn.units.unit,
        units=drawn.units.count,
        references=tuple(corpus.references),
        references_per_segment=corpus.references_for().count_label,
        reference_tokens=len(reading.references),
        language_pair=evidence.language_pair,
        tokenizer=tokenize,
        tokenized=tuple(dict.fromkeys(tokenised)),
        lowercased=tuple(name for name, column in columns.items() if _is_lowercase(column.to_list())),
        detectable=tuple(_detectable(tables, drawn.units.unit)) if len(corpus.systems) > 1 else (),
        shares=tuple(score_shares(reading, _function_words(evidence.language_pair))),
    )


def _is_lowercase(lines: Sequence[str]) -> bool:
    text = "\n".join(lines)
    return text == text.lower() != text.upper()


def _function_words(language_pair: str | None) -> frozenset[str] | None:
    """The function words of the target language, where it is known and a list is installed."""
    if language_pair is None:
        return None
    try:
        return function_words(language_pair.split("-")[-1]).words
    except (MissingExtraError, MissingResourceError, InputError):
        return None


def _detectable(tables: Sequence[MeasureTable], unit: str) -> Iterator[Detectable]:
    """What is shown of the median pair: half of all pairs need a larger difference.

    Of pairs that differ alike in all units nothing can be said, for no chance is seen at work.
    """
    for table in tables:
        pairs = list(combinations(table.scores, 2))
        deviation = float(np.median([table.deviation(*pair) for pair in pairs]))
        if deviation > NO_DEVIATION:
            shown = power(deviation, table.units, alpha=ALPHA, power=POWER, unit=unit).detectable
            yield Detectable(table.spec, shown, POWER, ALPHA, len(pairs))


def _examples(
    request: AuditRequest, reading: NumberedWords, bleu: Measure, free: dict[str, tuple[Freedom, ...]]
) -> Iterator[Example]:
    """Segments with as many phrases as can be enumerated: the freest of each system."""
    for number, (name, of_system) in enumerate(free.items()):
        fitting = [freedom for freedom in of_system if 1 < freedom.phrases <= MOST_PHRASES]
        if request.verify:  # 9! and 10! take their time, and 8! says as much
            fitting = [freedom for freedom in fitting if freedom.phrases <= MOST_PHRASES - 2] or fitting
        freest = sorted(fitting, key=lambda freedom: (-freedom.log10_strings, freedom.segment))
        for freedom in freest[: request.examples]:
            rng = np.random.default_rng([request.seed, number, freedom.segment])
            aggregate = bleu.segment_rows()[name].aggregate
            workshop = Workshop(reading, name, freedom.segment - 1, aggregate)
            yield workshop.example(2, rng, verify=request.verify)


def _fits(evidence: Evidence, measures: Sequence[Measure]) -> Iterator[PeopleFit]:
    """Every measure against every criterion that people judged by."""
    for gold in evidence.golds:
        names = [name for name in evidence.systems if name in gold.rows and gold.rows[name].known.any()]
        for measure in measures:
            judged = [name for name in names if name in measure.rows]
            judgements = np.array([gold.rows[name].score for name in judged])
            scores = np.array([measure.rows[name].score for name in judged])
            far = outliers(judgements) if len(judged) else np.zeros(0, dtype=bool)
            points = tuple(
                SystemPoint(name, float(judgement), float(score), bool(outlier))
                for name, judgement, score, outlier in zip(judged, judgements, scores, far, strict=True)
            )
            without = _r2(judgements[~far], scores[~far])
            yield PeopleFit(gold.name, measure.name, _r2(judgements, scores), without, points)


def _r2(judgements: NDArray[np.float64], scores: NDArray[np.float64]) -> float | None:
    """The squared correlation; None where it is not defined."""
    if len(scores) < 3 or np.ptp(scores) == 0 or np.ptp(judgements) == 0:
        return None
    return float(np.corrcoef(judgements, scores)[0, 1] ** 2)
