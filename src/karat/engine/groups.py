"""Sums of rows by group: of systems, documents, domains, or whatever a column says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.rows import RunningSum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.rows import Values

Label = tuple[Any, ...]


class GroupSums:
    """Adds up rows by label, block by block; integers exactly."""

    def __init__(self) -> None:
        self.counts: dict[Label, int] = {}
        self._sums: dict[tuple[Label, int], NDArray[Any]] = {}

    def add(self, system: str, labels: Sequence[Label] | None, rows: Mapping[int, Values]) -> None:
        """Add the rows of a system by metric; without labels they are all of one group."""
        if labels is None:
            self._add_group((system,), {position: _total(values) for position, values in rows.items()}, rows)
            return
        places: dict[Label, int] = {}
        index = np.fromiter((places.setdefault(label, len(places)) for label in labels), np.intp, len(labels))
        order = np.argsort(index, kind="stable")
        counts = np.bincount(index)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        sums = {position: np.add.reduceat(values[order], starts, axis=0) for position, values in rows.items()}
        for label, place in places.items():
            own = {position: of_metric[place] for position, of_metric in sums.items()}
            self._add_sums((system, *label), own, int(counts[place]))

    def _add_group(self, label: Label, sums: Mapping[int, NDArray[Any]], rows: Mapping[int, Values]) -> None:
        self._add_sums(label, sums, len(next(iter(rows.values()))))

    def _add_sums(self, label: Label, sums: Mapping[int, NDArray[Any]], count: int) -> None:
        self.counts[label] = self.counts.get(label, 0) + count
        for position, total in sums.items():
            key = label, position
            self._sums[key] = self._sums[key] + total if key in self._sums else total

    def sums(self, position: int) -> NDArray[Any]:
        """The sums of all groups under one metric, in the order of `counts`."""
        return np.stack([self._sums[label, position] for label in self.counts])


def _total(values: Values) -> NDArray[Any]:
    if np.issubdtype(values.dtype, np.integer):
        total: NDArray[Any] = values.sum(axis=0)
        return total
    running = RunningSum()
    running.add(values)
    return running.total()
