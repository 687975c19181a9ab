"""Scores many systems with many metrics, one block of segments after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from karat.arguments import check_threads
from karat.corpus.references import Fingerprint
from karat.engine.spacing import check_spacing
from karat.errors import InputError
from karat.evidence import Measure
from karat.identity import ReferenceMark
from karat.metrics.framework.identification import identity
from karat.quick_dataclasses import dataclass
from karat.rows import Rows, RunningSum

if TYPE_CHECKING:
    from karat.corpus import Corpus, Diagnostic, References, Targeted
    from karat.identity import Identity
    from karat.metrics.base import Metric
    from karat.metrics.framework.context import Context
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

    def rows(self) -> Values:
        """The rows of all blocks that were kept."""
        return self.kept[0] if len(self.kept) == 1 else np.concatenate(self.kept)


class Scoring:
    """Adds up the rows of every system under every metric.

    A corpus in memory is one block; a stream is many, and then nothing but sums is kept unless `keep_rows` asks for
    more. Each block's references are prepared once per metric, and tokenised once for all metrics.

    Metrics that weigh by what the whole set of references holds learn it from the one block there is, system by system
    where these have references of their own. Of a stream they must learn it before: `fit` reads all references.
    """

    def __init__(self, metrics: Sequence[Metric], *, keep_rows: bool, threads: int | None = None) -> None:
        if not metrics:
            raise InputError("no metric was asked for: name one, such as bleu")
        check_threads(threads)
        self.metrics = tuple(metrics)
        self.warnings: list[Diagnostic] | None = None
        """What the first references say about the metrics; None until there are some."""
        self._wants = wants_of(self.metrics)
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
        contexts_of: dict[str, list[Context]] = {}
        self._fitted = Fingerprint()
        for references in blocks:
            self._fitted.update(references)
            for key, context in learnt_from(references, self.metrics, self._threads).items():
                contexts_of.setdefault(key, []).append(context)
        self._learnt = {key: contexts[0].merged(contexts[1:]) for key, contexts in contexts_of.items()}

    def add(self, block: Corpus, targeted: Targeted = "never") -> dict[tuple[str, int], Values]:
        """Score one more block; the result is its rows by system and by position of the metric."""
        if targeted == "never" and block.targeted:
            refuse_to_ignore_post_edits(self.metrics)
        groups: dict[int, tuple[References, dict[str, TextColumn]]] = {}
        for system, column in block.systems.items():
            references = block.references_for(system, targeted=targeted, wants=self._wants)
            groups.setdefault(id(references), (references, {}))[1][system] = column
        rows = {}
        for references, systems in groups.values():
            rows.update(self.add_systems(systems, references))
        return {(system, i): rows[system, i] for system in block.systems for i in range(len(self.metrics))}

    def add_systems(self, systems: Mapping[str, TextColumn], references: References) -> dict[tuple[str, int], Values]:
        """Score one more block of systems that share their references."""
        if self.warnings is None:
            self.warnings = check_spacing(self.metrics, references)
        fingerprint = self._fingerprints.get(next(iter(systems)), Fingerprint())
        fingerprint.update(references)
        self._fingerprints.update(dict.fromkeys(systems, fingerprint))
        rows = {}
        contexts = self._contexts_of(systems, references)
        for position, metric in enumerate(self.metrics):
            context = context_for(metric, contexts)
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
        return learnt_from(references, self.metrics, self._threads)

    def measures(self, *, for_segments: bool = True) -> tuple[Measure, ...]:
        """What every metric says of every system so far, metrics and systems in order.

        Without `keep_rows` a system has one row, that of all segments together. `for_segments` adds the rows under the
        formula for single segments, of metrics that have another one for these.
        """
        marks = {system: fingerprint.mark() for system, fingerprint in self._fingerprints.items()}
        if self._fitted and any(mark.digest != self._fitted.mark().digest for mark in marks.values()):
            raise InputError("the references changed while they were read for the second time: run it again")
        both = for_segments and self._keep_rows
        return tuple(self._measure(position, marks, for_segments=both) for position in range(len(self.metrics)))

    def _measure(self, position: int, marks: Mapping[str, ReferenceMark], *, for_segments: bool) -> Measure:
        metric = self.metrics[position]
        rows = self._rows(metric, position, marks)
        single = metric.for_segments
        single_rows = self._rows(single, position, marks) if for_segments and single != metric else None
        known = joint([of_system.identity for of_system in rows.values()])
        return Measure(known, rows, for_segments=single_rows, details=metric.details)

    def _rows(self, metric: Metric, position: int, marks: Mapping[str, ReferenceMark]) -> dict[str, Rows]:
        """The rows of all systems under a metric that shares them with the one at that position."""
        identities: dict[tuple[ReferenceMark, str | None], Identity] = {}
        rows = {}
        for system, mark in marks.items():
            tally, context = self._tallies[system, position], self._contexts[system, position]
            key = mark, None if context is None else context.digest
            if key not in identities:
                identities[key] = identity(metric, mark, context)
            values = tally.rows() if self._keep_rows else tally.total.total()[np.newaxis]
            rows[system] = Rows(values, metric.columns, metric.aggregate, identities[key])
        return rows


def refuse_to_ignore_post_edits(metrics: Iterable[Metric]) -> None:
    """Refuse what measures against post-edits where there are some that are left out."""
    for metric in metrics:
        if "post-edits" in metric.wants:
            raise InputError(
                f"{metric.name} measures against post-edits, and these texts have some that are left out: "
                "add --post-edits instead, or beside to keep the other references"
            )


def wants_of(metrics: Iterable[Metric]) -> frozenset[str]:
    """What some of these metrics measure with."""
    return frozenset().union(*(metric.wants for metric in metrics))


def context_for(metric: Metric, contexts: Mapping[str, Context]) -> Context | None:
    """What a metric learnt, if it learns anything."""
    return None if metric.context_key is None else contexts[metric.context_key]


def learnt_from(references: References, metrics: Iterable[Metric], threads: int | None) -> dict[str, Context]:
    """What these references teach, once for all metrics that learn the same."""
    by_key = {metric.context_key: metric for metric in metrics if metric.context_key is not None}
    contexts = {key: metric.fit(references, threads) for key, metric in by_key.items()}
    return {key: context for key, context in contexts.items() if context is not None}


def joint(identities: Sequence[Identity]) -> Identity:
    """One identity for systems that are measured against references of their own, such as their post-edits.

    Its signature has a hash of all of theirs.
    """
    first = identities[0]
    if all(known is first for known in identities):
        return first
    signed = [str(known.signature) for known in identities]
    if len(set(signed)) == 1:
        return first
    digest = f"own-{sha256(chr(10).join(signed).encode()).hexdigest()[:8]}"
    own = replace(first.signature, references=ReferenceMark(first.signature.get("refs") or "", digest))
    return replace(first, signature=own if own.get("context") is None else own.with_details(context=digest))
