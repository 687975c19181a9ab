"""Rows of several systems over the same units, side by side, ready for products with draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.identity import Identity
    from karat.rows import Aggregate, Rows
    from karat.significance.blocks import Runner
    from karat.significance.draws import Draws

    Floats = NDArray[np.float64]

FEW_UNITS = 30
"""Under so many units nothing much can be claimed, and results say so."""

TOLERANCE = 1e-11
"""Scores count as equal when they differ by no more than this share of the largest score of the two systems, be it of
the corpus or of a unit. It is far above rounding and far below any difference of scores."""

EXACT_IN_SINGLE = 2**24
"""Whole numbers up to this, and so all sums on the way to them, are exact in single precision."""

CELLS = 2**17
"""How many numbers a batch of scores is made from: small enough for the processor's cache."""


@dataclass(frozen=True, eq=False)
class RowTable:
    """The rows of several systems under one metric; `values` is units by systems by columns.

    `strata` are the numbers of units of each test set, one after the other; mostly there is one.
    """

    names: tuple[str, ...]
    values: Floats
    aggregate: Aggregate
    identity: Identity
    strata: tuple[int, ...]

    @classmethod
    def of(cls, systems: Mapping[str, Rows]) -> RowTable:
        """The table of some systems, whose rows are checked to be comparable."""
        check_rows(systems)
        first = next(iter(systems.values()))
        return cls(
            names=tuple(systems),
            values=np.stack([rows.values.astype(np.float64) for rows in systems.values()], axis=1),
            aggregate=first.aggregate,
            identity=first.identity,
            strata=(len(first),) if first.strata is None else _sizes(first.strata),
        )

    @property
    def spec(self) -> str:
        """The spec of the measure."""
        return self.identity.spec

    @property
    def units(self) -> int:
        """The number of units."""
        return len(self.values)

    @property
    def fewest_units(self) -> int:
        """The number of units of the smallest test set, whose part of the score is known least."""
        return min(self.strata)

    @property
    def columns(self) -> int:
        """The number of columns of each system's rows."""
        return int(self.values.shape[2])

    @cached_property
    def totals(self) -> Floats:
        """The summed rows, systems by columns."""
        return np.asarray(self.values.sum(axis=0))

    @cached_property
    def scores(self) -> Floats:
        """The corpus score of each system."""
        return self.aggregate(self.totals)

    @cached_property
    def unit_scores(self) -> Floats:
        """The scores of the single units, units by systems."""
        return self._scored(self.values)

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which units have a score, units by systems; a row of zeros is a missing score or an empty segment."""
        return np.asarray(self.values.any(axis=2))

    @cached_property
    def scores_are_means(self) -> bool:
        """Whether the score of every system is the mean of its unit scores."""
        means = np.where(self.present, self.unit_scores, 0.0).sum(axis=0) / self.present.sum(axis=0)
        return bool((np.abs(self.scores - means) <= 1e-9 * np.abs(means)).all())

    @cached_property
    def _least(self) -> Floats | None:
        """The size, by column, above which a sum is more than rounding; None where no draw can miss a system."""
        return None if self.present.all() else TOLERANCE * np.abs(self.values).sum(axis=(0, 1))

    def scored(self, sums: Floats) -> Floats:
        """The scores of summed rows; NaN where a sum holds nothing, for then there is no score."""
        scores = self.aggregate(sums)
        if self._least is None:
            return scores
        return np.where((np.abs(sums) > self._least).any(axis=-1), scores, np.nan)

    @cached_property
    def jackknife(self) -> Floats:
        """The scores without one unit, units by systems."""
        return self._scored(self.values, leave_out=True)

    def _scored(self, values: Floats, *, leave_out: bool = False) -> Floats:
        step = max(1, CELLS // (values.shape[1] * values.shape[2]))
        parts = (values[start : start + step] for start in range(0, len(values), step))
        return np.concatenate([self.aggregate(self.totals - part if leave_out else part) for part in parts])

    def tolerances(self, pairs: NDArray[np.intp]) -> Floats:
        """How far two scores of each pair may lie apart and still count as equal."""
        largest = np.maximum(np.abs(self.scores), np.abs(self.unit_scores).max(axis=0))
        return np.asarray(TOLERANCE * largest[pairs].max(axis=1))

    def differences(self, pairs: NDArray[np.intp]) -> Floats:
        """Second system minus first, of each pair."""
        return self.scores[pairs[:, 1]] - self.scores[pairs[:, 0]]

    def sums(self, weights: Floats, *, once: bool = False) -> Floats:
        """The summed rows of every draw: draws by systems by columns. No draw takes a unit twice if `once` says so."""
        if self._exact_once if once else self._exact:  # the same sums in half the time
            product = (weights.astype(np.float32) @ self._singles).astype(np.float64)
        else:
            product = weights @ self._rows
        return product.reshape(len(weights), len(self.names), -1)

    @property
    def _rows(self) -> Floats:
        """What all systems have in each unit, side by side."""
        return self.values.reshape(self.units, -1)

    @cached_property
    def _singles(self) -> NDArray[np.float32]:
        return self._rows.astype(np.float32)

    @cached_property
    def _exact(self) -> bool:
        """Whether single precision holds every sum of as many rows as there are units."""
        return exact_in_single(self._rows, self.units)

    @cached_property
    def _exact_once(self) -> bool:
        """Whether it holds every sum of different rows."""
        whole = self._exact or exact_in_single(self._rows, 1)
        return whole and bool(np.abs(self._rows).sum(axis=0).max() <= EXACT_IN_SINGLE)

    def position(self, name: str) -> int:
        """The index of a system."""
        if name not in self.names:
            raise InputError(f"there is no system {name!r}; there is: {', '.join(self.names)}")
        return self.names.index(name)


def exact_in_single(rows: Floats, drawn: int) -> bool:
    """Whether single precision holds every sum of so many of these rows."""
    largest = max(rows.max(initial=0), -rows.min(initial=0))
    return bool(largest * drawn <= EXACT_IN_SINGLE and (np.rint(rows) == rows).all())


def _sizes(strata: NDArray[np.intp]) -> tuple[int, ...]:
    """How many units each test set has, in order."""
    counts: NDArray[np.intp] = np.bincount(strata)
    return tuple(counts[counts > 0].tolist())


def resampled_scores(tables: Sequence[RowTable], draws: Draws, runner: Runner) -> list[Floats]:
    """The scores of every resample: for each table, draws by systems; NaN where nothing of a system was drawn."""
    scores = [np.empty((draws.n, len(table.names))) for table in tables]

    def work(block: int) -> None:
        weights = draws.block(block)
        for table, into in zip(tables, scores, strict=True):
            into[draws.span(block)] = table.scored(table.sums(weights))

    for _ in runner.run(draws, work):
        pass
    return scores


def check_alike(systems: Mapping[str, Rows]) -> None:
    """Refuse rows of other units, metrics or references than those of the first system."""
    if not systems:
        raise InputError("no system was given: give at least one")
    first_name, first = next(iter(systems.items()))
    for name, rows in systems.items():
        if rows is not first:
            _check_pair(first_name, first, name, rows)


def check_rows(systems: Mapping[str, Rows]) -> None:
    """Refuse rows that cannot be compared, or that hold too few units or numbers that are not finite."""
    check_alike(systems)
    first = next(iter(systems.values()))
    if len(first) < 2:
        counted = f"{len(first)} unit{'' if len(first) == 1 else 's'}"
        raise InputError(
            f"{first.identity.spec} has {counted}: nothing can be resampled from fewer than 2; "
            "a score itself needs no resampling"
        )
    for name, rows in systems.items():
        if rows.values.dtype.kind == "f" and not np.isfinite(rows.values).all():
            raise InputError(f"the rows of {name!r} under {rows.identity.spec} hold numbers that are not finite")
        if (scored := int(rows.values.any(axis=1).sum())) < 2:
            raise InputError(
                f"{name!r} has a {rows.identity.spec} score in {scored} of {len(rows)} units: "
                "nothing can be resampled from fewer than 2"
            )


def _check_pair(first_name: str, first: Rows, name: str, rows: Rows) -> None:
    if len(rows) != len(first):
        raise InputError(
            f"{first_name!r} has {len(first)} units and {name!r} has {len(rows)}: compare systems on the same segments"
        )
    specs = first.identity.spec, rows.identity.spec
    if specs[0] != specs[1] or rows.columns != first.columns:
        raise InputError(f"{first_name!r} was scored with {specs[0]} and {name!r} with {specs[1]}: use one metric")
    if rows.units is not None and first.units is not None and rows.units != first.units:
        where = next(i for i, pair in enumerate(zip(first.units, rows.units, strict=True)) if pair[0] != pair[1])
        raise InputError(
            f"unit {where + 1} is {first.units[where]!r} for {first_name!r} and {rows.units[where]!r} for {name!r}: "
            "put the segments in the same order"
        )
    if rows.identity is first.identity:
        return
    signatures = first.identity.signature, rows.identity.signature
    hashes = tuple(signature.get("hash") for signature in signatures)
    if hashes[0] != hashes[1]:
        raise InputError(
            f"{first_name!r} was scored against references with hash {hashes[0]} and {name!r} with {hashes[1]}: "
            "score both against the same references"
        )
    contexts = tuple(signature.get("context") for signature in signatures)
    if contexts[0] != contexts[1]:
        raise InputError(
            f"{first_name!r} was scored with the context {contexts[0]} and {name!r} with {contexts[1]}: "
            "fit one set of references for both"
        )


def unit_warnings(units: int, unit: str, strata: tuple[int, ...] = ()) -> list[str]:
    """Warnings about a small number of units, be it in one of several test sets."""
    fewest = min(strata, default=units)
    if fewest >= FEW_UNITS:
        return []
    where = " of the smallest test set" if len(strata) > 1 else ""
    few = f"with fewer than {FEW_UNITS} units intervals come out too narrow and tests are weak"
    return [f"only {fewest} {unit}s{where}: {few}"]
