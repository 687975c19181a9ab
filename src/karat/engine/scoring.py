"""Scores many systems with many metrics, one block of segments after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    from karat.metrics.context import Context
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

    Metrics that weigh by what the whole set of references holds learn it from the one block there is, system by system
    where these have references of their own. Of a stream they must learn it before: `fit` reads all references.
    """

    def __init__(self, metrics: Sequence[Metric], *, keep_rows: bool, threads: int | None = None) -> None:
        if not metrics:
            raise InputError("no metric was asked for; name one, such as bleu")
        self.metrics = tuple(metrics)
        self._keep_rows = keep_rows
        self._threads = threads
        self._tallies: dict[tuple[str, int], _Tally] = {}
        self._fingerprints: dict[str, Fingerprint] = {}
        self._fitted: Fingerprint | None = None
        self._learnt: dict[str, Context] = {}
        self._contexts: dict[tuple[str, int], Context | None] = {}

    @property
    def learns(self) -> bool:
        """Whether some metric must see all references before it can score a segment."""
        return any(metric.context_key is not None for metric in self.metrics)

    def fit(self, blocks: Iterable[References]) -> None:
        """Learn from the references of all blocks what metrics must know of the whole set."""
        found: dict[str, list[Context]] = {}
        self._fitted = Fingerprint()
        for references in blocks:
            self._fitted.update(references)
            for key, context in self._fitted_to(references).items():
                found.setdefault(key, []).append(context)
        self._learnt = {key: contexts[0].merged(contexts[1:]) for key, contexts in found.items()}

    def add(self, block: Corpus, targeted: Targeted = "never") -> dict[tuple[str, int], Values]:
        """Score one more block; the result is its rows by system and by position of the metric."""
        if targeted == "never" and block.targeted:
            self._refuse_to_ignore_post_edits()
        groups: dict[int, tuple[References, dict[str, TextColumn]]] = {}
        for system, column in block.systems.items():
            references = block.references_for(system, targeted=targeted)
            groups.setdefault(id(references), (references, {}))[1][system] = column
        rows = {}
        for references, systems in groups.values():
            rows.update(self.add_systems(systems, references))
        return {(system, i): rows[system, i] for system in block.systems for i in range(len(self.metrics))}

    def _refuse_to_ignore_post_edits(self) -> None:
        for metric in self.metrics:
            if metric.wants == "post-edits":
                raise InputError(
                    f"{metric.name} measures against post-edits, and these texts have some that are left out: "
                    "add --post-edits instead, or beside to keep the other references"
                )

    def add_systems(self, systems: Mapping[str, TextColumn], references: References) -> dict[tuple[str, int], Values]:
        """Score one more block of systems that share their references."""
        fingerprint = self._fingerprints.get(next(iter(systems)), Fingerprint())
        fingerprint.update(references)
        self._fingerprints.update(dict.fromkeys(systems, fingerprint))
        rows = {}
        contexts = self._contexts_of(systems, references)
        for position, metric in enumerate(self.metrics):
            context = None if metric.context_key is None else contexts[metric.context_key]
            prepared = metric.prepare(references, self._threads, context=context)
            for system, column in systems.items():
                self._contexts[system, position] = prepared.context
                values = prepared.values(column)
                self._tallies.setdefault((system, position), _Tally()).add(values, keep=self._keep_rows)
                rows[system, position] = values
        return rows

    def _contexts_of(self, systems: Iterable[str], references: References) -> dict[str, Context]:
        """What was learnt before, or else from the only block there is: once for all metrics that learn the same."""
        if self._learnt:
            return self._learnt
        for metric in self.metrics if any((system, 0) in self._contexts for system in systems) else ():
            if metric.context_key is not None:
                raise InputError(
                    f"{metric.name} weighs by the whole set of references: fit all blocks before adding any"
                )
        return self._fitted_to(references)

    def _fitted_to(self, references: References) -> dict[str, Context]:
        by_key = {metric.context_key: metric for metric in self.metrics if metric.context_key is not None}
        found = {key: metric.fit(references, self._threads) for key, metric in by_key.items()}
        return {key: context for key, context in found.items() if context is not None}

    def scores(self, testset: str | None = None) -> Scores:
        """The scores of all that was added so far: systems in order, and under each the metrics in order."""
        if self._fitted and any(one.digest != self._fitted.digest for one in self._fingerprints.values()):
            raise InputError("the references changed while they were read for the second time: run it again")
        keys = ((system, position) for system in self._fingerprints for position in range(len(self.metrics)))
        return Scores([self._score(system, position, testset) for system, position in keys])

    def _score(self, system: str, position: int, testset: str | None) -> Score:
        metric, tally = self.metrics[position], self._tallies[system, position]
        fingerprint = self._fingerprints[system]
        signed = signature(metric, fingerprint.count_label, fingerprint.digest, self._contexts[system, position])
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
