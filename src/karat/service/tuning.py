"""Tuning METEOR: parameters that agree best with what people said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.errors import InputError
from karat.meta.task import Task
from karat.metrics.meteor import Meteor
from karat.metrics.meteor_parts.parameters import Parameters
from karat.registry import metric as metric_of
from karat.results.tuning import TuneResult, TuningAgreement
from karat.service.gathering import gather_one
from karat.service.listening import SILENT, Listeners
from karat.service.requests import EvidenceRequest, GoldRequest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Targeted
    from karat.evidence import Evidence
    from karat.service.inputs import Input

    Floats = NDArray[np.float64]

MEASURES = ("pearson", "spearman", "kendall")
LEVELS = ("segment", "system")

_STEPS = (0.2, 0.1, 0.05)
_GREATEST = {"beta": 4.0}
_LEAST = {"beta": 0.05}


@dataclass(frozen=True, kw_only=True)
class TuningRequest:
    """What to tune on, and how."""

    texts: Input
    judgements: str
    metric: Meteor
    criterion: str | None = None
    testset: str | None = None
    measure: str = "pearson"
    level: str = "segment"
    held_out: float = 0.25
    starts: int = 8
    seed: int = 12345
    targeted: Targeted = "never"
    threads: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.held_out < 1:
            raise InputError(f"the share held out is {self.held_out}: it must be between 0 and 1")
        if self.starts < 1:
            raise InputError("the search needs at least one start")


class _Judged(NamedTuple):
    """The rows of every system, systems first, and what people said of each; NaN where they said nothing."""

    rows: Floats
    human: Floats


def tune(request: TuningRequest, listeners: Listeners = SILENT) -> TuneResult:
    """Search for parameters on most of the segments, and try them on the rest."""
    criteria = (request.criterion,) if request.criterion else ()
    asked = EvidenceRequest(
        texts=request.texts,
        metrics=(request.metric,),
        gold=GoldRequest(paths=(request.judgements,), criteria=criteria, every=True),
        testsets=() if request.testset is None else (request.testset,),
        targeted=request.targeted,
        threads=request.threads,
    )
    evidence = gather_one(asked, listeners, remedy="use --testset")
    if len(evidence.golds) > 1:
        names = ", ".join(gold.name for gold in evidence.golds)
        raise InputError(f"{request.judgements} has judgements of {names}: choose one with --criterion")
    metric = metric_of(evidence.measures[0].name)
    if not isinstance(metric, Meteor):
        raise InputError("only meteor can be tuned")
    judged = _judged(evidence, request)
    tuning, rest = _split(judged, request)
    tuned = _search(metric, tuning, request)
    return TuneResult(
        metric=tuned.spec,
        parameters={name: float(value) for name, value in tuned.values._asdict().items()},
        criterion=evidence.gold.name,
        measure=request.measure,
        level=request.level,
        systems=len(judged.rows),
        segments=(tuning.rows.shape[1], rest.rows.shape[1]),
        before=TuningAgreement(*(_agreement(metric, part, request) for part in (tuning, rest))),
        after=TuningAgreement(*(_agreement(tuned, part, request) for part in (tuning, rest))),
        seed=request.seed,
        warnings=evidence.warnings,
    )


def _judged(evidence: Evidence, request: TuningRequest) -> _Judged:
    """The rows of the systems that people judged, and what they said."""
    (measure,), task = evidence.measures, Task.of(evidence)
    said = task.table(task.gold, "segment")
    systems = [i for i, name in enumerate(evidence.systems) if name in measure.rows]
    if said is None or not np.isfinite(said[systems]).any():
        raise InputError(f"{request.judgements} judges no segment: METEOR is tuned on judgements of segments")
    rows = [measure.rows[evidence.systems[i]].values.astype(np.float64) for i in systems]
    return _Judged(np.stack(rows), said[systems])


def _split(judged: _Judged, request: TuningRequest) -> tuple[_Judged, _Judged]:
    """Segments to tune on, and segments held out; both have judgements."""
    useful = np.flatnonzero(np.isfinite(judged.human).any(axis=0))
    held = round(request.held_out * len(useful))
    if held < 2 or len(useful) - held < 2:
        raise InputError(f"{len(useful)} judged segments are too few to tune on and hold {request.held_out:.0%} out")
    shuffled = np.random.default_rng(request.seed).permutation(useful)
    parts = (np.sort(shuffled[held:]), np.sort(shuffled[:held]))
    first, second = (_Judged(judged.rows[:, part], judged.human[:, part]) for part in parts)
    return first, second


def _agreement(metric: Meteor, judged: _Judged, request: TuningRequest) -> float:
    """The correlation of scores and judgements over all segments of all systems, or over systems."""
    is_judged = np.isfinite(judged.human)
    if request.level == "segment":
        scores, human = metric.aggregate(judged.rows)[is_judged], judged.human[is_judged]
    else:
        sums = np.where(is_judged[:, :, np.newaxis], judged.rows, 0.0).sum(axis=1)
        counted = is_judged.any(axis=1)
        scores = metric.aggregate(sums)[counted]
        human = np.nanmean(judged.human[counted], axis=1)
    return _correlation(scores, human, request.measure)


def _correlation(scores: Floats, human: Floats, measure: str) -> float:
    if len(scores) < 2 or np.ptp(human) == 0:
        raise InputError("the judgements are all equal, or too few: there is nothing to agree with")
    if np.ptp(scores) == 0:
        return 0.0
    from scipy import stats

    if measure == "kendall":
        return float(stats.kendalltau(scores, human).statistic)
    if measure == "spearman":
        scores, human = stats.rankdata(scores), stats.rankdata(human)
    return float(np.corrcoef(scores, human)[0, 1])


def _search(metric: Meteor, judged: _Judged, request: TuningRequest) -> Meteor:
    """Climbs from the metric's own parameters and from random ones; the best summit counts."""
    names = _tunable(judged)
    random = np.random.default_rng(request.seed + 1)
    best, value = _climb(metric, names, judged, request)
    for _ in range(request.starts - 1):
        start = _with(metric, {name: random.integers(0, 21) / 20 for name in names})
        summit, reached = _climb(start, names, judged, request)
        if reached > value + 1e-12:
            best, value = summit, reached
    return best


