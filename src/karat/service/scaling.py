"""Scoring a corpus of any size part by part, on threads or a cluster, into a directory that later runs go on with."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from karat.corpus import DiagnosticCounter, References
from karat.corpus.files import InputFile
from karat.corpus.streams.measured import MeasuredTexts, refuse_other_references
from karat.corpus.streams.testset import refuse_unequal
from karat.engine.conditions import Condition
from karat.engine.executor import Executor, ThreadExecutor
from karat.engine.part_scoring import LABELS, learn_stretch, score_stretch
from karat.engine.parts import PART_ROWS, PartPlan, PartRecord, Stretch, hashed
from karat.engine.scoring import context_for
from karat.engine.store import MANIFEST, RUN, PartStore
from karat.errors import InputError
from karat.metrics.framework.identification import signature
from karat.metrics.framework.wanted import lack_in, refuse_lack
from karat.service.about_texts import about_texts, without_post_edits
from karat.service.choices import available, choices, corpus_formulas, does_without
from karat.service.inputs import one_testset, unnamed_language
from karat.service.listening import SILENT, Listeners
from karat.service.part_sources import Sources, stamp_of, stretches_of
from karat.service.part_units import UnitsNeeded, refuse_without_units
from karat.version import VERSION

if TYPE_CHECKING:
    from karat.corpus import Diagnostic, Targeted
    from karat.corpus.column_names import Pairs
    from karat.metrics.base import Metric
    from karat.metrics.framework.context import Context

EngineName = Literal["threads", "ray"]
SCHEMA = 2


@dataclass(frozen=True, kw_only=True)
class ScaleRequest:
    """Which tables to score, with what, and where the parts go.

    `groups` are columns by which sums are kept beside document and domain, `carried` those that are written beside the
    scores, `conditions` what a segment must score to be written. `address` is that of a running cluster of Ray;
    `workers` is the number of threads, or of processors of the cluster that are used. All systems are scored; those
    named in `systems` must be there, and so must the `units` that are drawn or scored afterwards.
    """

    corpus: str
    out: str
    metrics: tuple[str | Metric, ...]
    engine: EngineName = "threads"
    address: str | None = None
    workers: int | None = None
    format: str | None = None
    language_pair: str | None = None
    columns: Pairs = ()
    targeted: Targeted = "never"
    groups: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    keep_rows: bool = False
    dedupe: bool = False
    part_rows: int | None = None
    systems: tuple[str, ...] = ()
    units: UnitsNeeded | None = None


def score_parts(request: ScaleRequest, listeners: Listeners = SILENT) -> None:
    """Score every part that is not scored yet; in the end the directory has a manifest."""
    _Run(request, listeners).finish()


class _Run:
    """One run over all parts."""

    def __init__(self, request: ScaleRequest, listeners: Listeners) -> None:
        self._request, self._listeners = request, listeners
        if request.keep_rows and request.conditions:
            raise InputError(
                "--keep-rows is for tests, which need the rows of all segments, but --where writes those of some: "
                "leave out one of them"
            )
        self._store = PartStore(_absolute(request.out))
        self._sources = Sources(request.corpus, request.format, request.columns)
        self._sources.refuse_other_systems(request.systems)
        metrics, self._said = _metrics(request, self._sources.shape.roles)
        self._plan = PartPlan(
            out=self._store.path,
            metrics=metrics,
            shape=self._sources.shape,
            format=request.format,
            columns=request.columns,
            targeted=request.targeted,
            groups=self._groups(),
            carried=self._sources.carried(request.carried),
            conditions=tuple(Condition.of(text, [metric.spec for metric in metrics]) for text in request.conditions),
            keep_rows=request.keep_rows,
            dedupe=request.dedupe,
            part_rows=PART_ROWS if request.part_rows is None else request.part_rows,
        )
        filters = {condition.spec for condition in self._plan.conditions}
        self._said += corpus_formulas([metric for metric in metrics if metric.spec in filters])
        if request.units is not None:
            refuse_without_units(request.units, self._plan.groups, keeps_rows=request.keep_rows)

    def _groups(self) -> tuple[str, ...]:
        known = [label for label in LABELS if label in self._sources.shape.roles]
        asked = [name for name in self._request.groups if name not in known]
        return tuple(dict.fromkeys([*known, *self._sources.known(asked, "--group-by")]))

    def finish(self) -> None:
        """Do what is left to do."""
        prior = self._prior()
        with closing(_executor(self._request)) as executor:
            self._learn(executor)
            what = self._what()
            plan = replace(self._plan, run=hashed(what))
            done = self._done(prior, what)
            if prior is None:
                self._store.start()
                self._store.write_json(RUN, self._run_json(what))
            else:
                self._store.start()
            stretches = list(self._stretches(plan, done, prior))
            self._score(executor, plan, stretches)
        self._refuse_changes()
        self._write_manifest(what)

    def _prior(self) -> dict[str, Any] | None:
        """What an earlier run wrote at its start; a directory of others is refused."""
        prior = self._store.json(RUN)
        if prior is None and not self._store.is_empty():
            raise InputError(
                f"{self._request.out} is not empty, and holds no parts that karat wrote: name a directory of its own "
                "with --out"
            )
        if prior is not None and (prior.get("schema") != SCHEMA or not {"what", "files"} <= prior.keys()):
            raise InputError(f"{self._request.out}/{RUN} is not what this version writes: name another directory")
        return prior

    def _learn(self, executor: Executor) -> None:
        """The first pass, where metrics must see all references before they can score any segment."""
        if all(metric.context_key is None for metric in self._plan.metrics):
            return
        if self._plan.shape.is_long:
            self._plan = replace(
                self._plan,
                learns_from=self._sources.first_system(),
            )
        learnt: dict[str, Context] = {}
        sources, part_rows = self._sources.files, self._plan.part_rows
        stretches = [stretch for source in sources for stretch in stretches_of(source, part_rows)]
        for rows, more in executor.run(learn_stretch, self._plan, stretches):
            learnt = {
                **learnt,
                **{key: learnt[key].merged([more[key]]) if key in learnt else more[key] for key in more},
            }
            self._tell(rows, None)
        self._plan = replace(self._plan, contexts=learnt)

    def _what(self) -> dict[str, Any]:
        """All that decides what parts hold, in words that tell a person what differs."""
        plan = self._plan
        return {
            "metrics": [str(signature(metric, None, context_for(metric, plan.contexts))) for metric in plan.metrics],
            "columns": [list(pair) for pair in plan.columns],
            "format": plan.format,
            "post-edits": plan.targeted,
            "group-by": list(plan.groups),
            "keep": list(plan.carried),
            "where": [str(condition) for condition in plan.conditions],
            "keep-rows": plan.keep_rows,
            "part-rows": plan.part_rows,
            "karat": VERSION,
        }

    def _run_json(self, what: dict[str, Any]) -> dict[str, Any]:
        return {"schema": SCHEMA, "what": what, "files": [source.to_json() for source in self._sources.files]}

    def _done(self, prior: dict[str, Any] | None, what: dict[str, Any]) -> dict[str, list[PartRecord]]:
        """The parts of each file that an earlier run finished; another run's are refused."""
        if prior is None:
            return {}
        for key in what:
            if what[key] != prior["what"].get(key):
                raise InputError(
                    f"{self._request.out} holds parts of another run, with {key} {prior['what'].get(key)} instead of "
                    f"{what[key]}: name another directory with --out"
                )
        self._refuse_other_files(prior)
        done: dict[str, list[PartRecord]] = {}
        for record in self._store.records():
            done.setdefault(record.file, []).append(record)
        return done

    def _refuse_other_files(self, prior: dict[str, Any]) -> None:
        before = {file["name"]: file for file in prior["files"]}
        now = {source.name: source for source in self._sources.files}
        if before.keys() != now.keys():
            changed = sorted(before.keys() ^ now.keys())
            raise InputError(
                f"{self._request.out} holds parts of other files than these ({', '.join(changed[:5])} "
                f"{'is' if len(changed) == 1 else 'are'} in one of both only): name another directory with --out"
            )
        for name, source in now.items():
            stamp = before[name]["stamp"]
            if source.rows != before[name]["rows"] or (stamp and source.stamp and stamp[0] != source.stamp[0]):
                raise InputError(
                    f"{source.file.name} has changed since parts of it were scored: bring it back as it was, or name "
                    "another directory with --out"
                )

    def _stretches(
        self, plan: PartPlan, done: Mapping[str, list[PartRecord]], prior: dict[str, Any] | None
    ) -> Iterator[Stretch]:
        """What is left to do; a file that somebody may have touched is read again where it was scored before."""
        before = {} if prior is None else {file["name"]: tuple(file["stamp"]) for file in prior["files"]}
        for source in self._sources.files:
            records = {record.first_row: record for record in done.get(source.name, [])}
            verify = bool(records) and (not source.stamp or before.get(source.name) != source.stamp)
            for stretch in stretches_of(source, plan.part_rows):
                own = tuple(
                    record
                    for record in records.values()
                    if stretch.rows is None or record.first_row == stretch.start + 1
                )
                yield replace(stretch, done=own, verify=verify)

    def _score(self, executor: Executor, plan: PartPlan, stretches: Sequence[Stretch]) -> None:
        total = sum(stretch.weight for stretch in stretches) or 1.0
        left = [stretch for stretch in stretches if stretch.verify or not _is_done(stretch)]
        share = 1 - sum(stretch.weight for stretch in left) / total
        weights = {(stretch.name, stretch.start): stretch.weight for stretch in left}
        self._tell(0, share)
        for records in executor.run(score_stretch, plan, left):
            first = records[0]
            share += weights[first.file, first.first_row - 1] / total
            self._tell(sum(record.rows for record in records), min(share, 1.0))

    def _tell(self, rows: int, share: float | None) -> None:
        if self._listeners.segments is not None:
            self._listeners.segments(rows, share)

    def _refuse_changes(self) -> None:
        """Refuse a file that was written to while it was read: some parts are of the file before, some after."""
        for source in self._sources.files:
            if source.stamp != stamp_of(source.file):
                raise InputError(f"{source.file.name} was changed while it was read: run the same command again")

    def _write_manifest(self, what: dict[str, Any]) -> None:
        records = self._store.records()
        self._refuse_gaps(records)
        segments: dict[str, int] = {}
        for record in records:
            for system, count in record.segments.items():
                segments[system] = segments.get(system, 0) + count
        refuse_unequal(segments)
        _refuse_other_references(records)
        self._store.write_json(RUN, self._run_json(what))
        manifest = {
            "schema": SCHEMA,
            "what": what,
            "metrics": [_described(metric, self._plan.contexts) for metric in self._plan.metrics],
            "rows": sum(record.rows for record in records),
            "segments": segments,
            "written": "segments that pass --where; sums cover all" if self._plan.conditions else "all segments",
            "warnings": [[said.code, said.message] for said in (*self._said, *self._about_texts(records))],
            "parts": [record.key for record in records],
        }
        self._store.write_json(MANIFEST, manifest)

    def _about_texts(self, records: Sequence[PartRecord]) -> list[Diagnostic]:
        """What is to be said of the texts of all parts, as of those of one corpus."""
        counter = DiagnosticCounter()
        before: dict[str, int] = {}
        for record in records:
            if record.counted is not None:
                counter.merge(DiagnosticCounter.of_json(record.counted), before)
            for system, count in record.segments.items():
                before[system] = before.get(system, 0) + count
        said = about_texts(counter, self._plan.metrics)
        if any(record.post_edited for record in records):
            return said
        return [*without_post_edits(self._plan.metrics, self._plan.targeted), *said]

    def _refuse_gaps(self, records: Sequence[PartRecord]) -> None:
        """Refuse to call complete what is not: a worker may have written to a disk that is not seen from here."""
        by_file: dict[str, list[PartRecord]] = {}
        for record in records:
            by_file.setdefault(record.file, []).append(record)
        for source in self._sources.files:
            next_row = 1
            for record in by_file.get(source.name, []):
                if record.first_row != next_row:
                    break
                next_row += record.rows
            whole = next_row - 1 == source.rows if source.rows is not None else by_file.get(source.name, [])[-1:]
            if source.rows != 0 and (not whole or next_row == 1):
                raise InputError(
                    f"row {next_row:,} of {source.file.name} was scored, but its part is not in {self._request.out}: "
                    "--out must be a directory that all machines share, or an object store"
                )


