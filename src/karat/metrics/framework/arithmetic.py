"""Arithmetic that many formulas share, defined also where there is nothing to divide by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def as_columns(rows: NDArray[np.int64] | Floats) -> list[Floats]:
    """The columns of pair rows; contiguous, because NumPy may round otherwise where it takes strides."""
    return list(np.ascontiguousarray(rows.T, dtype=np.float64))


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Their ratio, 0 where there is nothing to divide by."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=denominator != 0)


def weighted_harmonic_mean(values: list[Floats], weights: list[float]) -> Floats:
    """Their harmonic mean; 0 where one of them is 0 that has a weight."""
    total = np.zeros(values[0].shape)
    positive = np.ones(values[0].shape, dtype=bool)
    for value, weight in zip(values, weights, strict=True):
        if weight > 0:
            total += weight * ratio(np.ones(value.shape), value)
            positive &= value > 0
    return np.where(positive, ratio(np.full(total.shape, sum(weights)), total), 0.0)


def geometric_mean(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """The geometric mean over the last axis of those values that count; 0 where none does."""
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(counted, values, 1.0)).sum(axis=-1)
    mean = np.exp(ratio(logs, counted.sum(axis=-1).astype(np.float64)))
    return np.where(counted.any(axis=-1), mean, 0.0)


def length_penalty(longer: Floats, shorter: Floats) -> Floats:
    """1 where lengths are equal, less the more they differ; 0 where the shorter one is nothing."""
    return np.where(shorter > 0, np.exp(1.0 - ratio(longer, shorter)), 0.0)


def per_hundred(errors: NDArray[np.float64], length: NDArray[np.float64]) -> NDArray[np.float64]:
    """Errors per hundred words; over no words at all, 100 if there is an error and 0 otherwise."""
    without_length = np.where(errors > 0, 1.0, 0.0)
    return 100 * np.divide(errors, length, out=without_length, where=length > 0)
