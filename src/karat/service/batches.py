"""Scores for people who have an engine already: a table in, the same table with scores out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from karat.corpus.column_names import ColumnNames
from karat.corpus.files import InputFile
from karat.corpus.readers.base import reader_for
from karat.corpus.records import text_columns
from karat.corpus.streams.batches import Batch, TableFile
from karat.corpus.streams.pieces import ONLY_SYSTEM, PieceMaker
from karat.engine.scoring import wants_of
from karat.engine.spacing import check_spacing
from karat.errors import InputError
from karat.registry import metric as metric_of
from karat.service.choices import corpus_formulas

if TYPE_CHECKING:
    from karat.metrics.base import Metric

T = TypeVar("T")

_WHERE = InputFile("the table.parquet")


def score_batch(
    table: T,
    metrics: Iterable[str | Metric] | str | Metric = ("sentence-bleu", "chrf", "ter"),
    *,
    columns: Mapping[str, str] | None = None,
    language: str | None = None,
    statistics: bool = False,
    threads: int | None = None,
) -> T:
    """The table with a column of segment scores for each metric; nothing else is read, kept or changed.

    `table` is a data frame of polars or pandas, a table or record batch of pyarrow, or a mapping from names to columns,
    and so is the result. `columns` says what its columns are where their names do not: `{"hypothesis": "mt"}`.
    `statistics` adds the numbers that add up, `ter/edits` and so on, so that an engine's sums give scores of
    whole corpora. Of several systems (`system:NAME`) there is a column for each: `chrf:NAME`. Metrics that weigh by the
    whole set of references are refused: a batch is not the whole. A metric whose formula is one for whole corpora,
    such as `bleu`, is computed as it is, with a warning that names the one for segments.

    >>> score_batch({"hypothesis": ["a b c d"], "reference": ["a b c d"]}, "chrf")["chrf"]
    [100.0]
    """
    wanted = _metrics(metrics, language)
    names = _names(table)
    _refuse_ragged(table, names)
    if not _height(table, names):
        raise InputError("the table is empty: there is nothing to score")
    batch = Batch(_WHERE, 1, _RowPlaces(_height(table, names)), {name: _values(table, name) for name in names})
    roles = text_columns(ColumnNames.of(tuple((columns or {}).items()), whole=True))
    reader = reader_for(_WHERE, "parquet", roles)
    (piece, *others) = PieceMaker(TableFile(_WHERE, reader), roles, ONLY_SYSTEM).pieces(batch)  # type: ignore[arg-type]
    if others or piece.rows is not None:
        raise InputError("the table has a column system: score it system by system, or leave the column out")
    for diagnostic in check_spacing(wanted, piece.corpus.references_for(wants=wants_of(wanted))):
        warnings.warn(diagnostic.message, stacklevel=2)
    scored: T = _with_columns(table, _scores(piece.corpus, wanted, statistics=statistics, threads=threads))
    return scored


def _metrics(metrics: Iterable[str | Metric] | str | Metric, language: str | None) -> list[Metric]:
    given: Sequence[Any] = [metrics] if isinstance(metrics, str) or not isinstance(metrics, Iterable) else [*metrics]
    wanted = [metric_of(metric) for metric in given]
    if not wanted:
        raise InputError("no metric was asked for: name one, such as bleu")
    for metric in wanted:
        if metric.context_key is not None:
            raise InputError(f"{metric.name} weighs by the whole set of references, of which a batch is only a part")
    for diagnostic in corpus_formulas(wanted):
        warnings.warn(diagnostic.message, stacklevel=3)
    if language is None:
        return wanted
    from karat.resources.languages import check_language

    check_language(language)
    return [metric.for_language(language) for metric in wanted]


def _column(metric: Metric) -> str:
    """The metric by a name of its own, such as sentence-bleu, or by its parameters."""
    return metric.name if metric.spec == metric.name else next(iter(metric.other_names), metric.spec)


def _scores(corpus: Any, metrics: Sequence[Metric], *, statistics: bool, threads: int | None) -> dict[str, Any]:
    """The columns to add."""
    references = corpus.references_for(wants=wants_of(metrics))
    added: dict[str, Any] = {}
    for metric in metrics:
        prepared = metric.prepare(references, threads)
        for name, column in corpus.systems.items():
            column_name = _column(metric) if name == ONLY_SYSTEM else f"{_column(metric)}:{name}"
            values = prepared.values(column)
            added[column_name] = metric.aggregate(values.astype(np.float64))
            if statistics:
                for i, statistic in enumerate(metric.columns):
                    added[f"{column_name}/{statistic}"] = np.ascontiguousarray(values[:, i])
    return added


class _RowPlaces(Sequence[str]):
    """Where rows of a table stand."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return f"row {index + 1} of the table"


def _kind(table: Any) -> str:
    module = type(table).__module__.partition(".")[0]
    if isinstance(table, Mapping):
        return "mapping"
    if module == "polars" and type(table).__name__ == "LazyFrame":
        raise InputError("the table is a LazyFrame: collect it first, or use map_batches")
    if module in ("polars", "pandas", "pyarrow") and hasattr(table, "columns"):
        return module
    raise InputError(
        f"a table is a data frame of polars or pandas, a table of pyarrow or a mapping of columns, not {type(table)}"
    )


def _names(table: Any) -> list[str]:
    kind = _kind(table)
    if kind == "pyarrow":
        return [str(name) for name in table.schema.names]
    return [str(name) for name in (table if kind == "mapping" else table.columns)]


def _height(table: Any, names: Sequence[str]) -> int:
    return len(table[names[0]]) if names else 0


def _refuse_ragged(table: Any, names: Sequence[str]) -> None:
    """Refuse a mapping whose columns differ in length; data frames have none such."""
    for name in names:
        if isinstance(table, Mapping) and len(table[name]) != _height(table, names):
            raise InputError(
                f"the table's columns differ in length: {names[0]!r} has {_height(table, names):,} values, and "
                f"{name!r} has {len(table[name]):,}"
            )


def _values(table: Any, name: str) -> list[Any]:
    column = table[name]
    convert = getattr(column, "to_pylist", None) or getattr(column, "to_list", None) or getattr(column, "tolist", None)
    values: list[Any] = list(column) if convert is None else convert()
    # Pandas says so what is missing.
    return [None if isinstance(value, float) and value != value else value for value in values]


def _with_columns(table: Any, added: Mapping[str, Any]) -> Any:
    kind = _kind(table)
    if twice := [name for name in added if name in _names(table)]:
        raise InputError(f"the table has a column {twice[0]!r} already: rename it")
    if kind == "mapping":
        as_lists = isinstance(next(iter(table.values())), list)
        return {**table, **{name: values.tolist() if as_lists else values for name, values in added.items()}}
    if kind == "polars":
        import polars

        return table.with_columns(**{name: polars.Series(values) for name, values in added.items()})
    if kind == "pandas":
        return table.assign(**added)
    import pyarrow

    for name, values in added.items():
        table = table.append_column(name, pyarrow.array(values))
    return table
