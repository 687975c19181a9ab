"""Scores parts of a corpus, wherever the worker is that does it; nothing depends on where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.corpus import DiagnosticCounter
from karat.corpus.column_names import ColumnNames
from karat.corpus.files import InputFile
from karat.corpus.records import text_columns
from karat.corpus.references import Fingerprint
from karat.corpus.streams.batches import Batch, TableFile
from karat.corpus.streams.measured import MeasuredTexts
from karat.corpus.streams.pieces import ONLY_SYSTEM, Piece, PieceMaker
from karat.engine.distinct import Distinct
from karat.engine.groups import GroupSums
from karat.engine.parts import PartPlan, PartRecord, Stretch
from karat.engine.scoring import context_for, learnt_from, refuse_to_ignore_post_edits, wants_of
from karat.engine.spacing import check_spacing
from karat.engine.store import SCORES, SUMS, PartStore
from karat.errors import InputError, KaratError

if TYPE_CHECKING:
    from polars import DataFrame

    from karat.corpus import Corpus, References
    from karat.metrics.framework.context import Context
    from karat.rows import Values
    from karat.text import TextColumn

LABELS = ("document", "domain")
"""What sums are kept by wherever it is known."""


def score_stretch(plan: PartPlan, stretch: Stretch) -> list[PartRecord]:
    """Score what is not done yet of a stretch, part by part; the result is what is known of its parts."""
    done = {record.first_row: record for record in stretch.done}
    records = []
    part: _Part | None = None
    for batch, is_last in _with_end(_batches(plan, stretch)):
        if part is None:
            part = _part(plan, stretch, batch.first_row, done.get(batch.first_row))
        part.add(batch)
        if is_last or part.rows == plan.part_rows:
            ends = is_last and stretch.rows is None
            records.append(part.finished(last=ends))
            part = None
    return records


def learn_stretch(plan: PartPlan, stretch: Stretch) -> tuple[int, dict[str, Context]]:
    """What the references of a stretch teach, and of how many rows they are; of each system's, those of the first."""
    maker = _maker(plan, stretch)
    learnt: dict[str, list[Context]] = {}
    rows = 0
    for batch in _batches(plan, stretch):
        rows += len(batch)
        for piece in maker.pieces(batch):
            if plan.learns_from is None or plan.learns_from in piece.corpus.systems:
                for key, context in learnt_from(piece.corpus.references_for(), plan.metrics, plan.threads).items():
                    learnt.setdefault(key, []).append(context)
    return rows, {key: contexts[0].merged(contexts[1:]) for key, contexts in learnt.items()}


def _table(plan: PartPlan, stretch: Stretch) -> TableFile:
    return TableFile.of(InputFile.of(stretch.path), plan.format, _columns(plan))


def _columns(plan: PartPlan) -> ColumnNames:
    return text_columns(ColumnNames.of(plan.columns, whole=True))


def _batches(plan: PartPlan, stretch: Stretch) -> Iterator[Batch]:
    return _table(plan, stretch).batches(stretch.start, stretch.rows)


def _maker(plan: PartPlan, stretch: Stretch) -> PieceMaker:
    return PieceMaker(_table(plan, stretch), _columns(plan), ONLY_SYSTEM, plan.shape)


def _with_end(batches: Iterator[Batch]) -> Iterator[tuple[Batch, bool]]:
    """Each batch, and whether it is the last."""
    held = next(batches, None)
    while held is not None:
        following = next(batches, None)
        yield held, following is None
        held = following


def _part(plan: PartPlan, stretch: Stretch, first_row: int, done: PartRecord | None) -> _Part:
    if done is None:
        return _ScoredPart(plan, stretch, first_row)
    return _VerifiedPart(plan, stretch, done) if stretch.verify else _SkippedPart(done)


class _Part:
    """Some rows of a file, batch by batch."""

    rows = 0

    def add(self, batch: Batch) -> None:
        """Take the rows that follow."""
        self.rows += len(batch)

    def finished(self, *, last: bool) -> PartRecord:
        """What is known of it in the end."""
        raise NotImplementedError


class _SkippedPart(_Part):
    """A part that was scored before."""

    def __init__(self, done: PartRecord) -> None:
        self._done = done

    def finished(self, *, last: bool) -> PartRecord:
        """What was known of it; a file that ends elsewhere now has changed."""
        if self.rows != self._done.rows or last != self._done.last:
            raise _changed(self._done)
        return self._done


class _ReadPart(_Part):
    """A part whose texts are read and hashed."""

    def __init__(self, plan: PartPlan, stretch: Stretch) -> None:
        self._plan, self._stretch = plan, stretch
        self._maker = _maker(plan, stretch)
        self._hash = blake2b(digest_size=8)

    def _pieces(self, batch: Batch) -> list[Piece]:
        self.rows += len(batch)
        pieces = self._maker.pieces(batch)
        for piece in pieces:
            self._hash.update(piece.corpus.content_hash.encode())
        for name in (*self._plan.carried, *(name for name in self._plan.groups if name not in LABELS)):
            if name not in batch.names:
                raise InputError(f"{batch.file.name}: there is no column {name!r}, only {', '.join(batch.names)}")
        for name in self._plan.carried:
            self._hash.update(repr(batch.column(name)).encode(errors="backslashreplace"))
        return pieces


