"""Confidence intervals and paired tests with sacreBLEU's random numbers, precision and definitions.

karat's own tests are elsewhere and differ on purpose; these exist so that a seed gives the p-value that sacreBLEU
prints for it. sacreBLEU bootstraps in float32 and randomises in float64. Sums of counts are exact in either as long as
they stay below 2^24, so they may be computed as one matrix product; where they might not be exact, rows are added one
after the other, as sacreBLEU adds them.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat.compat.sacrebleu.errors import UnknownOptionError
from karat.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams, sacrelogger
from karat.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.rows import Values

DEFAULT_SEED = "12345"
EXACT_BELOW = 2**24
"""Whole numbers below this are exact in float32."""

CHUNK_CELLS = 4_000_000
"""How many random numbers are held at a time."""

CHUNK_ROWS = 32
"""Random bits come 32 to a draw: only chunks of that many rows continue where the last one ended."""


@dataclass
class Result:
    """A score with what a test found out about it."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join([f"{name}={value!s}" for name, value in vars(self).items()])


def estimate_ci(scores: NDArray[Any]) -> tuple[float, float]:
    """Mean of the scores of resamples, and half the width of their 95 % interval."""
    ordered = np.sort(scores)
    mean: float = ordered.mean()
    return mean, _half_width(ordered)


def estimate_score_ci(scores: NDArray[Any]) -> tuple[float, float]:
    """The same for a single score, where sacreBLEU rounds the mean otherwise."""
    ordered = sorted(scores.tolist() if scores.dtype == np.float64 else scores)
    mean: float = statistics.mean(ordered)
    return mean, _half_width(ordered)


def _half_width(ordered: Sequence[float] | NDArray[Any]) -> float:
    cut = len(ordered) // 40
    width: float = 0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut])
    return width


def bootstrap_scores(metric: Metric, rows: Values, n_samples: int) -> tuple[str, NDArray[Any]]:
    """The seed, and the scores of bootstrap resamples of one system."""
    label, seed = _seed()
    draws = _bootstrap_draws(np.random.default_rng(seed), n_samples, len(rows))
    return label, _bootstrap([_Table(metric, rows)], draws)[0]


def _bootstrap_resample(
    stats: Sequence[Sequence[float]], metric: Metric, n_samples: int = 1000
) -> tuple[str, list[Score]]:
    """The seed, and the scores of bootstrap resamples as objects."""
    label, scores = bootstrap_scores(metric, np.array(stats), n_samples)
    return label, [Score(metric.name, score) for score in scores]


def _seed() -> tuple[str, int | None]:
    """The seed as the signature shows it, and as the generator takes it."""
    text = os.environ.get("SACREBLEU_SEED", DEFAULT_SEED).lower()
    if text == "none":
        return text, None
    if not text.isdecimal():
        raise InputError(f"SACREBLEU_SEED={text} must be a whole number that is not negative, or none")
    return text, int(text)


class _Draws:
    """Some bootstrap resamples: which segments each one is made of."""

    def __init__(self, indices: NDArray[np.int64]) -> None:
        self.indices = indices

    @cached_property
    def counts(self) -> NDArray[np.float32]:
        """How often each resample draws each segment."""
        samples, segments = self.indices.shape
        shifted = self.indices + np.arange(samples)[:, np.newaxis] * segments
        counts = np.bincount(shifted.ravel(), minlength=samples * segments)
        return counts.reshape(samples, segments).astype(np.float32)


def _bootstrap_draws(rng: np.random.Generator, samples: int, segments: int) -> Iterator[_Draws]:
    for rows in _chunks(samples, segments):
        yield _Draws(rng.choice(segments, size=(rows, segments), replace=True))


def _swaps(rng: np.random.Generator, trials: int, segments: int) -> Iterator[NDArray[np.bool_]]:
    for rows in _chunks(trials, segments):
        yield rng.integers(2, size=(rows, segments), dtype=bool)


