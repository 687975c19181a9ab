"""Which variances of a mixed model judgements can tell: those that no mixture of the others could imitate.

Judgements have the covariance a ZrZr' + b ZsZs' + c I, with Z for who judged and for what was judged. Once the means of
systems are taken out (by the projection P), a variance can be told if its matrix, such as PZrZr'P, is no combination of
the two others. Their inner products, the traces of products, are enough to see that, and follow from small tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

NAMES = ("rater", "segment", "residual")
SMALLEST_SHARE = 1e-9


@dataclass(frozen=True)
class ToldApart:
    """Which variances can be told, and which effects are one with the systems: those of which each system has one."""

    variances: Mapping[str, bool]
    one_with_systems: tuple[str, ...]


def told_apart(system: Codes, rater: Codes, segment: Codes) -> ToldApart:
    """Look at who judged which segment of which system; one code of each per judgement."""
    products = _inner_products(system, rater, segment)
    sizes = np.diag(products)
    # The size that an effect would have if systems explained none of it.
    whole = np.array([_squares(rater), _squares(segment), float(len(system))])
    present = sizes > SMALLEST_SHARE * whole
    variances = {name: bool(present[i]) and _alone(products, i) for i, name in enumerate(NAMES)}
    return ToldApart(variances, tuple(name for i, name in enumerate(NAMES[:2]) if not present[i]))


def _alone(products: Floats, i: int) -> bool:
    """Whether no combination of the other matrices gives this one."""
    others = [k for k in range(len(products)) if k != i]
    inner, mixed = products[np.ix_(others, others)], products[others, i]
    imitated = float(mixed @ np.linalg.lstsq(inner, mixed, rcond=1e-12)[0])
    return float(products[i, i]) - imitated > SMALLEST_SHARE * float(products[i, i])


def _squares(codes: Codes) -> float:
    return float((np.bincount(codes).astype(np.float64) ** 2).sum())


def _inner_products(system: Codes, rater: Codes, segment: Codes) -> Floats:
    """Traces of products of PZrZr'P, PZsZs'P and P."""
    systems = np.bincount(system).astype(np.float64)
    scaled = [_table(system, codes) / np.sqrt(np.maximum(systems, 1))[:, np.newaxis] for codes in (rater, segment)]
    counts = [np.bincount(codes).astype(np.float64) for codes in (rater, segment)]
    products = np.zeros((3, 3))
    for i in range(2):
        products[i, i] = _own_product(counts[i], scaled[i])
        products[i, 2] = products[2, i] = counts[i].sum() - float((scaled[i] ** 2).sum())
    products[0, 1] = products[1, 0] = _crossed_product(rater, segment, *scaled)
    products[2, 2] = len(system) - np.count_nonzero(systems)
    return products


def _own_product(counts: Floats, scaled: Floats) -> float:
    """The squared size of diag(counts) - scaled' scaled, without making that table."""
    lengths = (scaled**2).sum(axis=0)
    return float((counts**2).sum() - 2 * (counts * lengths).sum() + ((scaled @ scaled.T) ** 2).sum())


def _crossed_product(rater: Codes, segment: Codes, of_raters: Floats, of_segments: Floats) -> float:
    """The squared size of Zr'Zs - of_raters' of_segments, from the judgements one by one."""
    _, together = np.unique(rater * (int(segment.max()) + 1) + segment, return_counts=True)
    mixed = sum(float(part_r[rater] @ part_s[segment]) for part_r, part_s in zip(of_raters, of_segments, strict=True))
    outer = (of_raters @ of_raters.T) * (of_segments @ of_segments.T)
    return float((together.astype(np.float64) ** 2).sum() - 2 * mixed + outer.sum())


def _table(rows: Codes, columns: Codes) -> Floats:
    shape = int(rows.max()) + 1, int(columns.max()) + 1
    return np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
