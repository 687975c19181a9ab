"""Which of two outputs people found better: the pairs of rankings and preferences as arrays, and their counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Comparisons:
    """One entry per pair of outputs that a rater compared.

    `first` and `second` are systems as codes, in the order of the file; `outcome` is 1 where the first was found
    better, -1 where the second was, 0 for a tie. `segment`, `rater`, `ranking` (what was judged at one time) and
    `document` are codes, too; a document is -1 where it is not known.
    """

    systems: tuple[str, ...]
    first: Codes
    second: Codes
    outcome: NDArray[np.int8]
    segment: Codes
    rater: Codes
    ranking: Codes
    document: Codes

    def __len__(self) -> int:
        return len(self.outcome)

    def taken(self, kept: NDArray[Any]) -> Comparisons:
        """Some of the entries, by a mask or by positions."""
        parts = {name: getattr(self, name)[kept] for name in FIELDS}
        return replace(self, **parts)

    @property
    def canonical(self) -> Comparisons:
        """The same with the systems of every pair in one order."""
        swap = self.first > self.second
        return replace(
            self,
            first=np.where(swap, self.second, self.first),
            second=np.where(swap, self.first, self.second),
            outcome=np.where(swap, -self.outcome, self.outcome).astype(np.int8),
        )

    def _cells(self) -> Codes:
        """Where an entry is counted: in the table of wins (winner by loser), or behind it in the table of ties."""
        size = len(self.systems)
        better = np.where(self.outcome >= 0, self.first, self.second)
        worse = np.where(self.outcome >= 0, self.second, self.first)
        return np.asarray(better * size + worse + np.where(self.outcome == 0, size * size, 0), dtype=np.intp)

    def counts(self) -> Floats:
        """Wins and ties as one row of numbers that add up: two tables of systems by systems, one after the other."""
        return np.bincount(self._cells(), minlength=2 * len(self.systems) ** 2).astype(np.float64)

    def counts_by(self, units: Codes) -> Any:
        """The same row for every unit (segment, ranking, rater): units by cells, sparse."""
        from scipy.sparse import csr_array

        shape = (int(units.max()) + 1, 2 * len(self.systems) ** 2)
        table = csr_array((np.ones(len(self)), (units, self._cells())), shape=shape)
        table.sum_duplicates()
        return table


FIELDS = ("first", "second", "outcome", "segment", "rater", "ranking", "document")


def tables(counts: Floats) -> tuple[Floats, Floats]:
    """Wins (winner by loser) and ties (symmetric) from summed rows, elementwise over leading axes."""
    size = round((counts.shape[-1] / 2) ** 0.5)
    both = counts.reshape(*counts.shape[:-1], 2, size, size)
    ties = both[..., 1, :, :]
    return both[..., 0, :, :], ties + np.swapaxes(ties, -1, -2)
