"""Strings that a metric measures all with all in the core, each of them read once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat import kernels
    from karat.rows import Values


def _as_they_are(values: Values) -> Values:
    return values


@dataclass(frozen=True, eq=False)
class CrossedStrings:
    """Strings made ready to be measured against each other; `finish` makes the metric's rows of those of the core."""

    native: kernels.Crossing
    averages: bool = False
    """Whether the references of a hypothesis can be replaced by the mean of their counts."""
    finish: Callable[[Values], Values] = _as_they_are
