"""The experiment of Qin and Specia (2015): metrics against adequacy and fluency where there are several references.

How far people agree on each system (their table 1), and how metrics correlate with them over systems (table 2), over
the documents of each system (tables 3 and 4), and over its segments.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.meta import evaluate
from karat.meta.multi_reference import Agreement, Correlation, MultiReferenceReport
from karat.service.meta_tasks import Sources, tasks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.meta.task import Level, Task
    from karat.service.inputs import Input

DEFAULT_METRICS = ("bleu", "bm", "bma", "nist", "nm")
PART_LEVELS: tuple[Level, ...] = ("document", "segment")


@dataclass(frozen=True, kw_only=True)
class MultiReferenceRequest:
    """Texts with several references, ratings of their systems, and what to measure with and against."""

    texts: Input
    ratings: str
    metrics: tuple[str, ...] = DEFAULT_METRICS
    criteria: tuple[str, ...] = ()
    threads: int | None = None


def multi_reference(request: MultiReferenceRequest) -> MultiReferenceReport:
    """Do the experiment."""
    criteria = request.criteria or _criteria(request.ratings)
    tasks: dict[str, Task] = {}
    for criterion in criteria:
        sources = Sources(
            texts=request.texts,
            metrics=request.metrics,
            ratings=request.ratings,
            criterion=criterion,
            threads=request.threads,
        )
        (tasks[criterion],) = tasks_of(sources)
    first = next(iter(tasks.values()))
    references = _reference_count(request.texts)
    return MultiReferenceReport(
        references=references,
        criteria=tuple(criteria),
        metrics=tuple(metric.name for metric in first.metrics),
        systems=first.systems,
        agreement=tuple(one for criterion in criteria for one in _agreement(request.ratings, criterion)),
        correlations=tuple(one for name, task in tasks.items() for one in _correlations(name, task)),
        signatures=tuple(f"{metric.name}: {metric.signature}" for metric in first.metrics),
    )


def _criteria(path: str) -> tuple[str, ...]:
    from karat.corpus.ratings import read_ratings

    there = read_ratings(path).criteria
    if not there:
        raise InputError(f"{path} does not say what was judged: give a column criterion, such as adequacy or fluency")
    return there


def _reference_count(texts: Input) -> int:
    (corpus,) = texts.testsets(whole=True)[0].blocks()
    if len(corpus.references) < 2:
        raise InputError("there is one reference only: the experiment is about several; karat meta takes one")
    return len(corpus.references)


def _agreement(path: str, criterion: str) -> list[Agreement]:
    """Two of two, or two of three, say the same of a segment: by system."""
    from karat.corpus.ratings import read_ratings

    rows = read_ratings(path).ordinary.where(criterion=criterion).frame.select("system", "segment", "value")
    answers: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for system, segment, value in rows.iter_rows():
        if value is not None and segment is not None:
            answers[system][segment].append(float(value))
    given = [value for of in answers.values() for values in of.values() for value in values]
    scale = round(max(given) - min(given)) + 1 if given else 0
    made = []
    for system, of_system in answers.items():
        judged = [values for values in of_system.values() if len(values) in (2, 3)]
        if judged:
            made.append(_of_system(criterion, system, judged, scale))
    return made


def _of_system(criterion: str, system: str, judged: Sequence[Sequence[float]], scale: int) -> Agreement:
    """The paper takes the chance that two judges agree, one in so many values; for two of three it is greater."""
    from karat.human.two_of_three import chance_of_two

    share = sum(len(set(values)) < len(values) for values in judged) / len(judged)
    paper = 1 / scale
    chances = {2: paper, 3: float(chance_of_two(scale))}
    right = sum(chances[len(values)] for values in judged) / len(judged)
    return Agreement(criterion, system, len(judged), share, _kappa(share, paper), _kappa(share, right))


def _kappa(share: float, chance: float) -> float | None:
    return (share - chance) / (1 - chance) if chance < 1 else None


def _correlations(criterion: str, task: Task) -> list[Correlation]:
    made: list[Correlation] = []
    for metric in task.metrics:
        gold, scores = task.table(task.gold, "system"), task.table(metric, "system")
        if gold is not None and scores is not None:
            made.append(_correlation(criterion, metric.name, "system", None, gold[:, 0], scores[:, 0]))
        for level in PART_LEVELS:
            gold, scores = task.table(task.gold, level), task.table(metric, level)
            if gold is None or scores is None:
                continue
            made += [
                _correlation(criterion, metric.name, level, system, gold[i], scores[i])
                for i, system in enumerate(task.systems)
            ]
    return made


def _correlation(
    criterion: str,
    metric: str,
    level: Level,
    system: str | None,
    gold: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> Correlation:
    found = evaluate("pearson", gold, scores)
    value = None if np.isnan(found.value) else found.value
    return Correlation(criterion, metric, level, system, value, found.n)
