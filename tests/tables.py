"""Measures and tasks out of plain arrays, and analyses as they are shown, for tests that are about something else."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from karat.evidence import Level, Measure, Segments
from karat.human.results import RatingAnalysis
from karat.identity import Identity
from karat.meta.task import Task
from karat.report.forms import show_tables
from karat.results.human import HumanResult
from karat.results.writing import write_csv, write_json
from karat.rows import Rows

Tables = Mapping[Level, NDArray[np.float64]]


def measure_of(name: str, tables: Tables, systems: Sequence[str], *, higher_is_better: bool = True) -> Measure:
    """A measure with these scores by level, systems by units; NaN is missing."""
    by_level: dict[Level, dict[str, Rows]] = {}
    for level, table in tables.items():
        by_level[level] = {
            system: Rows.from_scores(
                [None if np.isnan(score) else float(score) for score in scores],
                spec=name,
                higher_is_better=higher_is_better,
            )
            for system, scores in zip(systems, table, strict=True)
        }
    identity = Identity.of_scores(name, higher_is_better=higher_is_better)
    return Measure(identity, by_level.pop("segment", {}), given=by_level)


def segment_table(task: Task, measure: Measure) -> NDArray[np.float64]:
    """The scores of segments, systems by segments."""
    table = task.table(measure, "segment")
    assert table is not None
    return table


def task_of(
    gold: Measure,
    metrics: Sequence[Measure],
    systems: Sequence[str],
    segments: int,
    *,
    humans: Sequence[str] = (),
    documents: tuple[str, ...] | None = None,
    language_pair: str | None = None,
) -> Task:
    """A task of these measures over numbered segments."""
    named = Segments(tuple(str(number) for number in range(1, segments + 1)), documents)
    return Task(gold, tuple(metrics), tuple(systems), named, tuple(humans), language_pair)


def written(analysis: RatingAnalysis, form: str, *parts: str) -> str:
    """What is shown of an analysis of ratings, as JSON or as tables."""
    result = HumanResult(criteria=analysis.criteria, sheet=analysis.sheet)
    out = io.StringIO()
    if form == "json":
        write_json(result, out)
    elif form == "csv":
        write_csv(result.records(*parts), out)
    else:
        show_tables(result.tables(2, parts), form, out)
    return out.getvalue()


def latex_rows(latex: str) -> dict[str, list[str]]:
    """The cells of a table for a paper by what stands first in their line."""
    lines = latex[latex.index(r"\midrule") : latex.index(r"\bottomrule")].splitlines()[1:]
    cells = [[cell.strip() for cell in line.removesuffix(r"\\").split("&")] for line in lines]
    return {first: rest for first, *rest in cells}
