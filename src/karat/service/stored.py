"""Evidence out of a directory of parts: what was scored is not read again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.corpus import Diagnostic
from karat.corpus.streams.measured import WHOLE
from karat.engine.part_scoring import LABELS
from karat.engine.scoring import joint
from karat.engine.store import MANIFEST, RUN, SCORES, SUMS, PartStore
from karat.errors import InputError, did_you_mean
from karat.evidence import Evidence, Measure, Segments
from karat.identity import ReferenceMark, Signature
from karat.metrics.framework.identification import identity
from karat.registry import metric as metric_of
from karat.rows import Rows
from karat.service.part_units import unit_column

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from polars import DataFrame

    from karat.engine.parts import PartRecord
    from karat.identity import Identity
    from karat.metrics.base import Metric
    from karat.service.requests import EvidenceRequest


@dataclass(frozen=True)
class _Units:
    """Rows of one unit each, the same for all systems, and how many segments they are of."""

    tables: dict[str, DataFrame]
    segments: Segments
    segment_count: int
    warnings: tuple[Diagnostic, ...] = ()


def stored_evidence(request: EvidenceRequest) -> Evidence:
    """The evidence of a finished run: by segments where rows were kept, else by documents, or sums where these do."""
    if request.texts is not None or request.scores or request.metrics:
        raise InputError(
            "--from has texts and metrics of its own: leave out -m, -r, --corpus, --scores and systems' files"
        )
    run = _StoredRun(request.stored or "")
    systems = run.chosen(request.systems)
    if request.streaming:
        units = run.totals(systems)
    elif run.keeps_rows:
        units = run.segments(systems)
    else:
        units = run.documents(systems)
    return Evidence(
        measures=tuple(run.measure(position, units) for position in range(len(run.metrics))),
        systems=systems,
        segments=units.segments,
        segment_count=len(units.segments) if not request.streaming else units.segment_count,
        grouped_segments=0 if request.streaming or run.keeps_rows else units.segment_count,
        streamed=request.streaming,
        adapted=tuple((metric.spec, metric.spec) for metric in run.metrics),
        warnings=(*run.warnings(), *units.warnings),
    )


class _StoredRun:
    """A directory of parts that is complete."""

    def __init__(self, path: str) -> None:
        self._path, self._store = path, PartStore(path)
        manifest = self._store.json(MANIFEST)
        if manifest is None:
            if self._store.json(RUN) is None:
                raise InputError(f"{path} holds no scores that karat wrote: name the directory given to --out")
            raise InputError(
                f"{path} is not complete: run the command that wrote it again, which goes on or says what is wrong"
            )
        self._manifest = manifest
        self._what: dict[str, Any] = manifest["what"]
        self.metrics: list[Metric] = [metric_of(written["spec"]) for written in manifest["metrics"]]
        self._records = self._complete_records()
        self._sums = self._read(SUMS)

    def _complete_records(self) -> list[PartRecord]:
        records = {record.key: record for record in self._store.records()}
        for key in self._manifest["parts"]:
            if key not in records:
                raise InputError(
                    f"{self._path}: the part {key} is missing: run the command that wrote it again, and it will be "
                    "made anew"
                )
        return [records[key] for key in self._manifest["parts"]]

    def _read(self, directory: str) -> DataFrame:
        frame = self._store.read(directory, keys=self._manifest["parts"])
        if frame is None:
            raise InputError(f"{self._path}/{directory} is empty: run the command that wrote it again")
        return frame

    @property
    def keeps_rows(self) -> bool:
        """Whether the rows of all segments are there, not only of those that passed a condition."""
        return bool(self._what["keep-rows"]) and not self._what["where"]

    @cached_property
    def _shares_references(self) -> bool:
        """Whether all systems are measured against the same references, in whatever order their rows come."""
        known = self._manifest["segments"]
        measured = [sum(record.measured.get(name, 0) for record in self._records) for name in known]
        return all(measured) and len({value % WHOLE for value in measured}) == 1

    def chosen(self, asked: Sequence[str]) -> tuple[str, ...]:
        """The systems asked for, or all."""
        known = list(self._manifest["segments"])
        for name in asked:
            if name not in known:
                raise InputError(f"{self._path} has no system {name!r}.{did_you_mean(name, known)}")
        return tuple(asked) or tuple(known)

    def warnings(self) -> tuple[Diagnostic, ...]:
        """What the texts were warned about when they were scored."""
        said = [*self._manifest["warnings"], *(text for record in self._records for text in record.warnings)]
        return tuple(dict.fromkeys(Diagnostic(code, text) for code, text in said))

    def totals(self, systems: Sequence[str]) -> _Units:
        """The sums of whole systems."""
        tables = {name: _summed(self._sums, name, self._columns(), []) for name in systems}
        return _Units(tables, Segments(()), self._manifest["segments"][systems[0]])

    def documents(self, systems: Sequence[str]) -> _Units:
        """The sums of documents, or of whatever one column names in place of them."""
        by = self._unit_column()
        tables = {name: _summed(self._sums, name, self._columns(), [by]) for name in systems}
        labels = [table[by].to_list() for table in tables.values()]
        if any(set(other) != set(labels[0]) for other in labels[1:]):
            raise InputError(f"{self._path}: the systems have different {by}s: nothing can be paired")
        if by in LABELS and None in labels[0]:
            raise InputError(
                f"{self._path}: not every segment has a {by}: score with --keep-rows into another directory"
            )
        tables = {name: _arranged(table, by, labels[0]) for name, table in tables.items()}
        names = tuple("" if label is None else label for label in labels[0])
        counts = [table["segments"].to_list() for table in tables.values()]
        if any(other != counts[0] for other in counts[1:]):
            raise InputError(f"{self._path}: a {by} has more segments of one system than of another")
        said = Diagnostic("unit", f"what --group-by {by} names are drawn as documents are")
        return _Units(tables, Segments(names, names), sum(counts[0]), () if by == "document" else (said,))

    def _unit_column(self) -> str:
        if (column := unit_column(self._what["group-by"])) is not None:
            return column
        raise InputError(
            f"{self._path} has sums of whole systems only, of which no test or interval can be made: score with "
            "--keep-rows, or with --group-by COLUMN where a column tells documents, into another directory"
        )

    def segments(self, systems: Sequence[str]) -> _Units:
        """The rows of all segments, in the order of the first system's."""
        frame = self._read(SCORES)
        tables = {name: self._of_system(frame, name) for name in systems}
        first = tables[systems[0]]
        tables = {name: _in_order(first, table, self._path) for name, table in tables.items()}
        ids = first["segment"].to_list() if "segment" in first.columns else []
        if len(set(ids)) < first.height:
            ids = [str(number) for number in range(1, first.height + 1)]
        documents, domains = (_labels(first, label) for label in LABELS)
        return _Units(tables, Segments(tuple(ids), documents, domains), first.height)

    def _of_system(self, frame: DataFrame, name: str) -> DataFrame:
        import polars

        return frame.filter(polars.col("system") == name).sort("file", "row")

    def _columns(self) -> list[str]:
        return [f"{metric.spec}/{column}" for metric in self.metrics for column in metric.columns]

    def measure(self, position: int, units: _Units) -> Measure:
        """The rows of all systems under one metric."""
        metric = self.metrics[position]
        rows, single = {}, {}
        for name, table in units.tables.items():
            mark = self._mark(name)
            values = _values(table, metric)
            rows[name] = Rows(values, metric.columns, metric.aggregate, self._identity(metric, position, mark))
            if metric.for_segments != metric:
                own = self._identity(metric.for_segments, position, mark)
                single[name] = Rows(values, metric.columns, metric.for_segments.aggregate, own)
        known = joint([of_system.identity for of_system in rows.values()])
        return Measure(known, rows, for_segments=single or None, details=metric.details)

    def _identity(self, metric: Metric, position: int, mark: ReferenceMark) -> Identity:
        """Who scored, with the versions of then."""
        details = tuple((name, value) for name, value in self._manifest["metrics"][position]["signature"])
        return replace(identity(metric, mark), signature=Signature(metric.spec, mark, details, metric.signed_beside))

    def _mark(self, system: str) -> ReferenceMark:
        """The number and the hash of a system's references; of several blocks, a hash of theirs."""
        shown = next(iter(self._manifest["segments"])) if self._shares_references else system
        marks = [mark for record in self._records for mark in record.references.get(shown, [])]
        counts = {count for count, *_ in marks}
        count = counts.pop() if len(counts) == 1 else "var"
        beside: dict[str, list[str]] = {}
        for name, digest in (named.split() for _, _, *others in marks for named in others):
            beside.setdefault(name, []).append(digest)
        joined = tuple((name, _of_blocks(digests)) for name, digests in beside.items())
        return ReferenceMark(count, _of_blocks([digest for _, digest, *_ in marks]), joined)