def _refuse_other_references(records: Sequence[PartRecord]) -> None:
    measured: dict[str, MeasuredTexts] = {}
    for record in records:
        for system, value in record.measured.items():
            measured.setdefault(system, MeasuredTexts()).add(value)
    refuse_other_references({system: segments.value for system, segments in measured.items()})


def _is_done(stretch: Stretch) -> bool:
    """Whether all parts of a stretch were scored before, one after the other."""
    next_row = stretch.start + 1
    for record in sorted(stretch.done, key=lambda record: record.first_row):
        if record.first_row != next_row:
            return False
        next_row += record.rows
        if record.last:
            return True
    return stretch.rows is not None and next_row - 1 == stretch.start + stretch.rows


def _metrics(request: ScaleRequest, roles: Collection[str]) -> tuple[tuple[Metric, ...], list[Diagnostic]]:
    """The metrics as the language calls for them, and what must be said about them."""
    like_all = References.of([""]) if "source" not in roles else References.of([""]).beside([""])
    (testset,) = one_testset(request.language_pair, lambda: ())
    testset = replace(testset, lack=lambda metric: lack_in(metric, like_all, {}))
    wanted, left_out = available(choices(request.metrics), [testset])
    metrics = tuple(dict.fromkeys(testset.adapted(metric) for metric in wanted))
    for metric in metrics:
        refuse_lack(metric, like_all)
    return metrics, [*left_out, *unnamed_language(metrics), *does_without(metrics)]


def _described(metric: Metric, contexts: Mapping[str, Context]) -> dict[str, Any]:
    """A metric as a manifest names it: its spec, and what else stands in its signature."""
    signed = signature(metric, None, context_for(metric, contexts))
    return {"spec": metric.spec, "signature": [list(detail) for detail in signed.details]}


def _absolute(out: str) -> str:
    return out if InputFile.of(out).is_remote else os.path.abspath(out)  # noqa: PTH100


def _executor(request: ScaleRequest) -> Executor:
    if request.engine == "ray":
        from karat.engine.ray_executor import RayExecutor

        return RayExecutor(request.address, request.workers)
    if request.address is not None:
        raise InputError("--address is that of a cluster: add --engine ray")
    return ThreadExecutor(request.workers)
