"""The analysis of values on a scale: every system, agreement, raters, with flagged raters and without."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.human.balance import balance
from karat.human.findings import CriterionFindings, SegmentScores, SystemResult
from karat.human.judgements import ItemMeans, Judgements
from karat.human.mixed import MixedModel, mixed_model
from karat.human.ordering import Ordering, ordering
from karat.human.quality import rater_quality
from karat.human.scale_agreement import scale_agreement
from karat.human.standard import distribution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.corpus.ratings import Scale
    from karat.human.quality import RaterQuality
    from karat.human.settings import Settings

MOST_MODELLED = 200_000
"""Judgements up to which the mixed model is fitted without being asked for."""
MOST_DOCUMENTS = 500


def analyse_scale(
    given: Judgements,
    scale: Scale,
    settings: Settings,
    *,
    protocol: str,
    criterion: str,
    language_pair: str | None = None,
    level: str = "segment",
) -> CriterionFindings:
    """Look at one criterion from all sides."""
    if len(given.ordinary) == 0:
        raise InputError(f"{protocol} {criterion}: there is no ordinary judgement, only control items")
    raters = rater_quality(given, settings.limits, higher_is_better=scale.higher_is_better)
    found = ordering(given, settings, higher_is_better=scale.higher_is_better)
    model, notes = _model(given, settings)
    without, left_out = _without(given, scale, settings, raters)
    unit_note = (
        f"intervals: {1 - settings.level:.0%}, {settings.resamples:,} resamples of {found.units:,} {found.unit}s"
    )
    return CriterionFindings(
        protocol=protocol,
        criterion=criterion,
        language_pair=language_pair,
        level=level,
        kind="scale",
        higher_is_better=scale.higher_is_better,
        systems=_systems(given, scale, found, model),
        method=found.method,
        pairs=found.pairs,
        agreement=tuple(scale_agreement(given, scale.points, settings.resampling("item"), settings.progress)),
        raters=tuple(raters),
        without=without,
        left_out=left_out,
        notes=(*notes, f"{unit_note}, seed {settings.seed}", *_few(found)),
        segments=_segments(given),
        preset=settings.preset,
        seed=settings.seed,
    )


def _model(given: Judgements, settings: Settings) -> tuple[MixedModel | None, list[str]]:
    """The mixed model where assignment is unbalanced, or it is asked for; and what is to be said."""
    state = balance(given)
    notes = [] if state.balanced else [state.says()]
    if settings.model == "never" or (settings.model == "auto" and state.balanced):
        return None, notes
    used = given.ordinary
    if settings.model == "auto" and len(used) > MOST_MODELLED:
        return None, [*notes, "the mixed model takes long on so many judgements: ask for it with --model always"]
    if len(np.unique(used.rater)) < 2:
        return None, notes
    fitted = _fitted(used)
    shares = [fitted.rater_variance, fitted.segment_variance, fitted.residual_variance]
    says = "Model: mean of a system for an average rater and segment; standard deviations of raters {:.2f}, segments "
    return fitted, [*notes, (says + "{:.2f}, rest {:.2f}").format(*(value**0.5 for value in shares))]


def _fitted(used: Judgements) -> MixedModel:
    """The model of the systems that were judged; those that have control items only get NaN."""
    judged, system = np.unique(used.system, return_inverse=True)
    names = tuple(used.systems[i] for i in judged)
    model = mixed_model(replace(used, systems=names, system=system.astype(np.intp)))
    means, covariance = np.full(len(used.systems), np.nan), np.full((len(used.systems),) * 2, np.nan)
    means[judged], covariance[np.ix_(judged, judged)] = model.means, model.covariance
    return replace(model, means=means, covariance=covariance)


def _segments(given: Judgements) -> tuple[SegmentScores, ...]:
    """The mean judgement of every segment of every system."""
    used = given.ordinary
    items, place = ItemMeans.of(used), used.segment_document
    documents: tuple[str | None, ...] = (None,) * len(used.segments)
    if place is not None:
        documents = tuple(used.documents[i] if i >= 0 else None for i in place.tolist())
    return tuple(
        SegmentScores(name, used.segments, documents, items.mean[:, i], items.count[:, i])
        for i, name in enumerate(used.systems)
    )


def _few(found: Ordering) -> tuple[str, ...]:
    """What is to be said about few units."""
    warnings = {warning for one in found.estimates if one is not None for warning in one.warnings}
    return tuple(sorted(warnings))


def _systems(given: Judgements, scale: Scale, found: Ordering, model: MixedModel | None) -> tuple[SystemResult, ...]:
    used = given.ordinary
    items = ItemMeans.of(used)
    raw = items.system_means()
    z = ItemMeans.of(given.z_values().scored).system_means()
    domains = _by(used.domain, used.domains, used)
    documents = _by(used.document, used.documents, used) if len(used.documents) <= MOST_DOCUMENTS else {}
    results = []
    for i, name in enumerate(given.systems):
        mine = used.system == i
        if not mine.any():
            continue
        estimate = found.estimates[i]
        results.append(
            SystemResult(
                system=name,
                n=int(mine.sum()),
                items=int(items.present[:, i].sum()),
                raters=len(np.unique(used.rater[mine])),
                score=float(found.order.scores[i]),
                rank_low=found.order.ranges[i][0],
                rank_high=found.order.ranges[i][1],
                cluster=found.order.clusters[i],
                interval=None if estimate is None else estimate.interval,
                raw=None if given.standardised else float(raw[i]),
                z=float(z[i]),
                normalised=None if given.standardised else scale.normalised(float(raw[i])),
                model=None if model is None else float(model.means[i]),
                model_error=None if model is None else float(model.errors[i]),
                distribution=distribution(used.value[mine], scale.minimum, scale.maximum),
                by_domain=domains.get(i, {}),
                by_document=documents.get(i, {}),
            )
        )
    return best_first(results, higher_is_better=scale.higher_is_better)


def best_first(results: Sequence[SystemResult], *, higher_is_better: bool) -> tuple[SystemResult, ...]:
    """The systems in the order of their scores."""
    return tuple(sorted(results, key=lambda one: -one.score if higher_is_better else one.score))


def _by(code: np.ndarray, names: tuple[str, ...], used: Judgements) -> dict[int, dict[str, float]]:
    """The mean of item means of each system within each domain or document."""
    if not names or (code < 0).any():
        return {}
    items = ItemMeans.of(used)
    of_segment = np.full(len(used.segments), -1, dtype=np.intp)
    of_segment[used.segment] = code
    found: dict[int, dict[str, float]] = {i: {} for i in range(len(used.systems))}
    known = of_segment >= 0
    size = len(names)
    for i in range(len(used.systems)):
        there = known & items.present[:, i]
        count = np.bincount(of_segment[there], minlength=size)
        total = np.bincount(of_segment[there], items.mean[there, i], minlength=size)
        found[i] = {names[k]: float(total[k] / count[k]) for k in np.flatnonzero(count)}
    return found


def _without(
    given: Judgements, scale: Scale, settings: Settings, raters: Sequence[RaterQuality]
) -> tuple[tuple[SystemResult, ...], tuple[str, ...]]:
    """The systems once more without the raters who have one of the flags to be filtered by."""
    bad = {one.rater for one in raters if set(one.flags) & set(settings.filtered)}
    if not bad:
        return (), ()
    flagged = np.array([name in bad for name in given.raters])
    kept = given.taken(~flagged[given.rater])
    if len(kept.ordinary) == 0:
        raise InputError(f"all raters are flagged ({', '.join(sorted(bad))}): nothing is left to analyse")
    again = ordering(kept, settings, higher_is_better=scale.higher_is_better)
    return _systems(kept, scale, again, None), tuple(sorted(bad))
