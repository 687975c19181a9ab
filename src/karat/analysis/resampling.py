"""Intervals of many numbers at once, all from the same resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, isnan, prod
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.figures import Figure
from karat.significance.draws import Draws
from karat.significance.tables import exact_in_single

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.evidence import Units

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

FEWEST_UNITS = 5
"""Fewer units than these, and resamples tell nothing: there is no interval."""

CONFIDENCE = 0.95
KEPT_CELLS = 1 << 22
CACHED_SUMS = 1 << 19
SPARSE = 0.8
"""A cell with less than this share of the units is summed over these alone."""

Formula = Callable[["Floats"], "Floats"]
"""Turns sums, columns last, into numbers; NaN where there is nothing to divide by.

Sums are cells by systems by columns, or cells by systems by draws by columns.
"""


@dataclass(frozen=True, eq=False)
class Resampler:
    """Draws units, and knows which unit each segment is of."""

    units: Units
    unit_of: NDArray[np.intp]
    n: int
    seed: int
    _blocks: dict[int, Singles] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, units: Units, labels: Sequence[str] | None, *, n: int, seed: int) -> Resampler:
        """One that draws segments, or whole documents where each segment has the label of one."""
        if labels is None:
            return cls(units, np.arange(units.segments), n, seed)
        numbers = {label: i for i, label in enumerate(dict.fromkeys(labels))}
        return cls(units, np.array([numbers[label] for label in labels], dtype=np.intp), n, seed)

    def summed(self, values: Floats, segments: NDArray[np.intp] | None = None) -> Floats:
        """Rows of segments, all or those given, summed over units."""
        units = self.unit_of if segments is None else self.unit_of[segments]
        return added(values, units, self.units.count)

    def figures(self, table: Floats, formula: Formula, baseline: int | None = None) -> list[list[Figure]]:
        """The figures of cells by systems: `table` is units by cells by systems by columns.

        Differences are those from the system at `baseline`, where there is one.
        """
        (figures,) = self.figures_of_each(table, (formula,), baseline)
        return figures

    def figures_of_each(
        self, table: Floats, formulas: Sequence[Formula], baseline: int | None = None
    ) -> list[list[list[Figure]]]:
        """The figures of several formulas over one table, which is summed only once for all of them."""
        sums = table.sum(axis=0)
        values = [formula(sums) for formula in formulas]
        there = np.asarray(table.any(axis=-1))
        enough = np.flatnonzero((there.sum(axis=0) >= FEWEST_UNITS).any(axis=1))
        resampled = [np.full((*of_formula.shape, self.n), np.nan) for of_formula in values]
        for cells, span, drawn in self._sums(table, np.asarray(there.any(axis=-1)), enough):
            for formula, numbers in zip(formulas, resampled, strict=True):
                numbers[cells, :, span] = formula(drawn)
        return [_figures(*both, baseline) for both in zip(values, resampled, strict=True)]

    def resampled(self, table: Floats, formula: Formula) -> Floats:
        """The numbers of every resample, draws last, of a table of that form."""
        numbers = np.empty((*table.shape[1:3], self.n))
        there = np.asarray(table.any(axis=(2, 3)))
        for cells, span, drawn in self._sums(table, there, np.arange(table.shape[1])):
            numbers[cells, :, span] = formula(drawn)
        return numbers

    def _sums(
        self, table: Floats, there: NDArray[np.bool_], cells: NDArray[np.intp]
    ) -> Iterator[tuple[NDArray[np.intp], slice, Floats]]:
        """Some cells of the table summed over every resample: cells by systems by draws by columns.

        They come in pieces that stay in the processor's cache, draws next to one another in memory. `there` says which
        units a cell has anything of.
        """
        draws = Draws("full", self.n, self.units.count, self.seed)
        for block in range(len(draws)):
            weights = self._weights(draws, block)
            shape = (*table.shape[2:], weights.shape[1])
            step = max(1, CACHED_SUMS // prod(shape))
            for first in range(0, len(cells), step):
                some = cells[first : first + step]
                sums = np.empty((len(some), *shape))
                for into, cell in zip(sums, some.tolist(), strict=True):
                    _sum_cell(table[:, cell], there[:, cell], weights, into)
                yield some, draws.span(block), sums.swapaxes(-1, -2)

    def _weights(self, draws: Draws, block: int) -> Singles:
        """The weights of a block, units by draws, kept where all of them take little room."""
        if block in self._blocks:
            return self._blocks[block]
        weights = np.ascontiguousarray(draws.block(block).T, dtype=np.float32)
        if draws.n * draws.units <= KEPT_CELLS:
            self._blocks[block] = weights
        return weights


def _sum_cell(cell: Floats, there: NDArray[np.bool_], weights: Singles, into: Floats) -> None:
    """Sum what a cell has over every draw: systems by columns by draws.

    What it has in few units is multiplied for these alone: the sums are those of all units all the same.
    """
    drawn = len(cell)
    if there.mean() < SPARSE:
        cell, weights = cell[there], weights[there]
    columns = into.reshape(-1, into.shape[-1])
    rows = cell.reshape(len(cell), len(columns))
    if exact_in_single(rows, drawn):
        columns[...] = rows.astype(np.float32).T @ weights  # takes half the time
    else:
        np.matmul(rows.T, weights.astype(np.float64), out=columns)


def _figures(values: Floats, resampled: Floats, baseline: int | None) -> list[list[Figure]]:
    bounds = _bounds(resampled).tolist()
    if baseline is None:
        return [
            [Figure(_known(value), _interval(bound)) for value, bound in zip(row, limits, strict=True)]
            for row, limits in zip(values.tolist(), bounds, strict=True)
        ]
    differences = (values - values[:, [baseline]]).tolist()
    apart = _bounds(resampled - resampled[:, [baseline]]).tolist()
    return [
        [
            Figure(_known(value), _interval(bounds[i][j]))
            if j == baseline
            else Figure(_known(value), _interval(bounds[i][j]), _known(differences[i][j]), _interval(apart[i][j]))
            for j, value in enumerate(row)
        ]
        for i, row in enumerate(values.tolist())
    ]


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def _interval(bounds: list[float]) -> tuple[float, float] | None:
    low, high = bounds
    return None if isnan(low) or isnan(high) else (low, high)


def _bounds(draws: Floats) -> Floats:
    """The percentile interval of each cell, whose draws and bounds are last; NaN where most resamples have no value.

    The bounds are the same order statistics as those of `karat.significance`.
    """
    cells = draws.reshape(-1, draws.shape[-1])
    known = draws.shape[-1] - np.isnan(cells).sum(axis=1)
    tail = (1 - CONFIDENCE) / 2
    bounds = np.full((len(cells), 2), np.nan)
    for count in sorted({*known[2 * known > draws.shape[-1]].tolist()}):
        first = min(count, max(1, floor(round(count * tail, 9))))
        last = min(count, max(1, ceil(round(count * (1 - tail), 9))))
        places = [first - 1, last - 1]
        some = cells if (known == count).all() else cells[known == count]
        bounds[known == count] = np.partition(some, places, axis=1)[:, places]  # NaN comes last
    return bounds.reshape(*draws.shape[:-1], 2)


def added(values: Floats, places: NDArray[np.intp], count: int) -> Floats:
    """A table of so many rows, in which every row of values is added to the one at its place.

    >>> added(np.array([[1.0], [2.0], [4.0]]), np.array([2, 0, 2]), 4).tolist()
    [[2.0], [0.0], [5.0], [0.0]]
    """
    table = np.zeros((count, *values.shape[1:]))
    present, sums = summed_by_place(values, places)
    table[present] = sums
    return table


def summed_by_place(values: Floats, places: NDArray[np.intp]) -> tuple[NDArray[np.intp], Floats]:
    """The places that there are, in order, and the sum of the rows at each.

    >>> [array.tolist() for array in summed_by_place(np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2]))]
    [[0, 2], [2.0, 5.0]]
    """
    if (np.diff(places) > 0).all():  # as where segments are the units
        return places, values
    order = np.argsort(places, kind="stable")
    present, starts = np.unique(places[order], return_index=True)
    return present, np.add.reduceat(values[order], starts)


def share(sums: Floats) -> Floats:
    """The first column by the second."""
    return divided(sums[..., 0], sums[..., 1])


def divided(numbers: Floats, by: Floats) -> Floats:
    """A quotient; NaN where the divisor is zero."""
    empty = np.full(np.broadcast(numbers, by).shape, np.nan)
    return np.asarray(np.divide(numbers, by, out=empty, where=by > 0))
