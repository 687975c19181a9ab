"""Scores many systems with many metrics, one block of segments after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.references import Fingerprint
from karat.errors import InputError
from karat.metrics.signature import signature
from karat.results import Score, Scores
from karat.rows import Rows, RunningSum

if TYPE_CHECKING:
    from karat.corpus import Corpus, References, Targeted
    from karat.metrics.base import Metric
    from karat.rows import Values
    from karat.text import TextColumn


@dataclass
class _Tally:
    """What has been added up for one system and one metric."""

    total: RunningSum = field(default_factory=RunningSum)
    kept: list[Values] = field(default_factory=list)

    def add(self, values: Values, *, keep: bool) -> None:
        """Take in the rows of one more block."""
        self.total.add(values)
        if keep:
            self.kept.append(values)


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

    def add(self, block: Corpus, targeted: Targeted = "never") -> dict[tuple[str, int], Values]:
        """Score one more block; the result is its rows by system and by position of the metric."""
        groups: dict[int, tuple[References, dict[str, TextColumn]]] = {}
        for system, column in block.systems.items():
            references = block.references_for(system, targeted=targeted)
            groups.setdefault(id(references), (references, {}))[1][system] = column
        rows = {}
        for references, systems in groups.values():
            rows.update(self.add_systems(systems, references))
        return {(system, i): rows[system, i] for system in block.systems for i in range(len(self.metrics))}

    def add_systems(self, systems: Mapping[str, TextColumn], references: References) -> dict[tuple[str, int], Values]:
        """Score one more block of systems that share their references."""
        fingerprint = self._fingerprints.get(next(iter(systems)), Fingerprint())
        fingerprint.update(references)
        self._fingerprints.update(dict.fromkeys(systems, fingerprint))
        rows = {}
        for position, metric in enumerate(self.metrics):
            prepared = metric.prepare(references, self._threads)
            for system, column in systems.items():
                values = prepared.values(column)
                self._tallies.setdefault((system, position), _Tally()).add(values, keep=self._keep_rows)
                rows[system, position] = values
        return rows

    def scores(self, testset: str | None = None) -> Scores:
        """The scores of all that was added so far: systems in order, and under each the metrics in order."""
        keys = ((system, position) for system in self._fingerprints for position in range(len(self.metrics)))
        return Scores([self._score(system, position, testset) for system, position in keys])

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
            other_names=metric.other_names,
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
