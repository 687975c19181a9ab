"""What there is to measure with, in words."""

from __future__ import annotations

from karat.metrics.framework.description import describe
from karat.registry import aliases, metric_class, metric_classes
from karat.results.metrics import MetricsResult


def describe_metrics(name: str | None = None) -> MetricsResult:
    """All metrics, or the one of that name or alias."""
    if name is None:
        return MetricsResult(descriptions=tuple(describe(cls) for cls in metric_classes().values()))
    known = name.lower()
    found = aliases()[known][0] if known in aliases() else metric_class(known)
    return MetricsResult(descriptions=(describe(found),), explained=True)
