"""The analysis of values on a scale: every system, agreement, raters, with flagged raters and without."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError
from karat.human.agreement.base import ScaleAnswers, agreement_on
from karat.human.ordering import Ordering, ordering
from karat.human.results import CriterionResult, JudgedSegments, SystemResult
from karat.human.scales.balance import balance
from karat.human.scales.judgements import ItemMeans, Judgements
from karat.human.scales.mixed import MixedModel, mixed_model
from karat.human.scales.quality import rater_quality
from karat.human.scales.standard import distribution
from karat.quick_dataclasses import dataclass
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.corpus.ratings import Scale
    from karat.human.plan import AnalysisPlan
    from karat.human.scales.quality import RaterQuality

MOST_MODELLED = 200_000
"""Judgements up to which the mixed model is fitted without being asked for."""
MOST_DOCUMENTS = 500


@dataclass(frozen=True, eq=False)
class Answers:
    """What raters said before it was averaged: their first judgement of each item, and every one."""

    first: Judgements
    every: Judgements


def analyse_scale(
    given: Judgements,
    scale: Scale,
    plan: AnalysisPlan,
    *,
    answers: Answers | None = None,
    protocol: str,
    criterion: str,
    language_pair: str | None = None,
    level: str = "segment",
) -> CriterionResult:
    """Look at one criterion from all sides; `answers` where raters judged items more than once."""
    said = answers or Answers(given, given)
    if len(given.ordinary) == 0:
        raise InputError(f"{protocol} {criterion}: there is no ordinary judgement, only control items")
    raters = rater_quality(said.every, plan.limits, higher_is_better=scale.higher_is_better)
    ranked = ordering(given, plan, higher_is_better=scale.higher_is_better)
    model, model_notes = _model(given, plan)
    without, left_out = _without(given, scale, plan, raters)
    return CriterionResult(
        protocol=protocol,
        criterion=criterion,
        language_pair=language_pair,
        level=level,
        kind="scale",
        higher_is_better=scale.higher_is_better,
        systems=_systems(given, scale, ranked, model),
        method=ranked.method,
        pairs=ranked.pairs,
        agreement=agreement_on(
            ScaleAnswers(said.first, scale.points, plan.resampling("item"), plan.progress, repeated=said.every)
        ),
        raters=tuple(raters),
        without=without,
        left_out=left_out,
        notes=(*model_notes, *_interval_note(ranked, plan), *_few_units(ranked), *ranked.notes),
        segments=_segments(given),
        preset=plan.preset,
        seed=plan.seed,
        variances=None if model is None else model.variances,
    )


def _interval_note(ranked: Ordering, plan: AnalysisPlan) -> Iterator[Diagnostic]:
    if not any(ranked.estimates):
        return
    drawn = f"{plan.resamples:,} resamples of {ranked.units:,} {ranked.unit}s, seed {plan.seed}"
    yield Diagnostic("intervals", f"intervals: {percent(plan.confidence)}%, {drawn}")


def _model(given: Judgements, plan: AnalysisPlan) -> tuple[MixedModel | None, list[Diagnostic]]:
    """The mixed model where assignment is unbalanced, or it is asked for; and what is to be said."""
    state = balance(given)
    notes = [] if state.balanced else [Diagnostic("unbalanced", state.says())]
    if plan.model == "never" or (plan.model == "auto" and state.balanced):
        return None, notes
    used = given.ordinary
    if plan.model == "auto" and len(used) > MOST_MODELLED:
        large = "the mixed model takes long on so many judgements: ask for it with karat human --model always"
        return None, [*notes, Diagnostic("model-left-out", large)]
    if len(used) <= len(np.unique(used.system)):
        few = "there is no mixed model: with one judgement of each system, nothing tells a system from chance"
        return None, [*notes, Diagnostic("model-left-out", few)]
    fitted = _fitted(used)
    return fitted, [*notes, Diagnostic("model", _model_in_words(fitted, len(np.unique(used.rater))))]


def _model_in_words(model: MixedModel, raters: int) -> str:
    """What the model's means are, and its standard deviations as far as they can be told."""
    known = {name: value for name, value in vars(model.variances).items() if raters > 1 or name != "rater"}
    names = {"rater": "raters", "segment": "segments", "residual": "rest"}
    shown = [f"{names[name]} {'unknown' if value is None else f'{value**0.5:.2f}'}" for name, value in known.items()]
    whom = "an average rater and segment" if raters > 1 else "the one rater and an average segment"
    said = f"Model: mean of a system for {whom}; standard deviations of {', '.join(shown)}"
    if not model.confounded:
        return said
    alone = " and ".join(f"one {name} only" for name in model.confounded)
    return f"{said}; each system has {alone}, which cannot be told from the system, so the errors of means are unknown"


