"""The lower bound of a mean, or of a difference of means, by the bias-corrected, accelerated bootstrap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BATCH = 2**22


def lower_bound(
    samples: tuple[Floats, ...], rng: np.random.Generator, *, n: int = 100, level: float = 0.95
) -> float | None:
    """The one-sided lower bound of the mean of one sample, or of the first mean less the second, resampled apart.

    None where there are less than two values, or none that varies. A mean without one value follows from the value
    itself, so the acceleration takes no jackknife.
    """
    if any(len(sample) < 2 for sample in samples) or not any(np.ptp(sample) > 0 for sample in samples):
        return None
    signs = (1.0, -1.0)[: len(samples)]
    value = sum(sign * float(sample.mean()) for sign, sample in zip(signs, samples, strict=True))
    drawn = sum(sign * _means(sample, rng, n) for sign, sample in zip(signs, samples, strict=True))
    resampled = np.asarray(drawn)
    below = float(((resampled < value).mean() + (resampled <= value).mean()) / 2)
    if not 0 < below < 1:
        return float(resampled.min())
    return float(np.quantile(resampled, _tail(below, _acceleration(samples, signs), 1 - level)))


def _means(sample: Floats, rng: np.random.Generator, n: int) -> Floats:
    """The means of n resamples."""
    step = max(1, BATCH // len(sample))
    sizes = [min(step, n - start) for start in range(0, n, step)]
    return np.concatenate([sample[rng.integers(len(sample), size=(size, len(sample)))].mean(axis=1) for size in sizes])


def _acceleration(samples: tuple[Floats, ...], signs: tuple[float, ...]) -> float:
    """A sixth of the skewness of the influence of single values (Efron and Tibshirani 1993, 14.15, several samples)."""
    cubes = squares = 0.0
    for sign, sample in zip(signs, samples, strict=True):
        influence = sign * (sample - sample.mean())
        cubes += float((influence**3).sum()) / len(sample) ** 3
        squares += float((influence**2).sum()) / len(sample) ** 2
    return cubes / (6 * float(squares**1.5))


def _tail(below: float, acceleration: float, tail: float) -> float:
    """The share of resamples below the bound."""
    from scipy.special import ndtr, ndtri

    bias, z = float(ndtri(below)), float(ndtri(tail))
    return float(ndtr(bias + (bias + z) / (1 - acceleration * (bias + z))))
