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
from karat.meta.multi_reference import Correlation, MultiReferenceStudy, RaterAgreement
from karat.meta.task import Task
from karat.results.multi_reference import MultiReferenceResult
from karat.service.gathering import gather_one
from karat.service.listening import SILENT, Listeners
from karat.service.ratings import ratings_at
from karat.service.requests import EvidenceRequest, GoldRequest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from karat.corpus import Targeted
    from karat.corpus.ratings import Ratings
    from karat.evidence import Level
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
    targeted: Targeted = "never"
    threads: int | None = None


def multi_reference(request: MultiReferenceRequest, listeners: Listeners = SILENT) -> MultiReferenceResult:
    """Do the experiment."""
    asked = EvidenceRequest(
        texts=request.texts,
        metrics=request.metrics,
        gold=GoldRequest(paths=(request.ratings,), criteria=request.criteria, every=True),
        targeted=request.targeted,
        threads=request.threads,
    )
    evidence = gather_one(asked, listeners)
    references = 0 if evidence.corpus is None else len(evidence.corpus.references)
    if references < 2:
        raise InputError("there is one reference only: the experiment is about several; karat meta takes one")
    criteria = tuple(gold.name for gold in evidence.golds)
    study = MultiReferenceStudy(
        references=references,
        criteria=criteria,
        metrics=evidence.specs,
        systems=evidence.systems,
        agreement=tuple(_agreement(request.ratings, criteria)),
        correlations=tuple(
            correlation for gold in evidence.golds for correlation in _correlations(Task.of(evidence, gold))
        ),
        signatures=tuple(f"{measure.name}: {measure.identity.signature}" for measure in evidence.measures),
    )
    return MultiReferenceResult(study=study, warnings=evidence.warnings)


def _agreement(path: str, criteria: Sequence[str]) -> Iterator[RaterAgreement]:
    from karat.corpus.ratings.scores import chosen_criteria

    for criterion, ratings in chosen_criteria(ratings_at(path).ordinary, path, criteria).items():
        yield from _by_system(criterion, ratings)


def _by_system(criterion: str, ratings: Ratings) -> list[RaterAgreement]:
    """Two of two, or two of three, say the same of a segment: by system."""
    rows = ratings.frame.select("system", "segment", "value")
    answers: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for system, segment, value in rows.iter_rows():
        if value is not None and segment is not None:
            answers[system][segment].append(float(value))
    given = [value for of_system in answers.values() for values in of_system.values() for value in values]
    scale = round(max(given) - min(given)) + 1 if given else 0
    made = []
    for system, of_system in answers.items():
        judged = [values for values in of_system.values() if len(values) in (2, 3)]
        if judged:
            made.append(_of_system(criterion, system, judged, scale))
    return made


def _of_system(criterion: str, system: str, judged: Sequence[Sequence[float]], scale: int) -> RaterAgreement:
    """The paper takes the chance that two judges agree, one in so many values; for two of three it is greater."""
    from karat.human.agreement.two_of_three import chance_of_two

    share = sum(len(set(values)) < len(values) for values in judged) / len(judged)
    paper = 1 / scale
    chances = {2: paper, 3: float(chance_of_two(scale))}
    right = sum(chances[len(values)] for values in judged) / len(judged)
    return RaterAgreement(criterion, system, len(judged), share, _kappa(share, paper), _kappa(share, right))


def _kappa(share: float, chance: float) -> float | None:
    return (share - chance) / (1 - chance) if chance < 1 else None


def _correlations(task: Task) -> list[Correlation]:
    made: list[Correlation] = []
    criterion = task.gold.name
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
    pearson = evaluate("pearson", gold, scores)
    value = None if np.isnan(pearson.value) else pearson.value
    return Correlation(criterion, metric, level, system, value, pearson.n)
