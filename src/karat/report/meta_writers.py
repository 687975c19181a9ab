"""Writes a meta-evaluation in every form: tables, JSON, CSV, pictures and one page of HTML."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from karat.errors import InputError
from karat.report.forms import shower
from karat.report.meta import measure_table, summary_table
from karat.report.meta_plots import heat_map, scatter
from karat.report.svg import safe
from karat.report.table import Cell, Table, to_html

if TYPE_CHECKING:
    from karat.meta.report import TaskReport


class Report(Protocol):
    """What is to be written: the service's result."""

    @property
    def tasks(self) -> tuple[TaskReport, ...]:
        """What was found about each task."""
        ...

    @property
    def averages(self) -> tuple[dict[str, Any], ...]:
        """What was found over all tasks."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        ...


def write_meta(report: Report, form: str, out: TextIO, *, digits: int, detailed: bool) -> None:
    """Write as JSON, CSV, or tables for people; `detailed` has a line for every measure."""
    if form == "json":
        out.write(json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n")
    elif form == "csv":
        _write_csv(report, out)
    else:
        show = shower(form, out)
        for number, table in enumerate(tables(report, digits, detailed=detailed)):
            if number:
                out.write("\n")
            show(table)


def tables(report: Report, digits: int, *, detailed: bool) -> Iterator[Table]:
    """A table for each task, and one of the means where there are several."""
    for task in report.tasks:
        yield measure_table(task, digits) if detailed else summary_table(task, digits)
    if report.averages:
        rows = tuple(
            (
                *(Cell(str(one[key])) for key in ("metric", "level", "grouping", "measure")),
                Cell(f"{one['value']:.{digits}f}", number=True),
                Cell(str(one["tasks"]), number=True),
            )
            for one in report.averages
            if detailed or one["measure"] in ("pearson", "accuracy", "accuracy-pooled", "spa", "acc-eq")
        )
        yield Table(("Metric", "Level", "Grouping", "Measure", "Mean", "Tasks"), rows, title="Mean over tasks")


def _write_csv(report: Report, out: TextIO) -> None:
    """One line per measure; numbers at full precision, intervals in two cells."""
    entries = []
    for entry in report.to_json()["measures"]:
        interval = entry.pop("interval") or ("", "")
        entries.append({**entry, "interval_low": interval[0], "interval_high": interval[1]})
    names = list(dict.fromkeys(name for entry in entries for name in entry))
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(entries)


def pictures(report: Report) -> Iterator[tuple[str, str]]:
    """File names and pictures: a scatter plot for each metric, a heat map for each comparison."""
    for task in report.tasks:
        prefix = f"{_file_name(task.label)}." if len(report.tasks) > 1 else ""
        for metric, systems in task.scatter.items():
            if len(systems) > 1:
                yield f"{prefix}scatter.{_file_name(metric)}.svg", scatter(task, metric)
        for level, contests in task.contests:
            if contests.pairs:
                name = f"{prefix}metrics.{level}.{contests.measure}.{contests.grouping}.svg"
                yield name, heat_map(contests, level)


def write_pictures(report: Report, directory: str) -> list[str]:
    """Write the pictures into a directory, which is made if need be; the names of the files."""
    target = Path(directory)
    try:
        target.mkdir(parents=True, exist_ok=True)
        names = []
        for name, text in pictures(report):
            (target / name).write_text(text, encoding="utf-8")
            names.append(name)
    except OSError as error:
        raise InputError(f"cannot write pictures into {directory}: {error.strerror or error}") from error
    return names


def write_page(report: Report, path: str, *, digits: int) -> None:
    """Everything in one page of HTML that needs nothing else."""
    parts = [
        f"<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Meta-evaluation</title><style>{STYLE}</style>"
    ]
    parts.append("<h1>How well metrics agree with people</h1>")
    parts += [to_html(table) for table in tables(report, digits, detailed=False)]
    parts.append("<h2>Pictures</h2><div class='pictures'>")
    parts += [f"<figure id='{safe(name)}'>{text}</figure>" for name, text in pictures(report)]
    parts.append("</div><h2>All measures</h2>")
    parts += [to_html(table) for table in tables(report, digits, detailed=True)]
    try:
        Path(path).write_text("\n".join([*parts, "</html>", ""]), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "metric"


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; text-align: left; white-space: nowrap; } td.number { text-align: right; }
thead th { border-bottom: 2px solid #1b1f24; } tr.section td { border-top: 1px solid #d0d7de; }
td.number { font-variant-numeric: tabular-nums; } td.best { font-weight: 600; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; max-width: 100%; overflow-x: auto; }
.notes { color: #57606a; font-size: 13px; } svg { max-width: 100%; height: auto; }
"""
