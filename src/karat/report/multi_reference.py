"""The tables of the experiment with several references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.report.comparisons import number
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.meta.multi_reference import MultiReferenceStudy as Report
    from karat.meta.multi_reference import RaterAgreement


def multi_reference_tables(report: Report, digits: int) -> Iterator[Table]:
    """Agreement by system, then correlations over systems, documents and segments."""
    yield _agreement(report, digits)
    yield _over_systems(report, digits)
    for level in ("document", "segment"):
        for criterion in report.criteria:
            if any(correlation.level == level for correlation in report.correlations):
                yield _over_parts(report, level, criterion, digits)


def _agreement(report: Report, digits: int) -> Table:
    by_key = {(agreement.criterion, agreement.system): agreement for agreement in report.agreement}
    lines: list[list[float | None]] = []
    for system in report.systems:
        of_system = [by_key.get((criterion, system)) for criterion in report.criteria]
        lines.append([value for agreement in of_system for value in _statistics(agreement)])
    lines.append([_plain_mean([line[i] for line in lines]) for i in range(len(report.criteria) * 3)])
    labels = (*report.systems, "Mean")
    rows = [
        (Cell(label), *(number(value, digits) for value in line)) for label, line in zip(labels, lines, strict=True)
    ]
    headings = [f"{name} {statistic}" for name in report.criteria for statistic in ("share", "kappa (1/S)", "kappa")]
    note = "Agreement: two of two or of three judgements alike; kappa (1/S) as in the paper, kappa by the right chance"
    return Table(("System", *headings), tuple(rows), (note,), frozenset({len(rows) - 1}), "Agreement of people")


def _statistics(agreement: RaterAgreement | None) -> tuple[float | None, ...]:
    return (None,) * 3 if agreement is None else (agreement.share, agreement.kappa_paper, agreement.kappa)


def _over_systems(report: Report, digits: int) -> Table:
    values = {
        (correlation.criterion, correlation.metric): correlation.value
        for correlation in report.correlations
        if correlation.level == "system"
    }
    rows = [
        (Cell(criterion), *_marked([values.get((criterion, metric)) for metric in report.metrics], digits))
        for criterion in report.criteria
    ]
    count = max((correlation.n for correlation in report.correlations if correlation.level == "system"), default=0)
    notes = (f"{count} systems, {report.references} references", *report.signatures)
    return Table(("Criterion", *report.metrics), tuple(rows), notes, title="Pearson over systems")


def _over_parts(report: Report, level: str, criterion: str, digits: int) -> Table:
    values = {
        (correlation.system, correlation.metric): correlation.value
        for correlation in report.correlations
        if correlation.level == level and correlation.criterion == criterion
    }
    rows = []
    columns: list[list[float | None]] = [[values.get((s, m)) for s in report.systems] for m in report.metrics]
    for i, system in enumerate(report.systems):
        rows.append((Cell(system), *_marked([column[i] for column in columns], digits)))
    means = [_plain_mean(column) for column in columns]
    rows.append((Cell("Mean"), *_marked(means, digits)))
    title = f"Pearson over {level}s of each system: {criterion}"
    return Table(("System", *report.metrics), tuple(rows), (), frozenset({len(rows) - 1}), title)


def _marked(values: Sequence[float | None], digits: int) -> list[Cell]:
    best = max((abs(value) for value in values if value is not None), default=None)
    return [replace(number(value, digits), best=value is not None and abs(value) == best) for value in values]


def _plain_mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