class _VerifiedPart(_ReadPart):
    """A part that was scored before, and whose texts must still be the same."""

    def __init__(self, plan: PartPlan, stretch: Stretch, done: PartRecord) -> None:
        super().__init__(plan, stretch)
        self._done = done

    def add(self, batch: Batch) -> None:
        """Hash the texts."""
        self._pieces(batch)

    def finished(self, *, last: bool) -> PartRecord:
        """What was known of it, if it still holds."""
        same = self._hash.hexdigest() == self._done.input and self.rows == self._done.rows
        if not same or (last != self._done.last and self._stretch.rows is None):
            raise _changed(self._done)
        return self._done


def _changed(done: PartRecord) -> InputError:
    return InputError(
        f"{done.place} have changed since they were scored: bring the file back as it was, or name another directory "
        "with --out"
    )


class _ScoredPart(_ReadPart):
    """A part that is scored."""

    def __init__(self, plan: PartPlan, stretch: Stretch, first_row: int) -> None:
        super().__init__(plan, stretch)
        self._first_row = first_row
        self._wants = wants_of(plan.metrics)
        self._sums = GroupSums()
        self._frames: list[DataFrame] = []
        self._segments: dict[str, int] = {}
        self._references: dict[str, list[list[str]]] = {}
        self._measured: dict[str, MeasuredTexts] = {}
        self._warnings: dict[tuple[str, str], None] = {}
        self._counter, self._post_edited = DiagnosticCounter(), False
        self._distinct = Distinct() if plan.dedupe else None

    def add(self, batch: Batch) -> None:
        """Score the rows that follow."""
        for piece in self._pieces(batch):
            with _placed(batch):
                self._prepare(piece.corpus)
                self._count(piece.corpus)
            rows = self._rows(batch, piece)
            for system in piece.corpus.systems:
                own = {position: rows[system, position] for position in range(len(self._plan.metrics))}
                self._segments[system] = self._segments.get(system, 0) + len(piece.corpus)
                self._sums.add(system, self._labels(batch, piece), own)
                self._frames.append(self._frame(batch, piece, system, own))

    def _prepare(self, corpus: Corpus) -> None:
        """Take note of the references, and of what must be said about them."""
        corpus.require_systems("score")
        if self._plan.targeted == "never" and corpus.targeted:
            refuse_to_ignore_post_edits(self._plan.metrics)
        self._refuse_other_labels(corpus)
        for system in corpus.systems:
            if self._plan.shape.is_long:
                self._measured.setdefault(system, MeasuredTexts()).update(corpus)
            references = corpus.references_for(system, targeted=self._plan.targeted, wants=self._wants)
            fingerprint = Fingerprint()
            fingerprint.update(references)
            mark = fingerprint.mark()
            beside = [" ".join(named) for named in mark.beside_digests]
            self._references.setdefault(system, []).append([mark.count_label, mark.digest, *beside])
            for said in check_spacing(self._plan.metrics, references) if not self._frames else ():
                self._warnings[said.code, said.message] = None

    def _refuse_other_labels(self, corpus: Corpus) -> None:
        """Refuse labels that other rows lack: all parts have the same columns."""
        for name, values in _labels_of(corpus).items():
            if values is not None and name not in self._plan.shape.roles:
                raise InputError(
                    f"{self._stretch.path}, row {corpus.first_segment}: from here on there is a {name}, but "
                    f"{self._plan.shape.file} begins without one: give it to all rows, or to none"
                )

    def _count(self, corpus: Corpus) -> None:
        """Take note of what looks wrong with texts, by the number of each segment of its system in this part."""
        before = max(self._segments.get(system, 0) for system in corpus.systems)
        self._counter.update(replace(corpus, first_segment=before + 1))
        self._post_edited |= bool(corpus.targeted)

    def _rows(self, batch: Batch, piece: Piece) -> dict[tuple[str, int], Values]:
        try:
            if self._distinct is not None:
                return self._distinct.rows(piece.corpus, self._score)
            return self._score(piece.corpus)
        except (OSError, MemoryError):
            raise
        except Exception as error:
            raise self._poisoned(batch, piece, error) from error

    def _score(self, corpus: Corpus) -> dict[tuple[str, int], Values]:
        rows = {}
        groups: dict[int, tuple[References, dict[str, TextColumn]]] = {}
        for system, column in corpus.systems.items():
            references = corpus.references_for(system, targeted=self._plan.targeted, wants=self._wants)
            groups.setdefault(id(references), (references, {}))[1][system] = column
        for references, systems in groups.values():
            for position, metric in enumerate(self._plan.metrics):
                context = context_for(metric, self._plan.contexts)
                prepared = metric.prepare(references, self._plan.threads, context=context)
                rows.update({(system, position): prepared.values(column) for system, column in systems.items()})
        return rows

    def _poisoned(self, batch: Batch, piece: Piece, error: Exception) -> InputError:
        """The error with the row that it comes from, found by halves."""
        low, high = 0, len(piece.corpus)
        while high - low > 1:
            middle = (low + high) // 2
            if self._fails(piece.corpus.slice(low, middle)):
                high = middle
            elif self._fails(piece.corpus.slice(middle, high)):
                low = middle
            else:
                break
        reason = str(error) if isinstance(error, KaratError) else f"{type(error).__name__}: {error}"
        if high - low > 1:
            return InputError(f"{batch.places[0]}, and those behind it: {reason}")
        row = low if piece.rows is None else piece.rows[low]
        return InputError(f"{batch.places[row]}: {reason}")

    def _fails(self, corpus: Corpus) -> bool:
        try:
            self._score(corpus)
        except Exception:
            return True
        return False

    def _labels(self, batch: Batch, piece: Piece) -> list[tuple[Any, ...]] | None:
        columns = [_label_column(name, batch, piece) for name in self._plan.groups]
        return list(zip(*columns, strict=True)) if columns else None

    def _frame(self, batch: Batch, piece: Piece, system: str, rows: dict[int, Values]) -> DataFrame:
        import polars

        corpus = piece.corpus
        positions = range(len(corpus)) if piece.rows is None else piece.rows
        columns: dict[str, Any] = {
            "file": polars.repeat(self._stretch.name, len(corpus), dtype=polars.String, eager=True),
            "row": np.array(positions, dtype=np.int64) + batch.first_row,
        }
        for name, values in _labels_of(corpus).items():
            if name in self._plan.shape.roles:
                columns[name] = polars.Series(values or [None] * len(corpus), dtype=polars.String)
        columns["system"] = polars.repeat(system, len(corpus), dtype=polars.String, eager=True)
        for position, metric in enumerate(self._plan.metrics):
            columns[metric.spec] = metric.aggregate(rows[position].astype(np.float64))
        for name in self._plan.carried:
            columns[name] = _carried(batch, name, piece)
        if self._plan.keep_rows:
            for position, metric in enumerate(self._plan.metrics):
                columns |= statistics(metric.spec, metric.columns, rows[position])
        frame = polars.DataFrame(columns)
        return frame.filter(*(condition.passed() for condition in self._plan.conditions))

    def finished(self, *, last: bool) -> PartRecord:
        """Write the scores, then the sums."""
        import polars

        record = PartRecord(
            file=self._stretch.name,
            first_row=self._first_row,
            rows=self.rows,
            last=last,
            input=self._hash.hexdigest(),
            run=self._plan.run,
            segments=self._segments,
            references=self._references,
            warnings=[list(said) for said in self._warnings],
            measured={system: segments.value for system, segments in self._measured.items()},
            counted=self._counter.to_json(),
            post_edited=self._post_edited,
        )
        store = PartStore(self._plan.out)
        store.write(SCORES, record.key, polars.concat(self._frames))
        store.write(SUMS, record.key, self._sums_frame(record))
        return record

    def _sums_frame(self, record: PartRecord) -> DataFrame:
        import polars

        names = ("system", *self._plan.groups)
        labels = list(zip(*self._sums.counts, strict=True))
        columns: dict[str, Any] = {
            name: polars.Series(values, dtype=polars.String) for name, values in zip(names, labels, strict=True)
        }
        columns["segments"] = np.array(list(self._sums.counts.values()), dtype=np.int64)
        for position, metric in enumerate(self._plan.metrics):
            columns |= statistics(metric.spec, metric.columns, self._sums.sums(position))
        return polars.DataFrame(columns).with_columns(part=polars.lit(record.to_json()))


