"""The scores of systems under one measure, and what each unit and segment does to their differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from karat.quick_dataclasses import dataclass
from karat.significance.effects import unit_deviation
from karat.significance.intervals import tables_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.rows import Rows

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AuditedMeasure:
    """One measure of all systems: by unit of chance, and by segment; both lead to the same scores."""

    spec: str
    higher_is_better: bool
    by_unit: Mapping[str, Rows]
    by_segment: Mapping[str, Rows]


class MeasureTable:
    """The scores of all systems under a measure, with and without each unit and each segment."""

    def __init__(self, measured: AuditedMeasure) -> None:
        self.spec = measured.spec
        self.sign = 1.0 if measured.higher_is_better else -1.0
        (self._units,) = tables_of([measured.by_unit])
        (segments,) = tables_of([measured.by_segment])
        names = list(measured.by_unit)
        self.scores = dict(zip(names, self._units.scores.tolist(), strict=True))
        self._places = {name: i for i, name in enumerate(names)}
        self._without_unit = self._units.jackknife
        self._without_segment = segments.jackknife

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self._without_unit)

    def deviation(self, baseline: str, system: str) -> float:
        """The standard deviation of what one unit adds to the difference of a pair."""
        return unit_deviation(self._difference(self._without_unit, baseline, system))

    def influence(self, baseline: str, system: str) -> Floats:
        """How much of the difference goes when a segment goes."""
        whole = self.scores[system] - self.scores[baseline]
        return np.asarray(whole - self._difference(self._without_segment, baseline, system))

    def _difference(self, without: Floats, baseline: str, system: str) -> Floats:
        return np.asarray(without[:, self._places[system]] - without[:, self._places[baseline]])