def _of_blocks(digests: Sequence[str]) -> str:
    """The hash of one block, or one hash of all."""
    if len(digests) == 1:
        return digests[0]
    return f"blocks-{sha256(chr(10).join(digests).encode()).hexdigest()[:8]}"


def _labels(table: DataFrame, name: str) -> tuple[str, ...] | None:
    """The labels of all segments, if all have one."""
    return tuple(table[name]) if name in table.columns and not table[name].null_count() else None


def _values(table: DataFrame, metric: Metric) -> NDArray[Any]:
    return np.column_stack([table[f"{metric.spec}/{column}"].to_numpy() for column in metric.columns])


def _summed(frame: DataFrame, system: str, columns: Sequence[str], by: list[str]) -> DataFrame:
    """Sums by group in order of appearance: integers exactly, and floats rounded once, whatever the order of parts."""
    import polars

    own = frame.filter(polars.col("system") == system)
    table = own.select(*by, "segments", *columns)
    labels = table[by[0]].to_list() if by else [""] * table.height
    rows_of: dict[Any, list[int]] = {}
    for row, label in enumerate(labels):
        rows_of.setdefault(label, []).append(row)
    groups = list(rows_of.values())
    summed: dict[str, Any] = {name: list(rows_of) for name in by}
    for name in ("segments", *columns):
        values = table[name].to_list()
        total = sum if table[name].dtype.is_integer() else math.fsum
        summed[name] = [total(values[i] for i in rows) for rows in groups]
    return polars.DataFrame(summed)


def _arranged(table: DataFrame, by: str, labels: Sequence[str | None]) -> DataFrame:
    places = {label: row for row, label in enumerate(table[by])}
    return table[[places[label] for label in labels]]


def _in_order(first: DataFrame, table: DataFrame, path: str) -> DataFrame:
    """The rows of a system in the order of the first one's segments."""
    if first["file"].equals(table["file"]) and first["row"].equals(table["row"]):
        return table
    keys = [name for name in ("document", "segment") if name in first.columns]
    if "segment" not in keys:
        raise InputError(f"{path}: nothing names the segments of different systems alike: nothing can be paired")
    there = first.select(keys)
    for name, keyed in (("first", there), ("other", table.select(keys))):
        if keyed.is_duplicated().any():
            raise InputError(f"{path}: a segment is there twice for the {name} system: give each its own name")
    joined = there.join(table, on=keys, how="left", maintain_order="left")
    if joined["system"].null_count() or table.height != first.height:
        raise InputError(f"{path}: the systems have different segments: nothing can be paired")
    return joined