def _tunable(judged: _Judged) -> Sequence[str]:
    """Alpha to delta, and the weights of modules that have matched anything."""
    matched = judged.rows.sum(axis=(0, 1))[4:20].reshape(4, 4).sum(axis=1)[1:]
    weights = [name for name, count in zip(Parameters._fields[4:], matched, strict=True) if count > 0]
    return (*Parameters._fields[:4], *weights)


def _climb(metric: Meteor, names: Sequence[str], judged: _Judged, request: TuningRequest) -> tuple[Meteor, float]:
    """Changes one parameter at a time while that helps, first by large steps and then by small ones."""
    value = _agreement(metric, judged, request)
    for step in _STEPS:
        improved = True
        while improved:
            improved = False
            for name in names:
                for change in (step, -step):
                    candidate = _with(metric, {name: getattr(metric.values, name) + change})
                    reached = _agreement(candidate, judged, request)
                    if reached > value + 1e-9:
                        metric, value, improved = candidate, reached, True
    return metric, value


def _with(metric: Meteor, parameters: dict[str, float]) -> Meteor:
    """The metric with some other parameters, as near to them as their bounds allow."""
    changes: dict[str, Any] = {name: _bounded(name, value) for name, value in parameters.items()}
    return metric.changed(**changes)


def _bounded(name: str, value: float) -> float:
    return round(float(min(max(value, _LEAST.get(name, 0.0)), _GREATEST.get(name, 1.0))), 4)
