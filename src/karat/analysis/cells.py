"""What the units of chance have in each cell, such as a bucket: only where there is anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Positions = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows by cell and then by unit, each systems by columns; the rows of cell c stand at starts[c] to starts[c + 1].

    `units` has the unit of each row. What a unit has nothing of in a cell has no row there.
    """

    units: Positions
    starts: Positions
    rows: Floats

    @classmethod
    def of(cls, table: Floats) -> Cells:
        """The cells of a table, units by cells by systems by columns.

        >>> cells = Cells.of(np.array([[0.0, 2.0], [1.0, 3.0]]).reshape(2, 2, 1, 1))
        >>> cells.units.tolist(), cells.starts.tolist(), cells.rows.ravel().tolist()
        ([1, 0, 1], [0, 1, 3], [1.0, 2.0, 3.0])
        """
        cells, units = np.nonzero(np.asarray(table.any(axis=(2, 3))).T)
        return cls(units, _starts(cells, table.shape[1]), table[units, cells])

    @classmethod
    def added(cls, values: Floats, members: Positions, count: int, unit_of: Positions) -> Cells:
        """Rows of segments added up by cell and unit: `members` has the cell of each segment, -1 for none.

        Where it has a column for each system, systems have segments of their own in a cell.
        """
        size = int(unit_of.max(initial=-1)) + 1
        if members.ndim == 1:
            kept = members >= 0
            places, rows = summed_by_place(values[kept], members[kept] * size + unit_of[kept])
            return cls(places % size, _starts(places // size, count), rows)
        of_systems = [
            summed_by_place(values[kept, s], members[kept, s] * size + unit_of[kept])
            for s, kept in enumerate((members >= 0).T)
        ]
        places = distinct(np.concatenate([own for own, _ in of_systems]))
        rows = np.zeros((len(places), *values.shape[1:]))
        for s, (own, sums) in enumerate(of_systems):
            rows[np.searchsorted(places, own), s] = sums
        return cls(places % size, _starts(places // size, count), rows)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def cell(self, number: int) -> slice:
        """Where the rows of a cell stand."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

    def sums(self) -> Floats:
        """The sum of each cell: cells by systems by columns."""
        return np.array([self.rows[self.cell(number)].sum(axis=0) for number in range(len(self))])

    def most_units(self) -> Positions:
        """How many units each cell has anything of, for the system that has most of them."""
        there = np.asarray(self.rows.any(axis=-1))
        counts = [there[self.cell(number)].sum(axis=0).max(initial=0) for number in range(len(self))]
        return np.array(counts, dtype=np.intp)


def _starts(cells: Positions, count: int) -> Positions:
    return np.searchsorted(cells, np.arange(count + 1))


def distinct(positions: Positions) -> Positions:
    """The positions that there are, in order; NumPy's own way loads a module that takes longer than all else.

    >>> distinct(np.array([4, 1, 4])).tolist()
    [1, 4]
    """
    return np.flatnonzero(np.bincount(positions))


def summed_by_place(values: Floats, places: Positions) -> tuple[Positions, Floats]:
    """The places that there are, in order, and the sum of the rows at each.

    >>> [array.tolist() for array in summed_by_place(np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2]))]
    [[0, 2], [2.0, 5.0]]
    """
    if (np.diff(places) > 0).all():  # as where segments are the units
        return places, values
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] > ordered[:-1]]))
    rows = values[order]
    return ordered[starts], rows if len(starts) == len(rows) else np.add.reduceat(rows, starts)
