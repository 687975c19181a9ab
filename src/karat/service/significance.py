"""`karat.compare`, `karat.rank` and `karat.bootstrap`: significance of results, of rows, or of plain numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from karat import significance
from karat.arguments import check_choice, check_name, check_truth, described, labels
from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.evidence import UNITS, Evidence, Measure, Segments
from karat.results.comparisons import CompareResult, RankResult
from karat.results.estimates import EstimateResult
from karat.rows import Rows
from karat.scores import Score, ScoreSequence
from karat.service.comparing import CompareRequest, RankRequest, compare_evidence, rank_evidence
from karat.service.requests import EvidenceRequest
from karat.significance import Options, Resampling
from karat.significance.tables import check_alike

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.evidence import Unit
    from karat.significance.draws import ResampleKind
    from karat.significance.intervals import Method
    from karat.significance.multiple import Correction
    from karat.significance.paired import TestName

    Numbers = Sequence[float | None] | NDArray[np.floating[Any]]
    Scored = Rows | Score | ScoreSequence | Numbers
    Systems = ScoreSequence | Mapping[str, Scored]


class TestingKeywords(TypedDict, total=False):
    """The options of a test, as keywords; `karat.significance.Options` explains them."""

    test: TestName
    n: int | None
    seed: int
    alpha: float
    correction: Correction
    resample: ResampleKind
    interval: Method
    confidence: float | None
    interval_n: int


class IntervalKeywords(TypedDict, total=False):
    """The options of an interval, as keywords; `karat.significance.Resampling` explains them."""

    n: int
    confidence: float
    method: Method
    resample: ResampleKind
    seed: int


def compare(
    systems: Systems,
    *,
    baseline: str | None = None,
    documents: Sequence[str] | None = None,
    higher_is_better: bool = True,
    unit: Unit | None = None,
    unpaired: bool = False,
    threads: int | None = None,
    **options: Unpack[TestingKeywords],
) -> CompareResult:
    """Compare every system with the baseline, the first one if not named.

    `systems` are the scores that `karat.score` gave, or a mapping from names to `Score`, `Scores`, `Rows` or the
    scores of single segments. `documents` has a label for each segment, and makes documents the units unless `unit`
    says otherwise. For plain numbers `higher_is_better` tells the direction, and None is missing: systems are compared
    on what they share, unless they are `unpaired`. The options are those of `karat.significance.Options`.

    >>> import karat
    >>> (one,) = karat.compare({"old": [3, 4, 2, 5, 3, 4] * 5, "new": [4, 4, 3, 5, 4, 5] * 5}, test="wilcoxon")
    >>> round(one.difference, 2), one.significant
    (0.67, True)
    """
    evidence = _evidence(systems, documents, higher_is_better)
    _check_tested(unit, unpaired)
    if baseline is not None:
        check_name("system", baseline)
    request = CompareRequest(
        evidence=EvidenceRequest(threads=threads),
        unit=unit,
        options=Options(**options),
        baseline=baseline,
        unpaired=unpaired,
    )
    return compare_evidence(request, [evidence])


def rank(
    systems: Systems,
    *,
    documents: Sequence[str] | None = None,
    higher_is_better: bool = True,
    unit: Unit | None = None,
    unpaired: bool = False,
    threads: int | None = None,
    **options: Unpack[TestingKeywords],
) -> RankResult:
    """Compare all pairs of systems and order them; takes what `karat.compare` takes.

    >>> import karat
    >>> ranking = karat.rank({"old": [3, 4, 2, 5, 3, 4] * 5, "new": [4, 4, 3, 5, 4, 5] * 5})
    >>> [(one.system, one.cluster) for one in ranking.ranking]
    [('new', 1), ('old', 2)]
    """
    evidence = _evidence(systems, documents, higher_is_better)
    _check_tested(unit, unpaired)
    request = RankRequest(
        evidence=EvidenceRequest(threads=threads), unit=unit, options=Options(**options), unpaired=unpaired
    )
    return rank_evidence(request, [evidence])


def bootstrap(
    scored: Rows | Score | Numbers,
    *,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
    **options: Unpack[IntervalKeywords],
) -> EstimateResult:
    """The interval of a score, of rows, or of the mean of plain numbers.

    >>> import karat
    >>> estimate = karat.bootstrap([3, 4, 2, 5, 3, 4] * 10, confidence=0.9)
    >>> estimate.value, round(estimate.interval.low, 2), round(estimate.interval.high, 2)
    (3.5, 3.3, 3.7)
    """
    if "unit" in options:
        raise InputError("the unit is that of the rows: give the documents of the segments to take these")
    rows, unit = _rows(scored, higher_is_better=True), "segment"
    if documents is not None:
        rows, unit = rows.grouped(labels(documents, "documents")), "document"
    estimate = significance.bootstrap(rows, Resampling(unit=unit, **options), threads=threads)
    warnings = tuple(Diagnostic("significance", text) for text in estimate.warnings)
    return EstimateResult(identity=rows.identity, estimate=estimate, warnings=warnings)


def _evidence(systems: Systems, documents: Sequence[str] | None, higher_is_better: bool) -> Evidence:
    """The rows of all systems, metric by metric, over the same segments."""
    check_truth("higher_is_better", higher_is_better)
    tables = _by_metric(systems) if isinstance(systems, ScoreSequence) else _from_mapping(systems, higher_is_better)
    if not tables:
        raise InputError("there is no metric to look at; give at least one")
    for table in tables:
        check_alike(table)
        for name in tables[0]:
            if name not in table:
                raise InputError(
                    f"{name!r} has no score under {next(iter(table.values())).identity.spec}, but others have"
                )
    count = len(next(iter(tables[0].values())))
    named = None if documents is None else labels(documents, "documents")
    if named is not None and len(named) != count:
        raise InputError(f"{count} rows, but {len(named)} labels")
    segments = Segments(tuple(map(str, range(1, count + 1))), named)
    measures = tuple(Measure(next(iter(table.values())).identity, table) for table in tables)
    return Evidence(measures, tuple(tables[0]), segments, count)


def _check_tested(unit: Unit | None, unpaired: bool) -> None:
    if unit is not None:
        check_choice("unit", unit, UNITS)
    check_truth("unpaired", unpaired)


def _by_metric(scores: ScoreSequence) -> list[dict[str, Rows]]:
    tables: dict[str, dict[str, Rows]] = {}
    for score in scores:
        table = tables.setdefault(score.spec, {})
        if score.system in table:
            raise InputError(f"{score.system!r} has two scores under {score.spec}: compare one test set at a time")
        table[score.system] = score.rows
    return list(tables.values())


def _from_mapping(systems: Mapping[str, Scored], higher_is_better: bool) -> list[dict[str, Rows]]:
    if not isinstance(systems, Mapping):
        raise InputError(
            f"systems are what karat.score gives, or a mapping from names to scores, not {described(systems)}"
        )
    for name in systems:
        check_name("system", name)
    if any(isinstance(scored, ScoreSequence) for scored in systems.values()):
        return _by_metric(
            ScoreSequence([score for name, scored in systems.items() for score in _renamed(name, scored)])
        )
    return [{name: _rows(scored, higher_is_better=higher_is_better) for name, scored in systems.items()}]


def _renamed(name: str, scored: object) -> list[Score]:
    """The scores of one system under the name that it has here."""
    if not isinstance(scored, Score | ScoreSequence):
        raise InputError(f"{name!r} is not the result of karat.score, but others are: give all systems alike")
    scores = [scored] if isinstance(scored, Score) else list(scored)
    if len({score.system for score in scores}) > 1:
        raise InputError(f"{name!r} holds the scores of several systems: give these scores themselves, without a name")
    return [replace(score, system=name) for score in scores]


def _rows(scored: object, *, higher_is_better: bool) -> Rows:
    if isinstance(scored, Rows):
        return scored
    if isinstance(scored, Score):
        return scored.rows
    if isinstance(scored, ScoreSequence):
        raise InputError("these are several scores: take one of them, such as scores['bleu']")
    return Rows.from_scores(scored, spec="scores", higher_is_better=higher_is_better)  # type: ignore[arg-type]
