"""Signals about a pair of systems: reasons not to take BLEU's verdict on them as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.analysis.audit.model import Evidenced, PairScore, Signal
from karat.errors import InputError
from karat.significance import power

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.measure_table import MeasureTable

    Floats = NDArray[np.float64]

ORDERS = 4
HALF = 0.5
FEW_SEGMENTS = 0.05
CLOSE, CLOSER = 0.15, 2.0
"""A reference is a system's output in this share of segments, and so many times as often as the other's."""
BEYOND_CHANCE = 1.96
REFERENCE = "reference "
"""What stands before the names of references, so that no system has the same."""
NAMED = 10
"""Segments that a signal names."""


class Likeness:
    """Which n-grams texts share: the mean over orders 1 to 4 of the F-score of shared n-grams, from 0 to 1."""

    def __init__(self, texts: Mapping[str, kernels.Tokens], threads: int | None = None) -> None:
        self._texts, self._threads = texts, threads
        offsets = kernels.word_types(*texts.values(), threads=threads).offsets
        self._lengths = {name: np.diff(ends) for name, ends in zip(texts, offsets, strict=True)}
        self._prepared: dict[str, kernels.PreparedBleu] = {}
        self._known: dict[frozenset[str], float] = {}

    def __call__(self, first: str, second: str) -> float:
        """How alike two texts are."""
        pair = frozenset((first, second))
        if pair not in self._known:
            self._known[pair] = self._shared(first, second)
        return self._known[pair]

    def _shared(self, first: str, second: str) -> float:
        if first not in self._prepared:
            offsets = np.arange(len(self._lengths[first]) + 1, dtype=np.int64)
            self._prepared[first] = kernels.prepare_bleu(self._texts[first], offsets)
        rows = kernels.bleu_rows(self._prepared[first], self._texts[second], ORDERS, "closest", self._threads)
        matches = rows.sum(axis=0)[2 : 2 + ORDERS].astype(float)
        totals = self._ngrams(first) + self._ngrams(second)
        return float(np.mean(np.divide(2 * matches, totals, out=np.zeros(ORDERS), where=totals > 0)))

    def _ngrams(self, name: str) -> Floats:
        return np.array([np.maximum(self._lengths[name] - order, 0).sum() for order in range(ORDERS)], dtype=float)


@dataclass(frozen=True, eq=False)
class PairTexts:
    """What signals look at besides scores: likeness of texts, and where outputs are references word for word."""

    likeness: Likeness
    references: Sequence[str]
    identical: Mapping[tuple[str, str], NDArray[np.intp]]
    segments: int


def pair_score(table: MeasureTable, baseline: str, system: str) -> PairScore:
    """The scores of a pair, and their difference in standard errors."""
    first, second = table.scores[baseline], table.scores[system]
    error = table.deviation(baseline, system) / sqrt(table.units)
    z = (second - first) / error if error > 0 else None
    return PairScore(table.spec, baseline, system, first, second, z)


def signals(tables: Sequence[MeasureTable], texts: PairTexts, unit: str) -> Iterator[Signal]:
    """All signals of all pairs; the first measure is BLEU."""
    bleu = tables[0]
    for baseline, system in combinations(bleu.scores, 2):
        yield different_kinds(texts, baseline, system)
        yield little_power(bleu, baseline, system, unit)
        yield few_segments(bleu, baseline, system)
        yield close_reference(texts, baseline, system)
        if len(tables) > 1:
            yield metrics_disagree(tables, baseline, system)


def different_kinds(texts: PairTexts, baseline: str, system: str) -> Signal:
    """Whether two outputs are less alike than each is like its closest reference, in the mean."""
    mutual = texts.likeness(baseline, system)
    closest = [max(texts.likeness(name, reference) for reference in texts.references) for name in (baseline, system)]
    expected = float(np.mean(closest))
    numbers = (Evidenced("shared with each other", mutual), Evidenced("with references", expected))
    return Signal("different-kinds", baseline, system, mutual < expected, mutual, expected, "below", numbers=numbers)


def little_power(table: MeasureTable, baseline: str, system: str, unit: str) -> Signal:
    """Whether the difference is smaller than what the test set shows four times out of five."""
    difference = abs(table.scores[system] - table.scores[baseline])
    try:
        detectable = power(table.deviation(baseline, system), table.units, unit=unit).detectable
    except InputError:
        detectable = None
    limit = float("inf") if detectable is None else float(detectable)
    numbers = (Evidenced("difference", difference), *(() if detectable is None else (Evidenced("shown", limit),)))
    fires = difference < limit
    threshold = difference if detectable is None else limit
    return Signal("little-power", baseline, system, fires, difference, threshold, "below", table.spec, numbers=numbers)


def few_segments(table: MeasureTable, baseline: str, system: str) -> Signal:
    """Whether half of all influence on the difference sits in few segments."""
    influence = table.influence(baseline, system)
    sizes = np.abs(influence)
    order = np.argsort(-sizes, kind="stable")
    total = float(sizes.sum())
    needed = int(np.searchsorted(np.cumsum(sizes[order]), HALF * total) + 1) if total > 0 else len(sizes)
    share = needed / len(sizes)
    fires = bool(total > 0 and share <= FEW_SEGMENTS)
    numbers = (Evidenced("segments with half of it", float(needed)), Evidenced("share", share))
    heaviest = tuple((order[: min(needed, NAMED)] + 1).tolist()) if fires else ()
    return Signal(
        "few-segments",
        baseline,
        system,
        fires,
        share,
        FEW_SEGMENTS,
        "below",
        table.spec,
        segments=heaviest,
        numbers=numbers,
    )


def close_reference(texts: PairTexts, baseline: str, system: str) -> Signal:
    """Whether a reference is one system's output, word for word, far more often than the other's."""
    shares = {
        (reference, name): len(texts.identical[reference, name]) / texts.segments
        for reference in texts.references
        for name in (baseline, system)
    }
    reference, name = max(shares, key=lambda pair: shares[pair])
    share = shares[reference, name]
    other = shares[reference, system if name == baseline else baseline]
    fires = share >= CLOSE and share >= CLOSER * other
    return Signal(
        "close-reference",
        baseline,
        system,
        fires,
        share,
        CLOSE,
        "above",
        concerns=name,
        reference=reference.removeprefix(REFERENCE),
        segments=tuple((texts.identical[reference, name][:NAMED] + 1).tolist()) if fires else (),
        numbers=(Evidenced("identical", share), Evidenced("of the other", other)),
    )


def metrics_disagree(tables: Sequence[MeasureTable], baseline: str, system: str) -> Signal:
    """Whether two measures put different systems first, one of them beyond chance."""
    gains = []
    for table in tables:
        z = pair_score(table, baseline, system).z
        gains.append(table.sign * (0.0 if z is None else z))
    best, worst = max(gains), min(gains)
    opposite = min(best, -worst)
    fires = opposite > 0 and max(best, -worst) >= BEYOND_CHANCE
    numbers = tuple(Evidenced(f"z of {table.spec}", gain) for table, gain in zip(tables, gains, strict=True))
    return Signal(
        "metrics-disagree",
        baseline,
        system,
        fires,
        max(best, -worst) if opposite > 0 else 0.0,
        BEYOND_CHANCE,
        "above",
        numbers=numbers,
    )
