"""What people said, and how well metrics agree with them, as sections of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from karat.report.human import human_tables
from karat.report.meta import meta_tables
from karat.report.meta_plots import heat_map, scatter
from karat.report.page.parts import Exhibit, Picture, Section, records_table, slug

if TYPE_CHECKING:
    from karat.human.results import CriterionResult
    from karat.meta.study import TaskStudy
    from karat.report.page.parts import Record
    from karat.report.svg import Drawing

FOLDED = {
    "agreement": "Agreement of the raters",
    "raters": "Quality of the raters",
    "errors": "Errors that they marked",
}
PARTS = ("systems", "agreement", "raters", "errors")
POINTS = {
    "system": "System",
    "judgement": "People",
    "judgement_low": "from",
    "judgement_high": "to",
    "score": "Metric",
    "score_low": "from",
    "score_high": "to",
    "outlier": "Outlier",
}


def human_section(
    criteria: Sequence[CriterionResult],
    sheet: Sequence[Mapping[str, Any]],
    records: Mapping[str, Sequence[Record]],
    digits: int,
) -> Section:
    """The systems under every criterion, and folded below how far raters agree and which of them to look at."""
    exhibits = []
    for criterion in criteria:
        label = criterion.label
        for part in PARTS:
            mine = [record for record in records.get(part, ()) if all(record.get(key) == label[key] for key in label)]
            for table in human_tables([criterion], (), (part,), digits):
                key = f"human-{part}-{slug('-'.join(map(str, label.values())))}"
                exhibits.append(Exhibit(key, table, tuple(mine), FOLDED.get(part, "")))
    exhibits += [Exhibit("human-sheet", table) for table in human_tables((), sheet, (), digits)]
    return Section("human", "What people said", exhibits=tuple(exhibits))


def meta_section(
    tasks: Sequence[TaskStudy],
    averages: Sequence[Mapping[str, Any]],
    weights: Mapping[str, float],
    records: Sequence[Record],
    digits: int,
) -> Section:
    """How well metrics agree with people: a plot for each metric, the measures, and folded below all of them."""
    key = f"meta-{slug(tasks[0].gold)}"
    short = meta_tables(tasks, averages, weights, digits, detailed=False)
    detailed = meta_tables(tasks, averages, weights, digits, detailed=True)
    exhibits = [Exhibit(f"{key}-{number}", table) for number, table in enumerate(short, 1)]
    exhibits += [
        Exhibit(f"{key}-all-{number}", table, tuple(records) if number == 1 else (), "All measures")
        for number, table in enumerate(detailed, 1)
    ]
    return Section(
        key,
        f"Metrics against people: {tasks[0].gold}",
        pictures=tuple(picture for task in tasks for picture in _pictures(task, key)),
        exhibits=tuple(exhibits),
    )


def _pictures(task: TaskStudy, key: str) -> list[Picture]:
    begun = f"{key}-{slug(task.label)}" if task.label else key
    drawn = []
    for metric, systems in task.scatter.items():
        if len(systems) > 1:
            points = _points(task, metric)
            name = f"{begun}-scatter-{slug(metric)}"
            drawn.append(Picture(name, _titled(scatter(task, metric), task), _numbers(name, points, POINTS)))
    for level, contests in task.contests:
        if contests.pairs:
            name = f"{begun}-contest-{slug(f'{level}-{contests.measure}-{contests.grouping}')}"
            pairs = [
                {"metric": pair.metric, "other": pair.other, "p_adjusted": pair.p_adjusted} for pair in contests.pairs
            ]
            headings = {"metric": "Metric", "other": "better than", "p_adjusted": "p"}
            drawn.append(Picture(name, _titled(heat_map(contests, level), task), _numbers(name, pairs, headings)))
    return drawn


def _titled(drawing: Drawing, task: TaskStudy) -> Drawing:
    """A drawing of one of several tasks tells which."""
    return replace(drawing, title=f"{task.label}: {drawing.title}") if task.label else drawing


def _numbers(name: str, records: Sequence[Record], headings: Mapping[str, str]) -> Exhibit:
    return Exhibit(f"{name}-numbers", records_table(records, headings), tuple(records))


def _points(task: TaskStudy, metric: str) -> list[Record]:
    points: list[Record] = []
    for system in task.scatter[metric]:
        gold, score = (interval or (None, None) for interval in (system.gold_interval, system.score_interval))
        points.append(
            {
                "system": system.system,
                "metric": metric,
                "judgement": system.gold,
                "judgement_low": gold[0],
                "judgement_high": gold[1],
                "score": system.score,
                "score_low": score[0],
                "score_high": score[1],
                "outlier": system.outlier,
            }
        )
    return points