def statistics(spec: str, names: Sequence[str], values: Any) -> dict[str, Any]:
    """The columns of a metric's rows, under names that no two metrics share."""
    return {f"{spec}/{name}": np.ascontiguousarray(values[:, i]) for i, name in enumerate(names)}


def _labels_of(corpus: Corpus) -> dict[str, tuple[str, ...] | None]:
    return {"segment": corpus.ids, "document": corpus.documents, "domain": corpus.domains}


def _label_column(name: str, batch: Batch, piece: Piece) -> Sequence[str | None]:
    if name in LABELS:
        return _labels_of(piece.corpus)[name] or [None] * len(piece.corpus)
    values = batch.column(name)
    own = values if piece.rows is None else [values[row] for row in piece.rows]
    return [None if value is None else str(value) for value in own]


def _carried(batch: Batch, name: str, piece: Piece) -> Any:
    """A column as it was in Parquet; of other formats, whose values have no type, as text."""
    import json

    import polars

    if batch.frame is not None:
        series = batch.frame[name]
        return series if piece.rows is None else series.gather(list(piece.rows))
    values = batch.column(name)
    own = values if piece.rows is None else [values[row] for row in piece.rows]
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in own]
    return polars.Series(texts, dtype=polars.String)


class _placed:  # noqa: N801 - a context manager
    """Errors of what is done here name the file."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError) and self._batch.file.name not in str(error):
            raise InputError(f"{self._batch.file.name}: {error}") from error
