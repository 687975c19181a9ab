"""Measures of how well scores agree with judgements, one module per family; a module that is added is found."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from karat.errors import SpecError, did_you_mean
from karat.meta.measures.base import (
    AgreementMeasure,
    MeasuredAgreement,
    MeasureSettings,
    PointMeasure,
    register,
    registry,
)
from karat.meta.points import JudgedScores
from karat.plugins import load_plugins

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from karat.meta.points import Grouping, Labels

__all__ = [
    "AgreementMeasure",
    "MeasureSettings",
    "MeasuredAgreement",
    "PointMeasure",
    "all_measures",
    "evaluate",
    "measure",
    "register",
    "standard_measures",
]


@cache
def _load() -> None:
    """Import every module of measures, karat's own and those of installed plugins."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    load_plugins("karat.measures", registry)


def all_measures() -> dict[str, AgreementMeasure]:
    """Every measure by its name, family by family."""
    _load()
    ordered = sorted(registry.values(), key=lambda known: (known.family, known.name))
    return {known.name: known for known in ordered}


def standard_measures() -> tuple[str, ...]:
    """The names of what is computed if nothing is asked for."""
    return tuple(name for name, known in all_measures().items() if known.standard)


def measure(name: str) -> AgreementMeasure:
    """The measure of that name."""
    known = all_measures()
    if name not in known:
        raise SpecError(f"there is no measure {name!r}.{did_you_mean(name, known)}")
    return known[name]


def evaluate(
    name: str,
    gold: ArrayLike,
    scores: ArrayLike,
    grouping: Grouping = "none",
    *,
    settings: MeasureSettings | None = None,
    clusters: Labels | None = None,
) -> MeasuredAgreement:
    """One measure of a table of scores, systems by items, beside the same table of judgements.

    >>> agreement = evaluate("kendall-b", [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]], "system")
    >>> round(agreement.value, 3), agreement.n, agreement.groups
    (0.575, 6, 2)
    """
    judged = JudgedScores.of(gold, scores, clusters)
    return measure(name).evaluate(judged, grouping, settings or MeasureSettings())
