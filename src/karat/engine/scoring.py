"""Scores many systems with many metrics, one block of segments after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.references import Fingerprint
from karat.errors import InputError
from karat.metrics.signature import signature
from karat.results import Score, Scores
from karat.rows import Rows, RunningSum

if TYPE_CHECKING:
    from karat.corpus import Corpus
    from karat.metrics.base import Metric, Prepared
    from karat.rows import Values


@dataclass
class _Tally:
    """What has been added up for one system and one metric."""

    total: RunningSum = field(default_factory=RunningSum)
    kept: list[Values] = field(default_factory=list)


class Scoring:
    """Adds up the rows of every system under every metric.

    A corpus in memory is one block; a stream is many, and then nothing but sums is kept unless `keep_rows` asks for
    more. Each block's references are prepared once per metric, and tokenised once for all metrics.
    """

    def __init__(self, metrics: Sequence[Metric], *, keep_rows: bool, threads: int | None = None) -> None:
        if not metrics:
            raise InputError("no metric was asked for; name one, such as bleu")
        self.metrics = tuple(metrics)
        self._keep_rows = keep_rows
        self._threads = threads
        self._tallies: dict[tuple[str, int], _Tally] = {}
        self._fingerprints: dict[str, Fingerprint] = {}

    def add(self, block: Corpus) -> dict[tuple[str, int], Values]:
        """Score one more block; the result is its rows by system and by position of the metric."""
        rows = {}
        prepared: dict[tuple[int, int], Prepared] = {}
        for system, column in block.systems.items():
            references = block.references_for(system)
            self._fingerprints.setdefault(system, Fingerprint()).update(references)
            for position, metric in enumerate(self.metrics):
                key = (id(references), position)
                if key not in prepared:
                    prepared[key] = metric.prepare(references, self._threads)
                rows[system, position] = self._tally(system, position, prepared[key].values(column))
        return rows

    def _tally(self, system: str, position: int, values: Values) -> Values:
        tally = self._tallies.setdefault((system, position), _Tally())
        tally.total.add(values)
        if self._keep_rows:
            tally.kept.append(values)
        return values

    def scores(self, testset: str | None = None) -> Scores:
        """The scores of all that was added so far: systems in order, and under each the metrics in order."""
        return Scores([self._score(system, position, testset) for system, position in self._tallies])

    def _score(self, system: str, position: int, testset: str | None) -> Score:
        metric, tally = self.metrics[position], self._tallies[system, position]
        fingerprint = self._fingerprints[system]
        signed = signature(metric, fingerprint.count_label, fingerprint.digest)
        total = tally.total.total()
        return Score(
            system=system,
            metric=metric.name,
            display_name=metric.display_name,
            spec=metric.spec,
            score=float(metric.aggregate(total)),
            signature=signed,
            sacrebleu_signature=metric.sacrebleu_signature(fingerprint.count_label),
            higher_is_better=metric.higher_is_better,
            segment_count=tally.total.count,
            testset=testset,
            details=metric.details(total),
            kept_rows=self._rows(metric, tally, signed) if self._keep_rows else None,
        )

    def _rows(self, metric: Metric, tally: _Tally, signed: str) -> Rows:
        return Rows(
            values=tally.kept[0] if len(tally.kept) == 1 else np.concatenate(tally.kept),
            columns=metric.columns,
            aggregate=metric.aggregate,
            spec=metric.spec,
            signature=signed,
            higher_is_better=metric.higher_is_better,
        )
