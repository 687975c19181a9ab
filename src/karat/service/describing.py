"""What there is to measure with, in words."""

from __future__ import annotations

from karat.corpus import Diagnostic
from karat.errors import SpecError
from karat.metrics.framework.description import Description, describe
from karat.registry import aliases, metric_class, metric_classes
from karat.results.metrics import MetricsResult


def describe_metrics(name: str | None = None) -> MetricsResult:
    """All metrics, or the one of that name or alias."""
    if name is None:
        return _all_described()
    known = name.lower()
    described = aliases()[known][0] if known in aliases() else metric_class(known)
    return MetricsResult(descriptions=(describe(described),), explained=True)


def _all_described() -> MetricsResult:
    """All metrics that say what they are; a plug-in that does not is named in a warning."""
    described: list[Description] = []
    silent: list[Diagnostic] = []
    for name, cls in metric_classes().items():
        try:
            described.append(describe(cls))
        except SpecError as error:
            silent.append(Diagnostic("undescribed", f"{name} is not in the list: {error}"))
    return MetricsResult(descriptions=tuple(described), warnings=tuple(silent))
