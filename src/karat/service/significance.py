"""`karat.compare`, `karat.rank` and `karat.bootstrap`: significance of results, of rows, or of plain numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from karat import significance
from karat.errors import InputError
from karat.results import Score, Scores
from karat.rows import Rows
from karat.significance import Comparison, Estimate, Options, Ranking, Resampling

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.significance.draws import Kind
    from karat.significance.intervals import Method
    from karat.significance.multiple import Correction
    from karat.significance.paired import Test

    Numbers = Sequence[float | None] | NDArray[np.floating[Any]]
    Scored = Rows | Score | Scores | Numbers
    Systems = Scores | Mapping[str, Scored]


class TestingKeywords(TypedDict, total=False):
    """The options of a test, as keywords; `karat.significance.Options` explains them."""

    test: Test
    n: int | None
    seed: int
    level: float
    correction: Correction
    resample: Kind
    interval: Method
    interval_level: float | None
    interval_n: int


class IntervalKeywords(TypedDict, total=False):
    """The options of an interval, as keywords; `karat.significance.Resampling` explains them."""

    n: int
    level: float
    method: Method
    resample: Kind
    seed: int


def compare(
    systems: Systems,
    *,
    baseline: str | None = None,
    documents: Sequence[str] | None = None,
    higher_is_better: bool = True,
    threads: int | None = None,
    **options: Unpack[TestingKeywords],
) -> tuple[Comparison, ...]:
    """Compare every system with the baseline, the first one if not named.

    `systems` are the scores that `karat.score` gave, or a mapping from names to `Score`, `Scores`, `Rows` or the
    scores of single segments. `documents` has a label for each segment, and makes documents the units. For plain
    numbers `higher_is_better` tells the direction. The options are those of `karat.significance.Options`.

    >>> import karat
    >>> (one,) = karat.compare({"old": [3, 4, 2, 5, 3, 4] * 5, "new": [4, 4, 3, 5, 4, 5] * 5}, test="wilcoxon")
    >>> round(one.difference, 2), one.significant
    (0.67, True)
    """
    tables, unit = _tables(systems, documents, higher_is_better)
    return significance.compare(tables, Options(unit=unit, **options), baseline=baseline, threads=threads)


def rank(
    systems: Systems,
    *,
    documents: Sequence[str] | None = None,
    higher_is_better: bool = True,
    threads: int | None = None,
    **options: Unpack[TestingKeywords],
) -> Ranking:
    """Compare all pairs of systems and order them; takes what `karat.compare` takes.

    >>> import karat
    >>> ranking = karat.rank({"old": [3, 4, 2, 5, 3, 4] * 5, "new": [4, 4, 3, 5, 4, 5] * 5})
    >>> [(one.system, one.cluster) for one in ranking.ranking]
    [('new', 1), ('old', 2)]
    """
    tables, unit = _tables(systems, documents, higher_is_better)
    return significance.rank(tables, Options(unit=unit, **options), threads=threads)


def bootstrap(
    scored: Rows | Score | Numbers,
    *,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
    **options: Unpack[IntervalKeywords],
) -> Estimate:
    """The interval of a score, of rows, or of the mean of plain numbers.

    >>> import karat
    >>> estimate = karat.bootstrap([3, 4, 2, 5, 3, 4] * 10, level=0.9)
    >>> estimate.value, round(estimate.interval.low, 2), round(estimate.interval.high, 2)
    (3.5, 3.3, 3.7)
    """
    rows, unit = _rows(scored, higher_is_better=True), "segment"
    if documents is not None:
        rows, unit = rows.grouped(documents), "document"
    return significance.bootstrap(rows, Resampling(unit=unit, **options), threads=threads)


def _tables(
    systems: Systems, documents: Sequence[str] | None, higher_is_better: bool
) -> tuple[list[dict[str, Rows]], str]:
    """The rows of all systems, metric by metric, and the unit."""
    tables = _by_metric(systems) if isinstance(systems, Scores) else _from_mapping(systems, higher_is_better)
    if documents is None:
        return tables, "segment"
    return [{name: rows.grouped(documents) for name, rows in table.items()} for table in tables], "document"


def _by_metric(scores: Scores) -> list[dict[str, Rows]]:
    tables: dict[str, dict[str, Rows]] = {}
    for score in scores:
        table = tables.setdefault(score.spec, {})
        if score.system in table:
            raise InputError(f"{score.system!r} has two scores under {score.spec}: compare one test set at a time")
        table[score.system] = score.rows
    return list(tables.values())


def _from_mapping(systems: Mapping[str, Scored], higher_is_better: bool) -> list[dict[str, Rows]]:
    if any(isinstance(scored, Scores) for scored in systems.values()):
        return _by_metric(Scores([score for name, scored in systems.items() for score in _renamed(name, scored)]))
    return [{name: _rows(scored, higher_is_better=higher_is_better) for name, scored in systems.items()}]


def _renamed(name: str, scored: object) -> list[Score]:
    """Scores of one system under the name that it has here."""
    if not isinstance(scored, Score | Scores):
        raise InputError(f"{name!r} is not the result of karat.score, but others are: give all systems alike")
    found = [scored] if isinstance(scored, Score) else list(scored)
    if len({score.system for score in found}) > 1:
        raise InputError(f"{name!r} holds the scores of several systems: give these scores themselves, without a name")
    return [replace(score, system=name) for score in found]


def _rows(scored: object, *, higher_is_better: bool) -> Rows:
    if isinstance(scored, Rows):
        return scored
    if isinstance(scored, Score):
        return scored.rows
    if isinstance(scored, Scores):
        raise InputError("these are several scores: take one of them, such as scores['bleu']")
    return Rows.from_scores(scored, spec="scores", higher_is_better=higher_is_better)  # type: ignore[arg-type]