def _fitted(used: Judgements) -> MixedModel:
    """The model of the systems that were judged; those that have control items only get NaN."""
    judged, system = np.unique(used.system, return_inverse=True)
    names = tuple(used.systems[i] for i in judged)
    model = mixed_model(replace(used, systems=names, system=system.astype(np.intp)))
    means, covariance = np.full(len(used.systems), np.nan), np.full((len(used.systems),) * 2, np.nan)
    means[judged], covariance[np.ix_(judged, judged)] = model.means, model.covariance
    return replace(model, means=means, covariance=covariance)


def _segments(given: Judgements) -> tuple[JudgedSegments, ...]:
    """The mean judgement of every segment of every system."""
    used = given.ordinary
    items, place = ItemMeans.of(used), used.segment_document
    documents: tuple[str | None, ...] = (None,) * len(used.segments)
    if place is not None:
        documents = tuple(used.documents[i] if i >= 0 else None for i in place.tolist())
    return tuple(
        JudgedSegments(name, used.segments, documents, items.mean[:, i], items.count[:, i])
        for i, name in enumerate(used.systems)
    )


def _few_units(ranked: Ordering) -> tuple[Diagnostic, ...]:
    """What is to be said about few units."""
    known = [estimate for estimate in ranked.estimates if estimate is not None]
    warnings = {warning for estimate in known for warning in estimate.warnings}
    return tuple(Diagnostic("few-units", warning) for warning in sorted(warnings))


def _systems(given: Judgements, scale: Scale, ranked: Ordering, model: MixedModel | None) -> tuple[SystemResult, ...]:
    used = ranked.counted
    items = ItemMeans.of(used)
    raw = items.system_means()
    domains = _by(used.domain, used.domains, used)
    documents = _by(used.document, used.documents, used) if len(used.documents) <= MOST_DOCUMENTS else {}
    results = []
    for i, name in enumerate(given.systems):
        mine = used.system == i
        if not mine.any():
            continue
        estimate = ranked.estimates[i]
        results.append(
            SystemResult(
                system=name,
                n=int(mine.sum()),
                items=int(items.present[:, i].sum()),
                raters=len(np.unique(used.rater[mine])),
                score=float(ranked.order.scores[i]),
                rank_low=ranked.order.ranges[i][0],
                rank_high=ranked.order.ranges[i][1],
                cluster=ranked.order.clusters[i],
                ranked=bool(ranked.order.ranked[i]),
                interval=None if estimate is None else estimate.interval,
                raw=None if given.standardised else float(raw[i]),
                z=float(ranked.z[i]),
                normalised=None if given.standardised else scale.normalised(float(raw[i])),
                model=None if model is None else float(model.means[i]),
                model_error=None if model is None or model.errors is None else float(model.errors[i]),
                distribution=distribution(used.value[mine], scale.minimum, scale.maximum),
                by_domain=domains.get(i, {}),
                by_document=documents.get(i, {}),
            )
        )
    return best_first(results, higher_is_better=scale.higher_is_better)


def best_first(results: Sequence[SystemResult], *, higher_is_better: bool) -> tuple[SystemResult, ...]:
    """The systems by cluster, and in a cluster by score; then those that are not ranked, in no order."""
    sign = -1.0 if higher_is_better else 1.0
    ranked = sorted(
        (result for result in results if result.ranked), key=lambda result: (result.cluster, sign * result.score)
    )
    return (*ranked, *(result for result in results if not result.ranked))


def _by(code: np.ndarray, names: tuple[str, ...], used: Judgements) -> dict[int, dict[str, float]]:
    """The mean of item means of each system within each domain or document."""
    if not names or (code < 0).any():
        return {}
    items = ItemMeans.of(used)
    of_segment = np.full(len(used.segments), -1, dtype=np.intp)
    of_segment[used.segment] = code
    means: dict[int, dict[str, float]] = {}
    known = of_segment >= 0
    size = len(names)
    for i in range(len(used.systems)):
        there = known & items.present[:, i]
        count = np.bincount(of_segment[there], minlength=size)
        total = np.bincount(of_segment[there], items.mean[there, i], minlength=size)
        means[i] = {names[k]: float(total[k] / count[k]) for k in np.flatnonzero(count)}
    return means


def _without(
    given: Judgements, scale: Scale, plan: AnalysisPlan, raters: Sequence[RaterQuality]
) -> tuple[tuple[SystemResult, ...], tuple[str, ...]]:
    """The systems once more without the raters who have one of the flags to be filtered by."""
    bad = {rater.rater for rater in raters if set(rater.flags) & set(plan.filtered)}
    if not bad:
        return (), ()
    flagged = np.array([name in bad for name in given.raters])
    kept = given.taken(~flagged[given.rater])
    if len(kept.ordinary) == 0:
        raise InputError(f"all raters are flagged ({', '.join(sorted(bad))}): nothing is left to analyse")
    again = ordering(kept, plan, higher_is_better=scale.higher_is_better)
    return _systems(kept, scale, again, None), tuple(sorted(bad))
