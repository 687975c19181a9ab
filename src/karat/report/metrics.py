"""Metrics in words as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.metrics.framework.description import Description

SUMMARY_HEADINGS = ("Family", "Metric", "Best", "What it is", "Also")
PARAMETER_HEADINGS = ("Name", "Default", "Values", "What it does")
MORE = "karat metrics NAME explains one: formula, parameters, citation, when not to use it."


def summary_table(descriptions: Sequence[Description]) -> Table:
    """The metrics by family, a sentence about each."""
    ordered = sorted(descriptions, key=lambda described: (described.family, described.name))
    families = [described.family for described in ordered]
    rows = tuple(
        (
            *(Cell(described.family), Cell(described.name), Cell("↑" if described.higher_is_better else "↓")),
            *(Cell(described.summary), Cell(", ".join(described.aliases))),
        )
        for described in ordered
    )
    return Table(SUMMARY_HEADINGS, rows, (MORE,), frozenset(families.index(family) for family in families))


def parameter_table(described: Description) -> Table:
    """The parameters of a metric."""
    rows = tuple(
        (Cell(item.name), Cell(item.default), Cell("|".join(item.choices) or item.type), Cell(item.help))
        for item in described.parameters
    )
    return Table(PARAMETER_HEADINGS, rows)
