"""Tuning METEOR: parameters that agree best with what people said."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.errors import InputError
from karat.metrics.meteor import Meteor
from karat.metrics.meteor_parameters import Parameters
from karat.service.outside_scores import scores_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Corpus
    from karat.corpus.outside import OutsideScores
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
    measure: str = "pearson"
    level: str = "segment"
    held_out: float = 0.25
    starts: int = 8
    seed: int = 12345
    threads: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.held_out < 1:
            raise InputError(f"the share held out is {self.held_out}: it must be between 0 and 1")
        if self.starts < 1:
            raise InputError("the search needs at least one start")


@dataclass(frozen=True)
class Agreement:
    """Correlation with people on the segments tuned on, and on those held out."""

    tuned_on: float
    held_out: float


@dataclass(frozen=True)
class Tuning:
    """The parameters found, as a metric, and what they are worth."""

    metric: str
    parameters: dict[str, float]
    criterion: str
    measure: str
    level: str
    systems: int
    segments: tuple[int, int]
    before: Agreement
    after: Agreement
    seed: int

    def to_json(self) -> dict[str, Any]:
        """One JSON object; segments are how many were tuned on and held out."""
        return {"schema": 1, **dataclasses.asdict(self), "segments": list(self.segments)}


class _Judged(NamedTuple):
    """The rows of every system, systems first, and what people said of each; NaN where they said nothing."""

    rows: Floats
    human: Floats


def tune(request: TuningRequest) -> Tuning:
    """Search for parameters on most of the segments, and try them on the rest."""
    corpora = [block for testset in request.texts.testsets(whole=True) for block in testset.blocks()]
    if len(corpora) != 1:
        raise InputError(f"METEOR is tuned on one test set at a time, not on {len(corpora)}")
    corpus = corpora[0]
    metric = request.metric if corpus.target_language is None else request.metric.for_language(corpus.target_language)
    if not isinstance(metric, Meteor):
        raise InputError("only meteor can be tuned")
    scores = _chosen(request)
    judged = _judged(corpus, metric, scores, request)
    tuning, rest = _split(judged, request)
    found = _search(metric, tuning, request)
    return Tuning(
        metric=found.spec,
        parameters={name: float(value) for name, value in found.values._asdict().items()},
        criterion=scores.metric,
        measure=request.measure,
        level=request.level,
        systems=len(judged.rows),
        segments=(tuning.rows.shape[1], rest.rows.shape[1]),
        before=Agreement(*(_agreement(metric, part, request) for part in (tuning, rest))),
        after=Agreement(*(_agreement(found, part, request) for part in (tuning, rest))),
        seed=request.seed,
    )


def _chosen(request: TuningRequest) -> OutsideScores:
    """The judgements of one criterion."""
    found, _ = scores_in(request.judgements, (request.criterion,) if request.criterion else ())
    if len(found) > 1:
        names = ", ".join(one.metric for one in found)
        raise InputError(f"{request.judgements} has judgements of {names}: choose one with --criterion")
    return found[0]


def _judged(corpus: Corpus, metric: Meteor, scores: OutsideScores, request: TuningRequest) -> _Judged:
    systems = [name for name in corpus.systems if name in scores.systems]
    if not systems:
        raise InputError(
            f"{scores.file} judges {', '.join(scores.systems)}, but the texts are of {', '.join(corpus.systems)}: "
            "the column of systems must have the same names"
        )
    names = corpus.ids or tuple(str(number) for number in range(1, len(corpus) + 1))
    sign = -1.0 if scores.higher_is_better is False else 1.0
    rows, human = [], []
    for system in systems:
        said = {key[1]: value for key, value in scores.systems[system].items()}
        human.append([np.nan if (value := said.get(name)) is None else sign * value for name in names])
        prepared = metric.prepare(corpus.references_for(system), request.threads)
        rows.append(prepared.values(corpus.systems[system]).astype(np.float64))
    judged = _Judged(np.stack(rows), np.array(human))
    if not np.isfinite(judged.human).any():
        raise InputError(
            f"{scores.file} judges no segment of the texts: its column of segments must have their names or numbers, "
            f"such as {names[0]}"
        )
    return judged


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
        found, reached = _climb(start, names, judged, request)
        if reached > value + 1e-12:
            best, value = found, reached
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
    return dataclasses.replace(metric, **changes)


def _bounded(name: str, value: float) -> float:
    return round(float(min(max(value, _LEAST.get(name, 0.0)), _GREATEST.get(name, 1.0))), 4)
