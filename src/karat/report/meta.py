"""Meta-evaluation as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.meta.report import title
from karat.report.sentences import listed
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.meta.outliers import Drive
    from karat.meta.report import Entry, TaskReport

Column = tuple[str, str, str]
"""Level, measure, grouping."""

SUMMARY: tuple[Column, ...] = (
    ("system", "pearson", "none"),
    ("system", "accuracy", "none"),
    ("system", "spa", "none"),
    ("document", "pearson", "none"),
    ("segment", "pearson", "none"),
    ("segment", "kendall-b", "item"),
    ("segment", "acc-eq", "item"),
)
LEVEL_WORDS = {"system": "Sys", "document": "Doc", "segment": "Seg", "domain": "Domain"}


def summary_table(task: TaskReport, digits: int) -> Table:
    """One line per metric with what is most looked at; the number in brackets is the cluster of metrics it is in."""
    by_key: dict[tuple[str, Column], Entry] = {
        (e.metric, (e.level, e.found.measure, e.found.grouping)): e for e in task.measures
    }
    columns = [column for column in SUMMARY if any(key[1] == column for key in by_key)]
    clusters: dict[Column, dict[str, int]] = {
        (level, c.measure, c.grouping): dict(zip(c.order, c.clusters, strict=True)) for level, c in task.contests
    }
    names = _ordered(task, columns)
    best = {column: _best([by_key.get((name, column)) for name in names]) for column in columns}
    rows = []
    for name in names:
        cells = [_cell(by_key.get((name, c)), best[c], clusters.get(c, {}).get(name), digits) for c in columns]
        rows.append((Cell(name), *cells))
    headings = ("Metric", *(f"{LEVEL_WORDS[c[0]]} {_short(c)}" for c in columns))
    return Table(headings, tuple(rows), notes(task), title=task.label, remarks=remarks(task, digits))


def measure_table(task: TaskReport, digits: int) -> Table:
    """One line per measure, with its interval and all that it is of."""
    rows, sections = [], set()
    for number, entry in enumerate(task.measures):
        if number == 0 or entry.metric != task.measures[number - 1].metric:
            sections.add(number)
        rows.append(_line(entry, digits))
    headings = ("Metric", "Level", "Grouping", "Measure", "Value", _interval_heading(task), "n", "Groups", "ε")
    return Table(headings, tuple(rows), notes(task), frozenset(sections), task.label, remarks(task, digits))


def _line(entry: Entry, digits: int) -> tuple[Cell, ...]:
    found = entry.found
    interval = "–" if found.interval is None else f"[{found.interval[0]:.{digits}f}, {found.interval[1]:.{digits}f}]"
    undefined = f" ({found.groups_undefined} without)" if found.groups_undefined else ""
    return (
        *(Cell(entry.metric), Cell(entry.level), Cell(found.grouping), Cell(title(found.measure))),
        *(_number(found.value, digits), Cell(interval, number=True), Cell(f"{found.n:,}", number=True)),
        Cell(f"{found.groups:,}{undefined}", number=True),
        Cell("" if found.epsilon is None else f"{found.epsilon:.4g}", number=True),
    )


def _interval_heading(task: TaskReport) -> str:
    return f"{task.settings.level * 100:g} % interval"


def _short(column: Column) -> str:
    grouping = "" if column[2] == "none" else f" by {column[2]}"
    return title(column[1]) + grouping


def _ordered(task: TaskReport, columns: Sequence[Column]) -> list[str]:
    """Metrics by the first column that all of them may have, the best first."""
    names = list(dict.fromkeys(entry.metric for entry in task.measures))
    if not columns:
        return names
    values = {e.metric: _worth(e) for e in task.measures if (e.level, e.found.measure, e.found.grouping) == columns[0]}
    return sorted(names, key=lambda name: -values.get(name, -np.inf))


def _worth(entry: Entry) -> float:
    """The value, turned round where the metric is better the lower it is and the measure keeps its sign."""
    turned = not entry.higher_is_better and entry.found.measure in ("pearson", "spearman", "kendall-b")
    value = -entry.found.value if turned else entry.found.value
    return -np.inf if np.isnan(value) else value


def _best(entries: Sequence[Entry | None]) -> float | None:
    return max((_worth(entry) for entry in entries if entry is not None), default=None)


def _cell(entry: Entry | None, best: float | None, cluster: int | None, digits: int) -> Cell:
    if entry is None:
        return Cell("–", number=True)
    mark = "" if cluster is None else f" ({cluster})"
    text = "–" if np.isnan(entry.found.value) else f"{entry.found.value:.{digits}f}{mark}"
    return Cell(text, best=_worth(entry) == best, number=True)


def _number(value: float, digits: int) -> Cell:
    return Cell("–" if np.isnan(value) else f"{value:.{digits}f}", number=True)


def remarks(task: TaskReport, digits: int) -> tuple[str, ...]:
    """What stands out: outliers, systems that drive a correlation, metrics that lead."""
    said = []
    if task.outliers:
        said.append(_outlier_remark(task, digits))
    said += [_drive_remark(one, digits) for one in task.drives[:MOST_DRIVES]]
    if len(task.drives) > MOST_DRIVES:
        said.append(f"{len(task.drives) - MOST_DRIVES} more correlations are driven by single systems: see --json.")
    for level, contests in task.contests:
        first = [name for name, rank in zip(contests.order, contests.clusters, strict=True) if rank == 1]
        if len(first) < len(contests.order):
            grouping = "" if contests.grouping == "none" else f" by {contests.grouping}"
            said.append(f"Best under {level} {title(contests.measure)}{grouping}: {listed(first)}.")
        elif len(first) > 1:
            said.append(f"No metric is shown to be better than another under {level} {title(contests.measure)}.")
    return tuple(said)


MOST_DRIVES = 6


def _outlier_remark(task: TaskReport, digits: int) -> str:
    without = {e.metric: e.found for e in task.without_outliers if _is_system_pearson(e)}
    both = [
        f"{e.metric} {e.found.value:.{digits}f} / {without[e.metric].value:.{digits}f}"
        for e in task.measures
        if _is_system_pearson(e) and e.metric in without
    ]
    numbers = f" System Pearson with / without them: {', '.join(both[:8])}{' ...' if len(both) > 8 else ''}."
    return f"Outliers by their human score: {listed(task.outliers)}.{numbers if both else ''}"


def _is_system_pearson(entry: Entry) -> bool:
    return entry.level == "system" and entry.found.measure == "pearson"


def _drive_remark(one: Drive, digits: int) -> str:
    who = listed(one.systems) if one.kind == "system" else f"{one.kind} ({listed(one.systems)})"
    verb = "drives" if one.kind == "system" else "drive"
    return (
        f"{who} {verb} the correlation of {one.metric}: Pearson {one.value:.{digits}f} (R² {one.r2:.2f}) with all "
        f"{one.n} systems, {one.value_without:.{digits}f} (R² {one.r2_without:.2f}) without."
    )


def notes(task: TaskReport) -> tuple[str, ...]:
    """Which systems, which judgements, and how intervals and tests were made."""
    why: dict[str, list[str]] = {}
    for name, reason in task.left_out.items():
        why.setdefault(reason, []).append(name)
    left_out = "".join(f"; {reason} left out: {', '.join(names)}" for reason, names in why.items())
    outliers = f"{len(task.outliers)} outliers counted in" if task.outliers else "no outliers"
    made = [f"Gold: {task.gold}; {len(task.systems)} systems ({outliers}){left_out}"]
    units = dict.fromkeys(f"{entry.level}s: {entry.unit}s" for entry in task.measures)
    made.append(f"Intervals: {task.settings.level * 100:g} %, jackknife over units ({', '.join(units)})")
    for _, contests in task.contests[:1]:
        how = contests.options
        drawn = "" if how.test in ("williams", "hotelling", "steiger") else f", n = {how.n:,}, seed {how.seed}"
        made.append(
            f"In brackets: clusters of metrics by {how.test}{drawn}, one-sided, level {how.level:g}, correction "
            f"{how.correction}"
        )
    signatures = dict.fromkeys(f"{e.metric}: {e.signature}" for e in task.measures if e.signature)
    return (*made, *signatures)