def _chunks(rows: int, segments: int) -> Iterator[int]:
    size = max(1, CHUNK_CELLS // (segments * CHUNK_ROWS)) * CHUNK_ROWS
    for start in range(0, rows, size):
        yield min(size, rows - start)


class _Table:
    """The rows of one system under one metric."""

    def __init__(self, metric: Metric, rows: Values) -> None:
        self.metric = metric
        self.rows = rows
        self.single = rows.astype(np.float32)
        whole = bool((rows == np.floor(rows)).all())
        largest = float(np.abs(rows).max(initial=0))
        self.exact = whole and 2 * largest * len(rows) < EXACT_BELOW

    def resampled(self, draws: _Draws) -> NDArray[np.float32]:
        """The sums of resamples, row by row."""
        return np.array([self.single[row].sum(axis=0) for row in draws.indices])

    def swapped(self, other: _Table, swaps: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The sums with segments of the other system in some places, row by row."""
        return np.array([np.where(row[:, None], self.rows, other.rows).sum(axis=0) for row in swaps])


def _bootstrap(tables: Sequence[_Table], draws: Iterator[_Draws]) -> list[NDArray[Any]]:
    """The scores of the same resamples for each table."""
    product = _Product([table.single for table in tables if table.exact])
    parts: list[list[NDArray[Any]]] = [[] for _ in tables]
    for some in draws:
        sums = iter(product(some.counts) if product.widths else [])
        for table, scores in zip(tables, parts, strict=True):
            scores.append(table.metric._resampled_scores(next(sums) if table.exact else table.resampled(some)))
    return [np.concatenate(scores) for scores in parts]


def _swapped_differences(
    pairs: Sequence[tuple[_Table, _Table]], swaps: Iterator[NDArray[np.bool_]]
) -> list[NDArray[Any]]:
    """For each pair, the absolute differences of scores after segments have changed places."""
    exact = [first.exact and second.exact for first, second in pairs]
    product = _Product([a.single - b.single for (a, b), is_exact in zip(pairs, exact, strict=True) if is_exact])
    parts: list[list[NDArray[Any]]] = [[] for _ in pairs]
    for some in swaps:
        moved = iter(product(some.astype(np.float32)) if product.widths else [])
        for (first, second), is_exact, differences in zip(pairs, exact, parts, strict=True):
            if is_exact:
                change = next(moved).astype(np.float64)
                sums = second.rows.sum(axis=0) + change, first.rows.sum(axis=0) - change
            else:
                sums = first.swapped(second, some), second.swapped(first, some)
            first_scores, second_scores = (first.metric._resampled_scores(summed) for summed in sums)
            differences.append(np.abs(first_scores - second_scores))
    return [np.concatenate(differences) for differences in parts]


class _Product:
    """Multiplies a matrix by several blocks of columns at once: BLAS likes one wide product better than many."""

    def __init__(self, blocks: Sequence[NDArray[np.float32]]) -> None:
        self.widths = [block.shape[1] for block in blocks]
        self._all = np.hstack(blocks) if blocks else np.empty((0, 0), dtype=np.float32)

    def __call__(self, matrix: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        return np.split(matrix @ self._all, np.cumsum(self.widths)[:-1], axis=1)


def _compute_p_value(stats: NDArray[Any], real_difference: float) -> float:
    """The share of values above the real difference, the real one counted in."""
    return (int((stats > real_difference).sum()) + 1) / (len(stats) + 1)


class PairedTest:
    """Compares systems with the first of them, the baseline, under several metrics at once.

    `test_type` is "bs" (paired bootstrap) or "ar" (approximate randomisation); `n_samples` 0 means the default number.
    `n_ar_confidence` adds bootstrap intervals to "ar" (-1 none, 0 the default number of resamples). `n_jobs` is
    accepted and has no effect: karat computes rows in threads, and all comparisons share their random numbers.
    """

    _DEFAULT_SAMPLES: ClassVar[dict[str, int]] = {"ar": 10_000, "bs": 1_000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric],
        references: Streams | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise UnknownOptionError(f"Unknown test type {test_type!r}: there is 'bs' and 'ar'")
        if not named_systems:
            raise InputError("there is no system to compare")
        self.named_systems = named_systems
        self.references = references
        self.test_type = test_type
        self.n_jobs = n_jobs
        self.n_systems = len(named_systems) - 1
        self.n_samples = n_samples or self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence or self._DEFAULT_SAMPLES["bs"]
        self._seed_label, self._seed = _seed()
        self.metrics: dict[str, Metric] = {}
        self._signatures: dict[str, Signature] = {}
        self._baseline_info: dict[str, tuple[_Table, Result]] = {}
        for name, metric in metrics.items():
            self._add_metric(name, metric)

    def _add_metric(self, name: str, metric: Metric) -> None:
        """Prepare the references and score the baseline."""
        system, hypotheses = self.named_systems[0]
        sacrelogger.info("Pre-computing %s statistics for %r", name, system)
        if self.references is not None:
            metric._ref_cache = metric._prepare(self.references)
        table, score = _table_and_score(metric, hypotheses)
        result = Result(score.score)
        label = score.name
        if self._resamples:
            (scores,) = _bootstrap([table], self._draws())
            result.mean, result.ci = estimate_ci(scores)
        self.metrics[label] = metric
        self._baseline_info[label] = (table, result)
        self._signatures[label] = self._signature(metric)

    @property
    def _resamples(self) -> int:
        """How many bootstrap resamples the intervals are made of; 0 if there are none."""
        return self.n_samples if self.test_type == "bs" else max(0, self.n_ar_confidence)

    def _draws(self) -> Iterator[_Draws]:
        return _bootstrap_draws(np.random.default_rng(self._seed), self._resamples, len(self.named_systems[0][1]))

    def _signature(self, metric: Metric) -> Signature:
        signature: Signature = metric.get_signature()
        signature.update("seed", self._seed_label)
        if self._resamples:
            signature.update("bs", self._resamples)
        if self.test_type == "ar":
            signature.update("ar", self.n_samples)
        return signature

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[str | Result]]]:
        """The signatures, and a column of names and one of results for each metric, the baseline first."""
        systems = [(name, *self._measure(name, hypotheses)) for name, hypotheses in self.named_systems[1:]]
        test = self._paired_bootstrap if self.test_type == "bs" else self._approximate_randomization
        test(
            {name: [tables[name] for _, tables, _ in systems] for name in self.metrics},
            {name: [results[name] for _, _, results in systems] for name in self.metrics},
        )
        columns: dict[str, list[str | Result]] = {"System": [name for name, _ in self.named_systems]}
        for name in self.metrics:
            columns[name] = [self._baseline_info[name][1], *(results[name] for _, _, results in systems)]
        return self._signatures, columns

    def _measure(self, system: str, hypotheses: Sequence[str]) -> tuple[dict[str, _Table], dict[str, Result]]:
        tables, results = {}, {}
        for name, metric in self.metrics.items():
            sacrelogger.info("Computing %s for %r and extracting sufficient statistics", name, system)
            tables[name], score = _table_and_score(metric, hypotheses)
            results[name] = Result(score.score)
        return tables, results

    def _paired_bootstrap(self, tables: dict[str, list[_Table]], results: dict[str, list[Result]]) -> None:
        sacrelogger.info(" > Performing paired bootstrap resampling test (# resamples: %d)", self.n_samples)
        names = list(self.metrics)
        flat = [table for name in names for table in (self._baseline_info[name][0], *tables[name])]
        scores = iter(_bootstrap(flat, self._draws()))
        for name in names:
            baseline_scores, baseline_score = next(scores), self._baseline_info[name][1].score
            for result in results[name]:
                system_scores = next(scores)
                differences = np.abs(system_scores - baseline_scores)
                real = abs(baseline_score - result.score)
                result.p_value = _compute_p_value(differences - differences.mean(), real)
                result.mean, result.ci = estimate_ci(system_scores)

    def _approximate_randomization(self, tables: dict[str, list[_Table]], results: dict[str, list[Result]]) -> None:
        sacrelogger.info(" > Performing approximate randomization test (# trials: %d)", self.n_samples)
        rng = np.random.default_rng(self._seed)
        pairs = [(self._baseline_info[name][0], table) for name in self.metrics for table in tables[name]]
        swaps = _swaps(rng, self.n_samples, len(self.named_systems[0][1]))
        differences = iter(_swapped_differences(pairs, swaps))
        for name in self.metrics:
            for result in results[name]:
                real = abs(self._baseline_info[name][1].score - result.score)
                result.p_value = _compute_p_value(next(differences), real)
        if self._resamples:
            self._add_intervals(rng, tables, results)

    def _add_intervals(
        self, rng: np.random.Generator, tables: dict[str, list[_Table]], results: dict[str, list[Result]]
    ) -> None:
        """Bootstrap intervals beside approximate randomisation, from where its random numbers ended."""
        sacrelogger.info(
            " > Performing bootstrap resampling for confidence interval (# resamples: %d)", self._resamples
        )
        draws = _bootstrap_draws(rng, self._resamples, len(self.named_systems[0][1]))
        scores = iter(_bootstrap([table for name in self.metrics for table in tables[name]], draws))
        for name in self.metrics:
            for result in results[name]:
                result.mean, result.ci = estimate_ci(next(scores))


def _table_and_score(metric: Metric, hypotheses: Sequence[str]) -> tuple[_Table, Score]:
    rows = metric._rows(hypotheses, None)
    return _Table(metric, rows), metric._aggregate_and_compute(rows)
