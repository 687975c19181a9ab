"""Simulated evaluations whose truth is known, and how often a test claims a difference in them.

All replicates stand side by side in one table and share their draws: thousands of evaluations for the price of one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import sqrt

import numpy as np
from tests.oracles.significance import bent_ratio

from karat.identity import Identity
from karat.rows import Aggregate, mean_score
from karat.significance import Comparison, Options
from karat.significance.blocks import Runner
from karat.significance.comparing import compare_pairs
from karat.significance.tables import RowTable

SEGMENTS_PER_DOCUMENT = 10
CORRELATION = 0.2
Null = Callable[[np.random.Generator, int, int], np.ndarray]
"""Makes the rows of two equal systems: segments by replicates by the two by columns."""


def independent(rng: np.random.Generator, segments: int, replicates: int) -> np.ndarray:
    """Scores of segments that differ in difficulty; systems differ by noise alone."""
    difficulty = rng.normal(50, 15, (segments, replicates, 1))
    return scored(difficulty + rng.normal(0, 10, (segments, replicates, 2)))


def documents(rng: np.random.Generator, segments: int, replicates: int) -> np.ndarray:
    """The same, but each system has good and bad documents: segments of one are correlated."""
    shape = (segments // SEGMENTS_PER_DOCUMENT, replicates, 2)
    of_document = np.repeat(rng.normal(0, 10 * sqrt(CORRELATION), shape), SEGMENTS_PER_DOCUMENT, axis=0)
    of_segment = rng.normal(0, 10 * sqrt(1 - CORRELATION), (segments, replicates, 2))
    return scored(50 + of_document + of_segment)


def ratings(rng: np.random.Generator, segments: int, replicates: int) -> np.ndarray:
    """Ratings in whole numbers of systems that are nearly always equal: a few segments differ by one."""
    base = rng.integers(1, 5, (segments, replicates, 1))
    changed = rng.random((segments, replicates, 2)) < 2.5 / segments
    return scored((base + changed).astype(float))


def ratios(rng: np.random.Generator, segments: int, replicates: int) -> np.ndarray:
    """Counts of a metric that is no mean of segments: matches and lengths, with shares that vary."""
    lengths = rng.integers(5, 60, (segments, replicates, 2))
    share = np.clip(rng.normal(0.5, 0.15, (segments, replicates, 2)), 0, 1)
    return np.stack([rng.binomial(lengths, share), lengths], axis=-1).astype(float)


def scored(scores: np.ndarray) -> np.ndarray:
    """Rows of scores: the score and a one."""
    return np.stack([scores, np.ones_like(scores)], axis=-1)


@lru_cache(maxsize=2)
def simulated(null: Null, segments: int, replicates: int, unit: str) -> RowTable:
    """The table of all replicates: systems 2r and 2r + 1 are the two of replicate r."""
    rows = null(np.random.default_rng([segments, replicates]), segments, replicates)
    if unit == "document":
        rows = rows.reshape(-1, SEGMENTS_PER_DOCUMENT, *rows.shape[1:]).sum(axis=1)
    return table_of(rows, bent_ratio if null is ratios else mean_score)


def table_of(rows: np.ndarray, aggregate: Aggregate = mean_score) -> RowTable:
    """The table of rows: units by replicates by the two systems by columns."""
    values = rows.reshape(len(rows), -1, rows.shape[-1])
    names = tuple(str(i) for i in range(values.shape[1]))
    return RowTable(names, values, aggregate, Identity.of_scores("simulated"), (len(values),))


def compared(table: RowTable, options: Options) -> tuple[Comparison, ...]:
    """The two systems of every replicate, compared."""
    pairs = np.arange(len(table.names), dtype=np.intp).reshape(-1, 2)
    return compare_pairs([table], [pairs], options, Runner())


def rejections(table: RowTable, test: str, n: int = 999) -> float:
    """The share of replicates in which a test claims a difference at 5 %."""
    found = compared(table, Options(test=test, n=n, correction="none", interval_n=2))
    return float(np.mean([one.p <= 0.05 for one in found]))


def false_families(units: int, systems: int, families: int, options: Options, seed: int = 1) -> float:
    """The share of families of equal systems, all against the first, in which any difference is claimed."""
    rng = np.random.default_rng([seed, units, systems])
    claimed = []
    for family in range(families):
        rows = scored(rng.normal(50, 15, (units, 1)) + rng.normal(0, 10, (units, systems)))
        table = table_of(rows[:, np.newaxis])
        pairs = np.array([(0, other) for other in range(1, systems)], dtype=np.intp)
        found = compare_pairs([table], [pairs], replace(options, seed=family), Runner(threads=1))
        claimed.append(any(pair.significant for pair in found))
    return float(np.mean(claimed))


def margin(share: float, replicates: int) -> float:
    """Three standard deviations of a simulated share."""
    return 3 * sqrt(share * (1 - share) / replicates)


def holds_its_level(rate: float, replicates: int) -> bool:
    """Whether a rate of false claims is at most 5 %, within the error of the simulation."""
    return rate <= 0.05 + margin(0.05, replicates)
