"""Intervals of many numbers at once, all from the same resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from math import ceil, floor, isnan, prod
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.cells import Cells, summed_by_place
from karat.analysis.figures import Figure
from karat.quick_dataclasses import dataclass
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
"""Weights of less than this share of the units are put side by side; else rows are, where all units have a place."""
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
    _blocks: dict[int, _Weights] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, units: Units, labels: Sequence[str] | None, *, n: int, seed: int) -> Resampler:
        """One that draws segments, or whole documents where each segment has the label of one."""
        if labels is None:
            return cls(units, np.arange(units.segments), n, seed)
        numbers = {label: i for i, label in enumerate(dict.fromkeys(labels))}
        return cls(units, np.array([numbers[label] for label in labels], dtype=np.intp), n, seed)

    def summed(self, values: Floats) -> Floats:
        """Rows of segments summed over units."""
        present, sums = summed_by_place(values, self.unit_of)
        if len(present) == self.units.count:
            return sums
        table = np.zeros((self.units.count, *values.shape[1:]))
        table[present] = sums
        return table

    def cells(self, values: Floats, members: NDArray[np.intp], count: int) -> Cells:
        """Rows of segments summed over units, by cell: `members` has the cell of each, for all systems or for each."""
        return Cells.added(values, members, count, self.unit_of)

    def figures(self, cells: Cells, formula: Formula, baseline: int | None = None) -> list[list[Figure]]:
        """The figures of cells by systems.

        Differences are those from the system at `baseline`, where there is one.
        """
        (figures,) = self.figures_of_each(cells, (formula,), baseline)
        return figures

    def figures_of_each(
        self, cells: Cells, formulas: Sequence[Formula], baseline: int | None = None
    ) -> list[list[list[Figure]]]:
        """The figures of several formulas over the same cells, which are summed only once for all of them."""
        sums = cells.sums()
        values = [formula(sums) for formula in formulas]
        enough = np.flatnonzero(cells.most_units() >= FEWEST_UNITS)
        resampled = [np.full((*of_formula.shape, self.n), np.nan) for of_formula in values]
        for some, span, drawn in self._sums(cells, enough):
            for formula, numbers in zip(formulas, resampled, strict=True):
                numbers[some, :, span] = formula(drawn)
        return [_figures(*both, baseline) for both in zip(values, resampled, strict=True)]

    def resampled(self, cells: Cells, formula: Formula) -> Floats:
        """The numbers of every resample, draws last, by cell and system."""
        numbers = np.empty((len(cells), cells.rows.shape[1], self.n))
        for some, span, drawn in self._sums(cells, np.arange(len(cells))):
            numbers[some, :, span] = formula(drawn)
        return numbers

    def _sums(self, cells: Cells, chosen: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], slice, Floats]]:
        """Some of the chosen cells summed over every resample: cells by systems by draws by columns.

        They come in pieces that stay in the processor's cache, draws next to one another in memory.
        """
        draws = Draws("full", self.n, self.units.count, self.seed)
        for block in range(len(draws)):
            weights = self._weights(draws, block)
            shape = (*cells.rows.shape[1:], weights.table.shape[1])
            step = max(1, CACHED_SUMS // prod(shape))
            for first in range(0, len(chosen), step):
                some = chosen[first : first + step]
                sums = np.empty((len(some), *shape))
                for into, cell in zip(sums, map(cells.cell, some.tolist()), strict=True):
                    weights.sum_rows(cells.rows[cell], cells.units[cell], into)
                yield some, draws.span(block), sums.swapaxes(-1, -2)

    def _weights(self, draws: Draws, block: int) -> _Weights:
        """The weights of a block, kept where all of them take little room."""
        if block in self._blocks:
            return self._blocks[block]
        table = np.ascontiguousarray(draws.block(block).T, dtype=np.float32)
        weights = _Weights(table, np.empty_like(table))
        if draws.n * draws.units <= KEPT_CELLS:
            self._blocks[block] = weights
        return weights


@dataclass(frozen=True, eq=False)
class _Weights:
    """How often each unit is drawn, units by draws; `room` is for those of some units, so that pages stay warm."""

    table: Singles
    room: Singles

    def sum_rows(self, rows: Floats, units: NDArray[np.intp], into: Floats) -> None:
        """Sum the rows of some units over every draw: systems by columns by draws."""
        columns = into.reshape(-1, into.shape[-1])
        flat = rows.reshape(len(rows), len(columns))
        exact = exact_in_single(flat, len(self.table))
        if exact:
            flat = flat.astype(np.float32)  # takes half the time
        if len(units) < SPARSE * len(self.table):
            weights = np.take(self.table, units, axis=0, out=self.room[: len(units)], mode="clip")
        else:
            weights, whole = self.table, np.zeros((len(self.table), len(columns)), dtype=flat.dtype)
            whole[units] = flat
            flat = whole
        if exact:
            columns[...] = flat.T @ weights
        else:
            np.matmul(flat.T, weights.astype(np.float64), out=columns)


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
        some = cells if (known == count).all() else cells[known == count]
        # One place at a time, for NumPy looks for several ones in another way, which takes five times as long.
        bounds_by_place = [
            np.partition(some, place - 1, axis=1)[:, place - 1] for place in (first, last)
        ]  # NaN comes last
        bounds[known == count] = np.stack(bounds_by_place, axis=1)
    return bounds.reshape(*draws.shape[:-1], 2)


def holds_any(sums: Floats) -> NDArray[np.bool_]:
    """Which sums are of anything at all; nearly always the first column tells.

    >>> holds_any(np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])).tolist()
    [True, True, False]
    """
    there = np.asarray(sums[..., 0] != 0)
    for column in range(1, sums.shape[-1]):
        if there.all():
            break
        there |= sums[..., column] != 0
    return there


def share(sums: Floats) -> Floats:
    """The first column by the second."""
    return divided(sums[..., 0], sums[..., 1])


def divided(numbers: Floats, by: Floats) -> Floats:
    """A quotient; NaN where the divisor is zero."""
    there = by > 0
    if there.all():  # a mask takes several times as long
        return numbers / by
    empty = np.full(np.broadcast(numbers, by).shape, np.nan)
    return np.asarray(np.divide(numbers, by, out=empty, where=there))
