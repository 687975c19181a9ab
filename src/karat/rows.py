"""Rows: the numbers of each segment that add up, and the formula that turns a sum into a score.

Every score, interval and test is a choice of which rows to sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from karat.arguments import check_truth, labels, numbers
from karat.errors import InputError
from karat.identity import Identity
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.int64 | np.float64]

Aggregate = Callable[["NDArray[np.float64]"], "NDArray[np.float64]"]

SUM_BLOCK = 4096
"""Float columns are summed block by block, so that a stream adds up to the same bits as a table in memory."""

SCORE_COLUMNS = ("score", "n")
"""The columns of scores that came from elsewhere; n is 0 where one is missing."""


class RunningSum:
    """Adds up blocks of rows: integers exactly, floats block by block and then the blocks.

    Feeding it a table in one piece or in pieces of whole blocks gives the same bits.
    """

    def __init__(self) -> None:
        self.count = 0
        self._partial: list[Values] = []

    def add(self, values: Values) -> None:
        """Add the rows that follow those added before."""
        if len(values) == 0:
            return
        if self.count % SUM_BLOCK and not np.issubdtype(values.dtype, np.integer):
            raise InputError(f"float rows must be added in whole blocks of {SUM_BLOCK}")
        self.count += len(values)
        if np.issubdtype(values.dtype, np.integer):
            # The same whole numbers as `sum` has, which takes thrice as long for rows of few columns.
            total = np.einsum("ij->j", values)[np.newaxis]
            self._partial = [self._partial[0] + total] if self._partial else [total]
        else:
            blocks = (values[start : start + SUM_BLOCK] for start in range(0, len(values), SUM_BLOCK))
            self._partial += [block.sum(axis=0, keepdims=True) for block in blocks]

    def total(self) -> NDArray[np.float64]:
        """The summed row."""
        total: NDArray[np.float64] = np.concatenate(self._partial).sum(axis=0).astype(np.float64)
        return total


def mean_score(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The aggregate of scores that came from elsewhere: their mean over what is not missing."""
    total, count = sums[..., 0], sums[..., 1]
    return np.divide(total, count, out=np.zeros_like(total), where=count > 0)


@dataclass(frozen=True, eq=False)
class Rows:
    """One row of additive numbers per unit (segment, document), and what they mean.

    `counted` are the columns that count scores which came from elsewhere: a row with zeros in all of them is missing.
    `strata` has the test set of each row by number, where rows are of several, one after the other.

    >>> rows = Rows.from_scores([1.0, 2.0, 6.0], spec="stars")
    >>> rows.score
    3.0
    >>> rows.grouped(["a", "a", "b"]).unit_scores().tolist()
    [1.5, 6.0]
    """

    values: Values
    columns: tuple[str, ...]
    aggregate: Aggregate
    identity: Identity
    units: tuple[str, ...] | None = None
    counted: tuple[int, ...] | None = None
    strata: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.columns):
            raise InputError(f"rows of shape {self.values.shape} do not fit {len(self.columns)} columns")
        if self.units is not None and len(self.units) != len(self.values):
            raise InputError(f"{len(self.values)} rows, but {len(self.units)} unit names")

    @classmethod
    def from_scores(
        cls,
        scores: Sequence[float | None] | NDArray[np.floating[Any]],
        *,
        spec: str,
        higher_is_better: bool = True,
        units: Sequence[str] | None = None,
    ) -> Rows:
        """Rows of scores that came from elsewhere; None is missing, NaN is refused."""
        check_truth("higher_is_better", higher_is_better)
        given = numbers(scores, "scores")
        missing = np.array([score is None for score in given], dtype=bool)
        values = np.array([0.0 if score is None else score for score in given])
        if not np.isfinite(values).all():
            where = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(
                f"score {where + 1} of {spec} is not a finite number; leave it out (None) if it is missing"
            )
        return cls(
            values=np.column_stack([values, (~missing).astype(np.float64)]),
            columns=SCORE_COLUMNS,
            aggregate=mean_score,
            identity=Identity.of_scores(spec, higher_is_better=higher_is_better),
            units=None if units is None else labels(units, "units"),
            counted=(SCORE_COLUMNS.index("n"),),
        )

    def __len__(self) -> int:
        return len(self.values)

    def sum(self) -> NDArray[np.float64]:
        """The summed row."""
        running = RunningSum()
        running.add(self.values)
        return running.total()

    @property
    def score(self) -> float:
        """The corpus score: the formula on the summed row."""
        return float(self.aggregate(self.sum()))

    def unit_scores(self) -> NDArray[np.float64]:
        """The score of each row by itself."""
        return self.aggregate(self.values.astype(np.float64))

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which units have a score: all that were scored from texts, and those of outside scores that are there."""
        if self.counted is None:
            return np.ones(len(self), dtype=bool)
        return np.asarray(self.values[:, self.counted].any(axis=1))

    def identified(self, identity: Identity) -> Rows:
        """The same rows as those of another measure."""
        return self if identity is self.identity else replace(self, identity=identity)

    def taken(self, kept: NDArray[np.bool_] | NDArray[np.intp]) -> Rows:
        """The rows of some of the units."""
        units = None if self.units is None else tuple(np.array(self.units, dtype=object)[kept])
        strata = None if self.strata is None else self.strata[kept]
        return replace(self, values=self.values[kept], units=units, strata=strata)

    def grouped(self, labels: Sequence[str]) -> Rows:
        """One row per label, in order of first appearance: documents from segments, for instance."""
        if len(labels) != len(self):
            raise InputError(f"{len(self)} rows, but {len(labels)} labels")
        positions = {label: i for i, label in enumerate(dict.fromkeys(labels))}
        index = np.fromiter((positions[label] for label in labels), dtype=np.intp, count=len(labels))
        summed = np.zeros((len(positions), self.values.shape[1]), dtype=self.values.dtype)
        np.add.at(summed, index, self.values)
        strata = None
        if self.strata is not None:
            # A document is of one test set.
            strata = np.zeros(len(positions), dtype=np.intp)
            strata[index] = self.strata
        return replace(self, values=cast("Values", summed), units=tuple(positions), strata=strata)
