"""Meta-evaluation as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

from karat.meta import measure
from karat.meta.study import short_title
from karat.report.numbers import bounds, fixed
from karat.report.sentences import listed
from karat.report.table import Cell, Table
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from karat.meta.contests import ContestOptions, Contests
    from karat.meta.outliers import Drive
    from karat.meta.study import MetricAgreement, TaskStudy

SummaryColumn = tuple[str, str, str]
"""Level, measure, grouping."""

SUMMARY: tuple[SummaryColumn, ...] = (
    ("system", "pearson", "none"),
    ("system", "accuracy", "none"),
    ("system", "spa", "none"),
    ("document", "pearson", "none"),
    ("segment", "pearson", "none"),
    ("segment", "kendall-b", "item"),
    ("segment", "acc-eq", "item"),
)
SYSTEM_PEARSON: SummaryColumn = ("system", "pearson", "none")
LEVEL_WORDS = {"system": "Sys", "document": "Doc", "segment": "Seg", "domain": "Domain"}


def meta_tables(
    tasks: Sequence[TaskStudy],
    averages: Sequence[Mapping[str, Any]],
    weights: Mapping[str, float],
    digits: int,
    *,
    detailed: bool,
) -> Iterator[Table]:
    """A table for each task, and one of the means where there are several; `detailed` has a line for every measure."""
    for task in tasks:
        yield measure_table(task, digits) if detailed else summary_table(task, digits)
    if averages:
        rows = tuple(
            (
                *(Cell(str(average[key])) for key in ("metric", "level", "grouping", "measure")),
                Cell(fixed(average["value"], digits), number=True),
                Cell(str(average["tasks"]), number=True),
            )
            for average in averages
            if detailed or in_summary(average["level"], average["measure"], average["grouping"])
        )
        headings = ("Metric", "Level", "Grouping", "Measure", "Mean", "Tasks")
        yield Table(headings, rows, (weight_note(weights),), title="Mean over tasks")


def weight_note(weights: Mapping[str, float]) -> str:
    """How the mean over tasks is weighted."""
    if len(set(weights.values())) == 1:
        return "Every task has the same weight; pooled accuracies count every pair of systems once"
    shares = ", ".join(f"{task} {weight:.3g}" for task, weight in weights.items())
    return f"Weights: {shares}; pooled accuracies count every pair of systems once, whatever the weights"


def in_summary(level: str, name: str, grouping: str) -> bool:
    """Whether the short table has this, or what was pooled over tasks under it."""
    pooled = {(level, measure(name).pooled_name, grouping) for level, name, grouping in SUMMARY}
    return (level, name, grouping) in pooled.union(SUMMARY)


def summary_table(task: TaskStudy, digits: int) -> Table:
    """One line per metric with what is most looked at; the number in brackets is the cluster of metrics it is in."""
    by_key: dict[tuple[str, SummaryColumn], MetricAgreement] = {
        (entry.metric, entry.key): entry for entry in task.measures
    }
    columns = [column for column in SUMMARY if any(key[1] == column for key in by_key)]
    clusters: dict[SummaryColumn, dict[str, int]] = {
        (level, contests.measure, contests.grouping): dict(zip(contests.order, contests.clusters, strict=True))
        for level, contests in task.contests
    }
    names = _ordered(task, columns)
    best = {column: _best([by_key.get((name, column)) for name in names]) for column in columns}
    rows = []
    for name in names:
        cells = [
            _cell(by_key.get((name, column)), best[column], clusters.get(column, {}).get(name), digits)
            for column in columns
        ]
        rows.append((Cell(name), *cells))
    headings = ("Metric", *(f"{LEVEL_WORDS[level]} {_title(name, grouping)}" for level, name, grouping in columns))
    return Table(headings, tuple(rows), notes(task), title=task.label, remarks=remarks(task, digits))


def measure_table(task: TaskStudy, digits: int) -> Table:
    """One line per measure, with its interval and all that it is of."""
    rows, sections = [], set()
    for number, entry in enumerate(task.measures):
        if number == 0 or entry.metric != task.measures[number - 1].metric:
            sections.add(number)
        rows.append(_line(entry, digits))
    interval = f"{percent(task.settings.confidence)} % interval"
    headings = ("Metric", "Level", "Grouping", "Measure", "Value", interval, "n", "Groups", "ε")
    noted = notes(task, brackets=False)
    return Table(headings, tuple(rows), noted, frozenset(sections), task.label, remarks(task, digits))


def _line(entry: MetricAgreement, digits: int) -> tuple[Cell, ...]:
    agreement, interval = entry.agreement, entry.agreement.interval
    undefined = f" ({agreement.groups_undefined} without)" if agreement.groups_undefined else ""
    return (
        *(Cell(entry.metric), Cell(entry.level), Cell(agreement.grouping), Cell(short_title(agreement.measure))),
        Cell(_number(agreement.value, digits), number=True),
        Cell("–" if interval is None else bounds(*interval, digits), number=True),
        Cell(f"{agreement.n:,}", number=True),
        Cell(f"{agreement.groups:,}{undefined}", number=True),
        Cell("" if agreement.epsilon is None else f"{agreement.epsilon:.4g}", number=True),
    )


def _title(name: str, grouping: str) -> str:
    return short_title(name) + ("" if grouping == "none" else f" by {grouping}")


def _ordered(task: TaskStudy, columns: Sequence[SummaryColumn]) -> list[str]:
    """Metrics by the first column that all of them may have, the best first."""
    names = list(dict.fromkeys(entry.metric for entry in task.measures))
    if not columns:
        return names
    values = {entry.metric: entry.goodness for entry in task.measures if entry.key == columns[0]}
    return sorted(names, key=lambda name: -values[name] if isfinite(values.get(name, nan)) else inf)


def _best(entries: Sequence[MetricAgreement | None]) -> float | None:
    """The greatest goodness of those that have a value."""
    return max((entry.goodness for entry in entries if entry is not None and isfinite(entry.goodness)), default=None)


def _cell(entry: MetricAgreement | None, best: float | None, cluster: int | None, digits: int) -> Cell:
    if entry is None:
        return Cell("–", number=True)
    mark = "" if cluster is None or isnan(entry.agreement.value) else f" ({cluster})"
    return Cell(_number(entry.agreement.value, digits) + mark, best=entry.goodness == best, number=True)


def _number(value: float, digits: int) -> str:
    return "–" if isnan(value) else fixed(value, digits)


def remarks(task: TaskStudy, digits: int) -> tuple[str, ...]:
    """What stands out: outliers, systems that drive a correlation, metrics that lead."""
    sentences = []
    if task.outliers:
        sentences.append(_outlier_remark(task, digits))
    sentences += [_drive_remark(drive, digits) for drive in task.drives[:MOST_DRIVES]]
    more = len(task.drives) - MOST_DRIVES
    if more > 0:
        sentences.append(f"Systems drive a correlation in {more} more {'case' if more == 1 else 'cases'}: see --json.")
    sentences += [_contest_remark(level, contests) for level, contests in task.contests if len(contests.order) > 1]
    return tuple(sentences)


def _contest_remark(level: str, contests: Contests) -> str:
    """What the tests show: a metric that beats all others, those that none beats, or nothing."""
    under = f"under {level} {_title(contests.measure, contests.grouping)}"
    shown = contests.shown
    if not shown:
        return f"No metric is shown to be better than another {under}."
    first, *others = contests.order
    if all((first, other) in shown for other in others):
        return f"Best {under}: {first}."
    beaten = {worse for _, worse in shown}
    unbeaten = [name for name in contests.order if name not in beaten]
    return f"Not shown to be worse than any other metric {under}: {listed(unbeaten)}."


MOST_DRIVES = 6


def _outlier_remark(task: TaskStudy, digits: int) -> str:
    without = {entry.metric: entry.agreement for entry in task.without_outliers if entry.key == SYSTEM_PEARSON}
    both = [
        f"{entry.metric} {_number(entry.agreement.value, digits)} / {_number(without[entry.metric].value, digits)}"
        for entry in task.measures
        if entry.key == SYSTEM_PEARSON and entry.metric in without
    ]
    numbers = f" System Pearson with / without them: {', '.join(both[:8])}{' ...' if len(both) > 8 else ''}."
    how = "Named as outliers" if task.outlier_rule == "named" else "Outliers by their human score"
    return f"{how}: {listed(task.outliers)}.{numbers if both else ''}"


def _drive_remark(drive: Drive, digits: int) -> str:
    who = listed(drive.systems) if drive.kind == "system" else f"{drive.kind} ({listed(drive.systems)})"
    verb = "drives" if drive.kind == "system" else "drive"
    return (
        f"{who} {verb} the correlation of {drive.metric}: "
        f"Pearson {fixed(drive.value, digits)} (R² {drive.r2:.2f}) with all {drive.n} systems, "
        f"{fixed(drive.value_without, digits)} (R² {drive.r2_without:.2f}) without."
    )


def notes(task: TaskStudy, *, brackets: bool = True) -> tuple[str, ...]:
    """Which systems, which judgements, and how intervals and tests were made; `brackets` hold clusters, if any."""
    units = dict.fromkeys(f"{entry.level}s: {entry.unit}s" for entry in task.measures)
    intervals = f"Intervals: {percent(task.settings.confidence)} %, jackknife over units ({', '.join(units)})"
    clusters = [_contest_note(contests.options, brackets=brackets) for _, contests in task.contests[:1]]
    return (_system_note(task), intervals, *clusters, *_signature_notes(task))


COLUMNS = {"segment": "single segments"}
"""What a level is called beside a signature, where it is not its plural."""


def _signature_notes(task: TaskStudy) -> Iterator[str]:
    """The signatures of metrics that read texts; a metric of several has beside each what it scores."""
    columns: dict[tuple[str, str], dict[str, None]] = {}
    for entry in task.measures:
        if entry.identity.signature.references is not None:
            of_segments = measure(entry.agreement.measure).wants_segments and entry.level != "segment"
            column = (
                short_title(entry.agreement.measure) if of_segments else COLUMNS.get(entry.level, f"{entry.level}s")
            )
            columns.setdefault((entry.metric, str(entry.identity.signature)), {})[column] = None
    for (metric, signature), of_columns in columns.items():
        several = sum(name == metric for name, _ in columns) > 1
        shown = f" ({', '.join(of_columns)})" if several else ""
        yield f"{metric}{shown}: {signature}"


def _system_note(task: TaskStudy) -> str:
    why: dict[str, list[str]] = {}
    for name, reason in task.left_out.items():
        why.setdefault(reason, []).append(name)
    left_out = "".join(f"; {reason} left out: {', '.join(names)}" for reason, names in why.items())
    none = "outliers not looked for" if task.outlier_rule == "none" else "no outliers"
    count = len(task.outliers)
    outliers = f"{count} {'outlier' if count == 1 else 'outliers'} counted in" if count else none
    reference = f"; standard reference: {task.standard_reference}" if task.standard_reference else ""
    turned = "" if task.gold_higher_is_better else " (lower is better, so turned round)"
    return f"Gold: {task.gold}{turned}{reference}; {len(task.systems)} systems ({outliers}){left_out}"


def _contest_note(options: ContestOptions, *, brackets: bool) -> str:
    drawn = "" if options.analytic else f", n = {options.n:,}, seed {options.seed}"
    how = f"{options.test}{drawn}, one-sided, alpha {options.alpha:g}, correction {options.correction}"
    clusters = "In brackets: clusters, within which no metric is shown to be better than another, by"
    return f"{clusters} {how}" if brackets else f"Metrics are compared by {how}"
