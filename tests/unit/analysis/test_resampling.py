"""Intervals of many cells at once, beside those that are drawn one resample at a time."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
import pytest
from numpy.typing import NDArray

from karat.analysis import resampling
from karat.analysis.cells import Cells
from karat.analysis.resampling import FEWEST_UNITS, Resampler, share
from karat.evidence import Units
from karat.significance.draws import Draws

RESAMPLES, SEED = 60, 3
Floats = NDArray[np.float64]


def bounds(values: list[float]) -> tuple[float, float] | None:
    known = sorted(value for value in values if not np.isnan(value))
    if 2 * len(known) <= len(values):
        return None
    first = max(1, floor(round(len(known) * 0.025, 9)))
    return known[first - 1], known[ceil(round(len(known) * 0.975, 9)) - 1]


def drawn(table: Floats, cell: int, system: int) -> list[float]:
    """The share of one cell in every resample, unit by unit."""
    draws = Draws("full", RESAMPLES, len(table), SEED)
    shares = []
    for weights in (row for block in range(len(draws)) for row in draws.block(block)):
        count = out_of = 0.0
        for unit, times in enumerate(weights.tolist()):
            count += times * table[unit, cell, system, 0]
            out_of += times * table[unit, cell, system, 1]
        shares.append(count / out_of if out_of > 0 else float("nan"))
    return shares


def made_table(units: int) -> Floats:
    """Two systems and four cells: a full one, a sparse one, one with too few units, and an empty one."""
    rng = np.random.default_rng(1)
    table = np.zeros((units, 4, 2, 2))
    for cell, there in enumerate((units, units // 3, FEWEST_UNITS - 1, 0)):
        table[:there, cell, :, 1] = rng.integers(1, 9, (there, 2))
        table[:there, cell, :, 0] = rng.integers(0, table[:there, cell, :, 1] + 1)
    return table


@pytest.mark.parametrize("cached", [1, 100, 1 << 19])
@pytest.mark.parametrize("block", [8, 1 << 21])
def test_intervals_are_those_of_one_resample_at_a_time(
    cached: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resampling, "CACHED_SUMS", cached)
    monkeypatch.setattr("karat.significance.draws.BLOCK_CELLS", block * 30)
    table = made_table(30)
    resampler = Resampler.of(Units("segment", 30, 30, ""), None, n=RESAMPLES, seed=SEED)
    figures = resampler.figures(Cells.of(table), share, baseline=1)
    for cell, enough in enumerate((True, True, False, False)):
        first, second = (drawn(table, cell, system) for system in (0, 1))
        for system, shares in enumerate((first, second)):
            wanted = bounds(shares) if enough else None
            assert figures[cell][system].interval == (None if wanted is None else pytest.approx(wanted))
        apart = bounds([a - b for a, b in zip(first, second, strict=True)]) if enough else None
        assert figures[cell][0].difference_interval == (None if apart is None else pytest.approx(apart))
        assert figures[cell][1].difference_interval is None
    assert resampler.resampled(Cells.of(table), share)[0, 1] == pytest.approx(np.array(drawn(table, 0, 1)))


def test_sums_are_those_of_double_precision_whatever_their_size() -> None:
    rng = np.random.default_rng(4)
    resampler = Resampler.of(Units("segment", 20, 20, ""), None, n=RESAMPLES, seed=SEED)
    draws = Draws("full", RESAMPLES, 20, SEED)
    weights = np.concatenate([draws.block(block) for block in range(len(draws))])
    for scale in (1.0, 0.1, 1e6, 1e9):
        rows = scale * rng.integers(0, 100, (20, 1))
        sums = resampler.resampled(Cells.of(rows.reshape(20, 1, 1, 1)), lambda drawn: drawn[..., 0])[0, 0]
        exact = weights @ rows[:, 0]
        assert sums.tolist() == exact.tolist() if scale != 0.1 else np.allclose(sums, exact, rtol=1e-14)


@pytest.mark.parametrize("own_segments", [False, True])
@pytest.mark.parametrize("documents", [False, True])
def test_rows_are_added_in_their_cells(own_segments: bool, documents: bool) -> None:
    rng = np.random.default_rng(2)
    values = rng.integers(0, 3, (50, 2, 3)).astype(float)
    members = rng.integers(-1, 4, (50, 2) if own_segments else 50)
    unit_of = rng.integers(0, 7, 50) if documents else np.arange(50)
    wanted = np.zeros((unit_of.max() + 1, 5, 2, 3))
    for segment, system in np.ndindex(50, 2):
        cell = members[segment, system] if own_segments else members[segment]
        if cell >= 0:
            wanted[unit_of[segment], cell, system] += values[segment, system]
    cells = Cells.added(values, members, 5, unit_of)
    table = np.zeros_like(wanted)
    for number in range(len(cells)):
        table[cells.units[cells.cell(number)], number] = cells.rows[cells.cell(number)]
    assert table.tolist() == wanted.tolist()
    assert cells.sums().tolist() == wanted.sum(axis=0).tolist()
    assert cells.most_units().tolist() == wanted.any(axis=-1).sum(axis=0).max(axis=-1).tolist()
